import { expect, test } from 'vitest';
import { addDays, daysBetween, type Day } from '../../src/core/calendar.ts';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf } from './support/document-figures.ts';
import { profiles, whole } from './support/golden-rows.ts';

test('the implied CPM is that of the sums, and has changed only if no single one explains the EMV', async () => {
  const post = (id: string, impression_count: number, emv: number | null) => ({
    ...whole,
    linkedin_post_id: id,
    published_at: id < 'c' ? '2025-11-03T08:15:00Z' : '2025-12-03T08:15:00Z',
    impression_count,
    emv,
  });
  const rows = [
    // 31.25 a thousand, each rounded to the cent
    post('a', 333, 10.41),
    post('b', 17, 0.53),
    post('c', 333, 10.41),
    post('d', 1000, 40),
    post('e', 1000, null),
  ];
  const document = await buildOf({ profiles, linkedin_posts: rows }, 'quality', {
    only: ['implied_cpm'],
  });
  expectRows(document, 'implied_cpm', [
    {
      month: '2025-11-01',
      emv_source: 'api',
      posts: 2,
      effective_cpm: (10.94 / 350) * 1000,
      min_cpm: (0.53 / 17) * 1000,
      max_cpm: (10.41 / 333) * 1000,
      has_changed: false,
    },
    {
      month: '2025-12-01',
      emv_source: 'api',
      posts: 2,
      effective_cpm: (50.41 / 1333) * 1000,
      min_cpm: (10.41 / 333) * 1000,
      max_cpm: 40,
      has_changed: true,
    },
    {
      month: '2025-12-01',
      emv_source: 'profile_cpm',
      posts: 1,
      effective_cpm: 30,
      min_cpm: 30,
      max_cpm: 30,
      has_changed: false,
    },
  ]);
});

test('several CPMs within a single month are no change over time', async () => {
  const linkedin_posts = Array.from({ length: 10 }, (_, index) => ({
    ...whole,
    linkedin_post_id: `p${String(index)}`,
    impression_count: 1000,
    emv: index === 0 ? 60 : 30,
  }));
  const document = await buildOf({ profiles, linkedin_posts }, 'quality', {
    only: ['implied_cpm'],
  });
  expect(sectionOf(document, 'implied_cpm').finding).toBe(
    'No single CPM explains the EMV of the 10 posts',
  );
});

test('a profile whose CPM changed from one month to the next has a row for the change', async () => {
  const post = (month: number, impression_count: number, emv: number) => ({
    ...whole,
    linkedin_post_id: `${month}-${impression_count}`,
    published_at: `2025-0${month}-03T08:15:00Z`,
    impression_count,
    emv,
  });
  const document = await buildOf(
    {
      profiles,
      linkedin_posts: [
        ...[1000, 1100, 1200].map((count) => post(1, count, count * 0.03)),
        // 30 or 33: too small to tell
        post(2, 1, 0.03),
        ...[1000, 1100, 1200].map((count) => post(3, count, count * 0.033)),
        ...[1000, 1100, 1200].map((count) => post(4, count, count * 0.033)),
        // priced by the profile's CPM, which is neither
        { ...post(4, 1300, 0), emv: null },
      ],
    },
    'quality',
    { only: ['implied_cpm'] },
  );
  expect(
    rowsOf(document, 'implied_cpm').map(({ month, has_changed }) => [month, has_changed]),
  ).toEqual([
    ['2025-01-01', false],
    ['2025-02-01', false],
    ['2025-03-01', true],
    ['2025-04-01', false],
    ['2025-04-01', false],
  ]);
  expect(rowsOf(document, 'implied_cpm').map(({ origin }) => origin)).toEqual([
    ...Array.from({ length: 4 }, () => 'the service'),
    "the profile's CPM",
  ]);
  expect(sectionOf(document, 'implied_cpm').finding).toBe(
    'The CPM changed, so EMV is not comparable over time',
  );
});

const windows = [
  { start_date: '2025-12-01', end_date: '2025-12-10' },
  { start_date: '2025-12-05', end_date: '2025-12-07' },
  { start_date: '2025-12-12', end_date: '2025-12-20' },
  // read before its end: its last days had not begun
  { start_date: '2025-12-24', end_date: '2026-01-20', fetched_at: '2025-12-26T05:00:00Z' },
  { start_date: '2025-12-30', end_date: '2026-01-03', status: 'failed', error: 'HTTP 500' },
  { start_date: '2025-12-30', end_date: '2025-12-31', fetched_at: '2026-01-04T06:00:00Z' },
];

