import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cell, ChartSpec, ColumnFormat } from '../../../../src/report/report-document.ts';
import { drawnSection, svgTexts } from '../../../support/drawn-section.ts';
import { chartOf, chartSection } from '../../../support/document-parts.ts';

const charts: readonly ChartSpec[] = [
  chartOf('bars', { x: 'x', y: 'y', previous: 'previous', not_final: 'young' }),
  chartOf('lines', { x: 'x', y: 'y', series: 'word', n: 'n', previous: 'previous' }),
  chartOf('lines', { x: 'x', y: 'y', steps: true, previous: 'previous' }),
  chartOf('multiples', { facet: 'word', x: 'x', y: 'y', previous: 'previous' }),
  chartOf('stacked', { group: 'used', part: 'word', value: 'n', share: 'y' }),
  chartOf('calendar', { row: 'word', x: 'x', to: 'x', part: 'used', level: 'n' }),
];

const figure: fc.Arbitrary<Cell> = fc.oneof(
  fc.constantFrom<Cell>(...[null, 0, 1, -1, NaN, Infinity, -Infinity], 10n ** 20n),
  fc.constantFrom(1e308, -1e308, 5e-324),
  fc.integer({ min: -1000, max: 100_000 }),
  fc.double(),
);
const word: fc.Arbitrary<Cell> = fc.oneof(
  fc.constantFrom<Cell>(null, '', '(none)', '"><script>alert(1)</script>'),
  fc.constantFrom('\u202ereversed', 'شبكة'),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);
const instant = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const xValues = {
  month: fc.oneof(
    fc.constantFrom<Cell>(null, '2025-13-01', 'soon'),
    fc
      .tuple(fc.integer({ min: 1900, max: 2100 }), fc.integer({ min: 1, max: 12 }))
      .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}-01`),
  ),
  date: fc.oneof(
    fc.constantFrom<Cell>(null, '2025-02-30', ''),
    instant.map((time) => time.slice(0, 10)),
  ),
  datetime: fc.oneof(fc.constantFrom<Cell>(null, 'never'), instant),
  count: figure,
  text: word,
} satisfies Partial<Record<ColumnFormat, fc.Arbitrary<Cell>>>;

/** The columns of rows of {@link charts}, by the format of what is across and up. */
const columnsOf = (x: ColumnFormat, y: ColumnFormat) =>
  ({ x, y, previous: y, young: y, word: 'text', n: 'count', used: 'boolean' }) as const;

const formats = ['count', 'money', 'money_exact', 'rate', 'duration', 'change', 'factor'] as const;

test.each(charts.map((chart, index) => [`${chart.kind} ${index}`, chart] as const))(
  '%s of whatever rows has only numbers as coordinates, one picture for each width, and no foreign markup',
  (_, chart) => {
    const rows = fc
      .constantFrom(...(Object.keys(xValues) as (keyof typeof xValues)[]))
      .chain((x) => {
        const row = fc.tuple(xValues[x], figure, figure, figure, word, figure, fc.boolean());
        const y = fc.constantFrom(...formats);
        return fc.record({ x: fc.constant(x), y, rows: fc.array(row, { maxLength: 40 }) });
      });
    const isDrawn = fc.property(rows, ({ x, y, rows: cells }) => {
      const parts = { chart, columns: columnsOf(x, y), rows: cells };
      const drawn = drawnSection(chartSection('any', parts));
      if (drawn.figure === '') return;
      expect(drawn.figure).not.toMatch(/(?:NaN|Infinity|undefined|null)[ "HVMhvl,)]/u);
      expect(drawn.figure).not.toContain('<script');
      expect(drawn.figure.match(/role="img"/gu)).toHaveLength(2);
      for (const { x: left, y: top } of svgTexts(drawn.wide)) {
        expect(Number.isFinite(left) && Number.isFinite(top)).toBe(true);
      }
    });
    fc.assert(isDrawn, { numRuns: 150 });
  },
);

const many = Array.from({ length: 50_000 }, (_, index): Cell[] => [
  index,
  (index % 977) - 20,
  (index % 31) * 9,
  1,
  `word ${index % 3000}`,
  index,
  index === 7,
]);

test.each(charts.filter(({ kind }) => kind !== 'lines'))(
  '$kind of fifty thousand rows stays small',
  (chart) => {
    const parts = { chart, columns: columnsOf('count', 'count'), rows: many };
    expect(drawnSection(chartSection('many', parts)).figure.length).toBeLessThan(150_000);
  },
);
