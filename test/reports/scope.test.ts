import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { writeReport } from '../../src/output/report-files.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import { allPosts, type ReportParameters } from '../../src/report/report-parameters.ts';
import {
  openReportSession,
  type ReportConfig,
  type ReportSession,
} from '../../src/report/report-session.ts';
import {
  makeWarehouse,
  reportConfig,
  type WarehouseRows,
} from '../report/support/report-warehouse.ts';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.ts';

const reports = await findReports([builtInReports]);

interface Profile {
  readonly workspace: string;
  readonly id: string;
  /** As it was loaded; jobs.yaml may have another by now. */
  readonly loadedName: string;
}

/** Names and an id that two workspaces share, a profile and a workspace that jobs.yaml has no longer. */
const profiles: readonly Profile[] = [
  { workspace: 'a', id: 'p1', loadedName: 'Careers' },
  { workspace: 'a', id: 'p2', loadedName: 'Main' },
  { workspace: 'a', id: 'p9', loadedName: 'Careers' },
  { workspace: 'b', id: 'p1', loadedName: 'Careers' },
  { workspace: 'b', id: 'p3', loadedName: 'Named otherwise' },
  { workspace: 'gone', id: 'p1', loadedName: 'Careers' },
];

const configured = new Map(
  Object.entries({ a: { p1: 'Careers', p2: 'Main' }, b: { p1: 'Careers', p3: 'Main' } }).map(
    ([workspace, names]) => [
      workspace,
      {
        profiles: Object.entries(names).map(([id, name]) => ({
          workspace,
          id,
          name,
          cpm: null,
          prices: null,
          until: null,
        })),
      },
    ],
  ),
) satisfies ReportConfig['workspaces'];

const isConfigured = ({ workspace, id }: Profile) =>
  configured.get(workspace)?.profiles.some((profile) => profile.id === id) ?? false;

/** The rows of one profile in every table, with its name in every text. */
function rowsOf({ workspace, id, loadedName }: Profile): WarehouseRows {
  const index =
    1 + profiles.findIndex((profile) => profile.workspace === workspace && profile.id === id);
  const own = `${workspace}-${id}`;
  const at = (day: number) => `2026-01-0${String(day)}T05:00:0${String(index)}Z`;
  const days = [1, 2, 3, 4, 5];
  const ids = days.map((day) => `${own}-${String(day)}`);
  const figures = (day: number) => ({
    like_count: index * 10 + day,
    impression_count: index * 1000 + day * 100,
    engagement: 0.01 * index,
    emv: index * 3 + day,
    video_view_count: index * 100 + day,
  });
  return {
    profiles: [{ workspace, profile_id: id, name: loadedName, cpm: index }],
    linkedin_posts: ids.map((linkedin_post_id, postIndex) => ({
      workspace,
      profile_id: id,
      linkedin_post_id,
      commentary: `Text of ${linkedin_post_id}`,
      type: postIndex === 0 ? 'Video' : `Type of ${own}`,
      published_at: `2025-1${postIndex % 2}-0${String(postIndex + 1)}T10:00:00Z`,
      post_id: `post-${linkedin_post_id}`,
      last_seen_at: at(postIndex + 1),
      ...figures(postIndex + 1),
    })),
    linkedin_post_snapshots: ids.flatMap((linkedin_post_id) =>
      days.map((day) => ({
        workspace,
        linkedin_post_id,
        captured_on: `2025-12-0${String(day)}`,
        captured_at: `2025-12-0${String(day)}T05:00:00Z`,
        ...figures(day),
        impression_count: day === 4 ? 1 : figures(day).impression_count,
      })),
    ),
    posts: ids.map((linkedin_post_id, postIndex) => ({
      workspace,
      post_id: `post-${linkedin_post_id}`,
      title: `Title of ${linkedin_post_id}`,
      status: `Status of ${own}`,
      campaign_id: `campaign-${own}`,
      removed_at: postIndex === 4 ? at(4) : null,
      removed_by: postIndex === 4 ? `Person of ${own}` : null,
      missing_since: postIndex === 3 ? at(3) : null,
    })),
    labels: [{ workspace, label_id: `label-${own}`, name: `Label of ${own}` }],
    post_labels: ids.map((post) => ({
      workspace,
      post_id: `post-${post}`,
      label_id: `label-${own}`,
    })),
    campaigns: [{ workspace, campaign_id: `campaign-${own}`, name: `Campaign of ${own}` }],
    extract_windows: [
      {
        run_id: `run-${own}`,
        workspace,
        profile_id: id,
        start_date: '2025-10-01',
        end_date: '2025-11-30',
        posts_read: index,
      },
      {
        run_id: 'shared',
        workspace,
        profile_id: id,
        start_date: '2025-12-01',
        end_date: '2026-01-05',
        posts_read: index,
        status: 'failed',
        http_status: 500,
        error: `Error of ${own}`,
        seq: index,
        fetched_at: at(5),
      },
    ],
    loaded_responses: [
      { run_id: 'shared', workspace, seq: index, rejected: index, fetched_at: at(5) },
    ],
    rejected_records: [
      {
        run_id: 'shared',
        workspace,
        source: `${workspace} GET /analytics/linkedin/${id}/posts`,
        reason: `Reason of ${own}`,
        payload_sha256: own,
        rejected_at: at(2),
      },
    ],
    webhook_events: [
      {
        event_key: `event-${own}`,
        workspace,
        workspace_slug: workspace,
        type: `type-of-${own}`,
        payload: { data: { post: { id: `post-${own}-1` } } },
        outcome: 'rejected',
        reason: `Refusal of ${own}`,
        received_at: at(3),
      },
    ],
    runs: [
      {
        run_id: `run-${own}`,
        job: `job-of-${own}`,
        started_at: at(1),
        requests: index,
        posts_read: index,
      },
    ],
    run_parts: [{ run_id: `run-${own}`, workspace, job: `job-of-${own}`, started_at: at(1) }],
  };
}

