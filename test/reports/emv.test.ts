import { beforeAll, describe, expect, test } from 'vitest';
import type { ReportDocument } from '../../src/report/report-document.ts';
import {
  generatePosts,
  generatedRows,
  type GeneratedPost,
} from '../report/support/generated-rows.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf, type Row } from './support/document-figures.ts';
import { emvOf, isInPeriod, profileOf, sum } from './support/expected-figures.ts';
import {
  emvsOf,
  expectedBand,
  expectedConcentration,
  expectedGroup,
  monthOf,
} from './support/expected-value.ts';
import { profiles, whole } from './support/golden-rows.ts';

const all = generatePosts(500, 11);
const shown = all.filter(({ removedAt }) => removedAt === null);
const period = { from: '2025-07-01', to: '2025-12-31' };
const previousPeriod = { from: '2025-01-01', to: '2025-06-30' };
const asked = {
  timezone: 'Europe/Berlin',
  cpm: null,
  removed: 'exclude',
  from: null,
  to: null,
} as const;
const within = (days: { from: string; to: string }) =>
  shown.filter((post) => isInPeriod(post, { ...asked, ...days }));
const [current, previous] = [within(period), within(previousPeriod)];
const monthsFrom = (first: number) =>
  Array.from({ length: 6 }, (_, index) => `2025-${String(first + index).padStart(2, '0')}-01`);
const [months, earlier] = [monthsFrom(7), monthsFrom(1)];
let document: ReportDocument;

beforeAll(async () => {
  document = await buildOf(generatedRows(all), 'emv', {
    parameters: period,
    config: { cpmBand: { low: 20, high: 45 } },
  });
});

const labelsOf = ({ labels }: GeneratedPost) =>
  labels.length === 0 ? ['(none)'] : [...new Set(labels.map(({ name }) => name))];

/** The rows of the groups by their key, without an order. */
function expectGroups(section: string, keysOf: (post: GeneratedPost) => readonly string[]) {
  const key = section.slice('by_'.length);
  const names = [...new Set(current.flatMap(keysOf))];
  const wanted = names.map((name): Row => {
    const own = (posts: readonly GeneratedPost[]) =>
      posts.filter((post) => keysOf(post).includes(name));
    return { [key]: name, ...expectedGroup(own(current), own(previous), months) };
  });
  const order = rowsOf(document, section).map((row) => String(row[key]));
  expect(order.toSorted()).toEqual(names.toSorted());
  const sorted = wanted.toSorted(
    (a, b) => order.indexOf(String(a[key])) - order.indexOf(String(b[key])),
  );
  expectRows(document, section, sorted);
}

describe('every figure agrees with the posts:', () => {
  test('groups, with their previous figures and months', () => {
    expectGroups('by_type', ({ type }) => [type]);
    expectGroups('by_campaign', ({ campaign }) => [campaign ?? '(none)']);
    expectGroups('by_label', labelsOf);
  });

  test('profiles, also by month', () => {
    const rows = rowsOf(document, 'by_profile');
    expect(rows.length).toBe(4);
    for (const row of rows) {
      const own = (posts: readonly GeneratedPost[]) =>
        posts.filter(
          (post) =>
            post.workspace === row['workspace'] && profileOf(post).profile_id === row['profile_id'],
        );
      const wanted = expectedGroup(own(current), own(previous), months);
      expect(row['previous_emv']).toBeCloseTo(Number(wanted['previous_emv']), 6);
      expect(row['posts_with_emv']).toBe(wanted['posts_with_emv']);
    }
    const names = new Set(rowsOf(document, 'profile_months').map(({ profile }) => profile));
    expect([...names].sort()).toEqual(['Acme', 'Beta', 'Mara Lind (acme)', 'Mara Lind (beta)']);
  });

  test('months, beside the month half a year earlier, and the part that is not final', () => {
    const young = new Date('2025-12-21T05:00:00Z');
    const wanted = months.map((month, index) => {
      const own = current.filter((post) => monthOf(post) === month);
      const before = previous.filter((post) => monthOf(post) === earlier[index]);
      const { trend, ...figures } = expectedGroup(own, before, [month]);
      expect(trend).not.toBeNull();
      const growing = own.filter(({ publishedAt }) => new Date(String(publishedAt)) > young);
      return { month, ...figures, young_emv: sum(emvsOf(growing)) };
    });
    expect(wanted.at(-1)?.young_emv).toBeGreaterThan(0);
    expectRows(document, 'by_month', wanted);
  });

  test('the CPM band', () => {
    expectRows(document, 'cpm_band', expectedBand(current, { low: 20, high: 45 }));
  });

  test('concentration', () => {
    expectRows(document, 'concentration', expectedConcentration(current));
    const emvs = emvsOf(current).sort((a, b) => b - a);
    const [summary] = rowsOf(document, 'summary');
    const total = sum(emvs) ?? 0;
    for (const top of [1, 5, 10]) {
      const share = (sum(emvs.slice(0, top)) ?? 0) / total;
      expect(summary?.[`top_${top}_share`]).toBeCloseTo(share, 9);
    }
  });

  test('the previous figures in the summary, which the cards refer to', () => {
    const [summary] = rowsOf(document, 'summary');
    const before = emvsOf(previous);
    expect(summary?.['previous_posts']).toBe(previous.length);
    expect(summary?.['previous_emv']).toBeCloseTo(sum(before) ?? 0, 6);
    expect(document.cards.length).toBe(6);
    for (const { cell, previousCell, value, previous: earlierValue } of document.cards) {
      expect(Number(value)).toBe(Number(summary?.[cell?.column ?? '']));
      expect(Number(earlierValue)).toBe(Number(summary?.[previousCell?.column ?? '']));
    }
  });

  test('the posts that a ratio is over, unless these are all', async () => {
    const basisOf = ({ cards }: ReportDocument) =>
      Object.fromEntries(cards.map(({ label, basis }) => [label, basis]));
    const priced = current.filter((post) => emvOf(post, asked) !== null);
    const withCpm = priced.filter(({ impressions }) => impressions !== null);
    const withEmv = `${priced.length} posts with EMV`;
    expect(basisOf(document)).toMatchObject({
      EMV: null,
      Impressions: null,
      Posts: null,
      'EMV per post': withEmv,
      'Median EMV per post': withEmv,
      'CPM used': `${withCpm.length} posts with EMV and impressions`,
    });
    const complete = await buildOf({ profiles, linkedin_posts: [whole] }, 'emv', {
      only: ['_cards'],
    });
    expect(new Set(Object.values(basisOf(complete)))).toEqual(new Set([null]));
  });

  test('the posts that are left out', () => {
    const counts = Object.fromEntries(
      rowsOf(document, 'left_out').map(({ what, posts }) => [String(what), Number(posts)]),
    );
    const removed = all.filter(
      (post) => post.removedAt !== null && isInPeriod(post, { ...asked, ...period }),
    );
    expect(counts).toMatchObject({
      'Removed posts': removed.length,
      'EMV without impressions': current.filter(
        (post) => post.impressions === null && emvOf(post, asked) !== null,
      ).length,
      'Without EMV': current.filter((post) => emvOf(post, asked) === null).length,
      'Not final': current.filter(
        ({ publishedAt }) => new Date(String(publishedAt)) > new Date('2025-12-21T05:00:00Z'),
      ).length,
    });
    expect(counts).not.toHaveProperty('Without a time');
  });
});

