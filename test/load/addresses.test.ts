import { rm } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { Database } from '../../src/warehouse/database.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import {
  emptyConfig,
  type FileConfig,
  load,
  profileId,
  rowsOf,
  valuesOf,
} from '../support/stored-run.ts';
import { dumpTables } from '../support/table-dump.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { january, storeAnswer, type Posts } from './stored-answer.ts';

const share = 'https://www.linkedin.com/feed/update/urn:li:share:';

/** Stores an answer of a day in February. */
function store(
  config: Config,
  day: number,
  ...answer: [Posts, Parameters<typeof storeAnswer>[3]?]
) {
  return storeAnswer(config, `2026-02-0${day}T06`, ...answer);
}

/** The row of `data_warnings` of one post of the first profile, published on 10 January. */
function warningOf(kind: string, seen_at: string) {
  return {
    kind,
    workspace: 'acme',
    profile_id: profileId,
    profile: 'Acme',
    metric: null,
    start_date: '2026-01-10',
    end_date: '2026-01-10',
    before: null,
    after: null,
    posts: 1,
    seen_at,
    other_profiles: null,
  };
}

test('addresses of one post have the number of an activity, share or ugcPost in common, and others name no post', async () => {
  const expected = {
    [`${share}7`]: 'share:7',
    [`http://de.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7/?utm=1`]: 'share:7',
    'https://www.linkedin.com/posts/acme_our-share-2024-activity-7100-AbCd?utm=urn:li:share:3':
      'activity:7100',
    'https://www.linkedin.com/posts/acme_x-ugcPost-12-a-b/': 'ugcpost:12',
    'urn:li:activity:9': 'activity:9',
    [`${share}00000000-0000-4000-8000-000000000001`]: null,
    'https://www.linkedin.com/posts/acme_x-share-00000000-0000-4000-8000-000000000001': null,
    'https://www.linkedin.com/embed/feed/update/urn:li:share:7b2/urn:li:share:8,x': 'share:8',
    'https://www.linkedin.com/pulse/our-share-2024-acme': null,
    'https://www.linkedin.com/company/acme/posts/': null,
    'no address': null,
  };
  const database = await openWarehouse((await emptyConfig()).warehouse);
  try {
    await database.run(await readSql('address.sql'));
    const { rows } = await database.query(
      'select url, address_of(url) from (select unnest($urls::varchar[]) as url)',
      { urls: Object.keys(expected) },
    );
    expect(Object.fromEntries(rows)).toEqual(expected);
  } finally {
    database.close();
  }
});

/** A post that was read twice, and then came under another id. */
const reconnected: readonly Posts[] = [
  { old: { url: `${share}7`, likeCount: 1, emv: 5, servicePost: { id: 'p1', title: 'T' } } },
  { old: { url: `${share}7`, likeCount: 2 }, other: {} },
  { new: { url: `${share}7/?new`, likeCount: 3, impressionCount: null }, other: {} },
];

/** Each record in a part of its own, as far as hashes of ids do that. */
const inParts = { readingsAtOnce: 1 };

async function loadInOrder(order: readonly (readonly number[])[], folder?: string, how = {}) {
  const config = await emptyConfig({}, folder);
  for (const days of order) {
    for (const day of days) await store(config, day, reconnected[day - 1] ?? {});
    await load(config, how);
  }
  return config;
}

