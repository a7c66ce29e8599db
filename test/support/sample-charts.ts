import { group, rollup, sum } from 'd3-array';
import type {
  Cell,
  ChartSpec,
  ColumnFormat,
  ReportDocument,
  ReportSection,
} from '../../src/report/report-document.ts';
import { chartOf, column, section } from './document-parts.ts';
import { sampleDocument } from './sample-document.ts';
import { emvOf, samplePosts, type SamplePost } from './sample-posts.ts';

type Columns = Readonly<Record<string, ColumnFormat>>;

/** A section that consists of a chart and its rows. */
export function chartSection(
  name: string,
  {
    chart,
    columns,
    rows,
  }: { chart: ChartSpec | null; columns: Columns; rows: readonly (readonly Cell[])[] },
  changes: Partial<ReportSection> = {},
): ReportSection {
  const own = Object.entries(columns).map(([each, format]) =>
    column(each, format, { title: titleOf(each) }),
  );
  const description = `${titleOf(name)}, as the chart has it.`;
  return section(own, rows, {
    ...{ name, title: titleOf(name), description, key: [], chart },
    ...changes,
  });
}

function titleOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/^./u, (letter) => letter.toUpperCase());
}

/** The sample's posts in every chart of bars and lines. */
export function sampleChartsDocument(changes: Partial<ReportDocument> = {}): ReportDocument {
  const posts = samplePosts();
  return {
    ...sampleDocument(),
    name: 'charts',
    title: 'Charts',
    lede: null,
    cards: [],
    coverage: [],
    definitions: [],
    sections: [
      youngMonths(posts),
      multiplesSection(posts),
      ...campaignSections(posts),
      weeklySection(posts),
      ageSection(),
      daySection(posts),
      wordSection(posts),
    ],
    ...changes,
  };
}

const monthNames = Array.from(
  { length: 12 },
  (_, index) => `2025-${String(index + 1).padStart(2, '0')}-01`,
);
const before = [2900, 4600, 4700, 2500, 6500, 3300, 1700, 4400, 5600, 1900, 5000, 4648];

function monthOf(post: SamplePost): string {
  return `${post.publishedAt.slice(0, 7)}-01`;
}

function emvSum(posts: readonly SamplePost[]): number {
  return sum(posts, (post) => emvOf(post) ?? 0);
}

function youngMonths(posts: readonly SamplePost[]): ReportSection {
  const byMonth = rollup(posts, emvSum, monthOf);
  return chartSection('by_month', {
    chart: chartOf('bars', {
      x: 'month',
      y: 'emv',
      previous: 'emv_before',
      not_final: 'emv_not_final',
    }),
    columns: { month: 'month', emv: 'money', emv_before: 'money', emv_not_final: 'money' },
    rows: monthNames.map((month, index) => {
      const emv = byMonth.get(month) ?? null;
      return [month, emv, before[index] ?? null, index === 11 ? (emv ?? 0) * 0.35 : 0];
    }),
  });
}

function multiplesSection(posts: readonly SamplePost[]): ReportSection {
  const profiles = [...rollup(posts, emvSum, ({ profile }) => profile)].sort((a, b) => b[1] - a[1]);
  const byBoth = rollup(posts, emvSum, ({ profile }) => profile, monthOf);
  return chartSection('by_profile', {
    chart: chartOf('multiples', { facet: 'profile', x: 'month', y: 'emv', previous: 'emv_before' }),
    columns: { profile: 'text', month: 'month', emv: 'money', emv_before: 'money' },
    rows: profiles.flatMap(([profile, total]) =>
      monthNames.map((month, index) => [
        profile,
        month,
        byBoth.get(profile)?.get(month) ?? null,
        ((before[index] ?? 0) * total) / 90_000,
      ]),
    ),
  });
}

