import { group } from 'd3-array';
import {
  postKey,
  type Cell,
  type ColumnFormat,
  type ReportCard,
  type ReportColumn,
  type ReportDocument,
  type ReportSection,
} from '../../src/report/report-document.ts';
import { card, chartOf, column, documentOf, section as sectionOf } from './document-parts.ts';
import { emvOf, type SamplePost, samplePosts } from './sample-posts.ts';

const none = '(none)';
const noImpressions = 'The service gave no impressions: no EMV, and not counted as zero.';

/** An EMV report of a year: 5 profiles, 412 posts, EUR, in the shape that the report engine makes. */
export function sampleDocument(changes: Partial<ReportDocument> = {}): ReportDocument {
  const posts = samplePosts();
  const total = sums(posts);
  const [best] = posts;
  return {
    ...frame('emv', 'Earned media value'),
    description: 'What the impressions would have cost as advertising.',
    lede: `Your 412 posts earned **${euro(total.emv)}** of media value in 2025, ${percent(total.emv / 47_748.1 - 1)} more than the year before. ${percent(((best && emvOf(best)) ?? 0) / total.emv)} of it came from a single video.`,
    cards: emvCards(posts),
    coverage: [
      '412 posts',
      '3 videos not synced',
      '2 removed, €118.20 left out',
      `${String(412 - total.withEmv)} without impressions`,
    ],
    sections: emvSections(posts),
    definitions: [
      {
        term: 'EMV',
        text: 'Impressions ÷ 1,000 × CPM: what the same number of impressions would have cost as advertising at that CPM. It is a price comparison. It does not measure attention, opinion or sales, and there is no standard for it.',
      },
      {
        term: 'CPM used',
        text: 'Total EMV ÷ total impressions × 1,000, over posts that have both.',
      },
      { term: 'Share', text: 'EMV of the row ÷ EMV of all posts in the report.' },
      {
        term: 'Impressions',
        text: 'Times a post was shown, as LinkedIn counts it over a rolling 12 months. Not people.',
      },
      { term: '–', text: 'No value, with the reason. It is never counted as 0.' },
    ],
    ...changes,
  };
}

/** An engagement report with a heatmap by weekday and hour. */
export function sampleEngagementDocument(changes: Partial<ReportDocument> = {}): ReportDocument {
  const posts = samplePosts();
  const rate = sumOf(posts, 'engagements') / sums(posts).impressions;
  return {
    ...frame('engagement', 'Engagement'),
    description: 'What people did with the posts.',
    lede: `**${(rate * 100).toFixed(1)}%** of impressions led to an engagement, 0.3 points more than in 2024.`,
    cards: [
      card('Engagement rate', 'rate', rate, rate - 0.003, { trend: monthly(posts, rateOf) }),
      card('Engagements', 'count', sumOf(posts, 'engagements'), 68_524, {
        trend: monthly(posts, countOf),
      }),
      card('Saves, members', 'count', 1_204, 0),
      card('Clicks, pages', 'count', 9_871, 10_501),
    ],
    coverage: ['412 posts', '2 removed'],
    sections: [heatmapSection(posts)],
    definitions: [
      { term: 'Engagement rate', text: 'Engagements ÷ impressions, over posts that have both.' },
    ],
    ...changes,
  };
}

/** A report of an empty workspace: every section, with heads and no rows. */
export function emptySampleDocument(): ReportDocument {
  const full = sampleDocument();
  return {
    ...full,
    profiles: [],
    dataAsOf: null,
    lede: null,
    cards: full.cards.map((filled) => ({ ...filled, value: null, previous: null, trend: [] })),
    coverage: ['0 posts'],
    sections: full.sections.map((section) => ({
      ...section,
      finding: null,
      basis: null,
      rows: section.layout === 'figures' ? [section.columns.map(() => null)] : [],
      total: null,
      notes: [],
    })),
  };
}

const period = { from: '2025-01-01', to: '2025-12-31' };

