import { group, sum } from 'd3-array';
import {
  postKey,
  type Cell,
  type ColumnFormat,
  type ReportCard,
  type ReportColumn,
  type ReportDocument,
  type ReportSection,
} from '../../src/report/report-document.ts';
import { seededRandom } from '../report/support/generated-rows.ts';
import { card, chartOf, column, documentOf, section as sectionOf } from './document-parts.ts';

/** A made-up post; figures are null where the service gave none. */
type SamplePost = ReturnType<typeof samplePosts>[number];

const none = '(none)';
const count = 412;
const withFigures = 406;
const profiles = [
  ...['Anna Lindqvist', 'Halden Careers', 'Halden Grid', 'Mariam Haddad', 'Tomasz Bielak'],
];
const types = ['Image', 'Video', 'Text', 'Article', 'Document', 'Poll'];
const campaigns = [null, 'Heat pump myths', 'Apprentices 25', 'Annual report', 'Grid Summit'];
const labels = ['Event', 'Customer story', 'Hiring', 'Behind the scenes', 'Product', 'Award'];
const best = {
  profile: 'Anna Lindqvist',
  type: 'Video',
  title: null,
  campaign: null,
  labels: [],
  publishedAt: '2025-09-17T06:12:00.000Z',
  cpm: 32,
  emv: 8_833.06,
  commentary:
    'We buried 41 km of cable under the fjord this spring, and nobody noticed. That was the point. Here is what the crew learned about currents, patience and the one bolt that nobody had ordered.\n\nThe whole log is in the comments.',
};
const openings = [
  'Two hundred metres of trench, one stubborn boulder',
  'نحن نعمل على الشبكة الجديدة في هالدن', // right to left, so that every renderer meets it
  '=Survey: what an apprentice asks on day one 🧗‍♀️',
  '𝗡𝗲𝘄: the map of planned outages',
];

/** The posts of 2025 from the most EMV to the least, the same on every call. */
function samplePosts() {
  const random = seededRandom(20_250_101);
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  const posts = Array.from({ length: count }, (_, index) => {
    const [month, day, hour] = [pick([...Array(12).keys()]), random() * 28, pick([6, 7, 8, 9, 13])];
    const published = new Date(Date.UTC(2025, month, 1 + day, hour, random() * 60));
    const impressions = index < withFigures ? Math.round(276_033 / (index + 1) ** 0.75) : null;
    const cpm = month < 8 ? 28 : 32;
    return {
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      profile: pick(profiles),
      type: pick(types),
      title: index % 3 === 0 ? `Planned post ${index}` : null,
      commentary: `${openings[index % 4] ?? ''} (${index})\n\nMore. #grid`,
      publishedAt: published.toISOString(),
      campaign: pick(campaigns),
      labels: labels.filter(() => random() < 0.15),
      impressions,
      cpm,
      emv: impressions && Math.round((impressions * cpm) / 10) / 100,
      engagements: impressions && Math.round(impressions * (0.03 + random() / 50)),
      ...(index === 0 && best),
    };
  });
  return posts.sort((a, b) => Number(b.emv) - Number(a.emv));
}

const posts = samplePosts();
const total = sums(posts);

/** An EMV report of a year: 5 profiles, 412 posts, EUR, in the shape that the report engine makes. */
export function sampleDocument(changes: Partial<ReportDocument> = {}): ReportDocument {
  return {
    ...frame('emv', 'Earned media value'),
    description: 'What the impressions would have cost as advertising.',
    lede: 'Your 412 posts earned **€119,167** of media value in 2025, 29% more than the year before. 7% of it came from a single video.',
    cards: emvCards(),
    coverage: [
      ...['412 posts', '3 videos not synced', '2 removed, €118.20 left out'],
      '6 without impressions',
    ],
    sections: emvSections(),
    definitions: [
      { term: 'EMV', text: 'Impressions ÷ 1,000 × CPM. It is a price comparison.' },
      {
        term: 'CPM used',
        text: 'Total EMV ÷ total impressions × 1,000, over posts that have both.',
      },
    ],
    ...changes,
  };
}

