import type { Cell, ReportSection } from '../../report/report-document.ts';
import { isNamelessGroup } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { columnClasses, dataCell, headMarkup, tableColumns } from './table-columns.ts';
import { maxHeldRows, type RowGroup } from './post-folds.ts';
import { countedIndex } from '../shown-table.ts';
import { figureOfRows, rowSumsOf } from '../row-sums.ts';
import { frameMarkup, type TableColumn } from './table-frame.ts';

/** Tables up to here stay on one printed page. */
export const maxUnbrokenRows = 12;
/** Longer tables show their first rows and fold the others. */
const maxOpenRows = 100;
const firstRows = 25;
/** Longer tables that are sorted by a figure show the largest rows, and the others as one. */
const maxRankedRows = 20;
const rankedFirst = 15;
/** The most printed rows of a long table: about half a sheet. */
const maxPrintedRows = 36;

export function tableMarkup(section: ReportSection, context: PageContext): Markup {
  const notes = createNullNotes(context);
  const columns = tableColumns(section, notes, context);
  const isSentences = section.layout === 'sentences';
  const parts = {
    classes: [
      ...(isSentences ? ['sentences'] : []),
      ...(section.rows.length <= maxUnbrokenRows ? ['short'] : []),
      ...columnClasses(columns, 1),
    ],
    heads: columns.map(headMarkup),
    groups: groupRows(section, columns, context),
    row: (index: number) => rowMarkup(section, index, columns, context),
    hasRank: false,
    foot: totalMarkup(section, columns),
    notes,
  };
  return frameMarkup(section, parts, context);
}

function groupRows(
  section: ReportSection,
  columns: readonly TableColumn[],
  context: PageContext,
): RowGroup[] {
  const { rows, sortedBy } = section;
  const more = (n: number) => context.say('{n:count} {n|row|rows} more', { n });
  if (sortedBy !== null && rows.length > maxRankedRows)
    return rankedRows(section, columns, more, context);
  const indexes = [...rows.keys()];
  if (rows.length <= maxPrintedRows) return [{ summary: null, rows: indexes }];
  const rest = indexes.slice(firstRows, maxHeldRows);
  return [
    { summary: null, rows: indexes.slice(0, firstRows) },
    { summary: more(rest.length), rows: rest, isOnScreenOnly: rows.length <= maxOpenRows },
    ...beyondGroup(rows.length - maxHeldRows, more),
  ];
}

/** The line for rows that the page does not hold. */
function beyondGroup(n: number, more: (n: number) => string): RowGroup[] {
  return n > 0 ? [{ summary: more(n), rows: [] }] : [];
}

/** The largest rows, the others folded under one row with their sums, and the posts without a name. */
function rankedRows(
  section: ReportSection,
  columns: readonly TableColumn[],
  more: (n: number) => string,
  context: PageContext,
): RowGroup[] {
  const { rows } = section;
  const isNameless = (index: number) => isNamelessGroup(rows[index]?.[0] ?? null, context);
  const indexes = [...rows.keys()];
  const named = indexes.filter((index) => !isNameless(index));
  const others = named.slice(rankedFirst);
  const n = others.length;
  const sums = figuresTogether(
    section,
    others.map((index) => rows[index] ?? []),
  );
  return [
    { summary: null, rows: named.slice(0, rankedFirst) },
    {
      summary: sums ? context.say('others ({n:count})', { n }) : more(n),
      rows: others.slice(0, maxHeldRows),
      ...(sums && { sums: columns.slice(1).map((column) => column.total(sums)) }),
    },
    ...beyondGroup(n - maxHeldRows, more),
    { summary: null, rows: indexes.filter(isNameless) },
  ].filter(({ summary, rows: own }) => summary !== null || own.length > 0);
}

/**
 * The figures of rows together, one for each column; null where they overlap, as labels do: a post would count more than
 * once.
 */
function figuresTogether(section: ReportSection, rows: ReportSection['rows']): Cell[] | null {
  const sums = rowSumsOf(section);
  if (sums[countedIndex(section)]?.kind !== 'sum') return null;
  return sums.map((sum, index) => figureOfRows(rows, index, sum));
}

function rowMarkup(
  section: ReportSection,
  index: number,
  [first, ...others]: readonly TableColumn[],
  context: PageContext,
): Markup {
  const row = section.rows[index] ?? [];
  const cells = others.map((column) => dataCell(column, row, index));
  if (!first) return markup`<tr></tr>\n`;
  const value = first.value(row);
  const isNameless = isNamelessGroup(first.read(row), context);
  return markup`<tr${postsAttribute(section.rowPosts?.[index], context)}><th scope="row"${isNameless && markup` class="plain"`}${value !== null && markup` data-v="${value}"`}>${first.cell(row, index)}</th>${cells}</tr>\n`;
}

/** The positions of the posts behind a row, to which the script unfolds it; null where the page does not hold all of them. */
function postsAttribute(keys: readonly string[] = [], { posts }: PageContext): Markup | null {
  const positions = keys.flatMap((key) => posts?.positions.get(key) ?? []);
  if (positions.length === 0 || positions.length < keys.length) return null;
  return markup` data-posts="${positions.sort((a, b) => a - b).join(' ')}"`;
}

/** The row of totals. Its first cell is the label; columns without a total stay empty. */
function totalMarkup({ total }: ReportSection, columns: readonly TableColumn[]): Markup | null {
  if (!total) return null;
  const cells = columns.slice(1).map((column) => markup`<td>${column.total(total.cells)}</td>`);
  return markup`<tfoot><tr><th scope="row">${total.label}</th>${cells}</tr></tfoot>\n`;
}
