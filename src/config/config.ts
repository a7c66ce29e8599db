import type { Day } from '../core/calendar.ts';
import type { Secret } from './secret.ts';

/** jobs.yaml, checked, with defaults filled in, paths made absolute and profile patterns resolved. Frozen. */
export interface Config {
  /** Absolute path of jobs.yaml. */
  readonly file: string;
  /** Its folder: what relative paths are relative to. */
  readonly folder: string;
  /** IANA name; days, weekdays and hours in reports are this zone's. */
  readonly timezone: string;
  /** ISO 4217 code; how EMV is printed. */
  readonly currency: string;
  /** BCP 47 tag; numbers in reports, and the order of a date. */
  readonly locale: string;
  /** Of the words in reports: `en`, or one that the folder languages has. */
  readonly language: string;
  readonly brand: Brand | null;
  /** Currency units per thousand impressions. */
  readonly cpmBand: CpmBand | null;
  readonly pdf: {
    /** Absolute path of the browser that prints PDFs; null: the first Chromium on PATH. */
    readonly browser: string | null;
  };
  /** Absolute: the raw store, locks, the rate budget. */
  readonly dataDir: string;
  /** Absolute path of the published DuckDB file, or a lake. */
  readonly warehouse: WarehouseConfig;
  /** By key, in the file's order. */
  readonly workspaces: ReadonlyMap<string, WorkspaceConfig>;
  /** By key, in the file's order. */
  readonly clients: ReadonlyMap<string, ClientConfig>;
  /** By name, in the file's order. */
  readonly jobs: ReadonlyMap<string, JobConfig>;
  /** Null: nothing is sent. */
  readonly mail: MailConfig | null;
  /** Null: the SDK looks for its keys where others do. */
  readonly s3: S3Credentials | null;
  /** Absolute path of a file for the textfile collector of Prometheus' node exporter. */
  readonly metricsFile: string | null;
  readonly notify: readonly NotifyRule[];
  readonly webhooks: WebhooksConfig | null;
  /** What is allowed but probably a mistake, a sentence each; for example profile patterns that overlap. */
  readonly warnings: readonly string[];
}

export type WarehouseConfig = string | LakeConfig;

/** Tables in Parquet files, of which a PostgreSQL database is the catalog. */
export interface LakeConfig {
  readonly writer: LakeAccess;
  /** How others' SQL reads; null: by the writer's access, and `sql` is refused. */
  readonly reader: LakeAccess | null;
  /** An absolute folder, or `s3://…`; ends in a slash. */
  readonly data: string;
  /** `s3://bucket/prefix/`, where run folders go once they are whole; null: nowhere. */
  readonly raw: string | null;
  /** Fixed when the lake is made. */
  readonly shards: number;
  /** Absolute path of DuckDB's folder of extensions; null: its own, into which they are downloaded. */
  readonly extensions: string | null;
}

export interface LakeAccess {
  /** `postgres://user:password@host:port/database`. */
  readonly catalog: Secret;
  /** Null for data in a folder. */
  readonly s3: S3Access | null;
}

export interface S3Access extends S3Credentials {
  /** `http://…` or `https://…`; null: AWS. */
  readonly endpoint: string | null;
  readonly region: string;
}

export interface Brand {
  readonly name: string | null;
  /** Absolute path of an image file. */
  readonly logo: string | null;
  /** `#rrggbb`. */
  readonly color: string | null;
  /** Whether reports name the program that made them. */
  readonly productMark: boolean;
  /** Who prepares the reports, as they say. */
  readonly preparedBy?: string;
}

export interface CpmBand {
  readonly low: number;
  readonly high: number;
}

export interface WorkspaceConfig {
  readonly key: string;
  /** Without a trailing slash; ends in /api/v1 as a rule. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly rateLimit: RateLimit;
  /** Requests in flight at most. */
  readonly concurrency: number;
  /** The whole of one attempt, without its time in the queue. */
  readonly timeoutSeconds: number;
  /** The workspace's slug in webhook events. */
  readonly slug: string;
  /** The name of the linked post in an analytics record. */
  readonly linkedPostField: string;
  readonly profiles: readonly ProfileConfig[];
}

/** At most `requests` in any interval of `perSeconds`. */
export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

export interface ProfileConfig {
  /** The workspace's key. */
  readonly workspace: string;
  /** UUID, lower case. */
  readonly id: string;
  readonly name: string;
  /** Currency units per thousand impressions, for posts to which the API gives no EMV. */
  readonly cpm: number | null;
}

/** Whom reports are for, and what these are like: the file's own where the client says nothing. */
export interface ClientConfig {
  readonly key: string;
  /** Has the client's name. */
  readonly brand: Brand;
  /** Who gets its mail. */
  readonly to: readonly string[];
  readonly timezone: string;
  readonly locale: string;
  readonly language: string;
  readonly currency: string;
  /** All that its reports show. */
  readonly profiles: readonly ProfileConfig[];
}

export interface JobConfig {
  readonly name: string;
  /** Five cron fields in `timezone`; null for a job that is only run by hand. */
  readonly schedule: string | null;
  /** How old the newest reading of a profile may be; null: twice the longest time between two runs of the schedule. */
  readonly staleAfterMs: number | null;
  /** The profiles that the job's patterns name, each once, in the file's order. */
  readonly profiles: readonly ProfileConfig[];
  readonly windows: WindowsConfig;
  /** Whether `GET /posts/{id}` is read for linked posts. */
  readonly details: boolean;
  readonly reports: readonly JobReport[];
  /** An address that is asked when a run starts and ends; null: none. */
  readonly ping: Secret | null;
}

