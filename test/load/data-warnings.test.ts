import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { readStatus } from '../../src/status/status.ts';
import type { DatabaseValue } from '../../src/warehouse/cell.ts';
import { describeWarnings } from '../../src/load/data-warnings.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import {
  analyticsRecord,
  finishOf,
  storeAnalytics,
  load,
  profileId,
  recordOf,
  rowsOf,
  emptyConfig,
} from '../support/stored-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { warningLog } from '../support/warning-log.ts';

const window = { start_date: '2026-01-01', end_date: '2026-01-30' };

function at(day: string, hour = 6): Date {
  return new Date(`${day}T0${hour}:00:00Z`);
}

/** Stores an answer of that day about these posts, by id, and about a window. */
async function store(
  config: Config,
  day: string,
  posts: Record<string, object>,
  asked = window,
  hour = 6,
): Promise<void> {
  const part = await RunWriter.open(
    config.dataDir,
    recordOf({ run_id: `run-${day}-${hour}-${asked.end_date}` }),
  );
  const records = Object.entries(posts).map(([id, change]) => analyticsRecord({ id, ...change }));
  await storeAnalytics(part, records, { fetchedAt: at(day, hour) }, asked);
  await part.finish(finishOf());
}

/** Once all is loaded. */
async function warningsOf(config: Config): Promise<Record<string, DatabaseValue>[]> {
  await load(config);
  return rowsOf(config, 'from data_warnings order by all');
}

async function fallenMetrics(config: Config): Promise<unknown[]> {
  return (await warningsOf(config)).flatMap(({ metric }) => metric ?? []);
}

const full = { likeCount: 10, commentCount: 2, shareCount: 1, impressionCount: 1000 };

describe('a count that falls to half or less in sum', () => {
  test('is told with its profile, the days, the sums and how many posts it is about', async () => {
    const config = await emptyConfig();
    await store(config, '2026-01-20', { a: full, b: full });
    expect(await warningsOf(config)).toEqual([]);
    await store(config, '2026-01-21', { a: { ...full, impressionCount: 400 }, b: full });
    expect(await warningsOf(config)).toEqual([]);
    await store(config, '2026-01-22', {
      a: { ...full, impressionCount: 300 },
      b: { ...full, impressionCount: 390 },
      new: full,
    });
    expect(await warningsOf(config)).toEqual([
      {
        kind: 'metric_drop',
        workspace: 'acme',
        profile_id: profileId,
        profile: 'Acme',
        metric: 'impression_count',
        start_date: '2026-01-21',
        end_date: '2026-01-22',
        before: 1400,
        after: 690,
        posts: 2,
        seen_at: '2026-01-22T06:00:00.000Z',
      },
    ]);
  });

  test('is told from a sum of 100 on, by the last reading of a day', async () => {
    const config = await emptyConfig();
    await store(config, '2026-01-20', { a: { ...full, likeCount: 100 } });
    await store(config, '2026-01-21', { a: { ...full, likeCount: 0 } }, window, 5);
    await store(config, '2026-01-21', { a: { ...full, likeCount: 50 } });
    expect(await warningsOf(config)).toMatchObject([{ before: 100, after: 50 }]);
  });

  test('is no longer told once the figures are back, or after 30 days of readings', async () => {
    const config = await emptyConfig();
    await store(config, '2026-01-20', { a: full, b: full });
    await store(config, '2026-01-21', { a: { ...full, impressionCount: 0 } });
    expect(await fallenMetrics(config)).toEqual(['impression_count']);
    await store(config, '2026-01-22', { a: { ...full, impressionCount: 10 } });
    expect(await fallenMetrics(config)).toEqual(['impression_count']);
    const recovered = await emptyConfig();
    await store(recovered, '2026-01-20', { a: full });
    await store(recovered, '2026-01-21', { a: { ...full, impressionCount: 0 } });
    await store(recovered, '2026-01-22', { a: { ...full, impressionCount: 501 } });
    expect(await fallenMetrics(recovered)).toEqual([]);
    await store(config, '2026-02-19', { b: full });
    expect(await fallenMetrics(config)).toEqual(['impression_count']);
    await store(config, '2026-02-20', { b: full });
    expect(await fallenMetrics(config)).toEqual([]);
  });

  test('is not told of restatements, of what has expired, of removed posts and of those older than a year', async () => {
    const config = await emptyConfig();
    const video = { ...full, type: 'Video', videoViewCount: 500, videoViewerCount: 400 };
    const old = { ...full, publishedAt: '2025-01-10T08:00:00Z' };
    const linked = { ...full, servicePost: { id: 'p1', title: 'T', labels: [], campaign: null } };
    await store(config, '2026-01-20', { video, old, linked });
    await store(config, '2026-01-21', {
      video: {
        ...video,
        likeCount: -1,
        impressionCount: 960,
        videoViewCount: null,
        videoViewerCount: null,
      },
      old: { ...old, impressionCount: 3 },
      linked: { ...linked, impressionCount: 0 },
    });
    await storeEvents(config, [deletionEvent()]);
    expect(await warningsOf(config)).toEqual([]);
  });

  test('is told of a single day only: not of what is lost little by little, nor of small sums', async () => {
    const config = await emptyConfig();
    const days = ['2026-01-20', '2026-01-21', '2026-01-22', '2026-01-23', '2026-01-24'];
    for (const [nth, day] of days.entries())
      await store(config, day, { a: { ...full, impressionCount: Math.round(1000 * 0.7 ** nth) } });
    expect(await warningsOf(config)).toEqual([]);
    await store(config, '2026-01-25', { a: { ...full, likeCount: 0, impressionCount: 20 } });
    // 10 likes are too few to say anything of
    expect(await fallenMetrics(config)).toEqual(['impression_count']);
  });
});