/** Day by day: those of which an answer after the day lacks the date before, the same or the date after. */
function daysNotRead(from: Day, to: Day): Day[] {
  const all = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
  const read = windows.filter(({ status }) => status === undefined);
  const isAnswered = (date: Day, day: Day) =>
    read.some(
      ({ start_date, end_date, fetched_at = '2026-01-04' }) =>
        date >= start_date && date <= end_date && day < fetched_at.slice(0, 10),
    );
  return all.filter((day) => ![-1, 0, 1].every((offset) => isAnswered(addDays(day, offset), day)));
}

const windowRows = {
  profiles,
  linkedin_posts: [whole],
  extract_windows: windows.map((window, index) => ({ run_id: `r${index}`, ...window })),
};

test('gaps are the days that no answered window covers, and a failed one is open for the days that no later one read', async () => {
  const document = await buildOf(windowRows, 'quality', { only: ['freshness', 'windows'] });
  const missing = daysNotRead('2025-12-02', '2026-01-03');
  expect(rowsOf(document, 'freshness')).toMatchObject([
    {
      gap_days: missing.length,
      gaps: ['2025-12-10 to 2025-12-12', '2025-12-20 to 2025-12-24', '2025-12-26 to 2026-01-03'],
      newest_reading: '2026-01-04T06:00:00.000Z',
      windows_read: 5,
      days_behind: 0,
    },
  ]);
  expect(missing).toHaveLength(17);
  expect(rowsOf(document, 'windows')).toMatchObject([
    { start_date: '2025-12-30', end_date: '2026-01-02', open_days: 2, error: 'HTTP 500' },
  ]);
});

test('a period limits the gaps and the open days, and a past day limits the readings', async () => {
  const narrowed = await buildOf(windowRows, 'quality', {
    only: ['freshness', 'windows'],
    parameters: { from: '2025-12-06', to: '2026-01-02' },
  });
  expect(rowsOf(narrowed, 'freshness')).toMatchObject([
    {
      gap_days: daysNotRead('2025-12-06', '2026-01-02').length,
      gaps: ['2025-12-10 to 2025-12-12', '2025-12-20 to 2025-12-24', '2025-12-26 to 2026-01-02'],
    },
  ]);
  expect(rowsOf(narrowed, 'windows')).toMatchObject([{ start_date: '2025-12-30', open_days: 2 }]);
  const past = await buildOf(windowRows, 'quality', {
    only: ['freshness'],
    parameters: { asOf: '2025-12-28' },
  });
  expect(rowsOf(past, 'freshness')).toMatchObject([
    {
      windows_read: 1,
      days_behind: 2,
      gaps: ['2025-12-26 to 2025-12-27'],
      asked_from: '2025-12-25',
    },
  ]);
});

const failure = { status: 'failed', error: 'no answer' };

/** Days read, refused, read too early and not asked for, until 2026-01-03. */
const brokenDays = {
  profiles,
  linkedin_posts: [whole],
  extract_windows: [
    { start_date: '2025-12-20', end_date: '2025-12-25' },
    { start_date: '2025-12-27', end_date: '2025-12-28', http_status: 401, ...failure },
    { start_date: '2025-12-22', end_date: '2025-12-24', http_status: 401, ...failure },
    { start_date: '2025-12-26', end_date: '2025-12-29', http_status: 503, ...failure },
    { start_date: '2025-12-29', end_date: '2026-01-02', fetched_at: '2026-01-02T05:00:00Z' },
  ].map((window, index) => ({ run_id: `r${index}`, ...window })),
};

test('each day that should have been read has a state, the days before them have none, and date ranges that failed for one reason are one row, with the command that mends it', async () => {
  const only = ['freshness', 'days', 'windows'];
  const document = await buildOf(brokenDays, 'quality', { only });
  expect(
    rowsOf(document, 'days').map(({ start_date, end_date, state, days }) => [
      ...[start_date, end_date, state, days],
    ]),
  ).toEqual([
    ['2025-12-21', '2025-12-24', 'read', 4],
    ['2025-12-25', '2025-12-29', 'failed', 5],
    ['2025-12-30', '2026-01-01', 'read', 3],
    ['2026-01-02', '2026-01-02', 'read before the day was over', 1],
    ['2026-01-03', '2026-01-03', 'not read', 1],
  ]);
  const [freshness] = rowsOf(document, 'freshness');
  expect(freshness).toMatchObject({ asked_from: '2025-12-21', gap_days: 7 });
  expect(
    rowsOf(document, 'windows').map(({ start_date, end_date, http_status, command }) => [
      ...[start_date, end_date, http_status, command],
    ]),
  ).toEqual([
    ['2025-12-22', '2025-12-27', 401, 'postledger check --online'],
    ['2025-12-26', '2025-12-28', 503, 'postledger catch-up'],
  ]);
});

