import type { Cell, ColumnFormat, ReportSection } from '../../report/report-document.ts';
import { sheetFigure, unitScale } from './cell-value.ts';
import { columnLetters, columnRange, type TableAddress } from './table-address.ts';

export interface SheetFormula {
  /** The formula without the equals sign. */
  readonly formula: string;
  /** The cached value, which programs that compute nothing show; an empty text shows nothing. */
  readonly result: number | string;
}

interface TotalledColumn {
  readonly format: ColumnFormat;
  /** The total in the units of its cell. */
  readonly total: number;
  /** Set when the total is the sum of the rows; with labels that overlap, or medians, it is not. */
  readonly isSum: boolean;
  /** The cells of the rows, for example `C5:C16`, and the cell of the total. */
  readonly range: string;
  readonly cell: string;
}

/**
 * The formulas in a section's row of totals, by column, so that the totals follow the filter of the table: sums and
 * ratios of sums are those of the rows that it shows, and a total that no rows add up to shows nothing.
 */
export function totalFormulas(
  section: ReportSection,
  address: TableAddress,
): ReadonlyMap<string, SheetFormula> {
  const totals = totalledColumns(section, address);
  const labels = columnRange(1, address.firstRow, address.lastRow);
  const formulaOf = (name: string, column: TotalledColumn): string =>
    column.isSum
      ? `SUBTOTAL(109,${column.range})`
      : (ratioOfTotals(section, name, totals) ??
        `IF(SUBTOTAL(103,${labels})=COUNTA(${labels}),${numberText(column.total)},"")`);
  return new Map(
    [...totals].map(([name, column]) => [
      name,
      { formula: formulaOf(name, column), result: column.total },
    ]),
  );
}

function totalledColumns(
  { columns, rows, total }: ReportSection,
  { columns: positions, firstRow, lastRow, totalRow }: TableAddress,
): Map<string, TotalledColumn> {
  const found = new Map<string, TotalledColumn>();
  for (const [index, { name, format, calculation }] of columns.entries()) {
    const position = positions.get(name);
    const figureOf = (cells: readonly Cell[]) => sheetFigure(cells[index] ?? null, format);
    const figure = total && figureOf(total.cells);
    if (figure === null || position === undefined || rows.length === 0) continue;
    const figures = rows.map(figureOf).filter((value) => value !== null);
    const sum = figures.reduce((all, value) => all + value, 0);
    const canAdd = additiveFormats.has(format) && figures.length > 0;
    found.set(name, {
      format,
      total: figure,
      isSum:
        canAdd && !['ratio', 'change'].includes(calculation?.kind ?? '') && agrees(sum, figure),
      range: columnRange(position, firstRow, lastRow),
      cell: `${columnLetters(position)}${totalRow}`,
    });
  }
  return found;
}

/** The formats that can be added up; rates, factors and points cannot, even if the sum of a single row agrees. */
const additiveFormats: ReadonlySet<ColumnFormat> = new Set([
  'count',
  'money',
  'money_exact',
  'duration',
  'share',
]);

/**
 * The quotient of two sums if it gives the figure of the report, otherwise null: the sums behind some rates leave out
 * posts that the columns count.
 */
function ratioOfTotals(
  { columns }: ReportSection,
  name: string,
  totals: ReadonlyMap<string, TotalledColumn>,
): string | null {
  const calculation = columns.find((column) => column.name === name)?.calculation ?? null;
  if (calculation === null || calculation.kind === 'share') return null;
  const isChange = calculation.kind === 'change';
  const own = totals.get(name);
  const over = totals.get(calculation.of);
  const under = totals.get(isChange ? calculation.from : calculation.to);
  if (!own || !over?.isSum || !under?.isSum) return null;
  const times = isChange ? 1 : calculation.times * unitScale(own.format);
  const factor = (times * unitScale(under.format)) / unitScale(over.format);
  const less = isChange ? 1 : 0;
  if (!agrees((over.total / under.total) * factor - less, own.total)) return null;
  return `IFERROR(${over.cell}/${under.cell}${factorText(factor)}${isChange ? '-1' : ''},"")`;
}

/** The text that multiplies an expression by `factor`: `*1000`, `/86400`, or nothing. */
function factorText(factor: number): string {
  if (factor === 1) return '';
  const divisor = Math.round(1 / factor);
  return agrees(divisor * factor, 1) ? `/${divisor}` : `*${numberText(factor)}`;
}

/** A number as formulas write it: with a dot and an upper-case exponent. */
function numberText(value: number): string {
  return String(value).toUpperCase();
}

/** Tells whether two figures are equal except for the last digits, which depend on the order of a sum. */
function agrees(computed: number, given: number): boolean {
  if (!Number.isFinite(computed)) return false;
  return Math.abs(computed - given) <= 1e-9 * Math.max(Math.abs(computed), Math.abs(given));
}
