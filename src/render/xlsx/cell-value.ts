import { tzOffset } from '@date-fns/tz';
import type { Cell, ColumnFormat } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';

/** A value for the writer of the workbook; null leaves the cell out. */
export type SheetValue = string | number | boolean | Date | null;

/** The first day that Excel counts correctly: it has a 29 February 1900. */
const firstInstant = Date.UTC(1900, 2, 1);
const endOfTime = Date.UTC(10_000, 0, 1);

/**
 * A cell with its type in Excel. Durations become days, and points in per cent become points; times become the local
 * time of `timezone`, since Excel has no zones. Days before March 1900 stay text. Integers beyond 2^53 are numbers, so
 * that formulas can use them, though Excel keeps only 15 of their digits.
 */
export function sheetValue(cell: Cell, format: ColumnFormat, timezone: string): SheetValue {
  if (cell === null || typeof cell === 'boolean') return cell;
  if (typeof cell === 'string') return textValue(cell, format, timezone);
  if (typeof cell === 'number') return numberValue(cell, format);
  if (typeof cell === 'bigint') return numberValue(Number(cell), format);
  return cellText(cell.join(', '));
}

function numberValue(cell: number, format: ColumnFormat): SheetValue {
  if (!Number.isFinite(cell)) return String(cell);
  if (format === 'duration') return cell / 86_400;
  // Excel keeps 15 digits; the last digits of a product are rounding errors.
  if (format === 'pp') return Number((cell * 100).toPrecision(15));
  return cell;
}

function textValue(cell: string, format: ColumnFormat, timezone: string): SheetValue {
  if (format === 'month' || format === 'quarter' || format === 'date')
    return dateValue(Date.parse(cell)) ?? cellText(cell);
  if (format === 'datetime') return zonedValue(cell, timezone) ?? cellText(cell);
  return cellText(cell);
}

function zonedValue(cell: string, timezone: string): Date | null {
  const instant = new Date(cell);
  if (Number.isNaN(instant.getTime())) return null;
  return dateValue(instant.getTime() + tzOffset(timezone, instant) * 60_000);
}

function dateValue(ms: number): Date | null {
  // Spreadsheets round what they show, and would show 23:59:59.999 as the next day.
  const second = Math.floor(ms / 1000) * 1000;
  return second >= firstInstant && second < endOfTime ? new Date(second) : null;
}

export function sheetFigure(cell: Cell, format: ColumnFormat): number | null {
  if (typeof cell === 'number' || typeof cell === 'bigint') {
    const value = sheetValue(cell, format, 'UTC');
    return typeof value === 'number' ? value : null;
  }
  return null;
}

/** The factor between the figure of the report and that of its cell. */
export function unitScale(format: ColumnFormat): number {
  if (format === 'duration') return 1 / 86_400;
  return format === 'pp' ? 100 : 1;
}