/** A run that read all of these profiles, and all that each of them left. */
function rowsOfAll(kept: readonly Profile[]): WarehouseRows {
  const merged: Record<string, unknown[]> = {};
  for (const rows of kept.map(rowsOf)) {
    for (const [table, own] of Object.entries(rows) as [string, unknown[]][])
      (merged[table] ??= []).push(...own);
  }
  const indexes = kept.map((profile) => profiles.indexOf(profile) + 1);
  const ofAll = indexes.reduce((sum, index) => sum + index, 0);
  const shared = {
    run_id: 'shared',
    job: 'daily',
    started_at: '2026-01-05T05:00:00Z',
    finished_at: '2026-01-05T06:00:00Z',
  };
  merged['runs']?.push({
    ...shared,
    status: 'failed',
    requests: kept.length,
    posts_read: ofAll,
    rejected: ofAll,
  });
  for (const workspace of new Set(kept.map((profile) => profile.workspace)))
    merged['run_parts']?.push({ ...shared, workspace, requests: 1, status: 'partial' });
  return merged;
}

const only =
  (...keys: string[]) =>
  ({ workspace, id }: Profile) =>
    keys.includes(`${workspace}/${id}`);
const scopeOf = (isIn: (profile: Profile) => boolean) =>
  profiles.filter(isIn).map(({ workspace, id }) => ({ workspace, id }));

type Case = [string, Partial<ReportParameters>, (profile: Profile) => boolean];

const onePerWorkspace = only('a/p1', 'b/p3');
const ofOnePerWorkspace = { scope: scopeOf(onePerWorkspace) };

const cases: Case[] = [
  ['all that is configured', {}, isConfigured],
  [
    'a workspace and a profile of a job by their names, in a period and as of a day',
    {
      scope: scopeOf(only('a/p2', 'b/p1', 'b/p3')),
      workspaces: ['b'],
      profiles: ['Main'],
      removed: 'include',
      from: '2025-11-01',
      to: '2025-11-30',
      asOf: '2025-12-04',
    },
    only('b/p3'),
  ],
];

const folderOfFile = sharedFolder();
let folder: string;
let everything: string;

beforeAll(async () => {
  folder = await folderOfFile();
  everything = join(folder, 'everything.duckdb');
  await makeWarehouse(everything, rowsOfAll(profiles));
});

