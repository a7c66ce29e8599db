import { renderTerminalTable, type Paint } from '../render/terminal-table.ts';
import type { ReportColumn } from '../report/report-document.ts';
import type { Output } from './context.ts';
import { terminalWidth, wrapTerminal } from '../core/terminal-width.ts';
import {
  colorsOf,
  fieldLines,
  indented,
  indentLines,
  nothing,
  type Field,
  type ViewPlace,
} from './view.ts';

/** A cell of a table, and its colour where the output has colours. */
export interface PaintedCell {
  readonly text: string;
  readonly paint: Paint;
}

/** A command's own rows as a table: columns that hold nothing but numbers are figures. */
export function plainTable(
  heads: readonly string[],
  rows: readonly (readonly (string | number | PaintedCell)[])[],
  { width, hasColor }: Pick<Output, 'width' | 'hasColor'>,
): string {
  const columns = heads.map((title, index): ReportColumn => {
    const isFigure = rows.every((row) => typeof row[index] === 'number');
    return {
      name: title,
      title,
      format: isFigure ? 'count' : 'text',
      nullNote: null,
      isInHtml: true,
      isPrimary: index === 0,
      calculation: null,
    };
  });
  const words = { locale: 'en-US', currency: 'USD', timezone: 'UTC' };
  const cellColor = (row: number, column: number): Paint => {
    const cell = rows[row]?.[column];
    return typeof cell === 'object' ? cell.paint : String;
  };
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'object' ? cell.text : cell)));
  return renderTerminalTable(
    { columns, rows: texts },
    { width, color: hasColor, cellColor, ...words },
  );
}

type RecordCell = string | PaintedCell;

export interface Records {
  /** The first names the record. */
  readonly heads: readonly string[];
  /** Harmless texts. */
  readonly rows: readonly (readonly RecordCell[])[];
}

/** A table where it fits as a whole, else a block of lines for each record: nothing is cut off. */
export function recordLines(records: Records, place: ViewPlace): string[] {
  if (!isTableFitting(records, place)) return blockLines(records, place);
  return plainTable(records.heads, records.rows, place).split('\n');
}

export function isTableFitting({ heads, rows }: Records, { width }: ViewPlace): boolean {
  if (width === null) return true;
  const lines = plainTable(heads, rows, { width: Infinity, hasColor: false }).split('\n');
  return lines.every((line) => terminalWidth(line) <= width);
}

function blockLines({ heads, rows }: Records, place: ViewPlace): string[] {
  const { bold } = colorsOf(place);
  return rows.flatMap(([title = nothing, ...cells], index) => {
    const fields = cells.flatMap((cell, column) => blockField(heads[column + 1] ?? '', cell));
    return [
      ...(index === 0 ? [] : ['']),
      ...wrapTerminal(cellText(title), place.width).map(bold),
      ...indentLines(fieldLines(fields, indented(place, 2)), 2),
    ];
  });
}

/** A missing value needs no line of its own. */
function blockField(name: string, cell: RecordCell): Field[] {
  const text = cellText(cell);
  if (text === nothing) return [];
  const isAddress = /^https?:\/\/\S+$/iu.test(text);
  return [{ name, text, isAddress, ...(typeof cell === 'object' && { paint: cell.paint }) }];
}

function cellText(cell: RecordCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
