import type { Cell, ReportSection } from '../../report/report-document.ts';
import { isNamelessGroup, maxTextCharacters } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { columnClasses, dataCell, headMarkup, tableColumns } from './table-columns.ts';
import { sumOfRows } from './others-row.ts';
import { frameMarkup, maxHeldRows, type RowGroup, type TableColumn } from './table-frame.ts';

/** Tables up to here stay on one printed page. */
const maxUnbrokenRows = 12;
/** Longer tables show their first rows and fold the others. */
const maxOpenRows = 100;
const firstRows = 25;
/** Longer tables that are sorted by a figure show the largest rows, and the others as one. */
const maxRankedRows = 20;
const rankedFirst = 15;
/** The most printed rows of a long table: about half a sheet. */
const maxPrintedRows = 36;

/** The table with all rows, and the notes on unknown values. */
export function tableMarkup(section: ReportSection, context: PageContext): Markup {
  const notes = createNullNotes(context);
  const columns = tableColumns(section, notes, context);
  const isShort = section.rows.length <= maxUnbrokenRows;
  const parts = {
    classes: [...(isShort ? ['short'] : []), ...columnClasses(columns, 1)],
    heads: columns.map(headMarkup),
    groups: groupRows(section, columns, context),
    hasRank: false,
    isCut: hasCutText(section),
    foot: totalMarkup(section, columns),
  };
  return markup`${frameMarkup(section, parts, context)}${notes.explanations()}`;
}

function hasCutText({ columns, rows }: ReportSection): boolean {
  return columns.some(({ format, isInHtml }, index) => {
    const isText = isInHtml && (format === 'text' || format === 'longtext');
    return isText && rows.some((row) => String(row[index] ?? '').length > maxTextCharacters);
  });
}

/** The places of the section's rows in the order in which the table has them, folded ones included. */
export function drawnOrder(section: ReportSection, context: PageContext): readonly number[] {
  const places = [...section.rows.keys()];
  if (!isRanked(section)) return places;
  const isLast = (place: number) => isNamelessGroup(section.rows[place]?.[0] ?? null, context);
  return [...places.filter((place) => !isLast(place)), ...places.filter(isLast)];
}

function isRanked({ rows, sortedBy }: ReportSection): boolean {
  return sortedBy !== null && rows.length > maxRankedRows;
}

function groupRows(
  section: ReportSection,
  columns: readonly TableColumn[],
  context: PageContext,
): RowGroup[] {
  const { rows } = section;
  const draw = (row: readonly Cell[], index: number) => rowMarkup(row, index, columns, context);
  if (isRanked(section)) return rankedRows(section, columns, context);
  const held = rows.slice(0, maxHeldRows);
  const drawn = held.map(draw);
  if (rows.length <= maxPrintedRows) return [{ summary: null, rows: drawn }];
  const words = (n: number) => context.say('{n:count} {n|row|rows} more', { n });
  const beyond = rows.length - drawn.length;
  const isOnScreenOnly = rows.length <= maxOpenRows;
  const rest = drawn.slice(firstRows);
  return [
    { summary: null, rows: drawn.slice(0, firstRows) },
    { summary: words(rest.length), rows: rest, isOnScreenOnly },
    ...(beyond > 0 ? [{ summary: words(beyond), rows: [] }] : []),
  ];
}

/** The largest rows, the others folded under one row with their sums, and the posts without a name. */
function rankedRows(
  section: ReportSection,
  columns: readonly TableColumn[],
  context: PageContext,
): RowGroup[] {
  const { rows } = section;
  const draw = (row: readonly Cell[], index: number) => rowMarkup(row, index, columns, context);
  const isNameless = (row: readonly Cell[]) => isNamelessGroup(row[0] ?? null, context);
  const named = rows.filter((row) => !isNameless(row));
  const others = named.slice(rankedFirst);
  const sums = sumOfRows(section, others);
  const n = others.length;
  return [
    { summary: null, rows: named.slice(0, rankedFirst).map(draw) },
    {
      summary: sums
        ? context.say('others ({n:count})', { n })
        : context.say('{n:count} {n|row|rows} more', { n }),
      rows: others.slice(0, maxHeldRows).map(draw),
      ...(sums && { sums: columns.slice(1).map((column) => column.total(sums)) }),
    },
    { summary: null, rows: rows.filter(isNameless).map(draw) },
  ].filter((group) => group.rows.length > 0);
}

function rowMarkup(
  row: readonly Cell[],
  index: number,
  [first, ...others]: readonly TableColumn[],
  context: PageContext,
): Markup {
  const cells = others.map((column) => dataCell(column, row, index));
  if (!first) return markup`<tr></tr>\n`;
  const value = first.value(row);
  const isNameless = isNamelessGroup(first.read(row), context);
  return markup`<tr><th scope="row"${isNameless && markup` class="plain"`}${value !== null && markup` data-v="${value}"`}>${first.cell(row, index)}</th>${cells}</tr>\n`;
}

/** The row of totals. Its first cell is the label; columns without a total stay empty. */
function totalMarkup({ total }: ReportSection, columns: readonly TableColumn[]): Markup | null {
  if (!total) return null;
  const cells = columns.slice(1).map((column) => markup`<td>${column.total(total.cells)}</td>`);
  return markup`<tfoot><tr><th scope="row">${total.label}</th>${cells}</tr></tfoot>\n`;
}
