import type { Cell, ReportDocument } from '../../../src/report/report-document.ts';
import {
  card,
  chartOf,
  column,
  columns,
  documentOf,
  section,
} from '../../support/document-parts.ts';

const months = ['2025-01-01', '2025-02-01', '2025-03-01', '2025-04-01'];
const profiles = ['Anna', 'Halden "Grid" & Söhne', 'Tomasz'];
const cpm = 30;
const priced = (impressions: number) => (impressions / 1000) * cpm;

const impressions = column('impressions', 'count');
const emv = column('emv', 'money');
const previous = column('previous_emv', 'money');
const share = column('emv_share', 'share', { calculation: { kind: 'share', of: 'emv' } });
const effective = column('effective_cpm', 'cpm', {
  calculation: { kind: 'ratio', of: 'emv', to: 'impressions', times: 1000 },
});
const change = column('change', 'change', {
  calculation: { kind: 'change', of: 'emv', from: 'previous_emv' },
});

const monthSection = section(
  [
    column('month', 'month'),
    impressions,
    emv,
    effective,
    share,
    previous,
    change,
    column('trend', 'trend'),
  ],
  months.map((month, index): Cell[] => {
    const shown = 1000 * (index + 1);
    const before = index === 0 ? null : 60;
    const change = before === null ? null : priced(shown) / before - 1;
    return [month, shown, priced(shown), cpm, priced(shown) / 300, before, change, [1, null, 2]];
  }),
  {
    name: 'by_month',
    finding: 'April brought the most',
    total: { label: 'Total', cells: ['Total', 10_000, 300, cpm, 1, 180, null, null] },
    chart: chartOf('bars', { x: 'month', y: 'emv', previous: 'previous_emv' }),
  },
);

/** The labels overlap: both have the same 2,000 impressions. */
const typeSection = section(
  [
    ...[column('type', 'text'), impressions, emv, share],
    ...columns({ low: 'rate', middle: 'rate', high: 'rate', rate: 'rate' }),
  ],
  [
    ['Video', 7000, 210, 0.7, 0.01, 0.02, 0.04, 0.02],
    ['Image', 5000, 150, 0.5, 0.02, 0.03, 0.05, 0.03],
  ],
  {
    name: 'by_type',
    total: { label: 'All, each post once', cells: [null, 10_000, 300, 1, null, null, null, 0.025] },
    chart: chartOf('quartiles', { low: 'low', middle: 'middle', high: 'high', value: 'rate' }),
  },
);

const profileSection = section(
  [column('profile', 'text'), impressions, emv],
  profiles.map((profile, index) => [profile, 1000 * (index + 1), priced(1000 * (index + 1))]),
  {
    name: 'by_profile',
    notes: [
      'A long note about what was left out of these figures, and why that is so in this case.',
    ],
    chart: chartOf('multiples', { facet: 'profile', x: 'month', y: 'emv', rows: 'profile_months' }),
  },
);

const profileMonths = section(
  columns({ profile: 'text', month: 'month', emv: 'money' }),
  profiles.flatMap((profile, at) =>
    months.map((month, index) => [profile, month, index === 2 ? null : at + index]),
  ),
  { name: 'profile_months', layout: 'data', key: ['profile', 'month'] },
);

/** Each series has its own days. */
const daySection = section(
  columns({ campaign: 'text', day: 'date', emv: 'money' }),
  [
    ['Spring', '2025-03-01', 1],
    ['Spring', '2025-03-05', 4],
    ['Autumn', '2025-09-01', 2],
    ['Autumn', null, 9],
    ['Autumn', '2025-09-20', 3],
  ],
  {
    name: 'days',
    chart: chartOf('lines', { x: 'day', y: 'emv', series: 'campaign', steps: true }),
  },
);

const mixSection = section(
  columns({ kind: 'text', part: 'text', number: 'count', share: 'share' }),
  [
    ['Pages', 'Likes', 60, 0.6],
    ['Pages', 'Clicks', 40, 0.4],
    ['Members', 'Likes', 9, 1],
    ['Members', 'Clicks', null, null],
  ],
  {
    name: 'mix',
    key: ['kind', 'part'],
    chart: chartOf('stacked', { group: 'kind', part: 'part', value: 'number', share: 'share' }),
  },
);

const stageSection = section(
  columns({ name: 'text', value: 'decimal' }),
  [
    ['Impressions', 9000],
    ['Views', 800],
    ['Viewers', null],
  ],
  { name: 'stages', chart: chartOf('bars', { x: 'name', y: 'value' }) },
);

const heatSection = section(
  columns({ hour: 'hour', posts: 'count', rate: 'rate' }),
  [
    [7, 6, 0.02],
    [8, 4, 0.3],
    [9, 9, 0.1],
  ],
  {
    name: 'hours',
    chart: chartOf('heatmap', {
      row: 'hour',
      column: 'hour',
      value: 'rate',
      n: 'posts',
      minimum: 5,
    }),
  },
);

const summarySection = section([impressions, emv, effective, previous], [[10_000, 300, cpm, 150]], {
  name: 'summary',
  layout: 'figures',
  key: [],
});

/** A document with each kind of chart, of total and of calculation, and a sheet What if. */
export function fullDocument(changes: Partial<ReportDocument> = {}): ReportDocument {
  const sections = [
    ...[monthSection, typeSection, profileSection, profileMonths, daySection, mixSection],
    ...[stageSection, heatSection, summarySection],
  ];
  return documentOf(sections, {
    whatIf: ['by_month', 'by_profile'],
    prices: {
      cells: [{ metric: 'impressions', title: 'Impressions', per: 1000, price: cpm }],
      periods: [],
    },
    cards: [
      card('EMV', 'money', 300, 150, {
        cell: { section: 'summary', column: 'emv' },
        previousCell: { section: 'summary', column: 'previous_emv' },
      }),
      card('Rate', 'rate', 0.05, 0.042, { note: 'not final' }),
    ],
    brand: { name: 'Fjord & Pine', logo: null, color: '#0b5fa5', productMark: true },
    coverage: ['10 posts'],
    definitions: [{ term: 'EMV', text: 'Impressions ÷ 1,000 × CPM.' }],
    ...changes,
  });
}