describe('an answer without a post about days of which posts are known', () => {
  const known = { a: full, b: full, c: full };

  test('is told, with how many are known', async () => {
    const config = await emptyConfig();
    await store(config, '2026-02-01', known);
    await store(config, '2026-02-02', {});
    expect(await warningsOf(config)).toEqual([
      {
        kind: 'empty_window',
        workspace: 'acme',
        profile_id: profileId,
        profile: 'Acme',
        metric: null,
        start_date: '2026-01-01',
        end_date: '2026-01-30',
        before: 3,
        after: 0,
        posts: 3,
        seen_at: '2026-02-02T06:00:00.000Z',
      },
    ]);
    await store(config, '2026-02-03', known);
    expect(await warningsOf(config)).toEqual([]);
  });

  test('is no longer told once an answer about other days has had these posts', async () => {
    const config = await emptyConfig();
    await store(config, '2026-02-01', known);
    await store(config, '2026-02-02', {});
    await store(config, '2026-02-03', known, { start_date: '2026-01-01', end_date: '2026-02-03' });
    expect(await warningsOf(config)).toEqual([]);
  });

  test('is not told of few posts, of removed ones, of records that were rejected, and of other days', async () => {
    const config = await emptyConfig();
    const linked = { ...full, servicePost: { id: 'p1', title: 'T', labels: [], campaign: null } };
    await store(config, '2026-02-01', { a: full, b: full, c: linked });
    await storeEvents(config, [deletionEvent()]);
    await store(config, '2026-02-02', {});
    expect(await warningsOf(config)).toMatchObject([{ kind: 'absent_posts', posts: 2 }]);
    const rejecting = await emptyConfig();
    await store(rejecting, '2026-02-01', known);
    await store(rejecting, '2026-02-02', { a: { ...full, url: 7 } });
    await store(rejecting, '2026-02-02', {}, { start_date: '2025-12-01', end_date: '2025-12-30' });
    expect(await warningsOf(rejecting)).toEqual([]);
  });
});

test('an answer that was cut off is told with how many posts it had, and its halves; not each half of it', async () => {
  const config = await emptyConfig();
  const part = await RunWriter.open(config.dataDir, recordOf());
  await storeAnalytics(part, [analyticsRecord({ id: 'a' })]);
  const found = {
    seq: 1,
    profile_id: profileId,
    ...window,
    kind: 'cut_off' as const,
    checked_at: '2026-01-15T12:00:03.000Z',
    records_whole: 1,
    posts_whole: 1,
    posts_first_half: 1,
    posts_second_half: 2,
    posts_halves: 3,
    missing: 2,
  };
  await part.storeCheck(found);
  await part.storeCheck({ ...found, seq: 2, end_date: '2026-01-15', posts_halves: 2, missing: 1 });
  await part.storeCheck({ ...found, seq: 3, start_date: '2026-01-16', kind: 'agreed', missing: 0 });
  await part.finish(finishOf());
  expect(await warningsOf(config)).toEqual([
    {
      kind: 'cut_off_answer',
      workspace: 'acme',
      profile_id: profileId,
      profile: 'Acme',
      metric: null,
      start_date: '2026-01-01',
      end_date: '2026-01-30',
      before: 3,
      after: 1,
      posts: 2,
      seen_at: '2026-01-15T12:00:03.000Z',
    },
  ]);
});

test('a load tells once what it has brought, a line for each profile and kind, and the status as long as it holds', async () => {
  const config = await emptyConfig();
  const { warnings, log } = warningLog();
  const read = async (day: string, posts: Record<string, object>, asked = window) => {
    await store(config, day, posts, asked);
    await load(config, { log });
  };
  const posts = { a: full, b: full, c: full };
  const fallen = { ...full, likeCount: 0, impressionCount: 380 };
  const many = { ...full, likeCount: 50 };
  await read('2026-01-20', { a: many, b: many, c: many });
  expect(warnings).toEqual([]);
  await read('2026-01-21', { a: fallen, b: fallen, c: fallen });
  const told = { workspace: 'acme', profile: 'Acme', kind: 'metric_drop' };
  const text =
    'impressions fell by 62% on 2026-01-21, from 3,000 to 1,140 in 3 posts; ' +
    'likes fell by 100% on 2026-01-21, from 150 to 0 in 3 posts';
  const advice =
    '; it was loaded as it came, since it may be true: docs/failures.md says what to do';
  expect(warnings).toEqual([[told, text + advice]]);
  await read(
    '2026-01-21',
    { a: fallen, b: fallen, c: fallen },
    { ...window, end_date: '2026-01-29' },
  );
  await read('2026-01-22', { a: fallen, b: fallen, c: fallen });
  expect(warnings).toHaveLength(1);
  const status = await readStatus(config, new ManualClock('2026-01-23T12:00:00Z'));
  expect(describeWarnings(status.warnings)).toMatchObject([
    { workspace: 'acme', profile: 'Acme', text },
  ]);
  await read('2026-01-23', posts);
  await read('2026-01-24', {});
  const empty =
    'the answer for 2026-01-01 to 2026-01-30 had no posts, though 3 posts of these days are known';
  expect(warnings.slice(1)).toEqual([[{ ...told, kind: 'empty_window' }, empty + advice]]);
});
