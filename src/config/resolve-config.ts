import { dirname, join, resolve } from 'node:path';
import { formatPlace, formatProblem, type ConfigPath } from './config-error.ts';
import type {
  ClientConfig,
  Config,
  DeliveryConfig,
  JobConfig,
  JobReport,
  LakeAccess,
  MailConfig,
  MailLogin,
  ProfileConfig,
  S3Access,
  S3Credentials,
  WarehouseConfig,
  WebhooksConfig,
  WorkspaceConfig,
} from './config.ts';
import { findOddities, matchProfiles } from './conflicts.ts';
import {
  outOf,
  type RawClient,
  type RawConfig,
  type RawDelivery,
  type RawJob,
  type RawMail,
  type RawS3,
  type RawS3Keys,
  type RawWorkspace,
} from './jobs-schema.ts';
import { durationMs } from './value-kinds.ts';
import { Secret } from './secret.ts';
import type { Lookup } from './variables.ts';
import type { YamlSource } from '../core/yaml-source.ts';

interface Resolving {
  /** Checked: the schema's rules and those between places hold. */
  readonly raw: RawConfig;
  /** Absolute. */
  readonly file: string;
  readonly source: YamlSource;
  readonly lookup: Lookup;
}

/** Fills in what jobs.yaml leaves open: absolute paths, secrets, the profiles that patterns name. */
export function resolveConfig(resolving: Resolving): Config {
  const { raw, file, source } = resolving;
  const folder = dirname(file);
  const dataDir = resolve(folder, raw.data_dir);
  const workspaces = mapValues(raw.workspaces, (workspace, key) =>
    resolveWorkspace(resolving, workspace, key),
  );
  const clients = mapValues(raw.clients, (client, key) =>
    resolveClient(client, key, raw, folder, workspaces),
  );
  const jobs = mapValues(raw.jobs, (job, name) =>
    resolveJob(resolving, job, name, workspaces, clients),
  );
  return freezeDeep({
    file,
    folder,
    timezone: canonicalTimeZone(raw.timezone),
    currency: raw.currency,
    locale: raw.locale,
    language: raw.language,
    brand: resolveBrand(raw.brand, folder),
    clients,
    cpmBand: raw.cpm_band ?? null,
    pdf: { browser: raw.pdf?.browser === undefined ? null : resolve(folder, raw.pdf.browser) },
    dataDir,
    warehouse: resolveWarehouse(resolving, raw.warehouse ?? join(dataDir, 'postledger.duckdb')),
    workspaces,
    jobs,
    mail: raw.mail ? resolveMail(resolving, raw.mail) : null,
    s3: raw.s3 ? resolveS3Keys(resolving, raw.s3, ['s3']) : null,
    metricsFile: raw.metrics_file === undefined ? null : resolve(folder, raw.metrics_file),
    notify: raw.notify.map(({ when, post, as, mail: addresses = [] }, index) => ({
      when: [...new Set(when)],
      to:
        post === undefined
          ? { mail: addresses }
          : { post: secretAt(resolving, post, ['notify', index, 'post']), as },
    })),
    webhooks: raw.webhooks ? resolveWebhooks(resolving, raw.webhooks) : null,
    warnings: findOddities(raw).map(({ path, message }) =>
      formatProblem(file, { path, message, line: source.lineOf(path) }),
    ),
  });
}

