import { terminalLine } from '../core/terminal-text.ts';
import { wrapTerminal } from '../core/terminal-width.ts';
import { plural, thousands } from '../core/wording.ts';
import {
  drawTable,
  isTableFitting,
  minWordWidth,
  ranks,
  type Paint,
  type Terminal,
  type TerminalColumn,
} from '../render/terminal-columns.ts';
import { printResult, type Output } from './context.ts';
import { colorsOf, fieldLines, indented, indentLines, nothing, type Colors } from './view.ts';

/** The rows of one kind that a command shows, and the columns in which people read them. */
export interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Said where there are no rows. */
  readonly empty?: string;
  /**
   * What a terminal shows that is too narrow for the table. A table of figures has texts cut and columns left out, so
   * that its rows can still be compared. Rows with texts that are needed whole become blocks of lines, each under its
   * first cell.
   */
  readonly ifTooWide?: 'fewer columns' | 'blocks';
}

/**
 * A head, and the figure or the text of a row; texts may come from elsewhere. A column of nothing but numbers is one of
 * figures.
 */
export type Column<Row> = readonly [
  head: string,
  cell: (row: Row) => string | number | null | undefined,
  look?: ColumnLook<Row>,
];

interface ColumnLook<Row> {
  /** True for figures that are texts. */
  readonly isFigure?: boolean;
  /** The width to which its texts may be cut, where they are not needed whole. */
  readonly minWidth?: number;
  /** True if another column says the same. */
  readonly isRepeated?: boolean;
  /** True if a text is shown only in the first of successive rows that have it. */
  readonly isGroup?: boolean;
  readonly paint?: (row: Row, colors: Colors) => Paint;
}

/** Prints a list: as JSON for `--json`, else as people read it. */
export function printListing<Row>(
  output: Output,
  options: { readonly json?: true | undefined },
  list: Listing<Row>,
  json: readonly unknown[] = list.rows,
): void {
  printResult(output, options, json, () => `${listing(list, output)}\n`);
}

/** Returns a list as people read it, without a line feed at the end. */
export function listing<Row>(list: Listing<Row>, terminal: Terminal): string {
  const { rows, columns, empty, ifTooWide } = list;
  if (rows.length === 0 && empty !== undefined) return empty;
  const isWhole = ifTooWide === 'blocks';
  const drawn = columns.map((column, index) => {
    const { minWidth, ...texts } = columnTexts(column, rows, terminal);
    const leastWidth = minWidth ?? (isWhole ? Infinity : minWordWidth);
    return { ...texts, minWidth: leastWidth, ...(index === 0 && { rank: ranks.key }) };
  });
  if (isWhole && !isTableFitting(drawn, terminal))
    return rows.map((_, row) => rowBlock(drawn, row, terminal)).join('\n\n');
  return drawTable(
    drawn,
    terminal,
    (missing) => `${plural(missing.length, 'more column')}: ${missing.join(', ')}`,
  );
}

function columnTexts<Row>(
  [head, cell, { isFigure, isGroup, isRepeated, minWidth, paint } = {}]: Column<Row>,
  rows: readonly Row[],
  terminal: Terminal,
) {
  const values = rows.map(cell);
  const texts = values.map(cellText);
  const isEmpty = rows.length > 0 && values.every((value) => !value);
  return {
    head,
    cells: isGroup ? texts.map((text, row) => (text === texts[row - 1] ? '' : text)) : texts,
    isFigure: isFigure ?? values.every((value) => typeof value === 'number'),
    minWidth,
    rank: isRepeated ? ranks.repeated : isEmpty ? ranks.empty : ranks.other,
    ...(paint && { paint: (row: number) => paint(rows[row] as Row, colorsOf(terminal)) }),
  };
}

function cellText(value: string | number | null | undefined): string {
  if (typeof value === 'number') return thousands(value);
  return terminalLine(value ?? '') || nothing;
}

/** A missing value needs no line of its own. */
function rowBlock(
  [title, ...columns]: readonly TerminalColumn[],
  row: number,
  terminal: Terminal,
): string {
  const fields = columns.flatMap(({ head, cells, paint }) => {
    const text = cells[row] ?? nothing;
    return text === nothing ? [] : [{ name: head, text, ...(paint && { paint: paint(row) }) }];
  });
  return [
    ...wrapTerminal(title?.cells[row] ?? nothing, terminal.width).map(colorsOf(terminal).bold),
    ...indentLines(fieldLines(fields, indented(terminal, 2)), 2),
  ].join('\n');
}
