import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { PriceList } from '../../src/config/config.ts';
import { pricesOf, pricesSchema } from '../../src/config/prices-schema.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf } from './support/document-figures.ts';

type Editions = Record<string, Record<string, number>>;

/** A price list by the first day of each edition; an empty one: from ever. */
function list(name: string, editions: Editions): PriceList {
  const sorted = Object.entries(editions).map(([from, prices]) => {
    return { from: from === '' ? null : from, prices };
  });
  return { name, editions: sorted };
}

const post = (id: string, day: string, figures: Record<string, number | null>) => {
  return { linkedin_post_id: id, published_at: `${day}T10:00:00Z`, ...figures };
};

/** The sections by_part and summary, and EMV and its source by post. */
async function emvOf(
  rows: WarehouseRows,
  { prices, cpm }: { prices?: PriceList; cpm?: number } = {},
) {
  const document = await buildOf(rows, 'emv', {
    only: ['by_part', 'summary', 'posts'],
    parameters: { cpm: cpm ?? null, prices: prices ?? null },
  });
  const [summary = {}] = rowsOf(document, 'summary');
  const posts = rowsOf(document, 'posts');
  return {
    parts: rowsOf(document, 'by_part').map(({ part, count, price, emv }) => [
      part,
      count,
      price,
      emv,
    ]),
    summary,
    posts: Object.fromEntries(
      posts.map(({ linkedin_post_id: id, emv, emv_source: source }) => [String(id), [emv, source]]),
    ),
  };
}

const profiles = [{ profile_id: 'p1', name: 'Acme' }];

describe('a price list', () => {
  it('gives what each formula of docs/emv.md gives, and the worked example of its maker', async () => {
    const page = await readFile('docs/emv.md', 'utf8');
    const table = [...page.matchAll(/^\| .+? +\| `([{[].+)` +\|$/gm)];
    const lists = table.map(([, text = ''], index) => [`formula-${index}`, parse(text) as unknown]);
    const prices = [...pricesSchema.parse(Object.fromEntries(lists)).values()];
    const given = {
      impression_count: 12_345,
      click_count: 67,
      like_count: 89,
      comment_count: 10,
      share_count: 11,
      save_count: 12,
      video_view_count: 1300,
    };
    const [of, clicks, likes, comments, shares, saves, views] = Object.values(given);
    if (!of || !clicks || !likes || !comments || !shares || !saves || !views) throw new Error();
    const wanted = [
      (of / 1000) * 35,
      clicks * 4,
      (of / 1000) * 30 + 4 * (clicks + 0.1 * (likes + comments)),
      (views / 1000) * 20 + 0.5 * (likes + comments),
      (of / 1000) * 25 + likes * 0.3 + comments * 0.5 + shares * 1 + saves * 1,
      likes * 0.3 + comments * 0.5 + (of / 1000) * 0.05,
    ];
    const later = prices.at(-1)?.name ?? '';
    const owned = { like_count: 5000, comment_count: 500, impression_count: 50_000 };
    const rows = {
      profiles: prices.map(({ name }) => ({ profile_id: name, name, prices: name })),
      prices: prices.flatMap(pricesOf),
      linkedin_posts: [
        ...prices.map(({ name }, index) => {
          return { ...post(String(index), '2026-01-02', given), profile_id: name };
        }),
        { ...post('worked', '2026-01-02', owned), profile_id: later },
      ],
    };
    const { posts } = await emvOf(rows);
    const amounts = [...wanted, 1752.5].map((emv) => [expect.closeTo(emv, 9) as number, 'prices']);
    const ids = [...wanted.map((_, index) => String(index)), 'worked'];
    expect(posts).toEqual(Object.fromEntries(ids.map((id, index) => [id, amounts[index]])));
  });

  it('prices a post by the edition of its day of publication, in the zone of the report', async () => {
    const board = list('board', {
      '2025-12-01': { impressions: 10, clicks: 1 },
      '2026-01-01': { impressions: 20 },
    });
    const at = (id: string, time: string | null) => {
      return {
        ...post(id, '2026-01-01', { impression_count: 1000, click_count: 5 }),
        published_at: time,
      };
    };
    const rows = {
      profiles: [{ ...profiles[0], prices: 'board' }],
      prices: pricesOf(board),
      linkedin_posts: [
        at('old', '2025-11-30T10:00:00Z'),
        at('first', '2025-12-15T10:00:00Z'),
        at('eve', '2025-12-31T23:30:00Z'),
        at('second', '2026-01-01T10:00:00Z'),
        at('undated', null),
      ],
    };
    const priced = { first: [15, 'prices'], second: [20, 'prices'] };
    const unpriced = { old: [null, null], undated: [null, null] };
    const inBerlin = { ...priced, ...unpriced, eve: [20, 'prices'] };
    expect((await emvOf(rows)).posts).toEqual(inBerlin);
    const given = {
      ...rows,
      linkedin_posts: rows.linkedin_posts.map((row) => ({ ...row, emv: 7 })),
    };
    expect((await emvOf(given, { prices: board })).posts).toEqual(inBerlin);
    expect((await emvOf(rows, { cpm: 40 })).posts['undated']).toEqual([40, 'cpm']);
  });

  it('leaves out what is unknown, counts the posts that lack it, and prices what the API prices only for a report', async () => {
    const board = list('board', { '': { impressions: 30, clicks: 4.5, saves: 2 } });
    const rows = {
      profiles: [{ ...profiles[0], prices: 'board' }],
      prices: pricesOf(board),
      linkedin_posts: [
        post('page', '2026-01-01', { impression_count: 1234, click_count: 2 }),
        post('member', '2026-01-01', { save_count: 3 }),
        post('none', '2026-01-01', { like_count: 3 }),
        post('given', '2026-01-01', { impression_count: 1000, emv: 25 }),
      ],
    };
    const own = await emvOf(rows);
    expect(own.posts).toEqual({
      page: [46.02, 'prices'],
      member: [6, 'prices'],
      none: [null, null],
      given: [25, 'api'],
    });
    expect(own.parts).toEqual([
      ['impressions', 1234, 30, 37.02],
      ['clicks', 2, 4.5, 9],
      ['saves', 3, 2, 6],
      ['api', 1, 25, 25],
    ]);
    expect(own.summary).toMatchObject({
      emv: expect.closeTo(77.02, 9) as number,
      posts_without_emv: 1,
      posts_without_impressions: 2,
      posts_without_clicks: 2,
      posts_without_saves: 2,
    });
    expect(own.summary).not.toHaveProperty('posts_without_likes');
    const repriced = await emvOf(rows, { prices: board });
    expect(repriced.posts['given']).toEqual([30, 'prices']);
    expect(repriced.summary).toMatchObject({
      emv: expect.closeTo(82.02, 9) as number,
      posts_without_clicks: 3,
    });
    expect((await emvOf(rows, { cpm: 10 })).summary).not.toHaveProperty('posts_without_clicks');
  });
});