/** Exactly one of `start` and `days` is given. */
export interface WindowsConfig {
  /** The first day that is ever read, in `timezone`. */
  readonly start: Day | null;
  /** So many days up to today, today included. */
  readonly days: number | null;
  readonly sizeDays: number;
  /** Windows whose last day is younger than this are read again on every run. */
  readonly refreshDays: number;
}

export const periodNames = [
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'all',
] as const;
export type PeriodName = (typeof periodNames)[number];

/** A named period, or days of the configured time zone, both inclusive. */
export type PeriodConfig = PeriodName | { readonly from: Day | null; readonly to: Day | null };

export const reportFormats = [
  'csv',
  'xlsx',
  'html',
  'pdf',
  'json',
  'parquet',
  'md',
  'table',
] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** A format of one file, which a mail can carry. */
export const attachedFormats = ['pdf', 'xlsx', 'html'] as const;
type AttachedFormat = (typeof attachedFormats)[number];

export const compareModes = ['previous', 'year', 'none'] as const;
/** What a report's period is set beside: the one before, the same days a year before, or nothing. */
export type CompareMode = (typeof compareModes)[number];

export interface JobReport {
  readonly report: string;
  /** Whom it is for; null: nobody but the job's owner. */
  readonly client: ClientConfig | null;
  readonly period: PeriodConfig;
  readonly formats: readonly ReportFormat[];
  /** Absolute, with `{report} {job} {client} {from} {to} {date}` still in it. */
  readonly out: string;
  /** CPM that reprices every post; null: the API's and the profiles' own. */
  readonly cpm: number | null;
  readonly compare: CompareMode;
  readonly filters: ReportFilters;
  /** The report's own parameters by name, as texts. */
  readonly set: Readonly<Record<string, string>>;
  readonly deliver: readonly DeliveryConfig[];
}

/** Where a report goes, and how. */
export interface DeliveryConfig {
  readonly target: MailTarget | S3Target | CommandTarget;
  /** Null: all of its files. */
  readonly attach: readonly AttachedFormat[] | null;
  /** Whether it waits for approval. */
  readonly isHeld: boolean;
  /** Whether a report without posts is not sent. */
  readonly skipsEmpty: boolean;
}

export interface MailTarget {
  readonly kind: 'mail';
  /** Each gets a message of its own. */
  readonly to: readonly string[];
  /** With `{client} {report} {period} {job}` still in it. */
  readonly subject: string;
  /** Absolute path of a text file that stands above the figures; null: none. */
  readonly body: string | null;
}

/** A folder of object storage. The prefix has the placeholders of `out` still in it. */
export interface S3Target {
  readonly kind: 's3';
  readonly bucket: string;
  readonly prefix: string;
  /** Null: Amazon's. */
  readonly endpoint: string | null;
  readonly region: string | null;
}

/** A program and its arguments, with `{folder}` and the placeholders of `out` still in them. */
export interface CommandTarget {
  readonly kind: 'command';
  readonly command: readonly string[];
}

export interface S3Credentials {
  readonly accessKeyId: Secret;
  readonly secretAccessKey: Secret;
}

/** Names; a post has to be named in each list that is not empty. */
interface ReportFilters {
  readonly campaigns: readonly string[];
  readonly labels: readonly string[];
  readonly types: readonly string[];
}

/** How reports are sent: an SMTP server. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** False only for a server on this machine. */
  readonly isEncrypted: boolean;
  /** Null: nobody logs in. */
  readonly login: MailLogin | null;
  /** An address, or `Name <address>`. */
  readonly from: string;
  /** Of a message as it is sent. */
  readonly maxBytes: number;
}

export type MailLogin =
  | { readonly user: string; readonly password: Secret }
  | {
      readonly user: string;
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: Secret;
      readonly scope: string | null;
    };

/** What somebody can be told about a job. */
export const notifyConditions = [
  'failed',
  'partial',
  'warning',
  'stale',
  'alert',
  'recovered',
] as const;
export type NotifyCondition = (typeof notifyConditions)[number];

export const chatForms = ['slack', 'teams', 'json'] as const;

/** Who is told about jobs, and when. */
export interface NotifyRule {
  readonly when: readonly NotifyCondition[];
  readonly to:
    | { readonly post: Secret; readonly as: (typeof chatForms)[number] }
    | { readonly mail: readonly string[] };
}

export interface WebhooksConfig {
  readonly host: string;
  readonly port: number;
  /** Any of them opens; none where the list is empty. */
  readonly tokens: readonly Secret[];
  /** Carries the token, besides Authorization. */
  readonly tokenHeader: string | null;
  /** Of Standard Webhooks: any of them verifies. With tokens too, one of each must hold. */
  readonly signingSecrets: readonly Secret[];
  /** Whether the log takes a sender's address from X-Forwarded-For. */
  readonly trustProxy: boolean;
  readonly metricsPort: number | null;
}

/** What holds where jobs.yaml says nothing. */
export const defaultWebhooks: WebhooksConfig = {
  host: '127.0.0.1',
  port: 8787,
  tokens: [],
  tokenHeader: null,
  signingSecrets: [],
  trustProxy: false,
  metricsPort: null,
};
