import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../src/core/errors.ts';
import { Database } from '../../src/warehouse/database.ts';
import { WarehouseMissingError } from '../../src/warehouse/warehouse-errors.ts';
import { allPosts, type ReportParameters } from '../../src/report/report-parameters.ts';
import {
  openReportSession,
  type ReportConfig,
  type ReportSession,
} from '../../src/report/report-session.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openSessionOn } from './support/open-session.ts';
import { makeWarehouse, reportConfig, type WarehouseRows } from './support/report-warehouse.ts';

const rows: WarehouseRows = {
  profiles: [
    { profile_id: 'p1', name: 'Acme', cpm: 30 },
    { profile_id: 'p2', name: 'Mara Lind' },
  ],
  linkedin_posts: [
    post('first', '2025-10-31T22:59:59Z', { emv: 1 }),
    post('second', '2025-10-31T23:00:00Z', { post_id: 'a', emv: 2 }),
    post('third', '2025-11-30T22:59:59Z', { impression_count: 1234, profile_id: 'p2' }),
    post('fourth', '2025-11-30T23:00:00Z', { impression_count: 1234, type: 'Video' }),
    post('timeless', null, { emv: 5 }),
  ],
  posts: [
    { post_id: 'a', title: 'Gone', campaign_id: 'c', removed_at: '2025-12-05T00:00:00.000Z' },
  ],
  campaigns: [{ campaign_id: 'c', name: 'Spring campaign' }],
  labels: [{ label_id: 'l', name: 'Hiring' }],
  post_labels: [{ post_id: 'a', label_id: 'l' }],
};

function post(id: string, published_at: string | null, values: Record<string, unknown>) {
  return { linkedin_post_id: id, published_at, ...values };
}

function open(
  changes: Partial<ReportParameters> = {},
  {
    warehouse = rows,
    config = {},
  }: { warehouse?: WarehouseRows; config?: Partial<ReportConfig> } = {},
): Promise<ReportSession> {
  return openSessionOn(warehouse, changes, config);
}

async function ids({ database }: ReportSession, view = 'report_posts'): Promise<unknown[]> {
  const { rows: found } = await database.query(
    `select linkedin_post_id from ${view} order by published_at nulls last`,
  );
  return found.map(([id]) => id);
}

const november = { from: '2025-11-01', to: '2025-11-30' };

test('days are inclusive days of the time zone, and exclude posts without a time', async () => {
  const asked = { ...november, removed: 'include' } as const;
  expect(await ids(await open(asked))).toEqual(['second', 'third']);
  const inUtc = await open(asked, { config: { timezone: 'UTC' } });
  expect(await ids(inUtc)).toEqual(['third', 'fourth']);
  expect(await ids(inUtc, 'report_removed')).toEqual([]);
});

describe('removed posts', () => {
  test.each([
    ['exclude', ['first', 'third', 'fourth', 'timeless']],
    ['include', ['first', 'second', 'third', 'fourth', 'timeless']],
    ['only', ['second']],
  ] as const)('%s; report_all and report_removed have them anyway', async (removed, expected) => {
    const session = await open({ removed });
    expect(await ids(session)).toEqual(expected);
    expect(await ids(session, 'report_all')).toHaveLength(5);
    expect(await ids(session, 'report_removed')).toEqual(['second']);
  });

  test('are those that pass the other filters', async () => {
    expect(await ids(await open({ ...november, profiles: ['p2'] }), 'report_removed')).toEqual([]);
    expect(await ids(await open({ campaigns: ['Spring campaign'] }), 'report_removed')).toEqual([
      'second',
    ]);
  });
});

test('reports read the views of this version, whatever the file has, and leave it and its folder as they were', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'warehouse.duckdb');
  const read = { linkedin_post_id: 'second', captured_on: '2025-12-01' };
  await makeWarehouse(path, { ...rows, linkedin_post_snapshots: [read] });
  const older = await Database.open(path, 'READ_WRITE');
  await older.run('create or replace view post_performance as select 1 as x');
  await older.run('drop view post_label_names');
  older.close();
  const before = await readFile(path);
  const session = await openReportSession(reportConfig(path), { ...allPosts, asOf: '2025-12-05' });
  onTestFinished(() => session.close());
  expect(await ids(session, 'report_removed')).toEqual(['second']);
  expect(await readdir(folder)).toEqual(['warehouse.duckdb']);
  expect(before.equals(await readFile(path))).toBe(true);
});

