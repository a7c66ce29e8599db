import { expect, test } from 'vitest';
import { builtInReports, findReports, ledBy } from '../../src/report/report-catalog.ts';
import type { ReportParameters } from '../../src/report/report-parameters.ts';
import { withReport } from '../../src/report/open-report.ts';
import { generatePosts } from '../report/support/generated-rows.ts';
import { openSessionOn } from '../report/support/open-session.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf, narrowed } from './support/built-report.ts';
import { sectionOf } from './support/document-figures.ts';
import { whole } from './support/golden-rows.ts';

interface Sample {
  readonly index: number;
  readonly isPage: boolean;
  /** The type, label, campaign, month and hour that seem to do better. */
  readonly isFavoured: boolean;
}

/** What a post brings: its rate and its EMV. */
type Yield = (sample: Sample) => { engagement: number; emv: number; impression_count?: number };

const kinds = {
  page: { engagement: 0.05, emv: 240 },
  member: { engagement: 0.01, emv: 60 },
};

/** 240 posts of two pages and two members; nine of ten favoured posts are of pages where only the mix favours. */
function rowsOf(pagesAmongFavoured: number, yieldOf: Yield): WarehouseRows {
  const samples = generatePosts(240).map(({ impressions }, index) => {
    const isFavoured = index % 4 === 0;
    const isPage = (index * 7) % 10 < (isFavoured ? pagesAmongFavoured : 4);
    return { index, isFavoured, isPage, impression_count: 500 + ((impressions ?? 0) % 900) };
  });
  const ids = samples.map(({ index }) => `q${String(index)}`);
  const groupOf = ({ isFavoured, index }: Sample) => (isFavoured ? 'a' : 'bc'.charAt(index % 2));
  return {
    profiles: ['p1', 'p2', 'p3', 'p4'].map((profile_id) => ({ profile_id, name: profile_id })),
    linkedin_posts: samples.map(({ impression_count, ...sample }) => ({
      ...whole,
      ...(sample.isPage ? { save_count: null, send_count: null } : { click_count: null }),
      linkedin_post_id: ids[sample.index],
      post_id: ids[sample.index],
      profile_id: `p${String((sample.isPage ? 1 : 3) + (sample.index % 2))}`,
      type: { a: 'Poll', b: 'Text', c: 'Image' }[groupOf(sample)],
      published_at: `2025-${{ a: '09', b: '05', c: '06' }[groupOf(sample)] ?? ''}-0${String(1 + (sample.index % 3))}T${{ a: '07', b: '10', c: '11' }[groupOf(sample)] ?? ''}:00:00Z`,
      impression_count,
      ...yieldOf(sample),
    })),
    posts: samples.map((sample) => ({ post_id: ids[sample.index], campaign_id: groupOf(sample) })),
    campaigns: ['a', 'b', 'c'].map((campaign_id) => ({ campaign_id, name: campaign_id })),
    labels: ['a', 'b', 'c'].map((label_id) => ({ label_id, name: label_id })),
    post_labels: samples.map((sample) => ({
      post_id: ids[sample.index],
      label_id: groupOf(sample),
    })),
  };
}

const builtIn = await findReports([builtInReports]);

const buildSections = (
  rows: WarehouseRows,
  report: string,
  only: readonly string[],
  parameters: Partial<ReportParameters> = {},
) => buildOf(rows, report, { only, parameters });

const period = { from: '2025-05-01', to: '2025-09-30' };

const groups = ['by_weekday_hour', 'by_type', 'by_label', 'by_campaign', 'by_month'];

/** Every headline that compares groups of posts, by section; null where none does. */
async function comparisons(
  rows: WarehouseRows,
  names = groups.slice(0, 2),
): Promise<Record<string, string | null>> {
  const engagement = await buildSections(rows, 'engagement', ['_lede', ...names], period);
  const emv = await buildSections(rows, 'emv', ['by_type'], period);
  return {
    lede: engagement.lede?.includes('times') === true ? engagement.lede : null,
    emv: sectionOf(emv, 'by_type').finding,
    ...Object.fromEntries(names.map((name) => [name, sectionOf(engagement, name).finding])),
  };
}

