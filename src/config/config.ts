import { dirname, join, resolve } from 'node:path';
import { brandOf, clientOf, type ClientConfig } from './clients-schema.ts';
import { formatProblem, type ConfigPath, type Finding } from './config-error.ts';
import { noServer } from './deliveries-schema.ts';
import { freezeDeep, type Frozen } from './frozen.ts';
import { clientFindings, jobFindings, jobOf, jobWarnings, type JobConfig } from './job-schema.ts';
import type { ParsedConfig } from './jobs-schema.ts';
import { absoluteLake, openReceiverFindings, type WarehouseConfig } from './services-schema.ts';
import type { KnownSections } from './reader-copy.ts';
import { priceFindings, unusedPrices } from './prices-schema.ts';
import { addressWarnings, namesakeWarnings, patternFindings } from './workspaces-schema.ts';

export type { Brand, ClientConfig, FiguresFile } from './clients-schema.ts';
export type { CommentConfig } from './comment-schema.ts';
export type { DeliveryConfig } from './deliveries-schema.ts';
export type { DetailKind, JobConfig, WindowsConfig } from './job-schema.ts';
export type { PeriodName } from './period-names.ts';
export type { Paper, ReaderCopy } from './reader-copy.ts';
export type { PriceList } from './prices-schema.ts';
export type { CompareMode, JobReport, PeriodConfig, ReportFormat } from './reports-schema.ts';
export type {
  LakeAccess,
  LakeConfig,
  MailConfig,
  MailLogin,
  NotifyCondition,
  NotifyRule,
  ReviewConfig,
  S3Credentials,
  WarehouseConfig,
  WebhooksConfig,
} from './services-schema.ts';
export type { ProfileConfig, RateLimit, WorkspaceConfig } from './workspaces-schema.ts';

/** The checked and frozen jobs.yaml, with defaults, absolute paths and resolved profile patterns. */
export interface Config extends Frozen<ReturnType<typeof resolveConfig>> {}

/**
 * Resolves the paths and the profile patterns of jobs.yaml.
 * @param file an absolute path
 */
export function resolveConfig(
  parsed: ParsedConfig,
  file: string,
  lineOf: (path: ConfigPath) => number | null,
) {
  const folder = dirname(file);
  const absolute = (path: string) => resolve(folder, path);
  const { warehouse, retention, workspaces, language } = parsed;
  const dataDir = absolute(parsed.data_dir);
  const figures = Object.values(parsed.clients).flatMap((client) => client.figures ?? []);
  const clients = mapValues(parsed.clients, (client, key): ClientConfig =>
    clientOf(client, key, { ...parsed, figures }, absolute),
  );
  const jobs = mapValues(parsed.jobs, (job, name): JobConfig =>
    jobOf(job, name, workspaces, clients, { language, absolute }),
  );
  const resolvedWarehouse: WarehouseConfig =
    typeof warehouse === 'object'
      ? absoluteLake(warehouse, absolute)
      : absolute(warehouse ?? join(dataDir, 'postledger.duckdb'));
  return freezeDeep({
    /** The absolute path of jobs.yaml. */
    file,
    /** The folder of jobs.yaml, on which relative paths are based. */
    folder,
    /** The IANA name of the zone of days, weekdays and hours in reports. */
    timezone: parsed.timezone,
    /** The ISO 4217 code of the currency of EMV. */
    currency: parsed.currency,
    /** The BCP 47 tag that decides the form of numbers and the order of dates in reports. */
    locale: parsed.locale,
    /** The language of the words in reports: `en`, or one from the folder languages. */
    language,
    brand: parsed.brand ? brandOf(parsed.brand, absolute) : null,
    cpmBand: parsed.cpm_band ?? null,
    /** Price lists by name. */
    prices: parsed.prices,
    /** The default `browser` is the first Chromium on PATH. */
    pdf: { browser: parsed.pdf?.browser === undefined ? null : absolute(parsed.pdf.browser) },
    /** The absolute path of the folder of the raw store, the locks and the rate budget. */
    dataDir,
    warehouse: resolvedWarehouse,
    /** Workspaces by key, in the file's order, as are clients and jobs. */
    workspaces,
    clients,
    jobs,
    /** The mail server; null if none is configured. */
    mail: parsed.mail ?? null,
    /** The keys of object storage; null if the AWS SDK is to find them. */
    s3: parsed.s3 ?? null,
    /** The numbers of days for which data are kept; null: for good. */
    retention: {
      /** The days for the files of deliveries that were sent. */
      outboxDays: retention.outbox_days ?? parsed.outbox_days ?? 30,
      /** The days for the files of reports that jobs wrote. */
      outDays: retention.out_days ?? null,
    },
    metricsFile: parsed.metrics_file === undefined ? null : absolute(parsed.metrics_file),
    notify: parsed.notify,
    webhooks: parsed.webhooks ?? null,
    /** The pages of held mails; null: there are none. */
    review: parsed.review ?? null,
    /** Sentences about likely mistakes, for example profile patterns that overlap. */
    warnings: findLikelyMistakes(parsed).map(({ path, message }) =>
      formatProblem(file, { path, message, line: lineOf(path) }),
    ),
  });
}