function frame(name: string, title: string): ReportDocument {
  return documentOf([], {
    name,
    title,
    period,
    previousPeriod: { from: '2024-01-01', to: '2024-12-31' },
    brand: { name: 'Fjord & Pine', logo: null, color: '#0b5fa5', productMark: true },
    profiles: ['Anna Lindqvist', 'Halden Careers', 'Halden Grid', 'Mariam Haddad', 'Tomasz Bielak'],
  });
}

/** A column that not every format has room for, with the heading that it is given. */
export function titled(
  name: string,
  title: string,
  format: ColumnFormat,
  changes: Partial<ReportColumn> = {},
): ReportColumn {
  return column(name, format, { title, isPrimary: false, ...changes });
}

function section(name: string, title: string, description: string): ReportSection {
  return sectionOf([], [], { name, title, description, key: [] });
}

function emvCards(posts: readonly SamplePost[]): ReportCard[] {
  const total = sums(posts);
  const months = monthly(posts, sums);
  const trend = (of: (sum: Sums) => number) => months.map(of);
  return [
    card('EMV', 'money', total.emv, 47_748.1, { trend: trend((month) => month.emv) }),
    card('Impressions', 'count', total.impressions, 1_705_283, {
      trend: trend((month) => month.impressions),
    }),
    card('Posts', 'count', 412, 371, { trend: trend((month) => month.posts) }),
    card('EMV per post', 'money', total.emv / total.withEmv, 128.7, {
      trend: trend((month) => month.emv / month.posts),
    }),
    card('Median per post', 'money', 67, 72),
    card('CPM used', 'cpm', (total.emv / total.impressions) * 1000, 28, {
      trend: trend((month) => (month.emv / month.impressions) * 1000),
    }),
  ];
}

function emvSections(posts: readonly SamplePost[]): ReportSection[] {
  const total = sums(posts);
  const basis = `n = ${total.withEmv} posts with EMV`;
  const by = (name: string, title: string, of: (post: SamplePost) => readonly string[]) =>
    groupSection(posts, { name, title, of });
  return [
    summarySection(total),
    { ...monthSection(posts), basis },
    {
      ...by('by_profile', 'By profile', (post) => [post.profile]),
      finding: 'Anna Lindqvist and Halden Grid carry three quarters of the EMV',
      basis: '5 profiles',
    },
    {
      ...by('by_campaign', 'By campaign', (post) => [post.campaign ?? none]),
      basis: '4 campaigns',
    },
    {
      ...by('by_type', 'By type', (post) => [post.type]),
      finding: 'Videos earned the most per post',
      basis: '6 types',
    },
    {
      ...by('by_label', 'By label', (post) => (post.labels.length > 0 ? post.labels : [none])),
      finding: 'Shares by label overlap and add up to more than 100%',
      basis: '7 labels',
      notes: ['A post with two labels counts under both.'],
    },
    postsSection(posts),
  ];
}

function summarySection(total: Sums): ReportSection {
  return {
    ...section('summary', 'Summary', 'All posts of the period, removed ones left out.'),
    layout: 'figures',
    isAppendix: false,
    columns: [
      titled('posts', 'Posts', 'count'),
      titled('impressions', 'Impressions', 'count'),
      titled('emv', 'EMV', 'money'),
      titled('effective_cpm', 'CPM used', 'cpm'),
      titled('posts_without_emv', 'Posts without EMV', 'count'),
      titled('removed_posts', 'Removed posts', 'count'),
      titled('removed_emv', 'EMV of removed posts', 'money_exact'),
    ],
    rows: [
      [
        total.posts,
        total.impressions,
        total.emv,
        (total.emv / total.impressions) * 1000,
        total.posts - total.withEmv,
        2,
        118.2,
      ],
    ],
  };
}