const none = { lede: null, emv: null, by_weekday_hour: null, by_type: null };

test('a group does not lead by having more pages among its posts', async () => {
  const rows = rowsOf(9, ({ isPage }) => kinds[isPage ? 'page' : 'member']);
  expect(await comparisons(rows)).toEqual(none);
});

test('a group does not lead by a post of pages and one of members, while its others do better by a twentieth', async () => {
  const rows = rowsOf(4, ({ isPage, isFavoured, index }) => {
    const { engagement, emv } = kinds[isPage ? 'page' : 'member'];
    const factor = isFavoured ? 1.05 : 1;
    if (index !== 8 && index !== 16) return { engagement: factor * engagement, emv: factor * emv };
    return { engagement: 2 * engagement, emv: 20 * emv, impression_count: 60_000 };
  });
  expect(await comparisons(rows)).toEqual(none);
});

test('a group leads that does better among both pages and members', async () => {
  const rows = rowsOf(7, ({ isPage, isFavoured, index }) => {
    const { engagement, emv } = kinds[isPage ? 'page' : 'member'];
    const factor = (isFavoured ? 1.5 : 1) * (1 + (index % 5) / 50);
    return { engagement: factor * engagement, emv: factor * emv };
  });
  const among = 'among both pages and members';
  expect(await comparisons(rows, groups)).toEqual({
    lede: expect.stringMatching(
      RegExp(`Poll posts got 1\\.\\d\\d times the engagement rate of other posts, ${among}\\.$`),
    ) as string,
    by_weekday_hour: expect.stringMatching(
      /^\w+s from 09:00 to 10:00: 1\.\d\d times .+, among pages \(\d+ posts\)$/,
    ) as string,
    by_type: expect.stringMatching(RegExp(`^Poll posts got 1\\.[45]\\d .+${among}$`)) as string,
    by_label: expect.stringMatching(
      RegExp(`^Posts labelled a got 1\\.[45]\\d .+${among}$`),
    ) as string,
    by_campaign: expect.stringMatching(RegExp(`^Posts of a got 1\\.[45]\\d .+${among}$`)) as string,
    by_month: expect.stringMatching(
      RegExp(`^Posts of September 2025 got 1\\.[45]\\d .+${among}$`),
    ) as string,
    emv: expect.stringMatching(
      /^Poll posts earned €\d+ on average, 1\.[45]\d times as much/,
    ) as string,
  });
});

test('nothing is said of a group of which a kind has too few posts, nor of posts without a label or a campaign', async () => {
  const all = rowsOf(7, ({ isPage, isFavoured, index }) => {
    const { engagement, emv } = kinds[isPage ? 'page' : 'member'];
    const factor = (isFavoured ? 1.5 : 1) * (1 + (index % 5) / 50);
    return { engagement: factor * engagement, emv: factor * emv };
  });
  const unnamed = {
    ...all,
    posts: (all.posts ?? []).map(({ post_id, campaign_id }) => ({
      post_id,
      campaign_id: campaign_id === 'a' ? null : campaign_id,
    })),
    post_labels: (all.post_labels ?? []).filter(({ label_id }) => label_id !== 'a'),
  };
  const posts = all.linkedin_posts ?? [];
  const polls = posts.filter((post) => post['type'] === 'Poll' && post['click_count'] === null);
  const withPolls = (count: number) =>
    comparisons(
      { ...unnamed, linkedin_posts: posts.filter((post) => !polls.slice(count).includes(post)) },
      ['by_type', 'by_label', 'by_campaign'],
    );
  const unsaid = { by_label: null, by_campaign: null };
  expect(await withPolls(0)).toMatchObject({
    by_type: expect.stringMatching(/^Poll posts got 1\.[45]\d .+, among pages$/) as string,
    ...unsaid,
  });
  expect(await withPolls(4)).toEqual({ lede: null, emv: null, by_type: null, ...unsaid });
});