function resolveWarehouse(
  resolving: Resolving,
  raw: NonNullable<RawConfig['warehouse']>,
): WarehouseConfig {
  const folder = dirname(resolving.file);
  if (typeof raw === 'string') return resolve(folder, raw);
  const { lake, reader, extensions } = raw;
  const access = (key: 'lake' | 'reader', catalog: string): LakeAccess => ({
    catalog: secretAt(resolving, catalog, ['warehouse', key, 'catalog']),
    s3: lake.s3 ? resolveS3(resolving, lake.s3, key === 'reader' ? reader?.s3 : undefined) : null,
  });
  const data = lake.data.startsWith('s3://') ? lake.data : resolve(folder, lake.data);
  return {
    writer: access('lake', lake.catalog),
    reader: reader ? access('reader', reader.catalog) : null,
    data: data.replace(/\/*$/, '/'),
    raw: lake.raw ?? null,
    shards: lake.shards,
    extensions: extensions === undefined ? null : resolve(folder, extensions),
  };
}

/** @param readerKeys those of the reader; else it has the writer's */
function resolveS3(
  resolving: Resolving,
  { endpoint, region, ...keys }: RawS3,
  readerKeys?: RawS3Keys,
): S3Access {
  const path = ['warehouse', readerKeys ? 'reader' : 'lake', 's3'];
  return {
    ...resolveS3Keys(resolving, readerKeys ?? keys, path),
    endpoint: endpoint ?? null,
    region,
  };
}

function resolveS3Keys(resolving: Resolving, keys: RawS3Keys, path: ConfigPath): S3Credentials {
  return {
    accessKeyId: secretAt(resolving, keys.access_key_id, [...path, 'access_key_id']),
    secretAccessKey: secretAt(resolving, keys.secret_access_key, [...path, 'secret_access_key']),
  };
}

function resolveWorkspace(
  resolving: Resolving,
  workspace: RawWorkspace,
  key: string,
): WorkspaceConfig {
  return {
    key,
    baseUrl: workspace.base_url.replace(/\/+$/, ''),
    apiKey: secretAt(resolving, workspace.api_key, ['workspaces', key, 'api_key']),
    rateLimit: {
      requests: workspace.rate_limit.requests,
      perSeconds: workspace.rate_limit.per_seconds,
    },
    concurrency: workspace.concurrency,
    timeoutSeconds: workspace.timeout_seconds,
    slug: workspace.slug ?? key,
    linkedPostField: workspace.linked_post_field,
    profiles: workspace.profiles.map(({ id, name, cpm }) => ({
      workspace: key,
      id: id.toLowerCase(),
      name,
      cpm: cpm ?? null,
    })),
  };
}

function resolveJob(
  resolving: Resolving,
  job: RawJob,
  name: string,
  workspaces: ReadonlyMap<string, WorkspaceConfig>,
  clients: Config['clients'],
): JobConfig {
  const { start, days, size_days: sizeDays, refresh_days: refreshDays } = job.windows;
  const folder = dirname(resolving.file);
  return {
    name,
    ping: job.ping === undefined ? null : secretAt(resolving, job.ping, ['jobs', name, 'ping']),
    schedule: job.schedule?.trim() ?? null,
    staleAfterMs: job.stale_after === undefined ? null : durationMs(job.stale_after),
    profiles: resolveProfiles(job.profiles, workspaces),
    windows: { start: start ?? null, days: days ?? null, sizeDays, refreshDays },
    details: job.details,
    reports: job.reports.flatMap((report) => resolveReport(report, folder, clients)),
  };
}

/** One for each client that it is for. */
function resolveReport(
  raw: RawJob['reports'][number],
  folder: string,
  clients: Config['clients'],
): JobReport[] {
  const { for: named, period, filters, cpm } = raw;
  const keys = named === 'each' ? [...clients.keys()] : named;
  const report = {
    report: raw.report,
    period:
      typeof period === 'string' ? period : { from: period.from ?? null, to: period.to ?? null },
    formats: [...new Set(raw.formats)],
    out: resolve(folder, outOf(raw)),
    cpm: cpm ?? null,
    compare: raw.compare,
    filters: { campaigns: filters.campaign, labels: filters.label, types: filters.type },
    set: Object.fromEntries(Object.entries(raw.set).map(([name, value]) => [name, String(value)])),
  };
  const deliverTo = (own: readonly string[]) =>
    raw.deliver.map(
      (delivery): DeliveryConfig => ({
        target: resolveTarget(delivery, folder, own, keys !== undefined),
        attach: delivery.attach ? [...new Set(delivery.attach)] : delivery.mail ? [] : null,
        isHeld: delivery.hold,
        skipsEmpty: delivery.if_empty === 'skip',
      }),
    );
  if (!keys) return [{ ...report, client: null, deliver: deliverTo([]) }];
  return [...new Set(keys)].flatMap((key) => {
    const client = clients.get(key);
    return client ? [{ ...report, client, deliver: deliverTo(client.to) }] : [];
  });
}

/** @param own the addresses of the client that the report is for */
function resolveTarget(
  { mail = [], s3, command, subject, body }: RawDelivery,
  folder: string,
  own: readonly string[],
  isForClient: boolean,
): DeliveryConfig['target'] {
  if (command) return { kind: 'command', command };
  if (s3) {
    const { bucket, prefix, endpoint, region } = s3;
    return {
      kind: 's3',
      bucket,
      prefix: prefix ?? `${isForClient ? '{client}/' : ''}{report}-{to}/`,
      endpoint: endpoint ?? null,
      region: region ?? null,
    };
  }
  return {
    kind: 'mail',
    to: [...new Set(mail === 'client' ? own : mail)],
    subject: subject ?? `${isForClient ? '{client}: ' : ''}{report}, {period}`,
    body: body === undefined ? null : resolve(folder, body),
  };
}

function resolveMail(resolving: Resolving, mail: RawMail): MailConfig {
  const { user, password, oauth2 } = mail;
  const secretOf = (reference: string, ...path: string[]) =>
    secretAt(resolving, reference, ['mail', ...path]);
  let login: MailLogin | null = null;
  if (user !== undefined && password !== undefined)
    login = { user, password: secretOf(password, 'password') };
  if (user !== undefined && oauth2 !== undefined) {
    login = {
      user,
      tokenUrl: oauth2.token_url,
      clientId: oauth2.client_id,
      clientSecret: secretOf(oauth2.client_secret, 'oauth2', 'client_secret'),
      scope: oauth2.scope ?? null,
    };
  }
  const { host, port, from, tls, max_mb: maxMegabytes } = mail;
  return { host, port, isEncrypted: tls === 'required', login, from, maxBytes: maxMegabytes * 1e6 };
}

function resolveClient(
  client: RawClient,
  key: string,
  general: RawConfig,
  folder: string,
  workspaces: ReadonlyMap<string, WorkspaceConfig>,
): ClientConfig {
  const { name, brand } = client;
  return {
    key,
    brand: {
      name,
      logo: brand.logo === undefined ? null : resolve(folder, brand.logo),
      color: brand.color ?? general.brand?.color ?? null,
      productMark: brand.product_mark ?? general.brand?.product_mark ?? true,
      ...(client.prepared_by !== undefined && { preparedBy: client.prepared_by }),
    },
    to: client.to,
    timezone: canonicalTimeZone(client.timezone ?? general.timezone),
    locale: client.locale ?? general.locale,
    language: client.language ?? general.language,
    currency: client.currency ?? general.currency,
    profiles: resolveProfiles(client.profiles, workspaces),
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

function resolveBrand(brand: RawConfig['brand'], folder: string): Config['brand'] {
  if (!brand) return null;
  return {
    name: brand.name ?? null,
    logo: brand.logo === undefined ? null : resolve(folder, brand.logo),
    color: brand.color ?? null,
    productMark: brand.product_mark,
  };
}

function resolveWebhooks(
  resolving: Resolving,
  webhooks: NonNullable<RawConfig['webhooks']>,
): WebhooksConfig {
  return {
    host: webhooks.host,
    port: webhooks.port,
    tokens: secretsAt(resolving, webhooks.token, ['webhooks', 'token']),
    tokenHeader: webhooks.token_header ?? null,
    signingSecrets: secretsAt(resolving, webhooks.signing_secret, ['webhooks', 'signing_secret']),
    trustProxy: webhooks.trust_proxy,
    metricsPort: webhooks.metrics_port ?? null,
  };
}

/** None, one, or those of a list, whose places have their index. */
function secretsAt(
  resolving: Resolving,
  references: string | readonly string[] | undefined,
  path: ConfigPath,
): Secret[] {
  if (references === undefined) return [];
  if (typeof references === 'string') return [secretAt(resolving, references, path)];
  return references.map((reference, index) => secretAt(resolving, reference, [...path, index]));
}

function secretAt({ file, source, lookup }: Resolving, reference: string, path: ConfigPath) {
  const variable = reference.slice('${'.length, -'}'.length);
  return new Secret(variable, formatPlace(file, path, source.lineOf(path)), lookup(variable));
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

/** Secrets keep themselves. */
function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const children: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const child of children) freezeDeep(child);
  return Object.freeze(value);
}