function monthSection(posts: readonly SamplePost[]): ReportSection {
  const total = sums(posts);
  const before = [
    2_900, 4_600, 4_700, 2_500, 6_500, 3_300, 1_700, 4_400, 5_600, 1_900, 5_000, 4_648,
  ];
  return {
    ...section('by_month', 'By month', 'EMV by month of publication, in euro.'),
    finding: 'September brought the most of the year; one post made most of that month',
    key: ['month'],
    columns: [
      titled('month', 'Month', 'month', { isPrimary: true }),
      ...measures,
      titled('previous_emv', 'EMV of 2024', 'money', {
        nullNote: 'Nothing is known of that month.',
      }),
    ],
    rows: monthNames.map((month, index) => [
      month,
      ...measureCells(
        sums(posts.filter((post) => post.publishedAt.startsWith(month.slice(0, 7)))),
        total,
      ),
      before[index] ?? null,
    ]),
    total: { label: 'Total', cells: ['Total', ...measureCells(total, total), 47_748] },
    chart: chartOf('bars', { x: 'month', y: 'emv', previous: 'previous_emv' }),
  };
}

function groupSection(
  posts: readonly SamplePost[],
  { name, title, of }: { name: string; title: string; of: (post: SamplePost) => readonly string[] },
): ReportSection {
  const total = sums(posts);
  const key = name.slice('by_'.length);
  const groups = group(
    posts.flatMap((post) => of(post).map((value) => ({ value, post }))),
    (member) => member.value,
  );
  const rows = [...groups]
    .map(([value, members]): readonly Cell[] => [
      value,
      ...measureCells(sums(members.map((member) => member.post)), total),
    ])
    .toSorted(
      (a, b) => Number(a[0] === none) - Number(b[0] === none) || Number(b[3]) - Number(a[3]),
    );
  return {
    ...section(name, title, `EMV by ${key}, in euro.`),
    key: [key],
    sortedBy: 'emv',
    columns: [
      titled(
        key,
        title.replace('By ', '').replace(/^./, (letter) => letter.toUpperCase()),
        'text',
        {
          isPrimary: true,
        },
      ),
      ...measures,
    ],
    rows,
    rowPosts: rows.map(([value]) =>
      (groups.get(String(value)) ?? []).map(({ post }) => postKey('acme', post.id)),
    ),
    total: {
      label: key === 'label' ? 'All, each post once' : 'Total',
      cells: [key === 'label' ? 'All, each post once' : 'Total', ...measureCells(total, total)],
    },
  };
}

function postsSection(posts: readonly SamplePost[]): ReportSection {
  const hidden = { isInHtml: false };
  const total = sums(posts);
  return {
    ...section('posts', 'Posts', 'Every post, by EMV.'),
    layout: 'posts',
    isAppendix: false,
    finding: 'The cable under the fjord was the post of the year',
    key: ['workspace', 'linkedin_post_id'],
    sortedBy: 'emv',
    columns: [
      titled('workspace', 'Workspace', 'text', hidden),
      titled('profile', 'Profile', 'text'),
      titled('linkedin_post_id', 'LinkedIn post', 'text', hidden),
      titled('url', 'Link', 'url'),
      titled('title', 'Title', 'text'),
      titled('commentary', 'Text', 'longtext'),
      titled('type', 'Type', 'text'),
      titled('published_at', 'Published', 'datetime'),
      titled('campaign', 'Campaign', 'text', hidden),
      titled('labels', 'Labels', 'list', hidden),
      titled('is_removed', 'Removed', 'boolean'),
      titled('impressions', 'Impressions', 'count', { nullNote: noImpressions }),
      titled('emv', 'EMV', 'money_exact', { nullNote: noImpressions, isPrimary: true }),
      titled('emv_share', 'Share', 'rate', { nullNote: noImpressions }),
      titled('effective_cpm', 'CPM', 'cpm', { nullNote: noImpressions }),
    ],
    rows: posts.map((post): readonly Cell[] => [
      'acme',
      post.profile,
      post.id,
      `https://www.linkedin.com/feed/update/urn:li:share:${post.id}`,
      post.title,
      post.commentary,
      post.type,
      post.publishedAt,
      post.campaign,
      post.labels,
      false,
      post.impressions,
      emvOf(post),
      post.impressions === null ? null : (emvOf(post) ?? 0) / total.emv,
      post.impressions === null ? null : post.cpm,
    ]),
  };
}