function campaignSections(posts: readonly SamplePost[]): ReportSection[] {
  const spans = {
    'Heat pump myths': ['09', '12'],
    'Apprentices 25': ['01', '08'],
    'Annual report': ['03', '06'],
    'Grid Summit': ['04', '06'],
  } as const;
  const rows = Object.entries(spans).flatMap(([campaign, [from, to]]) => {
    const own = posts.filter((post) => {
      const month = post.publishedAt.slice(5, 7);
      return post.campaign === campaign && month >= from && month <= to;
    });
    const days = [...group(own, (post) => post.publishedAt.slice(0, 10))].sort(([a], [b]) =>
      a.localeCompare(b),
    );
    let emv = 0;
    let count = 0;
    return days.map(([day, members]): readonly Cell[] => {
      emv += emvSum(members);
      count += members.length;
      return [campaign, day, emv, count];
    });
  });
  const data = chartSection(
    'campaign_days',
    { chart: null, columns: { campaign: 'text', day: 'date', emv: 'money', posts: 'count' }, rows },
    { layout: 'data' },
  );
  const section = chartSection('by_campaign', {
    chart: chartOf('lines', {
      x: 'day',
      y: 'emv',
      series: 'campaign',
      n: 'posts',
      steps: true,
      rows: 'campaign_days',
    }),
    columns: { campaign: 'text', posts: 'count' },
    rows: Object.keys(spans).map((campaign) => [campaign, 3]),
  });
  return [section, data];
}

/** Weeks by their Monday, one of them without a rate and two without a row. */
function weeklySection(posts: readonly SamplePost[]): ReportSection {
  const mondayOf = ({ publishedAt }: SamplePost) => {
    const day = new Date(`${publishedAt.slice(0, 10)}T00:00:00Z`);
    return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000)
      .toISOString()
      .slice(0, 10);
  };
  const weeks = [...group(posts, mondayOf)].sort(([a], [b]) => a.localeCompare(b));
  const rows = weeks
    .filter((_, index) => index !== 20 && index !== 21)
    .map(([week, members], index): readonly Cell[] => {
      const rate =
        sum(members, ({ engagements }) => engagements ?? 0) /
        sum(members, ({ impressions }) => impressions ?? 0);
      return [week, index === 33 ? null : rate, 0.04 + 0.008 * Math.sin(index / 5)];
    });
  return chartSection('by_week', {
    chart: chartOf('lines', { x: 'week', y: 'rate', previous: 'rate_before' }),
    columns: { week: 'date', rate: 'rate', rate_before: 'rate' },
    rows,
  });
}

/** The share of its figures that a post has by age in days, for two kinds of posts. */
function ageSection(): ReportSection {
  const rows = ['Pages', 'أعضاء الفريق في هالدن'].flatMap((kind, place) =>
    Array.from({ length: 31 }, (_, day): readonly Cell[] => [
      kind,
      day,
      1 - Math.exp(-(day + 1) / (3 + 3 * place)),
      40 - day,
    ]),
  );
  return chartSection('by_age', {
    chart: chartOf('lines', { x: 'age_days', y: 'share_reached', series: 'kind', n: 'posts' }),
    columns: { kind: 'text', age_days: 'count', share_reached: 'share', posts: 'count' },
    rows,
  });
}

function daySection(posts: readonly SamplePost[]): ReportSection {
  const days = rollup(posts, emvSum, ({ publishedAt }) => publishedAt.slice(0, 10));
  return chartSection('by_day', {
    chart: chartOf('bars', { x: 'day', y: 'emv' }),
    columns: { day: 'date', emv: 'money' },
    rows: [...days].sort(([a], [b]) => a.localeCompare(b)),
  });
}

function wordSection(posts: readonly SamplePost[]): ReportSection {
  const labels = group(
    posts.flatMap((post) => post.labels.map((label) => ({ label, post }))),
    ({ label }) => label,
  );
  const rows = [...labels].map(([label, members]): readonly Cell[] => {
    const emv = emvSum(members.map(({ post }) => post));
    return [label, emv, emv * 0.8, emv * 0.1];
  });
  return chartSection('by_label', {
    chart: chartOf('bars', {
      x: 'label',
      y: 'emv',
      previous: 'emv_before',
      not_final: 'emv_not_final',
    }),
    columns: { label: 'text', emv: 'money', emv_before: 'money', emv_not_final: 'money' },
    rows: [...rows, ['شبكة هالدن الجديدة للطاقة', 4000, 5000, 0]],
  });
}