test('when a profile was last read does not depend on the period', async () => {
  const late = await buildOf(windowRows, 'quality', {
    only: ['freshness', 'summary', '_coverage'],
    parameters: { from: '2024-01-01', to: '2024-01-31' },
  });
  expect(rowsOf(late, 'freshness')).toMatchObject([
    { newest_reading: '2026-01-04T06:00:00.000Z', days_behind: 0, windows_read: 0 },
  ]);
  expect(rowsOf(late, 'summary')).toMatchObject([{ profiles_unread: 0, most_days_behind: 0 }]);
  expect(late.coverage.join()).not.toContain('never read');
});

test('no window is open once a later one read all of its days', async () => {
  const again = { run_id: 'r9', fetched_at: '2026-01-04T07:00:00Z' };
  const window = { ...again, start_date: '2025-11-01', end_date: '2026-01-04' };
  const document = await buildOf(
    { ...windowRows, extract_windows: [...windowRows.extract_windows, window] },
    'quality',
    { only: ['windows', '_lede'] },
  );
  expect(rowsOf(document, 'windows')).toEqual([]);
  expect(document.lede).toBe('**1** post of 1 profile. Every day was read, nothing was rejected.');
});

test('rejected records are counted by source and reason, for the profiles of the report, without their content', async () => {
  const reject = (id: string, profile: string, reason: string) => ({
    source: `acme GET /analytics/linkedin/${profile}/posts`,
    reason,
    payload: '{"token": "secret"}',
    payload_sha256: id,
    rejected_at: `2026-01-0${id}T05:00:00Z`,
  });
  const rows = {
    profiles: [...profiles, { profile_id: 'p2', name: 'Mara Lind', cpm: null }],
    linkedin_posts: [whole],
    rejected_records: [
      reject('1', 'p1', 'emv: expected a number'),
      reject('3', 'p1', 'emv: expected a number'),
      reject('2', 'p2', '<script>alert(1)</script>'),
    ],
  };
  const all = await buildOf(rows, 'quality');
  expect(rowsOf(all, 'rejected')).toMatchObject([
    {
      records: 2,
      first_rejected_at: '2026-01-01T05:00:00.000Z',
      last_rejected_at: '2026-01-03T05:00:00.000Z',
    },
    { records: 1, reason: '<script>alert(1)</script>' },
  ]);
  expect(JSON.stringify(all)).not.toContain('secret');
  const some = await buildOf(rows, 'quality', {
    only: ['rejected'],
    parameters: { profiles: ['Mara Lind'] },
  });
  expect(rowsOf(some, 'rejected')).toMatchObject([{ records: 1 }]);
});

test('the last runs of the report’s workspaces are listed', async () => {
  const runs = Array.from({ length: 40 }, (_, index) => ({
    run_id: `r${index}`,
    started_at: new Date(Date.UTC(2025, 10, 1 + index, 5)).toISOString(),
    finished_at: new Date(Date.UTC(2025, 10, 1 + index, 5, 0, index)).toISOString(),
    status: index === 39 ? 'partial' : 'succeeded',
  }));
  const rows = {
    profiles: [{ workspace: 'beta', profile_id: 'p9', name: 'Beta' }],
    linkedin_posts: [whole],
    runs,
    run_parts: runs.map(({ run_id }, index) => ({
      run_id,
      workspace: index % 2 === 0 ? 'acme' : 'beta',
    })),
  };
  const document = await buildOf(rows, 'quality', { only: ['runs'] });
  expect(rowsOf(document, 'runs')).toHaveLength(30);
  expect(rowsOf(document, 'runs')[0]).toMatchObject({ run_id: 'r39', duration_seconds: 39 });
  expect(sectionOf(document, 'runs').finding).toBe('1 of the last 30 runs did not succeed');
  const acme = await buildOf(rows, 'quality', {
    only: ['runs'],
    parameters: { workspaces: ['acme'] },
    set: { runs: '3' },
  });
  expect(rowsOf(acme, 'runs').map(({ run_id }) => run_id)).toEqual(['r38', 'r36', 'r34']);
});