function heatmapSection(posts: readonly SamplePost[]): ReportSection {
  const groups = group(posts, (post) => {
    const at = new Date(Date.parse(post.publishedAt) + 3_600_000);
    return ((at.getUTCDay() + 6) % 7) * 24 + at.getUTCHours();
  });
  const slots = [...groups].sort(([a], [b]) => a - b);
  return {
    ...section('by_weekday_hour', 'Weekday and hour', 'Engagement rate in %, by weekday and hour.'),
    finding: 'Thursdays at 07:00 lead with 8.3% (n = 5), against 4.5% overall',
    basis: 'n = 406 posts, hour of publication, Europe/Berlin',
    key: ['weekday', 'hour'],
    columns: [
      titled('weekday', 'Weekday', 'weekday', { isPrimary: true }),
      titled('hour', 'Hour', 'hour', { isPrimary: true }),
      titled('posts', 'Posts', 'count', { isPrimary: true }),
      titled('impressions', 'Impressions', 'count'),
      titled('engagement_rate', 'Engagement rate', 'rate', { isPrimary: true }),
    ],
    rows: slots.map(([slot, members]): readonly Cell[] => [
      1 + Math.floor(slot / 24),
      slot % 24,
      members.length,
      sums(members).impressions,
      rateOf(members),
    ]),
    chart: chartOf('heatmap', {
      row: 'weekday',
      column: 'hour',
      value: 'engagement_rate',
      n: 'posts',
      minimum: 5,
    }),
    notes: ['Cells with fewer than 5 posts are not ranked.'],
  };
}

interface Sums {
  readonly posts: number;
  readonly withEmv: number;
  readonly impressions: number;
  readonly emv: number;
}

function sums(posts: readonly SamplePost[]): Sums {
  return {
    posts: posts.length,
    withEmv: posts.filter((post) => post.impressions !== null).length,
    impressions: sumOf(posts, 'impressions'),
    emv: posts.reduce((sum, post) => sum + (emvOf(post) ?? 0), 0),
  };
}

function sumOf(posts: readonly SamplePost[], name: 'impressions' | 'engagements'): number {
  return posts.reduce((sum, post) => sum + (post[name] ?? 0), 0);
}

function rateOf(posts: readonly SamplePost[]): number | null {
  const impressions = sumOf(posts, 'impressions');
  return impressions === 0 ? null : sumOf(posts, 'engagements') / impressions;
}

function countOf(posts: readonly SamplePost[]): number {
  return sumOf(posts, 'engagements');
}

const measures = [
  titled('posts', 'Posts', 'count', { isPrimary: true }),
  titled('impressions', 'Impressions', 'count'),
  titled('emv', 'EMV', 'money', { isPrimary: true }),
  titled('effective_cpm', 'CPM', 'cpm'),
  titled('emv_share', 'Share', 'share', { isPrimary: true }),
] as const;

function measureCells(part: Sums, total: Sums): Cell[] {
  if (part.withEmv === 0) return [part.posts, null, null, null, null];
  return [
    part.posts,
    part.impressions,
    part.emv,
    (part.emv / part.impressions) * 1000,
    part.emv / total.emv,
  ];
}

const monthNames = Array.from(
  { length: 12 },
  (_, index) => `2025-${String(index + 1).padStart(2, '0')}-01`,
);

function monthly<Value>(
  posts: readonly SamplePost[],
  of: (posts: readonly SamplePost[]) => Value,
): Value[] {
  return monthNames.map((month) =>
    of(posts.filter((post) => post.publishedAt.startsWith(month.slice(0, 7)))),
  );
}

function percent(value: number): string {
  return `${(value * 100).toFixed(0)}%`;
}

function euro(value: number): string {
  return `€${Math.round(value).toLocaleString('en-GB')}`;
}
