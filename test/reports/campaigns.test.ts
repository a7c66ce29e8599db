import { beforeAll, describe, expect, test } from 'vitest';
import type { ReportDocument } from '../../src/report/report-document.ts';
import {
  generatePosts,
  generatedRows,
  type GeneratedPost,
} from '../report/support/generated-rows.ts';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf } from './support/document-figures.ts';
import {
  engagementsOf,
  impressionsOf,
  isInPeriod,
  profileOf,
  ratio,
  sum,
} from './support/expected-figures.ts';
import { dayOf, emvsOf, type Posts } from './support/expected-value.ts';
import { nothing, profiles, whole } from './support/golden-rows.ts';

const all = generatePosts(400, 5);
const period = { from: '2025-07-01', to: '2025-12-31' };
const asked = { ...period, timezone: 'Europe/Berlin', cpm: null, removed: 'exclude' } as const;
const shown = all.filter((post) => post.removedAt === null && isInPeriod(post, asked));
/** The same in both workspaces, but for one that differs, and one that nobody posted for. */
const dates: Record<string, readonly [start: string, end: string | null]> = {
  Spring: ['2025-08-01', '2025-10-31'],
  'Heat pumps': ['2025-09-01', null],
};
let document: ReportDocument;

beforeAll(async () => {
  const rows = generatedRows(all);
  const campaigns = (rows.campaigns ?? []).map((row) => {
    const [start_date = null, end_date = null] = dates[String(row['name'])] ?? [];
    const isOdd = row['name'] === 'Grid, "2026"';
    return isOdd && row['workspace'] === 'beta'
      ? { ...row, start_date: '2025-07-01', end_date: '2025-07-02' }
      : { ...row, start_date, end_date };
  });
  const unused = { campaign_id: 'c-none', name: 'Autumn', start_date: '2025-10-01' };
  const past = { campaign_id: 'c-past', name: 'Past', end_date: '2025-06-30' };
  const changed = { ...rows, campaigns: [...campaigns, unused, past] };
  document = await buildOf(changed, 'campaigns', { parameters: period });
});

const total = (posts: Posts) => sum(emvsOf(posts));

function figuresOf(posts: Posts) {
  const emvs = emvsOf(posts);
  const videos = posts.filter(({ type }) => type === 'Video');
  return {
    posts: posts.length,
    impressions: sum(posts.map(impressionsOf)),
    engagements: sum(posts.map(engagementsOf)),
    engagement_rate: ratio(posts, engagementsOf, impressionsOf),
    emv: sum(emvs),
    emv_share: (sum(emvs) ?? 0) / (total(shown) ?? 0),
    emv_per_post: (sum(emvs) ?? 0) / emvs.length,
    videos: videos.length,
    views: sum(videos.map(({ views }) => views)),
    watch_time_seconds: sum(videos.map(({ watchSeconds }) => watchSeconds)),
  };
}

const ofCampaign = (name: string | null) => shown.filter(({ campaign }) => campaign === name);

function expectedCampaign(campaign: string) {
  const posts = ofCampaign(campaign);
  const days = posts.map((post) => String(dayOf(post))).sort();
  const [start, end] = dates[campaign] ?? [null, null];
  const isOutside = (post: GeneratedPost) =>
    (start !== null && String(dayOf(post)) < start) || (end !== null && String(dayOf(post)) > end);
  const best = posts.toSorted((a, b) => (total([b]) ?? -1) - (total([a]) ?? -1))[0];
  return {
    campaign,
    start_date: start ?? days[0] ?? null,
    end_date: end ?? days.at(-1) ?? null,
    first_post: days[0] ?? null,
    last_post: days.at(-1) ?? null,
    ...figuresOf(posts),
    posts_outside_dates: posts.filter(isOutside).length,
    best_post_emv: best ? total([best]) : null,
  };
}

