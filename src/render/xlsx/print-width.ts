import { terminalWidth } from '../../core/terminal-text.ts';
import { columnLetters } from './cell-address.ts';
import { chartCharacters } from './chart-place.ts';
import { type TableLayout, tableWidth } from './column-layout.ts';
import { charactersPerPage } from './page.ts';

/** Half the size: smaller letters are illegible on paper. */
const leastScale = 0.5;
/** Of a letter of the finding, and of the line below it, beside that of a cell. */
const textScales = [1.5, 0.9] as const;
/** Of a column that nothing is set for. */
const usualWidth = 9;

/** The columns up to the last that the page shows too: what comes after is for formulas and programs. */
function shownColumns({ columns }: TableLayout): number {
  return columns.findLastIndex(({ column }) => column.isInHtml) + 1;
}

/**
 * The last column that is printed, from 1: of what the page shows too, and as far as the texts above the table and
 * the chart below it reach.
 * @param texts the finding, and the line below it
 */
export function printedColumns(
  layout: TableLayout,
  { texts, hasChart }: { texts: readonly [string, string]; hasChart: boolean },
): number {
  const lengths = textScales.map((scale, line) => scale * terminalWidth(texts[line] ?? ''));
  const reach = Math.max(...lengths, hasChart ? chartCharacters : 0);
  const needed = Math.min(charactersPerPage, reach);
  let last = Math.max(1, shownColumns(layout));
  let width = tableWidth(layout.columns.slice(0, last));
  while (width < needed) {
    width += layout.columns[last]?.width ?? usualWidth;
    last += 1;
  }
  return last;
}

/**
 * A page across as a rule; where its letters would be illegible more of them, each with the columns that say what a
 * row is.
 */
export function pagesAcross(layout: TableLayout): { pages: number; keyColumns: string } {
  const { columns, frozen } = layout;
  const printed = columns.slice(0, shownColumns(layout));
  const room = charactersPerPage / leastScale;
  const keyColumns = columnLetters(Math.max(1, frozen));
  if (tableWidth(printed) <= room) return { pages: 1, keyColumns };
  const first = tableWidth(printed.slice(0, frozen));
  return { pages: Math.ceil((tableWidth(printed) - first) / (room - first)), keyColumns };
}
