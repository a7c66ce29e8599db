import { dirname, join, resolve } from 'node:path';
import { formatProblem } from './config-error.ts';
import { findLikelyMistakes, profilesNamed } from './conflicts.ts';
import { freezeDeep, type Frozen } from './frozen.ts';
import type { RawClient, RawConfig, RawJob, RawWorkspace } from './jobs-schema.ts';
import { clientPlaceholder, outOf, type RawComment, type RawDelivery } from './reports-schema.ts';
import { secretAt, type Resolving } from './resolving.ts';
import {
  resolveMail,
  resolveNotifyRule,
  resolveS3Keys,
  resolveWarehouse,
  resolveWebhooks,
} from './services.ts';
import { addressIn, durationMs } from './value-kinds.ts';

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

/** The checked and frozen jobs.yaml, with defaults, absolute paths and resolved profile patterns. */
export interface Config extends Frozen<ReturnType<typeof resolveConfig>> {}

/** Resolves the paths, the secrets and the profile patterns of jobs.yaml. */
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
    /** The absolute path of jobs.yaml. */
    file,
    /** The folder of jobs.yaml, on which relative paths are based. */
    folder,
    /** The IANA name of the zone of days, weekdays and hours in reports. */
    timezone: canonicalTimeZone(raw.timezone),
    /** The ISO 4217 code of the currency of EMV. */
    currency: raw.currency,
    /** The BCP 47 tag that decides the form of numbers and the order of dates in reports. */
    locale: raw.locale,
    /** The language of the words in reports: `en`, or one from the folder languages. */
    language: raw.language,
    brand: raw.brand ? resolveBrand(raw.brand, folder) : null,
    cpmBand: raw.cpm_band ?? null,
    /** The default `browser` is the first Chromium on PATH. */
    pdf: { browser: raw.pdf?.browser === undefined ? null : resolve(folder, raw.pdf.browser) },
    /** The absolute path of the folder of the raw store, the locks and the rate budget. */
    dataDir,
    warehouse: resolveWarehouse(resolving, raw.warehouse ?? join(dataDir, 'postledger.duckdb')),
    /** Workspaces by key, in the file's order, as are clients and jobs. */
    workspaces,
    clients,
    jobs,
    /** The mail server; null if none is configured. */
    mail: raw.mail ? resolveMail(resolving, raw.mail) : null,
    /** The keys of object storage; null if the AWS SDK is to find them. */
    s3: raw.s3 ? resolveS3Keys(resolving, raw.s3, ['s3']) : null,
    /** The numbers of days for which data are kept; null: for good. */
    retention: {
      /** The days for the files of deliveries that were sent. */
      outboxDays: raw.retention.outbox_days ?? raw.outbox_days ?? 30,
      /** The days for the files of reports that jobs wrote. */
      outDays: raw.retention.out_days ?? null,
    },
    metricsFile: raw.metrics_file === undefined ? null : resolve(folder, raw.metrics_file),
    notify: raw.notify.map((rule, index) => resolveNotifyRule(resolving, rule, index)),
    webhooks: raw.webhooks ? resolveWebhooks(resolving, raw.webhooks) : null,
    /** Sentences about likely mistakes, for example profile patterns that overlap. */
    warnings: findLikelyMistakes(raw).map(({ path, message }) =>
      formatProblem(file, { path, message, line: source.lineOf(path) }),
    ),
  });
}

export interface WorkspaceConfig extends Frozen<ReturnType<typeof resolveWorkspace>> {}

/** A limit of `requests` in any interval of `perSeconds`. */
export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

function resolveWorkspace(resolving: Resolving, workspace: RawWorkspace, key: string) {
  const { requests, per_seconds: perSeconds } = workspace.rate_limit;
  return {
    key,
    /** The address of the API. It usually ends in /api/v1. */
    baseUrl: workspace.base_url,
    apiKey: secretAt(resolving, workspace.api_key, ['workspaces', key, 'api_key']),
    rateLimit: { requests, perSeconds },
    /** The maximum number of requests in flight. */
    concurrency: workspace.concurrency,
    /** The timeout of one attempt, without its time in the queue. */
    timeoutSeconds: workspace.timeout_seconds,
    /** Its slug in webhook events, and those that it had before. */
    slugs: [workspace.slug ?? key].flat(),
    linkedPostField: workspace.linked_post_field,
    profiles: workspace.profiles.map((profile): ProfileConfig => resolveProfile(profile, key)),
  };
}

/** The workspaces' keys by the slugs that they have or had. */
export function workspacesBySlug({
  workspaces,
}: Pick<Config, 'workspaces'>): ReadonlyMap<string, string> {
  const all = [...workspaces.values()];
  return new Map(all.flatMap(({ slugs, key }) => slugs.map((slug) => [slug, key] as const)));
}

export interface ProfileConfig extends Frozen<ReturnType<typeof resolveProfile>> {}