describe('of two records with one address', () => {
  const folder = sharedFolder();
  let config: FileConfig;
  let loadedAtOnce: object;

  beforeAll(async () => {
    config = await loadInOrder([[1, 2, 3]], await folder());
    loadedAtOnce = await dumpTables(config);
  });

  test('the one that was read last counts, with the readings of both', async () => {
    const posts = `select linkedin_post_id, like_count, impression_count, emv, post_id, first_seen_at,
      last_seen_at, superseded_by, superseded_at from linkedin_posts where address = 'share:7' order by all`;
    const times = {
      first_seen_at: '2026-02-01T06:00:00.000Z',
      last_seen_at: '2026-02-02T06:00:00.000Z',
    };
    const known = { impression_count: 1000, emv: 5, post_id: 'p1' };
    expect(await rowsOf(config, posts)).toEqual([
      {
        linkedin_post_id: 'new',
        like_count: 3,
        ...known,
        ...times,
        last_seen_at: '2026-02-03T06:00:00.000Z',
        superseded_by: null,
        superseded_at: null,
      },
      {
        linkedin_post_id: 'old',
        like_count: 2,
        ...known,
        ...times,
        superseded_by: 'new',
        superseded_at: '2026-02-03T06:00:00.000Z',
      },
    ]);
    expect(
      await valuesOf(config, 'select linkedin_post_id from post_performance order by all'),
    ).toEqual([['new'], ['other']]);
    const days = `select linkedin_post_id, captured_on, like_count from linkedin_post_snapshots
      where linkedin_post_id <> 'other' order by all`;
    expect(await rowsOf(config, days)).toEqual(
      [1, 2, 3].map((day) => ({
        linkedin_post_id: 'new',
        captured_on: `2026-02-0${day}`,
        like_count: day,
      })),
    );
    expect(await rowsOf(config, 'from data_warnings')).toEqual([
      warningOf('superseded_records', '2026-02-03T06:00:00.000Z'),
    ]);
  });

  test('nothing depends on the order in which they are loaded, nor on whether they are derived in parts, and a rebuild gives the same', async () => {
    const orders = [
      { order: [[1], [2], [3]], how: inParts },
      { order: [[3], [1, 2]], how: {} },
      { order: [[1, 2, 3]], how: inParts },
    ];
    for (const { order, how } of orders)
      expect(await dumpTables(await loadInOrder(order, undefined, how))).toEqual(loadedAtOnce);
  });

  test('the first counts again once it is read again, and each alone once it has another address', async () => {
    const posts = `select linkedin_post_id, superseded_by, count(captured_on) as days from linkedin_posts
      left join linkedin_post_snapshots using (workspace, linkedin_post_id)
      where linkedin_post_id <> 'other' group by all order by all`;
    await store(config, 4, { old: { url: `${share}7` }, other: {} });
    await load(config, inParts);
    expect(await rowsOf(config, posts)).toEqual([
      { linkedin_post_id: 'new', superseded_by: 'old', days: 0 },
      { linkedin_post_id: 'old', superseded_by: null, days: 4 },
    ]);
    await store(config, 5, { old: { url: `${share}8` }, other: {} });
    await load(config, inParts);
    expect(await rowsOf(config, posts)).toEqual([
      { linkedin_post_id: 'new', superseded_by: null, days: 1 },
      { linkedin_post_id: 'old', superseded_by: null, days: 4 },
    ]);
    const dump = await dumpTables(config);
    await rm(config.warehouse);
    await load(config);
    expect(await dumpTables(config)).toEqual(dump);
  });

  test('both count under another profile, of two kinds of number, and if it is of no post', async () => {
    const config = await emptyConfig();
    const other = {
      profile: '22222222-2222-4222-8222-222222222222',
      window: { ...january, end_date: '2026-01-29' },
    };
    await store(config, 1, { a: { url: `${share}7` }, b: { url: 'urn:li:activity:7' } });
    await store(config, 1, { c: { url: `${share}7` } }, other);
    const home = { url: 'https://www.linkedin.com/company/acme/posts/' };
    await store(config, 2, { d: home });
    await store(config, 2, { e: home }, { window: other.window });
    expect((await load(config)).posts).toEqual({ new: 5, changed: 0, unchanged: 0 });
    const changed = { ...home, emv: 9 };
    await store(config, 3, { a: { url: `${share}7`, emv: 9 }, c: home, d: changed, e: changed });
    // the record of the other profile is compared with that of the first once more
    expect((await load(config, inParts)).posts).toEqual({ new: 1, changed: 3, unchanged: 1 });
    expect(await rowsOf(config, 'from linkedin_posts where superseded_by is not null')).toEqual([]);
  });
});

