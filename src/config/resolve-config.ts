import { dirname, join, resolve } from 'node:path';
import { formatPlace, formatProblem, type ConfigPath } from './config-error.ts';
import { defaultWebhooks } from './config.ts';
import type {
  Config,
  JobConfig,
  ProfileConfig,
  WebhooksConfig,
  WorkspaceConfig,
} from './config.ts';
import { findOddities, matchProfiles } from './conflicts.ts';
import type { RawConfig, RawJob, RawWorkspace } from './jobs-schema.ts';
import { durationMs } from './leaf-rules.ts';
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
  const jobs = mapValues(raw.jobs, (job, name) => resolveJob(job, name, folder, workspaces));
  return freezeDeep({
    file,
    folder,
    timezone: canonicalTimeZone(raw.timezone),
    currency: raw.currency,
    locale: raw.locale,
    brand: resolveBrand(raw.brand, folder),
    cpmBand: raw.cpm_band ?? null,
    pdf: { browser: raw.pdf?.browser === undefined ? null : resolve(folder, raw.pdf.browser) },
    dataDir,
    warehouse: raw.warehouse ? resolve(folder, raw.warehouse) : join(dataDir, 'postledger.duckdb'),
    workspaces,
    jobs,
    webhooks: raw.webhooks ? resolveWebhooks(resolving, raw.webhooks) : null,
    warnings: findOddities(raw).map(({ path, message }) =>
      formatProblem(file, { path, message, line: source.lineOf(path) }),
    ),
  });
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
  job: RawJob,
  name: string,
  folder: string,
  workspaces: ReadonlyMap<string, WorkspaceConfig>,
): JobConfig {
  const { start, days, size_days: sizeDays, refresh_days: refreshDays } = job.windows;
  return {
    name,
    schedule: job.schedule?.trim() ?? null,
    staleAfterMs: job.stale_after === undefined ? null : durationMs(job.stale_after),
    profiles: resolveProfiles(job.profiles, workspaces),
    windows: { start: start ?? null, days: days ?? null, sizeDays, refreshDays },
    details: job.details,
    reports: job.reports.map(({ report, period, formats, out, cpm, compare }) => ({
      report,
      period:
        typeof period === 'string' ? period : { from: period.from ?? null, to: period.to ?? null },
      formats: [...new Set(formats)],
      out: resolve(folder, out),
      cpm: cpm ?? null,
      compare,
    })),
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
    tokenHeader: webhooks.token_header ?? defaultWebhooks.tokenHeader,
    signingSecrets: secretsAt(resolving, webhooks.signing_secret, ['webhooks', 'signing_secret']),
    trustProxy: webhooks.trust_proxy,
    metricsPort: webhooks.metrics_port ?? defaultWebhooks.metricsPort,
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