/** The workspaces' keys by the slugs that they have or had. */
export function workspacesBySlug({
  workspaces,
}: Pick<Config, 'workspaces'>): ReadonlyMap<string, string> {
  const all = [...workspaces.values()];
  return new Map(all.flatMap(({ slugs, key }) => slugs.map((slug) => [slug, key] as const)));
}

/** Lists the files of figures with their owners, and the paths of these in jobs.yaml: clients, then jobs. */
export function figuresFiles({ clients, jobs }: Pick<Config, 'clients' | 'jobs'>) {
  const owners = [
    ...[...clients.values()].map((client) => ({ ...client, path: ['clients', client.key] })),
    ...[...jobs.values()].map((job) => ({ ...job, path: ['jobs', job.name] })),
  ];
  return owners.flatMap(({ path, figures: file, profiles, targets }) =>
    file ? [{ path, file, profiles, targets }] : [],
  );
}

/** Finds conflicts between parts that are valid by themselves. */
export function findConflicts(
  parsed: ParsedConfig,
  context: {
    readonly now: Date;
    readonly knownReports: readonly string[] | null;
    readonly knownSections: KnownSections | null;
  },
): Finding[] {
  const { workspaces, clients, timezone, mail } = parsed;
  const hasServer = mail !== undefined;
  const mailed = parsed.notify.flatMap(({ to }, index) => ('mail' in to ? [index] : []));
  return [
    ...patternFindings(patternsIn(parsed), workspaces),
    ...clientFindings(parsed.jobs, { clients, ...context }),
    ...priceFindings(pricesIn(parsed), parsed.prices),
    ...jobFindings(parsed.jobs, { clients, timezone, hasServer, ...context }),
    ...(hasServer ? [] : mailed).map((index) => {
      return { path: ['notify', index, 'mail'], message: noServer };
    }),
    ...(hasServer || !parsed.review || parsed.review.to.length === 0
      ? []
      : [{ path: ['review', 'to'], message: noServer }]),
    ...openReceiverFindings(parsed),
  ];
}

/** Finds settings that are allowed but most likely not intended. */
function findLikelyMistakes(parsed: ParsedConfig): Finding[] {
  const { jobs, clients, workspaces, review, notify } = parsed;
  if (Object.keys(jobs).length === 0)
    return [{ path: [], message: 'has no jobs, so there is nothing to run' }];
  return [
    ...addressWarnings(workspaces),
    ...namesakeWarnings(patternsIn(parsed), workspaces),
    ...jobWarnings(jobs, clients, workspaces),
    ...unusedPrices(pricesIn(parsed), parsed.prices),
    ...(review?.to.length === 0 && !notify.some(({ when }) => when.includes('held'))
      ? [{ path: ['review'], message: 'gives nobody a link; name addresses in its to' }]
      : []),
  ];
}

/** Lists the profile patterns of all clients and jobs. */
function patternsIn({ clients, jobs }: ParsedConfig) {
  const sections: Record<string, Record<string, { profiles: readonly string[] }>> = {
    clients,
    jobs,
  };
  return Object.entries(sections).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([key, { profiles }]) =>
      profiles.map((pattern, index) => ({ path: [section, key, 'profiles', index], pattern })),
    ),
  );
}

/** Lists the names of price lists of all profiles, clients and reports. */
function pricesIn({ workspaces, clients, jobs }: ParsedConfig) {
  const written = [
    ...[...workspaces].flatMap(([key, { profiles }]) =>
      profiles.map(
        ({ prices }, index) => [['workspaces', key, 'profiles', index], prices] as const,
      ),
    ),
    ...Object.entries(clients).map(([key, { prices }]) => [['clients', key], prices] as const),
    ...Object.entries(jobs).flatMap(([key, { reports }]) =>
      reports.map(({ prices }, index) => [['jobs', key, 'reports', index], prices] as const),
    ),
  ];
  return written.flatMap(([path, name]) => (name ? [{ path: [...path, 'prices'], name }] : []));
}

function mapValues<Parsed, Value>(
  values: Readonly<Record<string, Parsed>>,
  map: (parsed: Parsed, key: string) => Value,
): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values).map(([key, parsed]) => [key, map(parsed, key)]));
}
