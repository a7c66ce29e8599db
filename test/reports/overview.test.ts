import { beforeAll, describe, expect, test } from 'vitest';
import type { ReportDocument } from '../../src/report/report-document.ts';
import {
  type GeneratedPost,
  generatePosts,
  generatedRows,
} from '../report/support/generated-rows.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf, type Row } from './support/document-figures.ts';
import {
  emvOf,
  engagementsOf,
  impressionsOf,
  isInPeriod,
  ratio,
  sum,
} from './support/expected-figures.ts';

const timezone = 'Europe/Berlin';
const posts = generatePosts(900);
const rows = generatedRows(posts);
const targets = { emv: 20_000, engagement_rate: 0.03 };
const asked = { timezone, cpm: null, removed: 'exclude' } as const;

function between(from: string, to: string): GeneratedPost[] {
  return posts.filter(
    (post) => post.removedAt === null && isInPeriod(post, { ...asked, from, to }),
  );
}

/** The figures of the scorecard over some days, from the posts alone. */
function figuresOf(from: string, to: string): Record<string, number | null> {
  const own = between(from, to);
  const videos = own.filter(({ type }) => type === 'Video');
  return {
    emv: sum(own.map((post) => emvOf(post, { ...asked, from, to }))),
    impressions: sum(own.map(impressionsOf)),
    engagement_rate: ratio(own, engagementsOf, impressionsOf),
    interactions: sum(own.map(({ counts }) => sum(Object.values(counts)))),
    posts: own.length,
    views: sum(videos.map(({ views }) => views)),
    watch_time_seconds: sum(videos.map(({ watchSeconds }) => watchSeconds)),
  };
}

const figures = Object.keys(figuresOf('2025-11-01', '2025-11-01'));
const months = Array.from({ length: 13 }, (_, at) => {
  const start = new Date(Date.UTC(2024, 10 + at, 1));
  const end = new Date(Date.UTC(2024, 11 + at, 0));
  return [start, end].map((day) => day.toISOString().slice(0, 10)) as [string, string];
});

function by(document: ReportDocument, name: string, key: string): Map<string, Row> {
  return new Map(rowsOf(document, name).map((row) => [String(row[key]), row]));
}

const close = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 6));

describe('a month', () => {
  let document: ReportDocument;
  beforeAll(async () => {
    const parameters = { from: '2025-11-01', to: '2025-11-30', targets };
    document = await buildOf(rows, 'overview', { parameters });
  });

  test.each(figures)('%s agrees with the posts, now and before', (figure) => {
    const row = by(document, 'scorecard', 'figure').get(figure);
    const value = figuresOf('2025-11-01', '2025-11-30')[figure] ?? null;
    const previous = figuresOf('2025-10-01', '2025-10-31')[figure] ?? null;
    const year = figuresOf('2024-11-01', '2025-10-31')[figure] ?? null;
    expect(row).toMatchObject({
      value: close(value),
      previous: close(previous),
      change: close(Number(value) / Number(previous) - 1),
      average_12_months: close(figure === 'engagement_rate' ? year : Number(year) / 12),
      year_before: close(figuresOf('2024-11-01', '2024-11-30')[figure] ?? null),
      target: new Map(Object.entries(targets)).get(figure) ?? null,
      pace: null,
      trend: months.map(([from, to]) => close(figuresOf(from, to)[figure] ?? null)),
    });
  });

  test('the 13 months agree with the posts', () => {
    const found = rowsOf(document, 'by_month');
    expect(found.map((row) => [row['month'], row['is_period']])).toEqual(
      months.map(([from]) => [from, from === '2025-11-01']),
    );
    for (const [at, [from, to]] of months.entries()) {
      const expected = Object.entries(figuresOf(from, to)).map(([name, value]) => [
        name,
        close(value),
      ]);
      expect(found[at]).toMatchObject(Object.fromEntries(expected));
    }
  });

  test('the best posts are the first by EMV, and by rate among those with enough impressions', () => {
    const own = between('2025-11-01', '2025-11-30');
    const first = (of: GeneratedPost[], value: (post: GeneratedPost) => number | null) =>
      of
        .filter((post) => (value(post) ?? 0) > 0)
        .sort((a, b) => Number(value(b)) - Number(value(a)))
        .slice(0, 3)
        .map(({ id }) => id);
    const rateOf = (post: GeneratedPost) => ratio([post], engagementsOf, impressionsOf);
    const found = rowsOf(document, 'best_posts');
    const idsBy = (name: string) =>
      found.filter((row) => row['by'] === name).map((row) => row['linkedin_post_id']);
    const emv = (post: GeneratedPost) =>
      emvOf(post, { ...asked, from: '2025-11-01', to: '2025-11-30' });
    expect(idsBy('emv')).toEqual(first(own, emv));
    const seen = own.filter(({ impressions }) => (impressions ?? 0) >= 500);
    expect(idsBy('engagement_rate')).toEqual(first(seen, rateOf));
  });

  test('the headline is the weightiest finding, and data files have whole sentences', () => {
    const findings = rowsOf(document, 'findings');
    expect(findings.length).toBeGreaterThan(0);
    expect(document.lede?.replaceAll('**', '')).toBe(`${String(findings[0]?.['text'])}.`);
    const weights = findings.map((row) => Number(row['weight']));
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(findings.map((row) => String(row['text'])).join(' ')).not.toMatch(/[{}]/);
  });
});

