import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Secret } from '../../src/config/secret.ts';
import type { Config, JobConfig, ProfileConfig } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { RunWriter, type ResponseResult } from '../../src/store/run-writer.ts';
import type { FinishRecord, RunRecord } from '../../src/store/manifest.ts';
import type { LoadSummary } from '../../src/load/load-summary.ts';
import { load as loadStored, type LoadOptions } from '../../src/load/load.ts';
import type { DatabaseValue } from '../../src/warehouse/cell.ts';
import { readHistory, type History } from '../../src/warehouse/history.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { emptyWarehouse } from '../report/support/report-warehouse.ts';
import { analyticsRecord as madeRecord } from './made-records.ts';
import { ManualClock } from './manual-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const profileId = '11111111-1111-4111-8111-111111111111';

export function profileOf(change: Partial<ProfileConfig> = {}): ProfileConfig {
  return {
    workspace: 'acme',
    id: profileId,
    name: 'Acme',
    cpm: 30,
    prices: null,
    until: null,
    ...change,
  };
}

/** A job of that profile without a schedule, reports and details. */
export function jobOf(change: Partial<JobConfig> = {}): JobConfig {
  return {
    name: 'daily',
    schedule: null,
    staleAfterMs: null,
    profiles: [profileOf()],
    windows: { start: '2025-12-01', days: null, sizeDays: 30, refreshDays: 35 },
    ping: null,
    details: [],
    targets: {},
    figures: null,
    notes: [],
    reports: [],
    deliver: [],
    ...change,
  };
}

/** The warehouse is a file. */
export type FileConfig = Config & { readonly warehouse: string };

/** A config of one workspace over `folder`. */
export function configOf(folder: string, change: Partial<FileConfig> = {}): FileConfig {
  const workspace = {
    key: 'acme',
    baseUrl: 'http://127.0.0.1:1/api/v1',
    apiKey: new Secret('KEY', 'jobs.yaml: workspaces.acme.api_key', 'secret'),
    rateLimit: { requests: 100, perSeconds: 60 },
    concurrency: 4,
    timeoutSeconds: 30,
    slugs: ['acme'],
    linkedPostField: 'servicePost',
    profiles: [profileOf()],
  };
  return {
    file: join(folder, 'jobs.yaml'),
    folder,
    timezone: 'UTC',
    currency: 'EUR',
    locale: 'en-GB',
    language: 'en',
    brand: null,
    cpmBand: null,
    prices: new Map(),
    pdf: { browser: null },
    s3: null,
    retention: { outboxDays: 30, outDays: null },
    metricsFile: null,
    dataDir: join(folder, 'data'),
    warehouse: join(folder, 'data', 'postledger.duckdb'),
    workspaces: new Map([['acme', workspace]]),
    clients: new Map(),
    jobs: new Map(),
    mail: null,
    notify: [],
    webhooks: null,
    review: null,
    warnings: [],
    ...change,
  };
}

/** A config over a folder of its own, with a warehouse that has no rows: a load makes its tables as long as it loads. */
export async function emptyConfig(
  change: Partial<FileConfig> = {},
  folder?: string,
): Promise<FileConfig> {
  const config = configOf(folder ?? (await temporaryFolder()), change);
  await mkdir(dirname(config.warehouse), { recursive: true });
  await copyFile(await emptyWarehouse(), config.warehouse);
  return config;
}

export function recordOf(change: Partial<RunRecord> = {}): RunRecord {
  return {
    version: 2,
    run_id: '20260115T120000Z-aaaaaa',
    job: 'daily',
    workspace: 'acme',
    started_at: '2026-01-15T12:00:00.000Z',
    profiles: [{ profile_id: profileId, name: 'Acme', cpm: 30 }],
    linked_post_field: 'servicePost',
    ...change,
  };
}

