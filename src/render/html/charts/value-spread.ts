import { mean, median } from 'd3-array';
import type { ReportTable } from '../../../report/report-document.ts';
import type { PageContext } from '../page-context.ts';
import { type ChartColumn, numberIn } from './chart-column.ts';

/** The values of a column, and which of them a logarithmic axis can have. */
export interface ValueSpread {
  /** Above 0, ascending. */
  readonly positive: readonly number[];
  readonly zeros: number;
  readonly negatives: number;
  readonly unknown: number;
  /** Of all known values, those without a place on the axis too; null where they are too few to have one. */
  readonly median: number | null;
  readonly mean: number;
}

/** Half of fewer values than these says nothing of the rest. */
const leastForMedian = 10;

/** Null when no value is above 0. */
export function valueSpread(table: ReportTable, column: ChartColumn): ValueSpread | null {
  const values = table.rows.map((row) => numberIn(row, column));
  const known = values.filter((value) => value !== null);
  const positive = known.filter((value) => value > 0).sort((a, b) => a - b);
  if (positive.length === 0) return null;
  return {
    positive,
    zeros: known.filter((value) => value === 0).length,
    negatives: known.filter((value) => value < 0).length,
    unknown: values.length - known.length,
    median: known.length < leastForMedian ? null : (median(known) ?? null),
    mean: mean(known) ?? 0,
  };
}

/** What the axis leaves out, and why. */
export function spreadNotes(
  { zeros, negatives, unknown, median }: ValueSpread,
  { formatter }: PageContext,
): string[] {
  const count = (values: number) => formatter.format(values, 'count');
  const off = [
    ...(zeros > 0 ? [`${count(zeros)} ${zeros === 1 ? 'value is' : 'values are'} 0`] : []),
    ...(negatives > 0 ? [`${count(negatives)} ${negatives === 1 ? 'is' : 'are'} below 0`] : []),
  ];
  const notes = [
    ...(off.length > 0 ? [`${off.join(' and ')}: a logarithmic axis has no place for them; ${median === null ? 'the mean counts' : 'median and mean count'} them.`] : []), // prettier-ignore
    ...(median === null ? [`Fewer than ${leastForMedian} values: too few for a median.`] : []),
    ...(unknown > 0 ? [`${count(unknown)} without a value ${unknown === 1 ? 'is' : 'are'} not drawn.`] : []), // prettier-ignore
  ];
  return notes.map((note) => note.replace(/^./u, (letter) => letter.toUpperCase()));
}
