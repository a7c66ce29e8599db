import { dirname, join, resolve } from 'node:path';
import { formatProblem } from './config-error.ts';
import { findOddities, matchProfiles } from './conflicts.ts';
import { freezeDeep, type Frozen } from './frozen.ts';
import type { RawClient, RawConfig, RawJob, RawWorkspace } from './jobs-schema.ts';
import { outOf, type RawDelivery } from './reports-schema.ts';
import { secretAt, type Resolving } from './resolving.ts';
import {
  resolveMail,
  resolveNotifyRule,
  resolveS3Keys,
  resolveWarehouse,
  resolveWebhooks,
} from './services.ts';
import { durationMs } from './value-kinds.ts';

export type {
  LakeAccess,
  LakeConfig,
  MailConfig,
  MailLogin,
  NotifyCondition,
  NotifyRule,
  S3Credentials,
  WarehouseConfig,
  WebhooksConfig,
} from './services.ts';

/** jobs.yaml, checked, with defaults filled in, paths made absolute and profile patterns resolved. Frozen. */
export interface Config extends Frozen<ReturnType<typeof resolveConfig>> {}
/** Currency units per thousand impressions. */
export type CpmBand = NonNullable<Config['cpmBand']>;

/** Fills in what jobs.yaml leaves open: absolute paths, secrets, the profiles that patterns name. */
export function resolveConfig(resolving: Resolving) {
  const { raw, file, source } = resolving;
  const folder = dirname(file);
  const dataDir = resolve(folder, raw.data_dir);
  const workspaces = mapValues(
    raw.workspaces,
    (workspace, key): WorkspaceConfig => resolveWorkspace(resolving, workspace, key),
  );
  const clients = mapValues(
    raw.clients,
    (client, key): ClientConfig => resolveClient(client, key, raw, folder, workspaces),
  );
  const jobs = mapValues(
    raw.jobs,
    (job, name): JobConfig => resolveJob(resolving, job, name, workspaces, clients),
  );
  return freezeDeep({
    /** Absolute path of jobs.yaml. */
    file,
    /** Its folder: what relative paths are relative to. */
    folder,
    /** IANA name; days, weekdays and hours in reports are this zone's. */
    timezone: canonicalTimeZone(raw.timezone),
    /** ISO 4217 code; how EMV is printed. */
    currency: raw.currency,
    /** BCP 47 tag; numbers in reports, and the order of a date. */
    locale: raw.locale,
    /** Of the words in reports: `en`, or one that the folder languages has. */
    language: raw.language,
    brand: raw.brand ? resolveBrand(raw.brand, folder) : null,
    cpmBand: raw.cpm_band ?? null,
    /** Without a `browser`, the first Chromium on PATH. */
    pdf: { browser: raw.pdf?.browser === undefined ? null : resolve(folder, raw.pdf.browser) },
    /** Absolute: the raw store, locks, the rate budget. */
    dataDir,
    warehouse: resolveWarehouse(resolving, raw.warehouse ?? join(dataDir, 'postledger.duckdb')),
    /** By key, in the file's order, as clients and jobs are. */
    workspaces,
    clients,
    jobs,
    /** Null: nothing is sent. */
    mail: raw.mail ? resolveMail(resolving, raw.mail) : null,
    /** Null: the SDK looks for its keys where others do. */
    s3: raw.s3 ? resolveS3Keys(resolving, raw.s3, ['s3']) : null,
    /** So many days the files of what was sent are kept. */
    outboxDays: raw.outbox_days,
    metricsFile: raw.metrics_file === undefined ? null : resolve(folder, raw.metrics_file),
    notify: raw.notify.map((rule, index) => resolveNotifyRule(resolving, rule, index)),
    webhooks: raw.webhooks ? resolveWebhooks(resolving, raw.webhooks) : null,
    /** What is allowed but probably a mistake, a sentence each; for example profile patterns that overlap. */
    warnings: findOddities(raw).map(({ path, message }) =>
      formatProblem(file, { path, message, line: source.lineOf(path) }),
    ),
  });
}

export interface WorkspaceConfig extends Frozen<ReturnType<typeof resolveWorkspace>> {}

/** At most `requests` in any interval of `perSeconds`. */
export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

