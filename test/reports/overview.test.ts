import { beforeAll, describe, expect, test } from 'vitest';
import { createFormatter } from '../../src/languages/number-format.ts';
import { renderHtml } from '../../src/render/html/render-html.ts';
import { renderMail } from '../../src/render/mail.ts';
import { printedRows } from '../../src/render/shown-table.ts';
import type { DataSection, ReportDocument } from '../../src/report/report-document.ts';
import {
  type GeneratedPost,
  generatePosts,
  generatedRows,
} from '../report/support/generated-rows.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf, sectionOf, type Row } from './support/document-figures.ts';
import { whole } from './support/golden-rows.ts';
import {
  emvOf,
  engagementsOf,
  impressionsOf,
  isInPeriod,
  ratio,
  sum,
} from './support/expected-figures.ts';

const noWords = { notes: [], body: null, attached: [], leftOut: [] };
const timezone = 'Europe/Berlin';
const posts = generatePosts(700);
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

test('a year shows each comparison once, and data have them all', async () => {
  const parameters = { from: '2025-10-01', to: '2026-09-30' };
  const document = await buildOf(rows, 'overview', { only: ['_lede', 'scorecard'], parameters });
  expect(document.lede).toMatch(/\. 85 of these posts are under 14 days old and still growing\.$/);
  const { columns, notes } = sectionOf(document, 'scorecard');
  const shown = columns.flatMap(({ name, isInHtml }) => (isInHtml ? name : []));
  expect(shown).toEqual(['label', 'value', 'previous', 'change', 'trend']);
  expect(notes).toEqual(['85 of 236 posts are less than 14 days old and still growing.']);
  for (const row of rowsOf(document, 'scorecard'))
    expect(row).toMatchObject({
      average_12_months: close(Number(row['previous'])),
      year_before: close(Number(row['previous'])),
    });
});

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

  test('a rate changes by points wherever people read it', () => {
    const { value, previous } = by(document, 'scorecard', 'figure').get('engagement_rate') ?? {};
    const formatter = createFormatter(document);
    const points = formatter.format(Number(value) - Number(previous), 'pp');
    expect(points).toMatch(/^[+−]\d\.\d pp$/u);
    const section = sectionOf(document, 'scorecard');
    const index = section.columns.findIndex(({ name }) => name === 'change');
    expect(printedRows(section, formatter)[2]?.[index]).toBe(points);
    expect(renderHtml(document, { logo: null })).toContain(`</span>${points.slice(1)}</span>`);
    expect(renderMail([document], noWords).text).toContain(` ${points}`);
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

  test('the first sentence has the change from the month before, and the average of the year as an addition', () => {
    const {
      value,
      previous,
      average_12_months: average,
    } = by(document, 'scorecard', 'figure').get('emv') ?? {};
    const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    const euros = (amount: unknown) => `€${Number(amount).toLocaleString('en-US', cents)}`;
    const fall = Math.round((1 - Number(value) / Number(previous)) * 100);
    expect(document.lede).toContain(
      `earned **${euros(value)}** of media value, ${fall}% less than in the month before (${euros(average)} on average in the 12 months before)`,
    );
  });

  test('the change is taken apart by posts and what each earned, and by groups, and the parts of each add up', () => {
    const [now, before] = [
      between('2025-11-01', '2025-11-30'),
      between('2025-10-01', '2025-10-31'),
    ].map((own) =>
      own.flatMap((post) => {
        const emv = emvOf(post, { ...asked, from: '2025-11-01', to: '2025-11-30' });
        return emv === null ? [] : [{ ...post, emv }];
      }),
    ) as [(GeneratedPost & { emv: number })[], (GeneratedPost & { emv: number })[]];
    const total = (own: typeof now) => sum(own.map(({ emv }) => emv)) ?? 0;
    const change = total(now) - total(before);
    const parts = rowsOf(document, 'findings');
    const mean = total(before) / before.length;
    const byName = new Map(
      parts.map((row) => [[row['dimension'], row['name']].map(String).join(' '), row]),
    );
    expect(Number(byName.get('what posts')?.['part'])).toBeCloseTo(
      (now.length - before.length) * mean,
      2,
    );
    const types = [...new Set([...now, ...before].map(({ type }) => type))];
    for (const type of types) {
      const row = byName.get(`type ${type}`);
      const own = (posts: typeof now) => posts.filter((post) => post.type === type);
      if (row) expect(Number(row['part'])).toBeCloseTo(total(own(now)) - total(own(before)), 1);
    }
    for (const dimension of ['what', 'profile', 'campaign', 'type', 'post']) {
      const own = parts.filter((row) => row['dimension'] === dimension);
      expect(sum(own.map(({ part }) => Number(part)))).toBeCloseTo(change, 2);
      expect(own.length).toBeLessThanOrEqual(6);
    }
    for (const { part, weight } of parts)
      expect(Number(weight)).toBeCloseTo(Math.abs(Number(part)) / total(before), 6);
  });

  test('at most five sentences are shown, the weightiest first, and data have all parts', () => {
    const rows = rowsOf(document, 'findings');
    const said = rows.flatMap(({ text }) => (text === null ? [] : [String(text)]));
    expect(said.length).toBeGreaterThan(2);
    expect(said.length).toBeLessThanOrEqual(5);
    expect(rows.length).toBeGreaterThan(said.length);
    expect(said.join(' ')).not.toMatch(/[{}]/);
    const weights = rows.map(({ weight }) => Number(weight));
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    const page = renderHtml(document, { logo: null });
    const mail = renderMail([document], noWords).text;
    for (const text of said) expect(mail).toContain(`- ${text}.`);
    for (const text of said) expect(page).toContain(text.replaceAll('"', '&quot;'));
    expect(page).not.toContain('(others)');
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
    const months13 = sectionOf(document, 'thirteen_months');
    expect(months13.chart).toMatchObject({ y: figure, marked: 'is_period', rows: null });
    const week = sectionOf(document, 'by_week');
    expect(week.chart).toMatchObject({ y: figure, rows: null });
    expect(week.rows[0]?.[0]).toBe('2025-10-27');
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

  test('the heat map over the 12 months is a section of its own', async () => {
    const only = ['by_weekday_hour', 'by_weekday_hour_over_year', '_basis'];
    const document = await buildOf(rows, 'engagement', { only, parameters });
    const [map, own]: readonly DataSection[] = ['by_weekday_hour_over_year', 'by_weekday_hour'].map(
      (name) => sectionOf(document, name),
    );
    if (!map || !own) throw new Error('no heat maps');
    const known = between('2024-12-01', '2025-11-30').filter(
      (post) => engagementsOf(post) !== null && Number(impressionsOf(post)) > 0,
    );
    const drawn = rowsOf(document, 'by_weekday_hour_over_year');
    expect(sum(drawn.map((row) => Number(row['rated_posts'])))).toBe(known.length);
    const colored = drawn.filter((row) => Number(row['rated_posts']) >= 10);
    expect(map.isLeftOut ?? false).toBe(colored.length < drawn.length / 10);
    expect(map.chart === null).toBe(map.isLeftOut ?? false);
    expect(map.description).toContain('publication, over the 12 months to November 2025.');
    expect(map.basis).toBe(`n = ${known.length} posts with a rate`);
    // hardly an hour of one month has ten posts, so the month has no map, and its description is of the month
    expect([own.chart, own.isLeftOut]).toEqual([null, true]);
    expect(own.description).toContain('hour of publication. Hours');
  });
});

describe('what changed in a month', () => {
  const postsOf = (month: string, impressions: readonly number[], more = {}) =>
    impressions.map((count, at) => ({
      workspace: 'acme',
      profile_id: 'p1',
      linkedin_post_id: `${month}-${at}-${Object.values(more).join()}`,
      type: 'Text',
      published_at: `2025-${month}-${String(at + 1).padStart(2, '0')}T10:00:00Z`,
      impression_count: count,
      ...more,
    }));
  const same = (posts: number, impressions: number) =>
    Array.from({ length: posts }, () => impressions);
  const said = async (...linkedin_posts: ReturnType<typeof postsOf>[]) => {
    const document = await buildOf(
      {
        profiles: [{ workspace: 'acme', profile_id: 'p1', name: 'Acme', cpm: 10 }],
        linkedin_posts: linkedin_posts.flat(),
      },
      'overview',
      {
        only: ['findings', '_lede'],
        parameters: { from: '2025-10-01', to: '2025-10-31' },
      },
    );
    const rows = rowsOf(document, 'findings');
    return { lede: document.lede, rows, texts: rows.flatMap(({ text }) => text ?? []) };
  };

  test.each<[string, number[], number[], string[]]>([
    [
      'fewer posts that earned less each',
      same(6, 8_000),
      same(12, 10_000),
      ['6 fewer posts took €600, a lower average per post another €120'],
    ],
    [
      'one post fewer, and more by each',
      same(11, 12_000),
      same(12, 10_000),
      ['One fewer post took €100, a higher average per post brought €220'],
    ],
    ['more posts', same(12, 10_000), same(10, 10_000), ['2 more posts brought €200']],
    [
      'as many posts',
      same(12, 9_000),
      same(12, 10_000),
      ['The number of posts is the same: a lower average took €120'],
    ],
    [
      'one post that stands alone',
      [...same(11, 10_000), 100_000],
      same(12, 10_000),
      [
        'One post, of 12 October 2025, brought €1,000, 48% of the total',
        'The number of posts is the same: a higher average brought €900',
      ],
    ],
  ])('is said of %s', async (_name, now, before, wanted) => {
    const { texts } = await said(postsOf('10', now), postsOf('09', before));
    expect(texts).toEqual(wanted);
  });

  test('names what came new and what ended', async () => {
    const { texts } = await said(
      postsOf('10', same(6, 10_000)),
      postsOf('10', same(6, 10_000), { type: 'Poll' }),
      postsOf('09', same(6, 10_000)),
      postsOf('09', same(5, 10_000), { type: 'Image' }),
    );
    expect(texts).toEqual([
      'Poll posts brought €600; before, there had been none',
      'Image posts had brought €500; this time there were none',
      'One more post brought €100',
    ]);
  });

  test('is not said without a month before, which the first sentence says', async () => {
    const { lede, rows } = await said(postsOf('10', same(6, 10_000)), postsOf('04', [24_000]));
    expect(rows).toEqual([]);
    expect(lede).toBe(
      'Your 6 posts earned **€600** of media value, with no post before to compare with (€20 on average in the 12 months before).',
    );
  });

  test('is said of the first figure of the scorecard that half of the posts have', async () => {
    const few = { impression_count: null, like_count: 10 };
    const { lede, rows } = await said(
      postsOf('10', same(2, 10_000)),
      postsOf('10', same(6, 0), few),
      postsOf('09', same(4, 0), few),
    );
    expect(lede).toBe(
      '6 of your 8 posts brought **60** interactions, 50% more than in the month before (3.3 on average in the 12 months before).',
    );
    expect(new Set(rows.map(({ figure }) => figure))).toEqual(new Set(['interactions']));
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

test('a February is beside all of the February before, and some of its days beside the same days', async () => {
  const linkedin_posts = ['2025-02-20', '2024-02-20', '2024-02-29'].map((day, index) => ({
    ...whole,
    linkedin_post_id: String(index),
    published_at: `${day}T10:00:00Z`,
  }));
  const postsBefore = async (from: string) => {
    const parameters = { from, to: '2025-02-28' };
    const document = await buildOf({ linkedin_posts }, 'overview', {
      only: ['scorecard'],
      parameters,
    });
    return by(document, 'scorecard', 'figure').get('posts')?.['year_before'];
  };
  expect(await postsBefore('2025-02-01')).toBe(2);
  expect(await postsBefore('2025-02-10')).toBe(1);
});

test('a profile whose year was not read has no average, and no year before', async () => {
  const { profiles = [] } = rows;
  const windows = profiles.map(({ workspace, profile_id }) => ({
    workspace,
    profile_id,
    start_date: '2025-03-01',
    end_date: '2027-01-01',
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
  expect(document.sections[0]?.notes).toEqual([
    'The 12 months before were not read whole, so there is no average of them.',
  ]);
});

test('what was sent before is named with what it is now, by the posts that were not removed then and now, but not for less than 1%', async () => {
  const post = (id: string, published: string, impressions: number) => ({
    linkedin_post_id: id,
    post_id: id,
    type: 'Text',
    published_at: published,
    impression_count: impressions,
  });
  const reading = (id: string, day: string, impressions: number) => ({
    linkedin_post_id: id,
    captured_on: day,
    impression_count: impressions,
  });
  const ofMonth = (month: string, last: string, next: string, value: number) => ({
    report: 'emv',
    from: `2025-${month}-01`,
    to: `2025-${month}-${last}`,
    sentAt: `2025-${next}-01T07:00:00Z`,
    figure: 'emv',
    value,
    isRepriced: month === '09',
  });
  // the last mail counts
  const corrected = { ...ofMonth('09', '30', '10', 500), sentAt: '2025-10-01T06:00:00Z' };
  // of September one post grew and two did not, of which one was removed since, and one was removed before it was sent
  const document = await buildOf(
    {
      profiles: [{ workspace: 'acme', profile_id: 'p1', name: 'Acme', cpm: 30 }],
      linkedin_posts: [
        post('hardly-grown', '2025-08-10T10:00:00Z', 2000),
        post('grown', '2025-09-10T10:00:00Z', 2000),
        post('same', '2025-09-11T10:00:00Z', 1000),
        post('removed-since', '2025-09-12T10:00:00Z', 500),
        post('removed-before', '2025-09-13T10:00:00Z', 700),
        post('of-october', '2025-10-10T10:00:00Z', 9000),
      ],
      posts: [
        { post_id: 'removed-since', removed_at: '2025-10-05T00:00:00Z' },
        { post_id: 'removed-before', removed_at: '2025-09-29T00:00:00Z' },
      ],
      linkedin_post_snapshots: [
        reading('hardly-grown', '2025-08-30', 1985),
        reading('grown', '2025-09-30', 1000),
        reading('grown', '2025-10-20', 2000),
        reading('same', '2025-09-30', 1000),
        reading('removed-since', '2025-09-30', 500),
        reading('removed-before', '2025-09-28', 700),
      ],
    },
    'overview',
    {
      only: ['changed_since'],
      parameters: { from: '2025-10-01', to: '2025-10-31' },
      config: {
        sent: [ofMonth('08', '31', '09', 59.55), corrected, ofMonth('09', '30', '10', 75)],
      },
    },
  );
  expect(rowsOf(document, 'changed_since')).toMatchObject([
    {
      report: 'emv',
      period: '2025-09',
      figure: 'emv',
      sent: 75,
      now: 90,
      change: close(0.2),
      because: 'other prices',
    },
  ]);
});
