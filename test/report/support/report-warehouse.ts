import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProfileConfig } from '../../../src/config/config.ts';
import type { ReportConfig } from '../../../src/report/report-session.ts';
import { Database } from '../../../src/warehouse/database.ts';
import { migrate } from '../../../src/warehouse/schema.ts';

type Row = Readonly<Record<string, unknown>>;

const readAt = '2026-01-04T05:00:00Z';

const needed = {
  profiles: { workspace: 'acme' },
  prices: {},
  linkedin_posts: {
    workspace: 'acme',
    profile_id: 'p1',
    url: 'https://www.linkedin.com/feed/update/urn:li:share:1',
    type: 'Text',
    first_seen_at: readAt,
    last_seen_at: readAt,
    reading_id: 1,
  },
  shared_posts: { workspace: 'acme', shared_at: readAt },
  readings: {
    workspace: 'acme',
    profile_id: 'p1',
    url: 'https://www.linkedin.com/feed/update/urn:li:share:1',
    type: 'Text',
    run_id: 'r1',
    seq: 1,
  },
  posts: { workspace: 'acme' },
  post_details: { workspace: 'acme', run_id: 'r1', seq: 1, fetched_at: readAt, kind: 'found' },
  labels: { workspace: 'acme' },
  post_labels: { workspace: 'acme' },
  assets: { workspace: 'acme', channel: 'LinkedIn' },
  review_readings: {
    workspace: 'acme',
    reading_id: 1,
    run_id: 'r1',
    seq: 1,
    fetched_at: readAt,
    kind: 'found',
  },
  approvals: { workspace: 'acme', fetched_at: readAt },
  inline_comments: { workspace: 'acme', fetched_at: readAt },
  campaigns: { workspace: 'acme' },
  extract_windows: {
    run_id: 'r1',
    workspace: 'acme',
    profile_id: 'p1',
    status: 'succeeded',
    posts_read: 0,
    requests: 1,
    fetched_at: readAt,
    seq: 1,
  },
  loaded_responses: {
    run_id: 'r1',
    workspace: 'acme',
    seq: 1,
    kind: 'analytics',
    outcome: 'succeeded',
    fetched_at: readAt,
    requests: 1,
    posts_read: 0,
    rejected: 0,
  },
  rejected_records: {
    run_id: 'r1',
    workspace: 'acme',
    rejected_at: readAt,
    payload: '{}',
    payload_sha256: 'none',
    seq: 1,
  },
  webhook_events: {
    type: 'post.created',
    received_at: readAt,
    reading_id: 1,
    payload: {},
    outcome: 'applied',
  },
  runs: {
    job: 'daily',
    started_at: readAt,
    status: 'succeeded',
    requests: 1,
    posts_read: 0,
    rejected: 0,
  },
  run_parts: {
    workspace: 'acme',
    job: 'daily',
    started_at: readAt,
    status: 'succeeded',
    is_complete: true,
  },
} satisfies Record<string, Row>;

type Table = keyof typeof needed;

/**
 * Rows by table; columns that are not given are null, or what every row needs. Readings stand in the columns of the view
 * `linkedin_post_snapshots`.
 */
export type WarehouseRows = Partial<
  Readonly<Record<Table | 'linkedin_post_snapshots', readonly Row[]>>
>;

/** The part of a config that depends on the rows of a warehouse, by the warehouse's path. */
const configsOf = new Map<string, Pick<ReportConfig, 'workspaces' | 'today'>>();

/** Makes a warehouse file with just these rows. */
export async function makeWarehouse(path: string, rows: WarehouseRows): Promise<void> {
  configsOf.set(path, { workspaces: configuredBy(rows), today: dayAfterAll(rows) });
  await copyFile(await emptyWarehouse(), path);
  await fill(path, async (database) => {
    const posts = (rows.linkedin_posts ?? []).map((post) => {
      return { last_profile_id: post['profile_id'] ?? needed.linkedin_posts.profile_id, ...post };
    });
    const all = {
      extract_windows: allDaysRead(rows),
      ...rows,
      linkedin_posts: posts,
      readings: readingsOf(rows),
    };
    for (const [table, values] of Object.entries(all) as [Table, Row[]][]) {
      if ((table as string) === 'linkedin_post_snapshots') continue;
      await insert(database, table, values);
    }
  });
}