async function open(
  path: string,
  parameters: Partial<ReportParameters>,
  out = folder,
): Promise<ReportSession> {
  const config = reportConfig(path, { workspaces: configured });
  const session = await openReportSession(config, { ...allPosts, ...parameters }, { folder: out });
  onTestFinished(() => session.close());
  return session;
}

/** A session on just these profiles' rows. */
async function openAlone(
  isIn: (profile: Profile) => boolean,
  parameters: Partial<ReportParameters>,
  out = folder,
): Promise<ReportSession> {
  const alone = join(await temporaryFolder(), 'alone.duckdb');
  await makeWarehouse(alone, rowsOfAll(profiles.filter(isIn)));
  return open(alone, parameters, out);
}

async function readableNames({ database, tables }: ReportSession): Promise<string[]> {
  await tables.make(null);
  const { rows } = await database.query(
    `select table_name from duckdb_tables() where database_name = 'report'
     union all select view_name from duckdb_views() where database_name = 'report' and not internal
     order by all`,
  );
  return rows.flat().map(String);
}

/** All rows that the SQL of reports can read, by table and view, but for the numbers that posts go by for a while. */
async function readableRows(session: ReportSession): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  // of a run that read other profiles too, the part of a workspace is hidden
  const names = (await readableNames(session)).filter((name) => !name.endsWith('run_parts'));
  for (const name of names) {
    const { rows } = await session.database.query(
      `select to_json(rows)::varchar from ${name} as rows`,
    );
    const texts = rows.flat().map((text) => String(text).replace(/"post_number":\d+,?/, ''));
    found.set(name, texts.sort());
  }
  return found;
}

/** The widest reports as documents, from which the other formats are made, and their CSV files, which are not. */
async function reportsOf(session: ReportSession, out: string): Promise<Map<string, unknown>> {
  const made = new Map<string, unknown>();
  for (const name of ['overview', 'quality']) {
    const definition = reports.get(name);
    if (!definition) throw new Error(`no report ${name}`);
    const asked = { session, definition, set: {}, formats: ['csv'] as const, folder: out };
    made.set(name, (await writeReport(asked)).document);
  }
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) made.set(file.slice(out.length), await readFile(file, 'latin1'));
  }
  return made;
}

function expectSame(found: Map<string, unknown>, expected: Map<string, unknown>): void {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [name, content] of expected) expect(found.get(name), name).toEqual(content);
}

test.each(cases)(
  'a report on %s reads the same as if the warehouse contained nothing else',
  async (_name, parameters, isIn) => {
    const [session, alone] = [
      await open(everything, parameters),
      await openAlone(isIn, parameters),
    ];
    const found = await readableRows(session);
    expect(found.size).toBeGreaterThan(30);
    expectSame(found, await readableRows(alone));
  },
);

test('reports on some profiles say the same as if the warehouse contained nothing else', async () => {
  const [out, other] = [await temporaryFolder(), await temporaryFolder()];
  const found = await reportsOf(await open(everything, ofOnePerWorkspace, out), out);
  expect(found.size).toBeGreaterThanOrEqual(20);
  const alone = await openAlone(onePerWorkspace, ofOnePerWorkspace, other);
  expectSame(found, await reportsOf(alone, other));
});

describe('the SQL of a report', () => {
  test('has every table of the warehouse hidden from it', async () => {
    const { database, tables } = await open(everything, ofOnePerWorkspace);
    await tables.make(null);
    const { rows } = await database.query(
      `select table_name from duckdb_tables()
       where starts_with(database_name, 'warehouse_') and table_name <> 'schema_files'
       except (
         select table_name from duckdb_tables() where database_name = 'report'
         union all select view_name from duckdb_views() where database_name = 'report'
       )`,
    );
    expect(rows).toEqual([]);
    await expect(database.query('from everything.linkedin_posts')).rejects.toThrow(
      'schema "everything" does not exist',
    );
  });
});

test('an unknown value is not compared with values outside the scope', async () => {
  const opening = open(everything, { profiles: ['a/Careers'], labels: ['label of a-p2'] });
  await expect(opening).rejects.toThrow(
    '--label label of a-p2: there is no such label; did you mean "Label of a-p1"?',
  );
});