/** @param workspace the key of the profile's workspace */
function resolveProfile(profile: RawWorkspace['profiles'][number], workspace: string) {
  const { id, name, cpm, until } = profile;
  return {
    workspace,
    /** A UUID in lower case. */
    id: id.toLowerCase(),
    name,
    /** The currency units per thousand impressions, for posts without an EMV from the API. */
    cpm: cpm ?? null,
    /** The last day that counts; null for a profile that has not ended. */
    until: until ?? null,
  };
}

/** A recipient of reports, with settings that default to those at the top of the file. */
export interface ClientConfig extends Frozen<ReturnType<typeof resolveClient>> {}

function resolveClient(
  client: RawClient,
  key: string,
  general: RawConfig,
  folder: string,
  workspaces: ReadonlyMap<string, WorkspaceConfig>,
) {
  const { name, brand, prepared_by: preparedBy } = client;
  const { color, product_mark: productMark = false } = general.brand ?? {};
  return {
    key,
    brand: resolveBrand({ color, product_mark: productMark, ...brand, name, preparedBy }, folder),
    to: client.to,
    /** The monthly targets of its reports, by figure. */
    targets: client.targets,
    /** Events that charts over time mark. */
    notes: client.notes,
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
    /** A colour as `#rrggbb`. */
    color: raw.color ?? null,
    productMark: raw.product_mark ?? true,
    ...(preparedBy !== undefined && { preparedBy }),
  };
}

/** Returns each matching profile once, in the order in which the workspaces list them. */
function resolveProfiles(
  patterns: readonly string[],
  workspaces: ReadonlyMap<string, WorkspaceConfig>,
): ProfileConfig[] {
  const known = new Map([...workspaces].map(([key, { profiles }]) => [key, profiles]));
  const named = new Set(profilesNamed(patterns, known));
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
  const general = { folder: dirname(resolving.file), language: resolving.raw.language };
  const reports = job.reports.flatMap((report, place) =>
    clientsOf(report, clients).map(
      (client): JobReport =>
        resolveReport(
          { ...report, comment: report.comment ?? job.comment, place },
          client,
          general,
        ),
    ),
  );
  return {
    name,
    ping: job.ping === undefined ? null : secretAt(resolving, job.ping, ['jobs', name, 'ping']),
    /** Five cron fields in `timezone`; null for a job that is run only by hand. */
    schedule: job.schedule?.trim() ?? null,
    /**
     * The age at which the newest reading of a profile becomes stale; null for twice the longest time between two
     * runs of the schedule.
     */
    staleAfterMs: job.stale_after === undefined ? null : durationMs(job.stale_after),
    profiles: resolveProfiles(job.profiles, workspaces),
    /** Days in `timezone`. Exactly one of `start` and `days` is given; `days` end with today. */
    windows: { start: start ?? null, days: days ?? null, sizeDays, refreshDays },
    details: resolveDetails(job.details),
    /** The monthly targets of its reports for no client. */
    targets: job.targets,
    /** Events that charts over time mark in all of its reports. */
    notes: job.notes,
    /** The reports of one client after the other, each in the file's order. */
    reports: reportsByClient(reports).flat(),
    /** For each client of the reports, or for none, the deliveries that carry all of its reports. */
    deliver: reportsByClient(reports).map(([{ client }]) => ({
      client,
      deliveries: job.deliver.map((delivery) => resolveDelivery(delivery, general, client)),
    })),
  };
}

type ClientReports = readonly [JobReport, ...JobReport[]];

/** Groups reports by their client. */
export function reportsByClient(reports: readonly JobReport[]): ClientReports[] {
  const groups = new Map<ClientConfig | null, [JobReport, ...JobReport[]]>();
  for (const report of reports) {
    const group = groups.get(report.client);
    if (group) group.push(report);
    else groups.set(report.client, [report]);
  }
  return [...groups.values()];
}

/** What is read of a post that a LinkedIn post is linked to. */
export type DetailKind = Exclude<RawJob['details'], boolean>[number];

function resolveDetails(details: RawJob['details']): DetailKind[] {
  if (typeof details === 'boolean') return details ? ['post'] : [];
  return [...new Set(details)];
}

type RawReport = RawJob['reports'][number];

/** What holds for the reports of all jobs. */
interface General {
  /** The folder of jobs.yaml. */
  readonly folder: string;
  /** The language of reports for no client. */
  readonly language: string;
}

/** Returns each client of the report once, or null if it is for the job's owner alone. */
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
/** The period that a report compares with: the previous one, the same days a year before, or none. */
export type CompareMode = JobReport['compare'];
/** A named period, or a first and a last day in the configured time zone, both inclusive. */
export type PeriodConfig = JobReport['period'];
export type PeriodName = Extract<PeriodConfig, string>;