function readingsOf({
  linkedin_posts: posts,
  linkedin_post_snapshots: snapshots,
}: WarehouseRows): Row[] {
  const keyOf = ({ workspace = 'acme', linkedin_post_id: id }: Row) =>
    `${String(workspace)} ${String(id)}`;
  const profiles = new Map((posts ?? []).map((post) => [keyOf(post), post['profile_id'] ?? 'p1']));
  return (snapshots ?? []).map(({ captured_on: day, captured_at: at, ...values }) => {
    const fetchedAt = timeOfReading({ captured_on: day, captured_at: at });
    return {
      profile_id: profiles.get(keyOf(values)),
      fetched_at: fetchedAt,
      reading_id: String(BigInt(Date.parse(fetchedAt)) * 2097152n),
      ...values,
    };
  });
}

function timeOfReading({
  captured_on: day,
  captured_at: at = `${String(day)}T05:00:00Z`,
}: Row): string {
  return String(at);
}

let empty: Promise<string> | null = null;

/** The path of a warehouse without rows, to be copied: its tables and their comments take longer than most loads. */
export function emptyWarehouse(): Promise<string> {
  return (empty ??= makeEmpty());
}

async function makeEmpty(): Promise<string> {
  const path = join(sharedFolder, 'empty.duckdb');
  await fill(path, migrate);
  return path;
}

/** Does the work in one transaction: each of its own would wait for the disk. */
async function fill(path: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = await Database.open(path, 'READ_WRITE');
  try {
    await database.transaction(() => work(database));
  } finally {
    database.close();
  }
}

const sharedFolder = mkdtempSync(join(tmpdir(), 'postledger-'));
process.once('exit', () => rmSync(sharedFolder, { recursive: true, force: true }));
// which ends a worker of Vitest
process.once('SIGTERM', () => process.exit());
const shared = new Map<string, Promise<string>>();

/** The path of a warehouse with just these rows, made once for all that only read it. */
export function sharedWarehouse(rows: WarehouseRows): Promise<string> {
  const key = JSON.stringify(rows);
  const known = shared.get(key);
  if (known) return known;
  const path = join(sharedFolder, `${shared.size}.duckdb`);
  const made = makeWarehouse(path, rows).then(() => path);
  shared.set(key, made);
  return made;
}

/** A range that was read proves all of its days, unless the row says otherwise. */
function withProof(table: Table, row: Row): Row {
  if (table !== 'extract_windows' || row['status'] !== 'succeeded') return row;
  return { first_day: row['start_date'], last_day: row['end_date'], ...row };
}

async function insert(database: Database, table: Table, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const shape = shapes.get(table) ?? (await readShape(database, table));
  shapes.set(table, shape);
  await database.run(
    `insert into ${table} by name
     select unnest(record) from (select unnest(from_json($rows::varchar, '${shape}')) as record)`,
    { rows: JSON.stringify(rows.map((row) => withProof(table, { ...needed[table], ...row }))) },
  );
}

/** What `from_json` makes of the rows of a table, which has the same columns in every warehouse. */
const shapes = new Map<Table, string>();

async function readShape(database: Database, table: Table): Promise<string> {
  const { rows: columns } = await database.query(
    'select column_name, data_type from duckdb_columns() where table_name = $table',
    { table },
  );
  const shape = Object.fromEntries(
    columns
      // of the facts, reports read only that they are there
      .filter(([name]) => table !== 'review_readings' || !isContent(String(name)))
      .map(([name, type]): [string, Shape] => [
        String(name),
        name === 'replies' ? replies : shapeOf(String(type)),
      ]),
  );
  return JSON.stringify([shape]);
}

