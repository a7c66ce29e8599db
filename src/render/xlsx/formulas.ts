import type { ReportSection } from '../../report/report-document.ts';
import { rowSumsOf } from '../row-sums.ts';
import { sheetFigure, unitScale } from './cell-value.ts';
import { columnLetters, columnRange, type TableAddress } from './table-address.ts';

export interface SheetFormula {
  /** The formula without the equals sign. */
  readonly formula: string;
  /** The cached value, which programs that compute nothing show; an empty text shows nothing. */
  readonly result: number | string;
}

/**
 * The formulas in a section's row of totals, by column, so that the totals follow the filter of the table: sums and
 * ratios of sums are those of the rows that it shows, and a total that no rows add up to shows nothing.
 */
export function totalFormulas(
  section: ReportSection,
  { columns: positions, firstRow, lastRow, totalRow }: TableAddress,
): ReadonlyMap<string, SheetFormula> {
  const { columns, rows, total } = section;
  const labels = columnRange(1, firstRow, lastRow);
  const sums = rowSumsOf(section);
  const positionOf = (index: number) => positions.get(columns[index]?.name ?? '');
  const cellOf = (index: number) => {
    const position = positionOf(index);
    return position === undefined ? null : `${columnLetters(position)}${totalRow}`;
  };
  const scaleOf = (index: number) => unitScale(columns[index]?.format ?? 'text');
  const ratioOfTotals = (index: number): string | null => {
    const sum = sums[index];
    if (sum?.kind !== 'ratio' || !sum.isOfAllRows) return null;
    const { over, under, times, less } = sum;
    const [of, to] = [cellOf(over), cellOf(under)];
    if (of === null || to === null) return null;
    const own = scaleOf(index);
    const factor = (times * own * scaleOf(under)) / scaleOf(over);
    return `IFERROR(${of}/${to}${factorText(factor)}${less === 0 ? '' : `-${own}`},"")`;
  };
  const formulas = new Map<string, SheetFormula>();
  for (const [index, { name, format }] of columns.entries()) {
    const position = positionOf(index);
    const result = total && sheetFigure(total.cells[index] ?? null, format);
    if (result === null || position === undefined || rows.length === 0) continue;
    const formula =
      sums[index]?.kind === 'sum'
        ? `SUBTOTAL(109,${columnRange(position, firstRow, lastRow)})`
        : (ratioOfTotals(index) ??
          `IF(SUBTOTAL(103,${labels})=COUNTA(${labels}),${numberText(result)},"")`);
    formulas.set(name, { formula, result });
  }
  return formulas;
}

/** The text that multiplies an expression by `factor`: `*1000`, `/86400`, or nothing. */
function factorText(factor: number): string {
  if (factor === 1) return '';
  const divisor = Math.round(1 / factor);
  return Math.abs(divisor * factor - 1) <= 1e-9 ? `/${divisor}` : `*${numberText(factor)}`;
}

/** A number as formulas write it: with a dot and an upper-case exponent. */
function numberText(value: number): string {
  return String(value).toUpperCase();
}
