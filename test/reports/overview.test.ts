import { beforeAll, describe, expect, test } from 'vitest';
import { createFormatter } from '../../src/languages/number-format.ts';
import { renderHtml } from '../../src/render/html/render-html.ts';
import { renderMail } from '../../src/render/mail.ts';
import { printedRows } from '../../src/render/shown-table.ts';
import type { ReportDocument } from '../../src/report/report-document.ts';
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
  const document = await buildOf(rows, 'overview', { only: ['scorecard'], parameters });
  const { columns, notes } = sectionOf(document, 'scorecard');
  const shown = columns.flatMap(({ name, isInHtml }) => (isInHtml ? name : []));
  expect(shown).toEqual(['label', 'value', 'previous', 'change', 'trend']);
  expect(notes).toEqual([]);
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
    const place = section.columns.findIndex(({ name }) => name === 'change');
    expect(printedRows(section, formatter)[2]?.[place]).toBe(points);
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

  test('the headline ends with the weightiest finding, and data files have whole sentences', () => {
    const findings = rowsOf(document, 'findings');
    expect(findings.length).toBeGreaterThan(0);
    const headline = document.lede?.replaceAll('**', '') ?? '';
    expect(headline.endsWith(`${String(findings[0]?.['text'])}.`)).toBe(true);
    expect(headline).toMatch(/^EMV (rose|fell)|earned €/);
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

describe('what stands out of a month beside the one before', () => {
  const postsOf = (month: string, impressions: readonly number[], type = 'Text') =>
    impressions.map((count, at) => ({
      workspace: 'acme',
      profile_id: 'p1',
      linkedin_post_id: `${month}-${type}-${at}`,
      type,
      published_at: `2025-${month}-${String(at + 1).padStart(2, '0')}T10:00:00Z`,
      impression_count: count,
    }));
  const same = (posts: number, impressions: number) =>
    Array.from({ length: posts }, () => impressions);
  const documentOf = (linkedin_posts: ReturnType<typeof postsOf>, goal = {}) =>
    buildOf(
      {
        profiles: [{ workspace: 'acme', profile_id: 'p1', name: 'Acme', cpm: 10 }],
        linkedin_posts,
      },
      'overview',
      {
        only: ['findings', '_lede'],
        parameters: { from: '2025-10-01', to: '2025-10-31', targets: goal },
      },
    );
  const found = async (now: readonly number[], before: readonly number[], goal = {}) => {
    const posts = [...postsOf('10', now), ...postsOf('09', before)];
    const document = await documentOf(posts, goal);
    return rowsOf(document, 'findings').map(({ text }) => text);
  };

  test.each<[string, number[], number[], string[]]>([
    [
      'a rise to ten times as much',
      same(12, 10_000),
      same(12, 1_000),
      ['EMV rose by 900% from the month before, to €1,200'],
    ],
    [
      'a rise to more than is told in percent',
      same(12, 11_000),
      same(12, 1_000),
      ['EMV rose from €120 in the month before to €1,320'],
    ],
    ['a rise by less than a tenth', same(12, 10_900), same(12, 10_000), []],
    [
      'a rise that a single post makes',
      [...same(11, 10_000), 100_000],
      same(12, 10_000),
      [
        'EMV rose by 75% from the month before, to €2,100, because of one post alone',
        'One post earned €1,000, 10.00 times as much as the median post and 48% of the EMV',
      ],
    ],
    [
      'a rise that is unclear without its best post',
      [...same(11, 11_000), 13_000],
      same(12, 10_000),
      [],
    ],
    [
      'an outlier just below three times the median',
      [...same(11, 10_000), 29_000],
      same(13, 10_000),
      [],
    ],
    [
      'four posts after thirty',
      same(4, 10_000),
      same(30, 10_000),
      ['EMV fell by 87% from the month before, to €400'],
    ],
  ])('of %s', async (_name, now, before, wanted) => {
    expect(await found(now, before)).toEqual(wanted);
  });

  test('is a type that does worse, after what all posts earned', async () => {
    const document = await documentOf([
      ...postsOf('10', same(12, 10_000)),
      ...postsOf('10', same(12, 10_000), 'Poll'),
      ...postsOf('10', same(12, 4_000), 'Image'),
      ...postsOf('09', same(28, 10_000)),
      ...postsOf('09', same(1, 8_000), 'Poll'),
    ]);
    expect(document.lede).toBe(
      'Your 36 posts earned **€2,880** of media value, as much as in the month before. Image posts earned €40 on average, 60% less than other posts.',
    );
  });

  test('is not in the headline where it is about the year', async () => {
    const document = await documentOf([
      ...postsOf('10', same(3, 38_000)),
      ...postsOf('10', same(1, 6_000), 'Image'),
      ...['09', '04'].flatMap((month) => [
        ...postsOf(month, same(6, 18_000)),
        ...postsOf(month, same(6, 2_000), 'Image'),
      ]),
    ]);
    expect(rowsOf(document, 'findings').map(({ text }) => text)).toEqual([
      expect.stringContaining(', over the 12 months to October 2025'),
    ]);
    expect(document.lede).toBe(
      'Your 4 posts earned **€1,200** of media value, as much as in the month before.',
    );
  });

  /** EMV and engagement rate of a few posts beside nine of the month before and some of the months before that. */
  const beside = async (now: readonly number[], spring: readonly number[], readAt?: string) => {
    const rated = (month: string, impressions: readonly number[], rate: number) =>
      postsOf(month, impressions).map((post) => ({
        ...post,
        engagement: rate,
        ...(readAt && { last_seen_at: readAt }),
      }));
    const document = await documentOf([
      ...rated('10', now, 0.02),
      ...rated('09', same(9, 10_000), 0.03),
      ...rated('04', spring, 0.03),
    ]);
    return [document.lede, ...rowsOf(document, 'findings').map(({ text }) => text)];
  };

  test('is compared with the 12 months before where the month before has too few posts', async () => {
    const average = 'EMV rose by 67% from the average of the 12 months before, to €500';
    expect(await beside(same(5, 10_000), same(27, 10_000))).toEqual([
      'EMV rose by 67% from the average of the 12 months before, to **€500**.',
      average,
      'The engagement rate fell from 3.0% in the 12 months before to 2.0%',
    ]);
    expect(await beside(same(4, 12_500), same(27, 10_000))).toEqual([expect.anything(), average]);
    expect(await beside([40_000, 5_000, 5_000], same(27, 10_000))).toEqual([
      'EMV rose by 67% from the average of the 12 months before, to **€500**, because of one post alone.',
      `${average}, because of one post alone`,
    ]);
  });

  test('is no fall beside the 12 months before while posts still grow', async () => {
    const [plain, ...findings] = await beside(
      same(2, 10_000),
      same(27, 10_000),
      '2025-10-09T00:00:00Z',
    );
    expect(findings).toEqual([]);
    expect(plain).toBe(
      'Your 2 posts earned **€200** of media value, 78% less than in the month before.',
    );
  });

  test('is a target where there is no clear change', async () => {
    expect(await found(same(12, 10_000), same(12, 10_000), { emv: 1500 })).toEqual([
      'EMV reached €1,200, 80% of the target of €1,500',
    ]);
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
    { report: 'emv', period: '2025-09', figure: 'emv', sent: 75, now: 90, change: close(0.2) },
  ]);
});

test('groups are compared over the year where fewer than half of them can be in the period', async () => {
  const published = (month: string, at: number) =>
    `2025-${month}-${String((at % 27) + 1).padStart(2, '0')}T10:00:00Z`;
  /** Of each month the types and the labels of so many posts. */
  const months = {
    '10': { types: [20, 20, 5, 5], labels: [35, 5, 5, 5] },
    '08': { types: [20, 20, 20, 0], labels: [20, 20, 20, 0] },
  };
  const nth = (counts: readonly number[], at: number) =>
    counts.findIndex((_, index) => at < (sum(counts.slice(0, index + 1)) ?? 0));
  const posts = Object.entries(months).flatMap(([month, { types, labels }]) =>
    Array.from({ length: sum(types) ?? 0 }, (_, at) => ({
      id: `${month}-${at}`,
      published_at: published(month, at),
      type: ['Text', 'Poll', 'Video', 'Image'][nth(types, at)],
      label_id: `l${nth(labels, at)}`,
    })),
  );
  const document = await buildOf(
    {
      profiles: [{ profile_id: 'p1', name: 'Acme' }],
      linkedin_posts: posts.map(({ id, type, published_at }) => ({
        linkedin_post_id: id,
        post_id: id,
        type,
        published_at,
        impression_count: 1000,
        engagement: 0.02,
        emv: 10,
      })),
      posts: posts.map(({ id }) => ({ post_id: id })),
      labels: [0, 1, 2, 3].map((index) => ({ label_id: `l${index}`, name: `Label ${index}` })),
      post_labels: posts.map(({ id, label_id }) => ({ post_id: id, label_id })),
    },
    'engagement',
    { only: ['by_type', 'by_label'], parameters: { from: '2025-10-01', to: '2025-10-31' } },
  );
  const isOverYear = (name: string) =>
    rowsOf(document, name).some(({ rate_over_year: rate }) => rate !== null);
  expect([isOverYear('by_type'), isOverYear('by_label')]).toEqual([false, true]);
});