describe('filters', () => {
  test('an unknown value is refused, with the nearest known one', async () => {
    const asked = {
      profiles: ['Akme'],
      campaigns: ['Spring campain'],
      labels: ['hiring'],
      types: ['Film'],
      workspaces: ['zzz'],
      excluded: ['urn:li:share:1', 'first'],
    };
    await expect(open(asked)).rejects.toThrow(
      new UsageError(
        [
          '--campaign Spring campain: there is no such campaign; did you mean "Spring campaign"?',
          '--exclude urn:li:share:1: no post has that id or address',
          '--label hiring: there is no such label; did you mean "Hiring"?',
          '--profile Akme: there is no such profile; did you mean "Acme"?',
          '--type Film: there is no such type; known are Article, Celebration, Document, Event, Image, Job, MultiImage, Poll, QuotePost, Repost, Text, Video',
          '--workspace zzz: there is no such workspace; known are acme',
        ].join('\n'),
      ),
    );
  });

  test('a value of the config or of LinkedIn is known, even if no post has it', async () => {
    const profile = { workspace: 'beta', id: 'p9', name: 'Later', cpm: null };
    const workspaces = new Map([
      ['beta', { profiles: [profile] }],
    ]) as unknown as ReportConfig['workspaces'];
    const asked = { workspaces: ['beta'], profiles: ['Later', 'p9'], types: ['Poll'] };
    expect(await ids(await open(asked, { config: { workspaces } }))).toEqual([]);
  });

  test('a type may be written as reports write it, in their language or in English', async () => {
    const types = ['carousel of images', 'Repost mit Kommentar', 'Video'];
    const { parameters } = await open({ types }, { config: { language: 'de' } });
    expect(parameters.types).toEqual(['MultiImage', 'QuotePost', 'Video']);
  });

  test('an empty warehouse refuses no name', async () => {
    expect(await ids(await open({ campaigns: ['Spring'] }, { warehouse: {} }))).toEqual([]);
  });

  test('a profile may be named with its workspace, by name or id', async () => {
    const warehouse = {
      profiles: [
        { workspace: 'a', profile_id: 'p1', name: 'Main' },
        { workspace: 'b', profile_id: 'p1', name: 'Main' },
        { workspace: 'c', profile_id: 'p1', name: 'Main' },
      ],
      linkedin_posts: ['a', 'b', 'c'].map((workspace) => ({
        workspace,
        linkedin_post_id: `of ${workspace}`,
      })),
    };
    const named = await open({ profiles: ['b/Main', 'c/p1'] }, { warehouse });
    expect((await ids(named)).toSorted()).toEqual(['of b', 'of c']);
    await expect(open({ workspaces: ['a'], profiles: ['b/Main'] }, { warehouse })).rejects.toThrow(
      new UsageError('--profile b/Main: there is no such profile; did you mean "a/Main"?'),
    );
  });
});

describe('the period before', () => {
  test('has the same filters', async () => {
    const session = await open(november);
    expect(session.previousPeriod).toEqual({ from: '2025-10-01', to: '2025-10-31' });
    expect(await ids(session, 'report_previous')).toEqual(['first']);
    expect(await ids(await open({ ...november, profiles: ['p2'] }), 'report_previous')).toEqual([]);
  });

  test('exists only if it was read from its first day', async () => {
    const readFrom = (start_date: string) => ({
      warehouse: { ...rows, extract_windows: [{ start_date, end_date: '2025-12-01' }] },
    });
    const whole = await open(november, readFrom('2025-09-30'));
    expect(await ids(whole, 'report_previous')).toEqual(['first']);
    const partly = await open(november, readFrom('2025-10-01'));
    expect(await ids(partly, 'report_previous')).toEqual([]);
    expect(partly.previousPeriod).toBeNull();
  });

  test('is drawn over 12 months only if posts that the report shows are earlier', async () => {
    const linkedin_posts = [
      post('removed', '2025-10-15T12:00:00Z', { post_id: 'a' }),
      post('shown', '2025-11-15T12:00:00Z', {}),
    ];
    const extract_windows = ['p1', 'p2'].map((profile_id, seq) => {
      return { profile_id, seq, start_date: '2025-01-01', end_date: '2025-12-02' };
    });
    const options = { warehouse: { ...rows, linkedin_posts, extract_windows } };
    expect((await open({ ...november, removed: 'exclude' }, options)).overYear).toBeNull();
    expect((await open({ ...november, removed: 'include' }, options)).overYear).not.toBeNull();
  });
});