/** An engagement report with a heatmap by weekday and hour. */
export function sampleEngagementDocument(): ReportDocument {
  const trend = monthly(({ engagements }) => engagements);
  return {
    ...frame('engagement', 'Engagement'),
    description: 'What people did with the posts.',
    lede: '**4.0%** of impressions led to an engagement, 0.3 points more than in 2024.',
    cards: [
      card('Engagement rate', 'rate', 0.04, 0.037),
      card('Engagements', 'count', total.engagements, 68_524, { trend }),
      card('Saves, members', 'count', 1_204, 0),
      card('Clicks, pages', 'count', 9_871, 10_501),
    ],
    coverage: ['412 posts', '2 removed'],
    sections: [heatmapSection()],
    definitions: [
      { term: 'Engagement rate', text: 'Engagements ÷ impressions, over posts that have both.' },
    ],
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

function frame(name: string, title: string): ReportDocument {
  return documentOf([], {
    name,
    title,
    previousPeriod: { from: '2024-01-01', to: '2024-12-31' },
    brand: { name: 'Fjord & Pine', logo: null, color: '#0b5fa5', productMark: true },
    profiles,
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

function section(
  name: string,
  title: string,
  description: string,
  more: Partial<ReportSection>,
): ReportSection {
  return sectionOf([], [], { name, title, description, key: [], ...more });
}

function emvCards(): ReportCard[] {
  const emv = monthly((post) => post.emv);
  return [
    card('EMV', 'money', total.emv, 92_134.1, { trend: emv }),
    card('Impressions', 'count', total.impressions, 1_705_283, {
      trend: monthly(({ impressions }) => impressions),
    }),
    card('Posts', 'count', count, 371, { trend: monthly(() => 1) }),
    card('EMV per post', 'money', total.emv / withFigures, 128.7),
    card('Median per post', 'money', 67, 72),
    card('CPM used', 'cpm', (total.emv / total.impressions) * 1000, 28),
  ];
}

function emvSections(): ReportSection[] {
  return [
    summarySection(),
    monthSection(),
    groupSection('profile', (post) => [post.profile], {
      finding: 'Anna Lindqvist and Halden Grid carry three quarters of the EMV',
    }),
    groupSection('campaign', ({ campaign }) => [campaign ?? none]),
    groupSection('type', (post) => [post.type], { finding: 'Videos earned the most per post' }),
    groupSection('label', (post) => (post.labels.length > 0 ? post.labels : [none]), {
      finding: 'Shares by label overlap and add up to more than 100%',
      notes: ['A post with two labels counts under both.'],
      total: { label: 'All, each post once', cells: [null, ...measureCells(posts)] },
    }),
    postsSection(),
  ];
}

function summarySection(): ReportSection {
  return section('summary', 'Summary', 'All posts of the period, removed ones left out.', {
    layout: 'figures',
    columns: [
      ...measures.slice(0, 4).map((measure) => ({ ...measure, isPrimary: false })),
      titled('removed_posts', 'Removed posts', 'count'),
      titled('removed_emv', 'EMV of removed posts', 'money_exact'),
    ],
    rows: [[...measureCells(posts).slice(0, 4), 2, 118.2]],
  });
}

const measures = [
  titled('posts', 'Posts', 'count', { isPrimary: true }),
  titled('impressions', 'Impressions', 'count'),
  titled('emv', 'EMV', 'money', { isPrimary: true }),
  titled('effective_cpm', 'CPM', 'cpm'),
  titled('emv_share', 'Share', 'share', { isPrimary: true }),
];

function measureCells(of: readonly SamplePost[]): Cell[] {
  const { emv, impressions } = sums(of);
  if (impressions === 0) return [of.length, null, null, null, null];
  return [of.length, impressions, emv, (emv / impressions) * 1000, emv / total.emv];
}

function sums(of: readonly SamplePost[]) {
  return {
    impressions: sum(of, ({ impressions }) => impressions),
    emv: sum(of, ({ emv }) => emv),
    engagements: sum(of, ({ engagements }) => engagements),
  };
}

const months = group(posts, ({ publishedAt }) => `${publishedAt.slice(0, 7)}-01`);

function monthly(valueOf: (post: SamplePost) => number | null): number[] {
  return [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => sum(of, valueOf));
}

function monthSection(): ReportSection {
  const names = [...months.keys()].sort();
  return section('by_month', 'By month', 'EMV by month of publication, in euro.', {
    finding: 'September brought the most of the year; one post made most of that month',
    basis: 'n = 406 posts with EMV',
    key: ['month'],
    columns: [
      titled('month', 'Month', 'month', { isPrimary: true }),
      ...measures,
      titled('previous_emv', 'EMV of 2024', 'money', {
        nullNote: 'Nothing is known of that month.',
      }),
    ],
    rows: names.map((month, index) => [
      month,
      ...measureCells(months.get(month) ?? []),
      2_900 + 450 * index,
    ]),
    total: { label: 'Total', cells: ['Total', ...measureCells(posts), 92_134] },
    chart: chartOf('bars', { x: 'month', y: 'emv', previous: 'previous_emv' }),
  });
}

function groupSection(
  key: string,
  namesOf: (post: SamplePost) => readonly string[],
  more: Partial<ReportSection> = {},
): ReportSection {
  const members = posts.flatMap((post) => namesOf(post).map((name) => ({ name, post })));
  const groups = [...group(members, ({ name }) => name)]
    .map(([name, own]) => ({ name, own: own.map(({ post }) => post) }))
    .sort((a, b) => Number(a.name === none) - Number(b.name === none) || emvOf(b) - emvOf(a));
  const title = key.replace(/^./, (letter) => letter.toUpperCase());
  return section(`by_${key}`, `By ${key}`, `EMV by ${key}, in euro.`, {
    basis: `${groups.length} ${key}s`,
    key: [key],
    sortedBy: 'emv',
    columns: [titled(key, title, 'text', { isPrimary: true }), ...measures],
    rows: groups.map(({ name, own }) => [name, ...measureCells(own)]),
    rowPosts: groups.map(({ own }) => own.map(({ id }) => postKey('acme', id))),
    total: { label: 'Total', cells: ['Total', ...measureCells(posts)] },
    ...more,
  });
}

function emvOf({ own }: { own: readonly SamplePost[] }): number {
  return sums(own).emv;
}

function postsSection(): ReportSection {
  const hidden = { isInHtml: false };
  const unknown = {
    nullNote: 'The service gave no impressions: no EMV, and not counted as zero.',
  };
  return section('posts', 'Posts', 'Every post, by EMV.', {
    layout: 'posts',
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
      titled('impressions', 'Impressions', 'count', unknown),
      titled('emv', 'EMV', 'money_exact', { ...unknown, isPrimary: true }),
      titled('emv_share', 'Share', 'rate', unknown),
      titled('effective_cpm', 'CPM', 'cpm', unknown),
    ],
    rows: posts.map((post): readonly Cell[] => [
      ...['acme', post.profile, post.id],
      `https://www.linkedin.com/feed/update/urn:li:share:${post.id}`,
      ...[post.title, post.commentary, post.type, post.publishedAt, post.campaign, post.labels],
      ...[false, post.impressions, post.emv, post.emv && post.emv / total.emv],
      post.emv && post.cpm,
    ]),
  });
}

function heatmapSection(): ReportSection {
  const slots = group(posts, ({ publishedAt }) => {
    const at = new Date(Date.parse(publishedAt) + 3_600_000);
    return ((at.getUTCDay() + 6) % 7) * 24 + at.getUTCHours();
  });
  return section('by_weekday_hour', 'Weekday and hour', 'Engagement rate by weekday and hour.', {
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
    rows: [...slots]
      .sort(([a], [b]) => a - b)
      .map(([slot, own]): readonly Cell[] => {
        const { impressions, engagements } = sums(own);
        const rate = impressions === 0 ? null : engagements / impressions;
        return [1 + Math.floor(slot / 24), slot % 24, own.length, impressions, rate];
      }),
    chart: chartOf('heatmap', {
      row: 'weekday',
      column: 'hour',
      value: 'engagement_rate',
      n: 'posts',
      minimum: 5,
    }),
    notes: ['Cells with fewer than 5 posts are not ranked.'],
  });
}