describe('records with the number of one post', () => {
  const superseding = `select linkedin_post_id, superseded_by from linkedin_posts
    where superseded_by is not null order by all`;

  /** Loads the answers one after another, and at once in parts: both give the same tables. */
  async function loadInTurn(answers: readonly Posts[]): Promise<FileConfig> {
    const config = await emptyConfig();
    for (const [index, posts] of answers.entries()) {
      await store(config, index + 1, posts);
      await load(config);
    }
    const dump = await dumpTables(config);
    await rm(config.warehouse);
    await load(config, inParts);
    expect(await dumpTables(config)).toEqual(dump);
    return config;
  }

  const url = `${share}7`;

  test('are several posts for good where two of them ever stood in one answer', async () => {
    const answers = [
      { a: { url } },
      { a: { url: `${share}8` }, b: { url } },
      { a: { url } },
      { c: { url } },
    ];
    expect(await rowsOf(await loadInTurn(answers), superseding)).toEqual([]);
  });

  test('are several posts where they were published more than a day apart, as far as that is known', async () => {
    const at = (day: number, hour = 8) => ({
      url,
      publishedAt: new Date(Date.UTC(2026, 0, day, hour)).toISOString(),
    });
    const near = [{ a: at(10) }, { b: { url, publishedAt: null } }, { c: at(11) }];
    expect(await rowsOf(await loadInTurn(near), superseding)).toEqual([
      { linkedin_post_id: 'a', superseded_by: 'c' },
      { linkedin_post_id: 'b', superseded_by: 'c' },
    ]);
    const config = await emptyConfig();
    for (const [index, posts] of [...near, { d: at(11, 9) }].entries())
      await store(config, index + 1, posts);
    await load(config);
    expect(await rowsOf(config, superseding)).toEqual([]);
  });
});

describe('a post that later answers for its days lack', () => {
  const folder = sharedFolder();
  let config: FileConfig;
  const [late = '', doubtful = '', gone = ''] = ['2', '3', '4'].map((digit) =>
    profileId.replaceAll('1', digit),
  );
  const absentOf = (profile: string) =>
    valuesOf(
      config,
      `select linkedin_post_id, absent_since from linkedin_posts
      where profile_id = '${profile}' and absent_since is not null order by all`,
    );
  const warningsOf = (profile: string) =>
    rowsOf(config, `from data_warnings where profile_id = '${profile}'`);
  const since = '2026-02-02T06:00:00.000Z';

  beforeAll(async () => {
    config = await emptyConfig({}, await folder());
    await store(config, 1, { a: {}, b: {} });
    await store(config, 2, {}, { profile: late });
    await load(config);
    const window = { start_date: '2026-01-09', end_date: '2026-01-11' };
    await store(config, 2, { b: {} }, { window });
    await store(config, 3, { b: {} });
    await store(config, 1, { a: {} }, { profile: late });
    await store(config, 1, { a: {}, b: {} }, { profile: doubtful });
    await store(config, 2, { b: {}, c: {} }, { profile: doubtful, isRound: true });
    await store(config, 3, { b: {}, bad: { id: 7 } }, { profile: doubtful });
    // in another time zone the post is of the day before
    const later = { start_date: '2026-01-10', end_date: '2026-01-20' };
    await store(config, 4, {}, { profile: doubtful, window: later });
    const url = `${share}7`;
    await store(config, 1, { a: { servicePost: { id: 'p1' } }, b: { url } }, { profile: gone });
    await storeEvents(config, [deletionEvent()]);
    await store(config, 2, { c: { url } }, { profile: gone });
    await load(config);
  });

  test('is absent since the first whole one, also under other date ranges that hold its days, and no longer once it is seen again', async () => {
    expect(await absentOf(profileId)).toEqual([['a', since]]);
    expect(await warningsOf(profileId)).toEqual([warningOf('absent_posts', since)]);
    await store(config, 4, { a: {}, b: {} });
    await load(config);
    expect([await absentOf(profileId), await warningsOf(profileId)]).toEqual([[], []]);
  });

  test('is so after an upgrade that derives all posts again', async () => {
    const dump = await dumpTables(config);
    const database = await Database.open(config.warehouse, 'READ_WRITE');
    await database.run('delete from load_settings');
    database.close();
    await load(config, inParts);
    expect(await dumpTables(config)).toEqual(dump);
  });

  test('is absent if the answer that lacks it is loaded first', async () => {
    expect(await absentOf(late)).toEqual([[`${late} a`, since]]);
  });

  test('is not absent if the answer may be cut off, had a rejected record, or was for other days', async () => {
    expect(await absentOf(doubtful)).toEqual([]);
  });

  test('causes no warning if it was deleted, and is not said to be absent if it came under another id', async () => {
    expect(await absentOf(gone)).toEqual([[`${gone} a`, since]]);
    expect(await warningsOf(gone)).toMatchObject([{ kind: 'superseded_records' }]);
  });
});