type Shape =
  | string
  | readonly string[]
  | Readonly<Record<string, string>>
  | readonly Readonly<Record<string, unknown>>[];

const replies: Shape = [
  {
    reply_id: 'VARCHAR',
    user_id: 'VARCHAR',
    user_name: 'VARCHAR',
    message: 'VARCHAR',
    created_at: 'TIMESTAMPTZ',
    reactions: [{ emoji: 'VARCHAR', users: 'BIGINT' }],
  },
];

function isContent(column: string): boolean {
  return column === 'approvals' || column === 'threads';
}

function shapeOf(type: string): Shape {
  if (type.startsWith('STRUCT')) {
    const fields = type.matchAll(/"?(\w+)"? (?=VARCHAR|DOUBLE)/g);
    return Object.fromEntries([...fields].map(([, name = '']) => [name, 'VARCHAR']));
  }
  return type.endsWith('[]') ? [type.slice(0, -2)] : type;
}

/** The default windows, unless rows are given: every day of every profile, read whenever something was read. */
function allDaysRead(rows: WarehouseRows): Row[] {
  const times = timesOfReadings(rows);
  return [...configuredBy(rows)].flatMap(([workspace, { profiles }]) =>
    profiles.flatMap(({ id }) =>
      times.map((time) => ({
        run_id: `at ${time}`,
        workspace,
        profile_id: id,
        start_date: '2000-01-01',
        end_date: longAfter,
        fetched_at: time,
      })),
    ),
  );
}

function timesOfReadings({
  linkedin_posts: posts,
  linkedin_post_snapshots: snapshots,
}: WarehouseRows) {
  const times = [
    ...(posts ?? []).map(({ last_seen_at: at = readAt }) => String(at)),
    ...(snapshots ?? []).map(timeOfReading),
  ];
  return [...new Set(times.length > 0 ? times : [readAt])];
}

const longAfter = '2030-01-01';

/** The day of the last answer, so that all days before it are over. */
function dayAfterAll({ extract_windows: windows, ...rows }: WarehouseRows): string {
  const times = windows?.map(({ fetched_at: at = readAt }) => String(at)) ?? timesOfReadings(rows);
  const days = times.map((time) => time.slice(0, 10)).sort();
  return days.at(-1) ?? readAt.slice(0, 10);
}

/** The configuration with every profile that has rows. */
function configuredBy(rows: WarehouseRows): ReportConfig['workspaces'] {
  const workspaces = new Map<string, { profiles: ProfileConfig[] }>();
  const tables = ['profiles', 'linkedin_posts', 'extract_windows'] as const;
  for (const table of tables) {
    for (const row of rows[table] ?? []) {
      const { workspace, profile_id, name } = { name: null, ...needed[table], ...row } as Row;
      const key = String(workspace);
      const id = String(profile_id);
      const { profiles } = workspaces.get(key) ?? { profiles: [] };
      const isKnown = profiles.some((profile) => profile.id === id);
      if (!isKnown)
        profiles.push({
          workspace: key,
          id,
          name: typeof name === 'string' ? name : id,
          cpm: null,
          prices: null,
          until: null,
        });
      workspaces.set(key, { profiles });
    }
  }
  return workspaces;
}

/** A config as reports take it, with all profiles that {@link makeWarehouse} was given. */
export function reportConfig(warehouse: string, changes: Partial<ReportConfig> = {}): ReportConfig {
  return {
    warehouse,
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    locale: 'en-GB',
    language: 'en',
    brand: null,
    cpmBand: null,
    workspaces: new Map(),
    isForClient: false,
    clientPrices: null,
    sent: [],
    today: longAfter,
    firstAskedDays: new Map(),
    ...configsOf.get(warehouse),
    ...changes,
  };
}
