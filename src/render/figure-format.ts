import type { ColumnFormat } from '../report/report-document.ts';

const figureFormats: ReadonlySet<ColumnFormat> = new Set([
  'count',
  'decimal',
  'money',
  'money_exact',
  'cpm',
  'rate',
  'share',
  'duration',
  'factor',
  'pp',
  'change',
]);

/** Figures are right-aligned, everything else left-aligned: dates, weekdays and hours too. */
export function isFigureFormat(format: ColumnFormat): boolean {
  return figureFormats.has(format);
}