test('a point more of a rate is enough to lead, and a tenth more of anything', async () => {
  // a low rate of two pages, a high one of two members; half of each kind has a name, and the second profile of each does
  // a little better
  const low = { count: 'click_count', rate: 0.02, little: 0.0019, enough: 0.0023 };
  const high = { count: 'save_count', rate: 0.2, little: 0.009, enough: 0.011 };
  const linkedin_posts = Array.from({ length: 400 }, (_, index) => {
    const [kind, isSecond, isNamed] = [index % 2, index % 4 > 1, index % 8 > 3];
    const { count, rate, little, enough } = kind === 0 ? low : high;
    return {
      ...whole,
      ...{ click_count: null, save_count: null, send_count: null, [count]: 1 },
      linkedin_post_id: `p${String(index)}`,
      post_id: `${isNamed ? 'named' : 'other'}-${String(kind)}-${String(index)}`,
      profile_id: `p${String(2 * kind + (isSecond ? 1 : 0))}`,
      impression_count: 1000,
      engagement: rate + (isSecond ? little : 0) + (isNamed ? enough : 0),
    };
  });
  const posts = linkedin_posts.map(({ post_id }) => ({
    post_id,
    campaign_id: post_id.startsWith('named-1') ? 'point' : null,
  }));
  const rows = {
    linkedin_posts,
    posts,
    campaigns: [{ campaign_id: 'point', name: 'point' }],
    labels: [{ label_id: 'tenth', name: 'tenth' }],
    post_labels: posts
      .filter(({ post_id }) => post_id.startsWith('named-0'))
      .map(({ post_id }) => ({ post_id, label_id: 'tenth' })),
  };
  const only = ['by_profile', 'by_label', 'by_campaign'];
  const document = await buildSections(rows, 'engagement', only);
  expect(only.map((name) => sectionOf(document, name).finding)).toEqual([
    null,
    expect.stringMatching(/^Posts labelled tenth got 1\.1/),
    expect.stringMatching(/^Posts of point got 1\.0/),
  ]);
});

test('no campaign leads by a little or by its largest post, and no profile carries one by that', async () => {
  const said = async (count: number, change: (index: number) => object) => {
    const posts = Array.from({ length: count }, (_, index) => ({
      ...whole,
      linkedin_post_id: `p${String(index)}`,
      post_id: `q${String(index)}`,
      ...change(index),
    }));
    const first = count === 200 ? 98 : 8;
    const rows = {
      linkedin_posts: posts,
      posts: posts.map(({ post_id }, index) => ({
        post_id,
        campaign_id: index < first ? 'a' : 'b',
      })),
      campaigns: ['a', 'b'].map((campaign_id) => ({ campaign_id, name: campaign_id })),
    };
    const names = ['by_campaign', 'by_campaign_profile'];
    const document = await buildSections(rows, 'campaigns', names);
    return names.map((name) => sectionOf(document, name).finding);
  };
  expect((await said(200, () => ({})))[0]).toBeNull();
  const withLargest = (largest: number) => (index: number) => ({
    profile_id: `p${String(1 + (index % 2))}`,
    emv: index === 6 ? largest : 50 + (index % 4),
  });
  expect(await said(20, withLargest(9000))).toEqual([null, null]);
  expect((await said(20, withLargest(51)))[0]).toMatch(
    /^b leads with €\d+, 60% of the EMV of all posts$/,
  );
});

test('most removals fall in a month if there are ten, over three months or more', async () => {
  const removals = async (...counts: readonly number[]) => {
    const posts = counts.flatMap((count, month) =>
      Array.from({ length: count }, (_, index) => ({
        post_id: `${String(month)} ${String(index)}`,
        removed_at: `2025-0${String(month + 1)}-10T10:00:00Z`,
      })),
    );
    const linkedin_posts = posts.map(({ post_id }) => ({
      ...whole,
      linkedin_post_id: post_id,
      post_id,
      published_at: '2025-01-01T10:00:00Z',
    }));
    const document = await buildSections({ linkedin_posts, posts }, 'removed', ['by_month']);
    return sectionOf(document, 'by_month').finding;
  };
  expect(await removals(1, 1, 8)).toBe(
    'More removals fall in March 2025 than in any other month: 8 of 10',
  );
  expect(await removals(1, 1, 7)).toBeNull();
  expect(await removals(2, 8)).toBeNull();
});