test('a group whose figures of the comparison period are unknown has none beside it, not 0', async () => {
  const linkedin_posts = [
    post('own', '2025-11-10T10:00:00Z', { impression_count: 10, emv: 3 }),
    post('before', '2025-10-10T10:00:00Z', {}),
  ];
  const period = { from: '2025-11-01', to: '2025-11-30' };
  const { database, tables } = await openSessionOn(
    { profiles: rows.profiles ?? [], linkedin_posts },
    period,
  );
  await tables.make(['sums_by']);
  await database.run("create temp table own_sums as from sums_by('posts', ['all'])");
  const previous = await database.queryObjects(
    `select posts, emv, previous_posts, previous_emv, previous_impressions, previous_rate, previous_views, emv_change
    from groups_of('own_sums', 'emv') where dimension = 'all'`,
  );
  const unknown = ['emv', 'impressions', 'rate', 'views'].map((name) => [`previous_${name}`, null]);
  expect(previous).toEqual([
    { posts: 1, emv: 3, previous_posts: 1, ...Object.fromEntries(unknown), emv_change: null },
  ]);
});

test('a kind of profile is judged from five posts on either side', async () => {
  const ofKind = (name: string, count: string, number: number) =>
    ['Text', 'Image'].flatMap((type) =>
      Array.from({ length: number }, (_, nth) =>
        post(`${name} ${type} ${String(nth)}`, '2025-11-10T10:00:00Z', {
          type,
          profile_id: name,
          [count]: 1,
          impression_count: 100,
          engagement: type === 'Text' ? 0.1 : 0.05,
        }),
      ),
    );
  const withinOf = async (members: number) => {
    const linkedin_posts = [
      ...ofKind('p1', 'click_count', 6),
      ...ofKind('p2', 'save_count', members),
    ];
    const session = await openSessionOn({ profiles: rows.profiles ?? [], linkedin_posts });
    const { database, tables } = session;
    await tables.make(['compared_by_kind']);
    await database.run(
      "create or replace temp table judged as from compared_by_kind(['type'], 'engagement_rate')",
    );
    const { rows: judged } = await database.query(
      "select within, is_finding from compared_of('judged', 'type', 10) where name = 'Text'",
    );
    return judged;
  };
  expect(await withinOf(5)).toEqual([[', among both pages and members', true]]);
  expect(await withinOf(4)).toEqual([[', among pages', true]]);
});

test('posts younger than 14 days when the data were read are young', async () => {
  const at = (published_at: string) => post(published_at, published_at, {});
  const { database, dataAsOf } = await open(
    {},
    { warehouse: { linkedin_posts: [at('2025-12-21T05:00:00Z'), at('2025-12-21T05:00:01Z')] } },
  );
  const { rows: found } = await database.query(
    'select is_young from report_posts order by published_at',
  );
  expect(dataAsOf).toBe('2026-01-04T05:00:00.000Z');
  expect(found).toEqual([[false], [true]]);
});

test('the data are as of the newest reading, also without posts of the period', async () => {
  const answer = (day: string) => ({
    start_date: '2025-11-01',
    end_date: day,
    fetched_at: `${day}T05:00:00Z`,
  });
  const warehouse = { ...rows, extract_windows: [answer('2026-01-04'), answer('2026-01-20')] };
  const read = async (changes: Partial<ReportParameters>) =>
    (await open(changes, { warehouse })).dataAsOf;
  expect(await read({ to: '2025-10-31' })).toBe('2026-01-20T05:00:00.000Z');
  expect(await read({ asOf: '2026-01-19' })).toBe('2026-01-04T05:00:00.000Z');
});

describe('opening', () => {
  test('leaves the sides of joins as written: DuckDB would hold all readings of a large warehouse in memory', async () => {
    const { tables } = await openSessionOn(rows);
    const connection = await tables.connect();
    onTestFinished(() => connection.close());
    const { rows: settings } = await connection.query(
      "select current_setting('disabled_optimizers')",
    );
    expect(String(settings[0])).toContain('build_side_probe_side');
  });

  test('before the first load says what to do', async () => {
    const path = join(await temporaryFolder(), 'none.duckdb');
    await expect(openReportSession(reportConfig(path), allPosts)).rejects.toThrow(
      new WarehouseMissingError(
        `there is no warehouse at ${path} yet; \`postledger run\` makes it`,
      ),
    );
  });

  test('refuses a period that ends before it begins', async () => {
    await expect(open({ from: '2025-02-02', to: '2025-02-01' })).rejects.toThrow(
      new UsageError('--from 2025-02-02 is after --to 2025-02-01; swap them'),
    );
  });
});