describe('the other reports of a month', () => {
  const parameters = { from: '2025-11-01', to: '2025-11-30', targets };

  test.each([
    ['emv', 'emv', 'emv_target'],
    ['engagement', 'engagement_rate', 'rate_target'],
    ['video', 'views', null],
  ] as const)('%s draws 13 months of %s, and has the weeks', async (report, figure, target) => {
    const only = ['by_week', 'by_month', 'thirteen_months'];
    const document = await buildOf(rows, report, { only, parameters });
    const [week] = document.sections;
    expect(week?.chart).toMatchObject({ y: figure, marked: 'is_period', rows: 'thirteen_months' });
    expect(week?.rows[0]?.[0]).toBe('2025-10-27');
    expect(rowsOf(document, 'by_month').map((row) => row['month'])).toEqual(['2025-11-01']);
    expect(rowsOf(document, 'thirteen_months')).toMatchObject(
      months.map(([from, to]) => ({
        month: from,
        is_period: from === '2025-11-01',
        [figure]: close(figuresOf(from, to)[figure] ?? null),
        ...(target && { [target]: targets[figure] }),
      })),
    );
  });

  test('the heat map is drawn over the 12 months, and says so', async () => {
    const only = ['by_weekday_hour', 'by_weekday_hour_over_year', '_basis'];
    const document = await buildOf(rows, 'engagement', { only, parameters });
    const [map] = document.sections;
    const known = between('2024-12-01', '2025-11-30').filter(
      (post) => engagementsOf(post) !== null && Number(impressionsOf(post)) > 0,
    );
    const drawn = rowsOf(document, 'by_weekday_hour_over_year');
    expect(sum(drawn.map((row) => Number(row['rated_posts'])))).toBe(known.length);
    expect(map?.chart?.rows).toBe('by_weekday_hour_over_year');
    expect(map?.description).toContain('publication, over the 12 months to November 2025.');
    expect(map?.basis).toBe(`n = ${known.length} posts with a rate`);
  });
});

test('the part so far of a month has a pace, and the same days before', async () => {
  const parameters = { from: '2025-11-01', to: '2025-11-10', soFarMonths: 1, targets } as const;
  const config = { today: '2025-11-10' };
  const document = await buildOf(rows, 'overview', { only: ['scorecard'], parameters, config });
  const row = by(document, 'scorecard', 'figure').get('emv');
  const year = figuresOf('2024-11-01', '2025-10-31')['emv'] ?? null;
  expect(row).toMatchObject({
    pace: close((targets.emv * 9) / 30),
    previous: close(figuresOf('2025-10-01', '2025-10-10')['emv'] ?? null),
    year_before: close(figuresOf('2024-11-01', '2024-11-10')['emv'] ?? null),
    average_12_months: close((Number(year) * 10) / 365),
  });
});

test('a profile whose year was not read has no average, and no year before', async () => {
  const { profiles = [] } = rows;
  const windows = profiles.map(({ workspace, profile_id }) => ({
    ...{ workspace, profile_id, start_date: '2025-03-01', end_date: '2027-01-01' },
    fetched_at: '2027-01-05T00:00:00Z',
  }));
  const document = await buildOf({ ...rows, extract_windows: windows }, 'overview', {
    only: ['scorecard'],
    parameters: { from: '2025-11-01', to: '2025-11-30' },
  });
  const row = by(document, 'scorecard', 'figure').get('emv');
  const known = months.map(([from, to]) =>
    from < '2025-04-01' ? null : close(figuresOf(from, to)['emv'] ?? null),
  );
  expect(row).toMatchObject({ average_12_months: null, year_before: null, trend: known });
  expect(document.sections[0]?.notes).toContain(
    'The 12 months before were not read whole, so there is no average of them.',
  );
});

describe('what was sent before', () => {
  const post = (id: string, published: string) => ({
    workspace: 'acme',
    profile_id: 'p1',
    linkedin_post_id: id,
    type: 'Text',
    published_at: published,
    impression_count: 2000,
  });
  const reading = (day: string, impressions: number) => ({
    linkedin_post_id: 'a',
    captured_on: day,
    impression_count: impressions,
  });
  const sent = [
    { report: 'emv', from: '2025-09-01', to: '2025-09-30', sentAt: '2025-10-01T07:00:00Z' },
  ];
  const build = (impressions: number) =>
    buildOf(
      {
        profiles: [{ workspace: 'acme', profile_id: 'p1', name: 'Acme', cpm: 30 }],
        linkedin_posts: [post('a', '2025-09-10T10:00:00Z'), post('b', '2025-10-10T10:00:00Z')],
        linkedin_post_snapshots: [reading('2025-09-30', impressions), reading('2025-10-20', 2000)],
      },
      'overview',
      {
        only: ['changed_since'],
        parameters: { from: '2025-10-01', to: '2025-10-31' },
        config: { sent },
      },
    );

  test('is named with what it is now', async () => {
    expect(rowsOf(await build(1000), 'changed_since')).toMatchObject([
      { report: 'emv', period: '2025-09', figure: 'emv', sent: 30, now: 60, change: 1 },
    ]);
  });

  test('is not named for less than 1%', async () => {
    expect(rowsOf(await build(1990), 'changed_since')).toEqual([]);
  });
});
