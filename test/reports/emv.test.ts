import { describe, expect, test } from 'vitest';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf, type Row } from './support/document-figures.ts';
import { profiles, whole } from './support/golden-rows.ts';

/** What posts by EMV, the most first, have in each range of ranks. */
function expectedConcentration(emvs: readonly number[]): Row[] {
  const sumOf = (from: number, to: number) => emvs.slice(from, to).reduce((a, b) => a + b, 0);
  const bounds = [0, 1, 10, 50, emvs.length];
  return ['top 1', '2–10', '11–50', 'others'].map((ranks, index) => {
    const [from = 0, to = 0] = bounds.slice(index);
    return {
      ranks,
      posts: to - from,
      emv: sumOf(from, to),
      emv_share: sumOf(from, to) / sumOf(0, emvs.length),
      cumulative_share: sumOf(0, to) / sumOf(0, emvs.length),
    };
  });
}

test('concentration has all posts, the most first, and no card names the posts of a ratio that is over all', async () => {
  const emvs = Array.from({ length: 60 }, (_, index) => 600 - 10 * index);
  const linkedin_posts = emvs.map((emv, index) => ({
    ...whole,
    linkedin_post_id: `p${String((7 * index) % 60)}`,
    emv,
  }));
  const only = ['concentration', 'summary', '_cards'];
  const document = await buildOf({ profiles, linkedin_posts }, 'emv', { only });
  expectRows(document, 'concentration', expectedConcentration(emvs));
  const [summary] = rowsOf(document, 'summary');
  const total = emvs.reduce((a, b) => a + b, 0);
  for (const top of [1, 5, 10]) {
    const share = emvs.slice(0, top).reduce((a, b) => a + b, 0) / total;
    expect(summary?.[`top_${top}_share`]).toBeCloseTo(share, 9);
  }
  expect(document.cards.map(({ basis }) => basis)).toEqual(document.cards.map(() => null));
  expect(document.cards.length).toBe(6);
  for (const { cell, value } of document.cards)
    expect(Number(value)).toBe(Number(summary?.[cell?.column ?? '']));
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