function resolveWorkspace(resolving: Resolving, workspace: RawWorkspace, key: string) {
  const { requests, per_seconds: perSeconds } = workspace.rate_limit;
  return {
    key,
    /** Without a trailing slash; ends in /api/v1 as a rule. */
    baseUrl: workspace.base_url.replace(/\/+$/, ''),
    apiKey: secretAt(resolving, workspace.api_key, ['workspaces', key, 'api_key']),
    rateLimit: { requests, perSeconds },
    /** Requests in flight at most. */
    concurrency: workspace.concurrency,
    /** The whole of one attempt, without its time in the queue. */
    timeoutSeconds: workspace.timeout_seconds,
    slug: workspace.slug ?? key,
    linkedPostField: workspace.linked_post_field,
    profiles: workspace.profiles.map((profile): ProfileConfig => resolveProfile(profile, key)),
  };
}

export interface ProfileConfig extends Frozen<ReturnType<typeof resolveProfile>> {}

/** @param workspace its key */
function resolveProfile({ id, name, cpm }: RawWorkspace['profiles'][number], workspace: string) {
  return {
    workspace,
    /** UUID, lower case. */
    id: id.toLowerCase(),
    name,
    /** Currency units per thousand impressions, for posts to which the API gives no EMV. */
    cpm: cpm ?? null,
  };
}

/** Whom reports are for, and what these are like: the file's own where the client says nothing. */
export interface ClientConfig extends Frozen<ReturnType<typeof resolveClient>> {}

function resolveClient(
  client: RawClient,
  key: string,
  general: RawConfig,
  folder: string,
  workspaces: ReadonlyMap<string, WorkspaceConfig>,
) {
  const { name, brand, prepared_by: preparedBy } = client;
  const { color, product_mark: productMark } = general.brand ?? {};
  return {
    key,
    brand: resolveBrand({ color, product_mark: productMark, ...brand, name, preparedBy }, folder),
    to: client.to,
    timezone: canonicalTimeZone(client.timezone ?? general.timezone),
    locale: client.locale ?? general.locale,
    language: client.language ?? general.language,
    currency: client.currency ?? general.currency,
    profiles: resolveProfiles(client.profiles, workspaces),
  };
}

export interface Brand extends Frozen<ReturnType<typeof resolveBrand>> {}

function resolveBrand(
  raw: RawClient['brand'] & { name?: string | undefined; preparedBy?: string | undefined },
  folder: string,
) {
  const { preparedBy } = raw;
  return {
    name: raw.name ?? null,
    logo: raw.logo === undefined ? null : resolve(folder, raw.logo),
    /** `#rrggbb`. */
    color: raw.color ?? null,
    productMark: raw.product_mark ?? true,
    ...(preparedBy !== undefined && { preparedBy }),
  };
}

/** Each once, in the order in which the workspaces list them. */
function resolveProfiles(
  patterns: readonly string[],
  workspaces: ReadonlyMap<string, WorkspaceConfig>,
): ProfileConfig[] {
  const known = new Map([...workspaces].map(([key, { profiles }]) => [key, profiles]));
  const matches = patterns.map((pattern) => matchProfiles(pattern, known));
  const named = new Set(matches.flatMap((match) => ('profiles' in match ? match.profiles : [])));
  return [...known.values()].flat().filter((profile) => named.has(profile));
}

export interface JobConfig extends Frozen<ReturnType<typeof resolveJob>> {}
export type WindowsConfig = JobConfig['windows'];

function resolveJob(
  resolving: Resolving,
  job: RawJob,
  name: string,
  workspaces: ReadonlyMap<string, WorkspaceConfig>,
  clients: ReadonlyMap<string, ClientConfig>,
) {
  const { start, days, size_days: sizeDays, refresh_days: refreshDays } = job.windows;
  const folder = dirname(resolving.file);
  return {
    name,
    ping: job.ping === undefined ? null : secretAt(resolving, job.ping, ['jobs', name, 'ping']),
    /** Five cron fields in `timezone`; null for a job that is only run by hand. */
    schedule: job.schedule?.trim() ?? null,
    /** How old the newest reading of a profile may be; null: twice the longest time between two runs of the schedule. */
    staleAfterMs: job.stale_after === undefined ? null : durationMs(job.stale_after),
    /** Each once, in the file's order. */
    profiles: resolveProfiles(job.profiles, workspaces),
    /** In `timezone`. Exactly one of `start` and `days` is given; `days` end with today. */
    windows: { start: start ?? null, days: days ?? null, sizeDays, refreshDays },
    details: job.details,
    reports: job.reports.flatMap((report, place) =>
      clientsOf(report, clients).map(
        (client): JobReport => resolveReport({ ...report, place }, client, folder),
      ),
    ),
  };
}