function resolveReport(
  raw: RawReport & { readonly place: number },
  client: ClientConfig | null,
  general: General,
) {
  const { report, place, formats, compare, period, filters, cpm, internal } = raw;
  return {
    report,
    /** The index in the job's list in jobs.yaml, which has one entry for all clients. */
    place,
    /** The client; null if the report is for the job's owner alone. */
    client,
    /** Set when a client may have an internal report. */
    allowsInternal: internal === 'allow',
    period:
      typeof period === 'object'
        ? { from: period.from ?? null, to: period.to ?? null }
        : (String(period) as Exclude<typeof period, number>),
    formats: [...new Set(formats)],
    /** An absolute path with the placeholders `{report} {job} {client} {from} {to} {date}`. */
    out: resolve(general.folder, outOf(raw)),
    comment: resolveComment(raw.comment, general, client),
    /** The CPM that reprices every post; null to use the API's EMV and the profiles' CPMs. */
    cpm: cpm ?? null,
    compare,
    /** Lists of names; a post must match each list that is not empty. */
    filters: { campaigns: filters.campaign, labels: filters.label, types: filters.type },
    set: Object.fromEntries(Object.entries(raw.set).map(([name, value]) => [name, String(value)])),
    deliver: raw.deliver.map(
      (delivery): DeliveryConfig => resolveDelivery(delivery, general, client),
    ),
  };
}

/** What a person writes about a report. */
export interface CommentConfig {
  /** An absolute path with the placeholders `{client} {period} {language} {report} {job}`. */
  readonly file: string;
  /** Set when what is sent waits for it. */
  readonly isRequired: boolean;
}

/** A file of each client is none of a report for no client. */
function resolveComment(
  comment: RawComment | undefined,
  { folder }: General,
  client: ClientConfig | null,
): CommentConfig | null {
  if (comment === undefined) return null;
  const { file, required } =
    typeof comment === 'string' ? { file: comment, required: false } : comment;
  const isOfClient = file.includes(clientPlaceholder);
  return isOfClient && client === null
    ? null
    : { file: resolve(folder, file), isRequired: required };
}

export interface DeliveryConfig extends Frozen<ReturnType<typeof resolveDelivery>> {}

function resolveDelivery(delivery: RawDelivery, general: General, client: ClientConfig | null) {
  return {
    target: resolveTarget(delivery, general, client),
    /** Tells it from another one of the same reports to the same recipient; null: there is none. */
    name: delivery.name ?? null,
    /** Its own comment; null for those of its reports. */
    comment: resolveComment(delivery.comment, general, client),
    /** The formats to attach; null for all files of the report. */
    attach: delivery.attach ? [...new Set(delivery.attach)] : delivery.mail ? [] : null,
    /** Set when the delivery waits for approval. */
    isHeld: delivery.hold,
    /** Set when a report without posts is not sent. */
    skipsEmpty: delivery.if_empty === 'skip',
    /** The action for a report over days that were not read. */
    whenIncomplete: delivery.when_incomplete,
    /** The name of attached files, with placeholders; null to keep the report's names. */
    file: delivery.file ?? (delivery.mail ? `${client ? '{client}-' : ''}{report}-{period}` : null),
  };
}

function resolveTarget(
  { mail = [], s3, command, subject, body }: RawDelivery,
  { folder, language }: General,
  client: ClientConfig | null,
) {
  // a program and its arguments, with `{folder}` and the placeholders of `out`
  if (command) return { kind: 'command' as const, command };
  if (s3) {
    const { bucket, prefix, endpoint, region } = s3;
    return {
      kind: 's3' as const,
      bucket,
      /** The beginning of the objects' keys, with the placeholders of `out`. */
      prefix: prefix ?? `${client ? '{client}/' : ''}{report}-{to}/`,
      /** The server's address; null for Amazon S3. */
      endpoint: endpoint ?? null,
      region: region ?? null,
    };
  }
  const path = body
    ?.replaceAll(clientPlaceholder, client?.key ?? '')
    .replaceAll('{language}', client?.language ?? language);
  return {
    kind: 'mail' as const,
    /** The addresses, alone or as `Name <address>`, each of which gets its own message. */
    to: mailboxesOf((mail === 'client' ? client?.to : mail) ?? []),
    /** A text with the placeholders `{client} {report} {period} {from} {to} {job}`. */
    subject: subject ?? `${client ? '{client}, ' : ''}LinkedIn: {report}, {period}`,
    /** The absolute path of a Markdown file that is put above the figures; null if there is none. */
    body: path === undefined ? null : resolve(folder, path),
  };
}

/** Each address once, with the name that it has anywhere. */
function mailboxesOf(listed: readonly string[]): string[] {
  const byAddress = new Map<string, string>();
  for (const mailbox of listed) {
    const address = addressIn(mailbox);
    if (mailbox !== address || !byAddress.has(address)) byAddress.set(address, mailbox);
  }
  return [...byAddress.values()];
}

/** Returns the zone's name in its usual letter case. Intl ignores the case, but other readers may not. */
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
