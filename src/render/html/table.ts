import { max } from 'd3-array';
import type { Cell, ReportColumn, ReportSection } from '../../report/report-document.ts';
import { type CellScope, cellMarkup, isTextColumn, sortKind, sortValue } from './cell.ts';
import { figureOf } from './change.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes } from './null-notes.ts';
import { emptyWords, type PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';

/** Groups of what has no campaign or label, or no person: not names, so not set as such. */
const namelessGroups: readonly Cell[] = ['(none)', '(automatic)'];
/** Tables up to here stay on one printed page. */
const maxUnbrokenRows = 12;
/** With more columns than these, a table is set smaller and closer. */
const maxRoomyColumns = 9;

/** A column that the page shows, with its place in the section's rows. */
interface ShownColumn extends ReportColumn {
  readonly index: number;
}

/** Every row, then what its unknown values mean. */
export function tableMarkup(section: ReportSection, context: PageContext): Markup {
  const notes = createNullNotes();
  const columns = section.columns.flatMap((column, index) =>
    column.isInHtml ? [{ ...column, index }] : [],
  );
  const scopes = columns.map((column) => ({ context, notes, largestShare: largestShare(section, column) })); // prettier-ignore
  const rowOf = (cells: readonly Cell[]) => rowMarkup(cells, columns, scopes);
  const body =
    section.rows.length > 0
      ? section.rows.map(rowOf)
      : markup`<tr><td class="empty" colspan="${columns.length}">${emptyWords(context.document)}</td></tr>\n`;
  return markup`<div class="scroll" role="group" aria-label="Table: ${cleanAttribute(section.title)}"><table class="${tableClasses(columns, section)}">
<caption class="spoken">${section.title}</caption>
<thead><tr>${columns.map((column) => headMarkup(column, section))}</tr></thead>
<tbody>
${body}</tbody>
${totalMarkup(section, columns, scopes)}</table></div>
${notes.explanations()}`;
}

/** Classes name columns by place (`t2` words, `k4` key figure, `m5` may hide), so that cells need none. */
export function columnClasses(
  columns: readonly ReportColumn[],
  sortedBy: string | null,
  firstPlace: number,
): string[] {
  const isDense = columns.length + firstPlace > maxRoomyColumns;
  const places = columns.flatMap((column, index) => {
    const place = index + firstPlace;
    return [
      ...(isTextColumn(column) ? [`t${place}`] : []),
      ...(column.name === sortedBy ? [`k${place}`] : []),
      ...(column.isPrimary || place === 1 ? [] : [`m${place}`]),
    ];
  });
  return isDense ? ['dense', ...places] : places;
}

export function headMarkup(column: ReportColumn, { sortedBy }: ReportSection): Markup {
  const order = column.name === sortedBy && markup` aria-sort="descending"`;
  return markup`<th scope="col" data-sort="${sortKind(column)}"${order}>${column.title}</th>`;
}

function tableClasses(columns: readonly ShownColumn[], section: ReportSection): string {
  const isShort = section.rows.length <= maxUnbrokenRows;
  return [...(isShort ? ['short'] : []), ...columnClasses(columns, section.sortedBy, 1)].join(' ');
}

function rowMarkup(
  cells: readonly Cell[],
  columns: readonly ShownColumn[],
  scopes: readonly CellScope[],
): Markup {
  const shown = columns.map((column, place) => {
    const cell = cells[column.index] ?? null;
    const scope = scopes[place];
    const content = scope ? cellMarkup(cell, column, scope) : '';
    const value = sortValue(cell, column);
    const sort = value !== null && markup` data-v="${value}"`;
    if (place > 0) return markup`<td${sort}>${content}</td>`;
    return markup`<th scope="row"${namelessGroups.includes(cell) && markup` class="plain"`}${sort}>${content}</th>`;
  });
  return markup`<tr>${shown}</tr>\n`;
}

/** The first cell of the total is its label; what cannot be totalled stays empty, not unknown. */
function totalMarkup(
  { total }: ReportSection,
  columns: readonly ShownColumn[],
  scopes: readonly CellScope[],
): Markup | null {
  if (!total) return null;
  const cells = columns.slice(1).map((column, index) => {
    const cell = total.cells[column.index] ?? null;
    const scope = scopes[index + 1];
    return markup`<td>${cell !== null && scope ? cellMarkup(cell, column, { ...scope, largestShare: 0 }) : null}</td>`;
  });
  return markup`<tfoot><tr><th scope="row">${total.label}</th>${cells}</tr></tfoot>\n`;
}

function largestShare({ rows }: ReportSection, { format, index }: ShownColumn): number {
  return format === 'share' ? (max(rows, (row) => figureOf(row[index] ?? null) ?? 0) ?? 0) : 0;
}
