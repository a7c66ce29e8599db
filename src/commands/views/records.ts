import { terminalWidth, wrapTerminal } from '../../core/terminal-text.ts';
import { plainTable, type PaintedCell } from '../plain-table.ts';
import { addressField, fieldLines, textField, type Field } from './fields.ts';
import { colorsOf, indented, indentLines, nothing, type ViewPlace } from './view-place.ts';

type RecordCell = string | PaintedCell;

export interface Records {
  /** The first names the record. */
  readonly heads: readonly string[];
  /** Harmless texts. */
  readonly rows: readonly (readonly RecordCell[])[];
}

/** A table where it fits as a whole, else a block of lines for each record: nothing is cut off. */
export function recordLines(records: Records, place: ViewPlace): string[] {
  return isTableFitting(records, place) ? tableLines(records, place) : blockLines(records, place);
}

export function isTableFitting({ heads, rows }: Records, { width }: ViewPlace): boolean {
  if (width === null) return true;
  const lines = plainTable(heads, rows, { width: Infinity, hasColor: false }).split('\n');
  return lines.every((line) => terminalWidth(line) <= width);
}

function tableLines({ heads, rows }: Records, { width, hasColor }: ViewPlace): string[] {
  return plainTable(heads, rows, { width, hasColor }).split('\n');
}

function blockLines({ heads, rows }: Records, place: ViewPlace): string[] {
  const { bold } = colorsOf(place);
  return rows.flatMap(([title = nothing, ...cells], index) => {
    const fields = cells.flatMap((cell, column) => blockField(heads[column + 1] ?? '', cell));
    return [
      ...(index === 0 ? [] : ['']),
      ...wrapTerminal(textOf(title), place.width).map(bold),
      ...indentLines(fieldLines(fields, indented(place, 2)), 2),
    ];
  });
}

/** What is not there needs no line of its own. */
function blockField(name: string, cell: RecordCell): Field[] {
  const text = textOf(cell);
  if (text === nothing) return [];
  if (/^https?:\/\/\S+$/iu.test(text)) return [addressField(name, text)];
  return [textField(name, text, typeof cell === 'string' ? String : cell.paint)];
}

function textOf(cell: RecordCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