describe('a CPM that changes', () => {
  const noteOf = async (rows: WarehouseRows) =>
    sectionOf(await buildOf(rows, 'emv', { only: ['by_month'] }), 'by_month').notes.find((note) =>
      note.includes('CPM'),
    );
  const priced = (cpms: readonly number[]) =>
    cpms.map((cpm, index) => ({
      ...whole,
      linkedin_post_id: `p${String(index).padStart(2, '0')}`,
      published_at: new Date(Date.UTC(2025, 2, 1 + 5 * index, 10)).toISOString(),
      impression_count: 700 + 31 * index,
      emv: Math.round((700 + 31 * index) * cpm) / 1000,
    }));
  const rising = [...Array<number>(8).fill(28), ...Array<number>(8).fill(32)];
  const rows = (linkedin_posts: WarehouseRows['linkedin_posts']): WarehouseRows => ({
    profiles,
    linkedin_posts: linkedin_posts ?? [],
  });

  test('is noted with its spread by month', async () => {
    expect(await noteOf(rows(priced(rising)))).toMatch(
      /^The CPM differs by month, from €28\.\d\d to €32\.\d\d\.$/,
    );
  });

  test('is not noted if only cents differ, or if every post has the requested CPM', async () => {
    expect(await noteOf(rows(priced(Array<number>(16).fill(28.37))))).toBeUndefined();
    const repriced = await buildOf(rows(priced(rising)), 'emv', {
      only: ['by_month'],
      parameters: { cpm: 30 },
    });
    expect(sectionOf(repriced, 'by_month').notes).toEqual([]);
  });
});

test('one absurd figure makes no sum unknown, and no comparison one of unlike posts', async () => {
  const most = 9_007_199_254_740_991;
  const posts = Array.from({ length: 24 }, (_, at) => ({
    linkedin_post_id: `p${String(at)}`,
    type: at < 12 ? 'Text' : 'Poll',
    impression_count: at === 0 ? most : 1000,
    engagement: 0.05,
    published_at: '2025-11-10T10:00:00Z',
  }));
  const rows = { profiles: [{ profile_id: 'p1', name: 'Acme' }], linkedin_posts: posts };
  const priced = await buildOf(rows, 'emv', { only: ['by_type'], parameters: { cpm: 120 } });
  const table = priced.sections[0];
  const emv = table?.columns.findIndex(({ name }) => name === 'emv') ?? -1;
  expect(table?.rows.map((row) => row[emv])).toEqual([(most * 120) / 1000 + 1320, 1440]);
  const rated = await buildOf(rows, 'engagement', { only: ['by_type'] });
  const types = rated.sections[0];
  const lift = types?.columns.findIndex(({ name }) => name === 'lift') ?? -1;
  for (const row of types?.rows ?? []) expect(Number(row[lift])).toBeCloseTo(0, 6);
});
