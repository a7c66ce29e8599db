import type { Cell, ReportDocument, ReportSection } from '../../src/report/report-document.ts';
import { chartOf, column, columns, section as sectionOf } from './document-parts.ts';
import { sampleEngagementDocument, titled } from './sample-document.ts';

/** A report that compares groups: quartiles, differences and shares. */
export function comparisonDocument(): ReportDocument {
  return {
    ...sampleEngagementDocument(),
    name: 'comparisons',
    title: 'Comparisons',
    sections: [quartilesSection, labelSection, stackedSection, mixSection],
  };
}

const few = 'No quartiles under 10 posts.';
const pages = 'Not counted for this kind of profile.';
const notCompared = 'Fewer than 10 posts with the label, or without it.';

const quartilesSection = section('by_type', 'By type', {
  finding: 'Documents hold the highest median, 5.2%; articles the lowest, 2.8%',
  description: 'The rate is that of the whole type; p25, p50 and p75 are of the single posts.',
  sortedBy: 'p50',
  chart: chartOf('quartiles', { low: 'p25', middle: 'p50', high: 'p75', value: 'rate' }),
  columns: [
    ...columns({ type: 'text', posts: 'count', rate: 'rate' }),
    ...['p25', 'p50', 'p75'].map((name) => titled(name, name, 'rate', { nullNote: few })),
    titled('change', 'Against 2024', 'change', { nullNote: 'No such posts in 2024.' }),
    titled('trend', 'Jan–Dec', 'trend'),
  ],
  rows: [
    ['Document', 37, 0.061, 0.034, 0.052, 0.069, 0.345, [1, 2, 3, 2, 5, 4, 3, null, 2, 6, 4, 3]],
    ['Poll', 10, 0.033, 0.025, 0.038, 0.048, -0.017, [2, 2, null, null, 3, null, 1, 2, 3, 2, 1, 1]],
    ['Image', 172, 0.046, 0.026, 0.035, 0.051, 0, [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]],
    ['Article', 56, 0.029, 0.02, 0.028, 0.04, null, [3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['Job', 2, 0.011, null, null, null, null, [null, null, 1, null, null, null, null, null, null, null, null, null]], // prettier-ignore
  ],
  total: { label: 'All types', cells: ['All types', 277, 0.042, 0.023, 0.034, 0.05, 0.1, null] },
});

const labelSection = section('by_label', 'By label', {
  finding: 'Posts labelled Event engage 1.25 times as well as those without',
  description: 'Engagement rate with the label and without it. A difference, not a cause.',
  columns: [
    ...columns({ label: 'text', posts: 'count', rate: 'rate' }),
    titled('rate_without', 'Rate without', 'rate', { nullNote: notCompared }),
    titled('lift', 'Lift', 'pp', { nullNote: notCompared, coloredWhere: 'is_clear' }),
    titled('lift_factor', 'Factor', 'factor', { nullNote: notCompared }),
    titled('is_clear', 'Clear difference', 'boolean', { isInHtml: false }),
  ],
  rows: [
    ['Event', 49, 0.0497, 0.0397, 0.01, 1.25, true],
    ['A label whose name nobody could read in one breath, or set on one line', 66, 0.0405, 0.0425, -0.002, 0.95, false], // prettier-ignore
    ['Product', 51, 0.0316, 0.0434, -0.0118, 0.73, true],
    ['Award', 8, 0.055, null, null, null, false],
  ],
});

const stackedSection = section('by_kind', 'Mix', {
  finding: 'Members’ posts are liked, pages’ posts are clicked',
  description: 'Share of each kind of engagement.',
  chart: chartOf('stacked', {
    group: 'kind',
    part: 'interaction',
    value: 'interactions',
    share: 'share',
    rows: 'mix',
  }),
  columns: columns({ kind: 'text', posts: 'count' }),
  rows: [
    ['Pages', 217],
    ['Members', 189],
  ],
});

const mixSection = section('mix', 'Mix, by kind', {
  layout: 'data',
  notes: ['Saves and sends are known of members only.'],
  columns: [
    ...columns({ kind: 'text', interaction: 'text' }),
    column('interactions', 'count', { nullNote: pages }),
    column('share', 'share', { nullNote: pages }),
  ],
  rows: [
    ...mixRows('Pages', [17_210, 1_871, 1_496, 16_836, null, null]),
    ...mixRows('Members', [32_982, 5_759, 2_618, null, 7_329, 3_665]),
  ],
});

function mixRows(kind: string, values: readonly (number | null)[]): Cell[][] {
  const parts = ['Likes', 'Comments', 'Shares', 'Clicks', 'Saves', 'Sends'];
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return values.map((value, index) => [
    kind,
    parts[index] ?? '',
    value,
    value === null ? null : value / total,
  ]);
}

function section(name: string, title: string, more: Partial<ReportSection>): ReportSection {
  return sectionOf([], [], { name, title, description: '', key: [], ...more });
}