describe('every figure agrees with the posts:', () => {
  test('campaigns with their dates, those without posts last', () => {
    const names = ['Spring', 'Heat pumps', 'Grid, "2026"'];
    const wanted = names.map(expectedCampaign).sort((a, b) => (b.emv ?? 0) - (a.emv ?? 0));
    const [autumn, ...more] = rowsOf(document, 'by_campaign').slice(names.length);
    expect(more).toEqual([]);
    expect(autumn).toMatchObject({
      campaign: 'Autumn',
      posts: 0,
      start_date: '2025-10-01',
      end_date: null,
      emv: null,
    });
    const named = {
      ...document,
      sections: document.sections.map((section) =>
        section.name === 'by_campaign'
          ? { ...section, rows: section.rows.slice(0, names.length) }
          : section,
      ),
    };
    expectRows(named, 'by_campaign', wanted);
    const told = Object.fromEntries(
      rowsOf(named, 'by_campaign').map((row) => [String(row['campaign']), row['dates_from']]),
    );
    expect(told).toEqual({
      Spring: 'the campaign',
      'Heat pumps': 'start: the campaign, end: the last post',
      'Grid, "2026"': 'the first and the last post',
    });
  });

  test('the profiles of a campaign', () => {
    const rows = rowsOf(document, 'by_campaign_profile');
    expect(rows.length).toBe(12);
    for (const row of rows) {
      const posts = ofCampaign(String(row['campaign']));
      const own = posts.filter(
        (post) =>
          post.workspace === row['workspace'] && profileOf(post).profile_id === row['profile_id'],
      );
      expect(row['posts']).toBe(own.length);
      expect(row['emv']).toBeCloseTo(total(own) ?? NaN, 6);
      expect(row['campaign_share']).toBeCloseTo((total(own) ?? NaN) / (total(posts) ?? NaN), 9);
    }
  });

  test('the days from the first to the last of the campaign or its posts', () => {
    for (const campaign of ['Spring', 'Heat pumps', 'Grid, "2026"']) {
      const { start_date, end_date, first_post, last_post } = expectedCampaign(campaign);
      const rows = rowsOf(document, 'campaign_days').filter((row) => row['campaign'] === campaign);
      const ends = [[start_date, first_post].sort()[0], [end_date, last_post].sort().at(-1)];
      expect([rows[0]?.['day'], rows.at(-1)?.['day']]).toEqual(ends);
      for (const row of rows) {
        const soFar = ofCampaign(campaign).filter(
          (post) => String(dayOf(post)) <= String(row['day']),
        );
        expect(row['posts']).toBe(soFar.length);
        expect(row['cumulative_emv']).toBeCloseTo(total(soFar) ?? 0, 6);
      }
      expect(rows.at(-1)?.['cumulative_emv']).toBeCloseTo(total(ofCampaign(campaign)) ?? NaN, 6);
    }
  });

  test('the total, and the posts without a campaign', () => {
    const own = shown.filter(({ campaign }) => campaign !== null);
    const { emv_share, ...figures } = figuresOf(own);
    expectRows(document, 'summary', [
      {
        ...figures,
        emv_share,
        campaigns: 3,
        campaigns_without_posts: 1,
        posts_without_campaign: shown.length - own.length,
        all_emv: total(shown),
      },
    ]);
    expect(sectionOf(document, 'by_campaign').total?.label).toBe('All campaigns');
    expect(rowsOf(document, 'posts').length).toBe(own.length);
    const [without] = rowsOf(document, 'left_out');
    expect(without).toMatchObject({ what: 'Without a campaign', posts: ofCampaign(null).length });
    expect(without?.['emv']).toBeCloseTo(total(ofCampaign(null)) ?? NaN, 6);
  });
});

test('the day of a post does not replace a missing date if the campaign would then end before it starts', async () => {
  const built = await buildOf(
    {
      profiles,
      linkedin_posts: ['early', 'late'].map((id) => ({
        ...whole,
        linkedin_post_id: id,
        post_id: id,
      })),
      posts: ['early', 'late'].map((id) => ({ post_id: id, campaign_id: id })),
      campaigns: [
        { campaign_id: 'early', name: 'A', start_date: '2025-12-01' },
        { campaign_id: 'late', name: 'B', end_date: '2025-10-01' },
      ],
    },
    'campaigns',
    { only: ['by_campaign'] },
  );
  const dates = rowsOf(built, 'by_campaign').map((row) => [
    row['start_date'],
    row['end_date'],
    row['dates_from'],
  ]);
  expect(dates).toEqual([
    ['2025-12-01', null, 'start: the campaign'],
    [null, '2025-10-01', 'end: the campaign'],
  ]);
});

test('the five largest of more than six campaigns have a line each, and the others share one, which takes the name of no other', async () => {
  const names = ['A', 'B', 'C', 'D', 'other', 'F', 'G', 'H', 'the others'];
  const built = await buildOf(
    {
      profiles,
      linkedin_posts: names.map((name, index) => ({
        ...whole,
        linkedin_post_id: name,
        post_id: name,
        ...(name === 'the others' ? nothing : { emv: 100 - index }),
      })),
      posts: names.map((name) => ({ post_id: name, campaign_id: name })),
      campaigns: names.map((name) => ({ campaign_id: name, name })),
    },
    'campaigns',
    { only: ['campaign_days'] },
  );
  const lines = rowsOf(built, 'campaign_days').map((row) => [
    row['campaign'],
    row['cumulative_emv'],
  ]);
  expect(lines).toEqual([
    ['A', 100],
    ['B', 99],
    ['C', 98],
    ['D', 97],
    ['other', 96],
    ['the others (3)', 282],
  ]);
});

test('a report on a type does not list a campaign without posts', async () => {
  const rows = {
    profiles,
    linkedin_posts: [{ ...whole, post_id: 'a1' }],
    posts: [{ post_id: 'a1', campaign_id: 'k1' }],
    campaigns: [
      { campaign_id: 'k1', name: 'Spring' },
      { campaign_id: 'k2', name: 'Never' },
    ],
  };
  const namesOf = async (types: readonly string[]) =>
    rowsOf(
      await buildOf(rows, 'campaigns', { only: ['by_campaign'], parameters: { types } }),
      'by_campaign',
    ).map(({ campaign }) => campaign);
  expect(await namesOf([])).toEqual(['Spring', 'Never']);
  expect(await namesOf(['Video'])).toEqual(['Spring']);
});
