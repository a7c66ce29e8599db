import type { Cell, ColumnFormat } from '../../report/report-document.ts';
import { sheetValue } from './cell-value.ts';

/** The number that a cell of the workbook holds; null where it holds none. */
export function sheetFigure(cell: Cell, format: ColumnFormat): number | null {
  if (typeof cell === 'number' || typeof cell === 'bigint') {
    const value = sheetValue(cell, format, 'UTC');
    return typeof value === 'number' ? value : null;
  }
  return null;
}

/** Formats whose cells hold not the report's figure but so many times it. */
const scales: Partial<Record<ColumnFormat, { readonly per?: number; readonly times?: number }>> = {
  duration: { per: 86_400 },
  pp: { times: 100 },
};

export interface Factor {
  /** What follows an expression: `*1000`, `/86400`, or nothing. */
  readonly text: string;
  readonly value: number;
}

/**
 * What a calculation on cells is multiplied by, so that its result stands in the units of its own cell.
 * @param over formats of the terms above the line @param under below it @param times the calculation's own
 */
export function unitFactor(
  result: ColumnFormat,
  { over, under, times }: { over: ColumnFormat[]; under: ColumnFormat[]; times: number },
): Factor {
  const up = [result, ...under].map((format) => scales[format] ?? {});
  const down = over.map((format) => scales[format] ?? {});
  const above = product([
    ...up.map(({ times: t = 1 }) => t),
    ...down.map(({ per: p = 1 }) => p),
    times,
  ]);
  const below = product([...up.map(({ per: p = 1 }) => p), ...down.map(({ times: t = 1 }) => t)]);
  return factorOf(above, below);
}

function factorOf(above: number, below: number): Factor {
  const value = above / below;
  if (value === 1) return { text: '', value };
  const isDivision = below > above && Number.isInteger(below / above);
  return { text: isDivision ? `/${below / above}` : `*${value}`.toUpperCase(), value };
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all * each, 1);
}