type RawReport = RawJob['reports'][number];

/** Each once; null: it is for nobody but the job's owner. */
function clientsOf(
  { for: named }: RawReport,
  clients: ReadonlyMap<string, ClientConfig>,
): (ClientConfig | null)[] {
  if (named === undefined) return [null];
  const keys = named === 'each' ? clients.keys() : new Set(named);
  return [...keys].flatMap((key) => clients.get(key) ?? []);
}

export interface JobReport extends Frozen<ReturnType<typeof resolveReport>> {}
export type ReportFormat = JobReport['formats'][number];
/** What a report's period is set beside: the one before, the same days a year before, or nothing. */
export type CompareMode = JobReport['compare'];
/** A named period, or days of the configured time zone, both inclusive. */
export type PeriodConfig = JobReport['period'];
export type PeriodName = Extract<PeriodConfig, string>;
export type DeliveryConfig = JobReport['deliver'][number];

function resolveReport(
  raw: RawReport & { readonly place: number },
  client: ClientConfig | null,
  folder: string,
) {
  const { report, place, formats, compare, period, filters, cpm } = raw;
  return {
    report,
    /** Its index in the job's list in jobs.yaml, where it stands once for all of its clients. */
    place,
    /** Null: nobody but the job's owner. */
    client,
    period:
      typeof period === 'string' ? period : { from: period.from ?? null, to: period.to ?? null },
    formats: [...new Set(formats)],
    /** Absolute, with `{report} {job} {client} {from} {to} {date}` still in it. */
    out: resolve(folder, outOf(raw)),
    /** CPM that reprices every post; null: the API's and the profiles' own. */
    cpm: cpm ?? null,
    compare,
    /** Names; a post has to be named in each list that is not empty. */
    filters: { campaigns: filters.campaign, labels: filters.label, types: filters.type },
    set: Object.fromEntries(Object.entries(raw.set).map(([name, value]) => [name, String(value)])),
    deliver: raw.deliver.map((delivery) => ({
      target: resolveTarget(delivery, folder, client),
      /** Null: all of its files. */
      attach: delivery.attach ? [...new Set(delivery.attach)] : delivery.mail ? [] : null,
      /** Set when it waits for approval. */
      isHeld: delivery.hold,
      /** Set when a report without posts is not sent. */
      skipsEmpty: delivery.if_empty === 'skip',
      /** What becomes of a report over days that were not read. */
      whenIncomplete: delivery.when_incomplete,
      /** What attached files are called, with placeholders; null: as the report calls them. */
      file:
        delivery.file ?? (delivery.mail ? `${client ? '{client}-' : ''}{report}-{period}` : null),
    })),
  };
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

function resolveTarget(
  { mail = [], s3, command, subject, body }: RawDelivery,
  folder: string,
  client: ClientConfig | null,
): MailTarget | S3Target | CommandTarget {
  if (command) return { kind: 'command', command };
  if (s3) {
    const { bucket, prefix, endpoint, region } = s3;
    return {
      kind: 's3',
      bucket,
      prefix: prefix ?? `${client ? '{client}/' : ''}{report}-{to}/`,
      endpoint: endpoint ?? null,
      region: region ?? null,
    };
  }
  return {
    kind: 'mail',
    to: [...new Set(mail === 'client' ? client?.to : mail)],
    subject: subject ?? `${client ? '{client}: ' : ''}{report}, {period}`,
    body: body === undefined ? null : resolve(folder, body),
  };
}

/** Intl takes names in any letter case; other readers of the zone may not. */
function canonicalTimeZone(given: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions();
  return timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given;
}

function mapValues<Raw, Value>(
  values: Readonly<Record<string, Raw>>,
  map: (raw: Raw, key: string) => Value,
): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values).map(([key, raw]) => [key, map(raw, key)]));
}
