import type { ColumnFormat, ReportSection } from '../../report/report-document.ts';
import { agrees } from './formula.ts';
import type { Term } from './section-columns.ts';

/** What can be added up at all; rates, factors and points cannot, even where a single row would agree. */
const additiveFormats: ReadonlySet<ColumnFormat> = new Set([
  'count',
  'money',
  'money_exact',
  'duration',
  'share',
]);

/** What SUM, MAX and COUNT make of a column: empty cells and texts count for nothing. */
export function columnFigures(
  { rows }: ReportSection,
  term: Term,
): { sum: number; largest: number; count: number } {
  let sum = 0;
  let largest = -Infinity;
  let count = 0;
  for (const cells of rows) {
    const figure = term.figure({ cells, row: 0 });
    if (figure === null) continue;
    sum += figure;
    largest = Math.max(largest, figure);
    count += 1;
  }
  return { sum, largest: count === 0 ? 0 : largest, count };
}

/** Whether the rows add up to the total: labels overlap, and medians are not added. */
export function addsUp(section: ReportSection, term: Term): boolean {
  if (section.total === null || !additiveFormats.has(term.column.format)) return false;
  const total = term.figure({ cells: section.total.cells, row: 0 });
  const { sum, count } = columnFigures(section, term);
  return total !== null && count > 0 && agrees(sum, total);
}
