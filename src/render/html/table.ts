import { emptyWords, type Cell, type ReportSection } from '../../report/report-document.ts';
import { isNamelessGroup, maxTextCharacters } from './cell.ts';
import { findMarkup } from './find-field.ts';
import { foldedBodies, maxHeldRows, type RowGroup } from './folded-rows.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';
import type { TableColumn } from './table-column.ts';
import { columnClasses, dataCell, headMarkup, tableColumns } from './table-columns.ts';

/** Tables up to here stay on one printed page. */
const maxUnbrokenRows = 12;
/** Longer tables show their first rows and fold the others. */
const maxOpenRows = 100;
const firstRows = 25;

/** Whether a table of so many rows shows but its first ones until it is unfolded. */
export function isFoldedTable(rows: number): boolean {
  return rows > maxOpenRows;
}

/** Every row, then what its unknown values mean. */
export function tableMarkup(section: ReportSection, context: PageContext): Markup {
  const notes = createNullNotes();
  const columns = tableColumns(section, notes, context);
  const { bodies, packed } = bodiesMarkup(section, columns, context);
  const isSearched = columns.some(({ sort }) => sort === 'text');
  return markup`${isSearched && findMarkup(section, hasCutText(section))}<div class="scroll" role="region" tabindex="0" aria-label="Table: ${cleanAttribute(section.title)}"><table class="${tableClasses(columns, section)}">
<caption class="spoken">${section.title}</caption>
<thead><tr>${columns.map(headMarkup)}</tr></thead>
${bodies}${totalMarkup(section, columns)}</table>${packed}</div>
${notes.explanations()}`;
}

function hasCutText({ columns, rows }: ReportSection): boolean {
  const texts = columns.flatMap(({ format, isInHtml }, index) =>
    isInHtml && (format === 'text' || format === 'longtext') ? [index] : [],
  );
  return rows.some((row) => texts.some((index) => String(row[index] ?? '').length > maxTextCharacters)); // prettier-ignore
}

function bodiesMarkup(
  { rows, empty }: ReportSection,
  columns: readonly TableColumn[],
  context: PageContext,
): { readonly bodies: Markup | readonly Markup[]; readonly packed: Markup | null } {
  if (rows.length === 0) {
    const bodies = markup`<tbody>\n<tr><td class="empty" colspan="${columns.length}">${empty ?? emptyWords(context.document)}</td></tr>\n</tbody>\n`;
    return { bodies, packed: null };
  }
  const rowsOf = (from: number, to: number) =>
    rows.slice(from, to).map((row, index) => rowMarkup(row, from + index, columns));
  return foldedBodies(
    groupRows(rows.length, rowsOf, context),
    { columns: columns.length, hasRank: false },
    context,
  );
}

function groupRows(
  count: number,
  rowsOf: (from: number, to: number) => readonly Markup[],
  { formatter }: PageContext,
): RowGroup[] {
  if (!isFoldedTable(count)) return [{ summary: null, rows: rowsOf(0, count) }];
  const words = (rows: number) =>
    `${formatter.format(rows, 'count')} ${rows === 1 ? 'row' : 'rows'} more`;
  const held = Math.min(count, maxHeldRows);
  const beyond = count > held ? [{ summary: words(count - held), rows: [] }] : [];
  return [
    { summary: null, rows: rowsOf(0, firstRows) },
    { summary: words(held - firstRows), rows: rowsOf(firstRows, held) },
    ...beyond,
  ];
}

function tableClasses(columns: readonly TableColumn[], section: ReportSection): string {
  const isShort = section.rows.length <= maxUnbrokenRows;
  return [...(isShort ? ['short'] : []), ...columnClasses(columns, 1)].join(' ');
}

function rowMarkup(
  row: readonly Cell[],
  index: number,
  [first, ...others]: readonly TableColumn[],
): Markup {
  const cells = others.map((column) => dataCell(column, row, index));
  if (!first) return markup`<tr></tr>\n`;
  const content = first.cell(row, index);
  const value = first.value(row);
  const isNameless = isNamelessGroup(first.read(row));
  return markup`<tr><th scope="row"${isNameless && markup` class="plain"`}${value !== null && markup` data-v="${value}"`}>${content}</th>${cells}</tr>\n`;
}

/** The first cell of the total is its label; what cannot be totalled stays empty, not unknown. */
function totalMarkup({ total }: ReportSection, columns: readonly TableColumn[]): Markup | null {
  if (!total) return null;
  const cells = columns.slice(1).map((column) => markup`<td>${column.total(total.cells)}</td>`);
  return markup`<tfoot><tr><th scope="row">${total.label}</th>${cells}</tr></tfoot>\n`;
}