describe('a list whose prices change between two periods', () => {
  const board = list('board', {
    '2025-11-01': { impressions: 30, clicks: 4 },
    '2025-12-01': { impressions: 30, clicks: 5 },
  });
  const read = (id: string, day: string, impressions: number, clicks: number | null) =>
    post(id, day, { impression_count: impressions, click_count: clicks });
  const rows = {
    profiles: [{ ...profiles[0], prices: 'board' }],
    prices: pricesOf(board),
    linkedin_posts: [
      read('november-1', '2025-11-05', 1000, 10),
      read('november-2', '2025-11-06', 1000, 10),
      read('december-1', '2025-12-03', 1000, 10),
      read('december-2', '2025-12-04', 2000, 20),
      read('december-3', '2025-12-05', 1000, null),
    ],
  };
  const december = { from: '2025-12-01', to: '2025-12-31' } as const;

  it('is a part of the change, and the parts add up to it', async () => {
    const asked = { only: ['findings', 'scorecard'], parameters: december };
    const document = await buildOf(rows, 'overview', asked);
    const what = rowsOf(document, 'findings').filter(({ dimension }) => dimension === 'what');
    expect(Object.fromEntries(what.map(({ name, part }) => [name, part]))).toEqual({
      posts: 70,
      prices: 30,
      per_post: 30,
    });
    expect(what.map(({ text }) => text)).toContain('Other prices brought €30');
  });

  it('stands with its dates where EMV does, and so do posts that lack what it prices', async () => {
    const document = await buildOf(rows, 'emv', { parameters: december });
    const lines = [
      'EMV by the price list board for posts from 1 November 2025: impressions ÷ 1,000 × €30.00 + clicks × €4.00',
      'EMV by the price list board for posts from 1 December 2025: impressions ÷ 1,000 × €30.00 + clicks × €5.00',
    ];
    expect(document.terms).toEqual([{ figure: 'emv', text: lines.join(' · ') }]);
    expect(document.definitions.find(({ term }) => term === 'Prices')?.text).toBe(
      `${lines.join('. ')}.`,
    );
    expect(document.coverage).toContain('1 without clicks, which are priced');
    const notesOf = (name: string) => document.sections.find((one) => one.name === name)?.notes;
    const lacking =
      '1 of 3 priced posts has no known clicks, which are priced: its EMV is made of the rest.';
    for (const name of ['by_profile', 'by_type', 'posts'])
      expect(notesOf(name), name).toContain(lacking);
    expect(notesOf('summary')).toContain(
      'EMV changed by €130.00: €30.00 through other prices, €70.00 through the number of posts, €30.00 through the average per post.',
    );
    const titles = document.sections.flatMap(({ columns }) => columns.map(({ title }) => title));
    expect(titles).toContain('EMV per 1,000 impressions');
    expect([titles.includes('CPM'), titles.includes('CPM used')]).toEqual([false, false]);
    expect(rowsOf(document, 'by_profile')).toMatchObject([{ impressions: 4000, clicks: 30 }]);
    expect(document.prices).toEqual({
      cells: [
        { metric: 'impressions', title: 'Impressions', per: 1000, price: 30 },
        { metric: 'clicks', title: 'Clicks', per: 1, price: 5 },
      ],
      periods: [
        { label: 'This period', counts: [4000, 30], emv: 270 },
        { label: 'The period before', counts: [2000, 20], emv: 140 },
      ],
    });
  });

  it('marks a target of EMV within whose period it changed, and prices What if by the mean', async () => {
    const both = { from: '2025-11-01', to: '2025-12-31' } as const;
    const parameters = { ...both, targets: { emv: 100 } };
    const { sections } = await buildOf(rows, 'overview', { only: ['scorecard'], parameters });
    expect(sections[0]?.notes).toContain(
      'The prices changed on 1 December 2025: the target of EMV is for posts that are not priced alike.',
    );
    const document = await buildOf(rows, 'emv', { only: ['by_month', 'by_part'], parameters });
    expect(document.prices?.cells.map(({ price }) => price)).toEqual([30, 230 / 50]);
    expect(rowsOf(document, 'by_part')).toMatchObject([
      { part: 'impressions', emv: 180 },
      { part: 'clicks', count: 50, price: 4.6, emv: 230 },
    ]);
  });
});