export function finishOf(change: Partial<FinishRecord> = {}): FinishRecord {
  return {
    version: 2,
    finished_at: '2026-01-15T12:05:00.000Z',
    status: 'succeeded',
    requests: 1,
    retries: 0,
    throttled: 0,
    waited_ms: 0,
    ...change,
  };
}

function resultOf(body: unknown, change: Partial<ResponseResult>): ResponseResult {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const records = recordsOf(bytes);
  return {
    outcome: 'succeeded',
    http_status: 200,
    fetchedAt: new Date('2026-01-15T12:00:01.500Z'),
    requests: 1,
    error: null,
    body: bytes,
    records: records?.length ?? null,
    distinct_posts: records?.length ?? null,
    ...change,
  };
}

function recordsOf(body: Buffer): unknown[] | null {
  const value = JSON.parse(body.toString('utf8')) as unknown;
  return Array.isArray(value) ? value : null;
}

/** Stores an analytics response: records, or a body as text or bytes. */
export async function storeAnalytics(
  part: RunWriter,
  body: unknown,
  change: Partial<ResponseResult> = {},
  window = { start_date: '2026-01-01', end_date: '2026-01-30' },
): Promise<void> {
  const profile = part.record.profiles[0]?.profile_id ?? profileId;
  await part.storeResponse(
    { kind: 'analytics', profile_id: profile, ...window },
    resultOf(body, change),
  );
}

const members = { post: 'post', approvals: 'approvals', comments: 'inlineComments' } as const;

/** Stores a response about a post's details, or with its approvals or comments; null stands for a 404. */
export async function storeDetails(
  part: RunWriter,
  postId: string,
  detail: object | null,
  change: Partial<ResponseResult> = {},
  kind: keyof typeof members = 'post',
): Promise<void> {
  const missing = { outcome: 'not-found', http_status: 404, body: null } as const;
  await part.storeResponse(
    { kind, post_id: postId },
    resultOf(
      { [members[kind]]: detail },
      { records: null, distinct_posts: null, ...(detail === null && missing), ...change },
    ),
  );
}

/** Stores one whole run with a single analytics response. */
export async function storeRun(
  config: Config,
  body: unknown,
  change: Partial<ResponseResult> = {},
  record: Partial<RunRecord> = {},
): Promise<void> {
  const part = await RunWriter.open(config.dataDir, recordOf(record));
  await storeAnalytics(part, body, change);
  await part.finish(finishOf());
}

export async function load(
  config: Config,
  change: Partial<LoadOptions> = {},
): Promise<LoadSummary> {
  return loadStored({ config, clock: new ManualClock(), log: silentLog, waitMs: 0, ...change });
}

/** What a plan would read of the published warehouse. */
export async function historyOf(
  config: Pick<Config, 'warehouse'>,
  workspaces = ['acme'],
): Promise<History> {
  const database = await openWarehouse(config.warehouse);
  try {
    const asked = {
      workspaces: [],
      profiles: [],
      days: [],
      untils: [],
      today: '2026-02-01',
      timezone: 'UTC',
    };
    return await readHistory(database, workspaces, asked);
  } finally {
    database.close();
  }
}

/** Rows of the published warehouse as objects. */
export async function rowsOf(
  config: Config,
  sql: string,
): Promise<Record<string, DatabaseValue>[]> {
  const database = await openWarehouse(config.warehouse);
  try {
    return await database.queryObjects(sql);
  } finally {
    database.close();
  }
}

/** The same rows by the index of their columns. */
export async function valuesOf(config: Config, sql: string): Promise<DatabaseValue[][]> {
  return (await rowsOf(config, sql)).map((row) => Object.values(row));
}

/** A record of an analytics answer with every field of the documentation. Each id has an address of its own. */
export function analyticsRecord(change: Record<string, unknown> = {}): Record<string, unknown> {
  return madeRecord(1, '2026-01-10', {
    commentary: 'Hello',
    type: 'Image',
    publishedAt: '2026-01-10T08:30:00.000Z',
    clickCount: null,
    engagement: 0.013,
    emv: null,
    ...change,
  });
}