test('a post, or the ten best, are said to hold a part only where it is clearly more than theirs, and counts of months are whole', async () => {
  const worldOf = (first: number) => ({
    linkedin_posts: Array.from({ length: 24 }, (_, index) => ({
      ...whole,
      linkedin_post_id: `p${String(index)}`,
      type: 'Video',
      emv: index === 0 ? first : 30,
      engagement: (index === 0 ? first : 30) / 1000,
      impression_count: 1000,
      video_view_count: index === 0 ? first : 30,
    })),
  });
  const said = async (first: number) => {
    const rows = worldOf(first);
    const emv = await buildSections(rows, 'emv', ['_lede', 'concentration']);
    const engagement = await buildSections(rows, 'engagement', ['posts']);
    const video = await buildSections(rows, 'video', ['posts']);
    return [
      emv.lede,
      sectionOf(emv, 'concentration').finding,
      sectionOf(engagement, 'posts').finding,
      sectionOf(video, 'posts').finding,
    ];
  };
  expect(await said(30)).toEqual([
    'Your 24 posts earned **€720** of media value.',
    null,
    null,
    'The median of 24 videos has 30 views',
  ]);
  expect(await said(600)).toEqual([
    'Your 24 posts earned **€1,290** of media value. 47% of it came from a single post.',
    '10 of 24 posts account for 67% of the EMV',
    '10 of 24 posts account for 67% of the engagements',
    'One of 24 videos accounts for 47% of the views; the median video has 30',
  ]);

  const emv = builtIn.get('emv');
  if (!emv) throw new Error('no report emv');
  const definition = await ledBy(emv, 'interactions');
  const session = await openSessionOn(worldOf(30));
  const columns = await withReport(session, narrowed(emv, ['summary']), {}, ({ database }) =>
    database.describe(definition.sql.get('thirteen_months.sql') ?? ''),
  );
  expect(columns).toContainEqual({ name: 'interactions', type: 'HUGEINT' });
});

test('a month of which little is known before says in the overview what that was', async () => {
  const linkedin_posts = ['2025-08', '2025-08', '2025-09'].map((month, index) => ({
    ...whole,
    linkedin_post_id: `p${String(index)}`,
    published_at: `${month}-1${String(index)}T10:00:00Z`,
    emv: index === 2 ? 40 : 1,
  }));
  const month = { from: '2025-09-01', to: '2025-09-30' };
  const { lede } = await buildSections(
    { linkedin_posts },
    'overview',
    ['_lede', 'findings'],
    month,
  );
  expect(lede).toBe(
    'Your post earned **€40** of media value, from €2 in the month before (<€1 on average in the 12 months before).',
  );
});

test('two profiles of one name are told apart in what made the change', async () => {
  const post = (workspace: string, month: string, emv: number) => ({
    ...whole,
    workspace,
    profile_id: `${workspace}-anna`,
    linkedin_post_id: `${workspace} ${month}`,
    published_at: `${month}-11T10:00:00Z`,
    emv,
  });
  const { sections } = await buildOf(
    {
      profiles: ['north', 'south'].map((workspace) => ({
        workspace,
        profile_id: `${workspace}-anna`,
        name: 'Anna',
      })),
      linkedin_posts: [
        post('north', '2025-08', 100),
        post('north', '2025-09', 300),
        post('south', '2025-08', 400),
        post('south', '2025-09', 250),
      ],
    },
    'overview',
    { only: ['findings'], parameters: { from: '2025-09-01', to: '2025-09-30' } },
  );
  const said = sections.flatMap(({ rows }) => rows.map((row) => row.join(' '))).join('\n');
  expect(said).toContain('Posts of north/Anna account for +€200: €300 after €100');
  expect(said).toContain('Posts of south/Anna account for −€150: €250 after €400');
});
