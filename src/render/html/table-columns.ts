import { max } from 'd3-array';
import { isFigureFormat } from '../../languages/number-format.ts';
import {
  type Cell,
  cellIn,
  type ReportColumn,
  type ReportSection,
} from '../../report/report-document.ts';
import { type CellScope, cellMarkup, sortKind, sortValue } from './cell.ts';
import { figureOf } from '../document-head.ts';
import { markup, type Markup } from './markup.ts';
import type { NullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { emptyReason, isKept } from '../shown-table.ts';
import { quartileColumn } from './quartile-column.ts';
import type { TableColumn } from './table-frame.ts';

/** Tables with more columns are set closer. */
const maxRoomyColumns = 7;
/** Tables with more columns are set smaller, too. */
const maxFullSizeColumns = 10;

/** The columns of a section that the page shows, in order, and the column that its chart adds. */
export function tableColumns(
  section: ReportSection,
  notes: NullNotes,
  context: PageContext,
): TableColumn[] {
  const drawn = quartileColumn(section, context);
  return section.columns.flatMap((column, index) => {
    const scope = { context, notes, largestShare: largestShare(section, index) };
    const isShown = column.isInHtml && (column.format !== 'trend' || hasTrend(section, index));
    const own = isShown ? [sectionColumn(section, { column, index }, scope)] : [];
    return drawn?.before === index ? [drawn.column, ...own] : own;
  });
}

/** One of the section's own columns; posts take theirs from here too. */
export function sectionColumn(
  section: ReportSection,
  { column, index }: { readonly column: ReportColumn; readonly index: number },
  scope: CellScope,
): TableColumn {
  const { columns, sortedBy } = section;
  const at = (row: readonly Cell[]) => row[index] ?? null;
  const isPrimary = isKept(section, index);
  const colored = columns.findIndex(({ name }) => name === column.coloredWhere);
  const scopeOf = (row: readonly Cell[]) => ({
    ...scope,
    isColored: row[colored] === true,
  });
  return {
    title: column.title,
    sort: sortKind(column),
    isText: !isFigureFormat(column.format) && column.format !== 'trend',
    isPrimary,
    isKey: column.name === sortedBy,
    isDrawn: scope.largestShare > 0 || column.format === 'trend',
    read: at,
    cell: (row) => {
      const { column: own, cell } = cellIn(column, row, index);
      const nullNote = emptyReason(section, row, index, scope.context);
      return cellMarkup(cell, { ...own, nullNote, isPrimary }, scopeOf(row));
    },
    value: (row) => sortValue(at(row), column),
    total: (cells) => {
      const { column: own, cell } = cellIn(column, cells, index);
      return cell === null ? null : cellMarkup(cell, own, { ...scope, largestShare: 0 });
    },
  };
}

/**
 * The classes that name columns by number (`t2` words, `k4` key figure, `m5` may hide, `d6` drawn), so that cells
 * need none.
 */
export function columnClasses(columns: readonly TableColumn[], firstNumber: number): string[] {
  const count = columns.length + firstNumber - 1;
  const classes = columns.flatMap(({ isText, isKey, isPrimary, isDrawn }, index) => {
    const number = index + firstNumber;
    return [
      ...(isText ? [`t${number}`] : []),
      ...(isKey ? [`k${number}`] : []),
      ...(isPrimary || number === 1 ? [] : [`m${number}`]),
      ...(isDrawn ? [`d${number}`] : []),
    ];
  });
  return [
    ...(count > maxRoomyColumns ? ['dense'] : []),
    ...(count > maxFullSizeColumns ? ['small'] : []),
    ...classes,
  ];
}

export function headMarkup({ title, sort, isKey }: TableColumn): Markup {
  const order = isKey && markup` aria-sort="descending"`;
  return markup`<th scope="col"${sort !== null && markup` data-sort="${sort}"`}${order}>${title}</th>`;
}

/** A cell of a row whose head is in another column. */
export function dataCell(column: TableColumn, row: readonly Cell[], index: number): Markup {
  const value = column.value(row);
  return markup`<td${value !== null && markup` data-v="${value}"`}>${column.cell(row, index)}</td>`;
}

function largestShare({ rows, columns }: ReportSection, index: number): number {
  if (columns[index]?.format !== 'share') return 0;
  return max(rows, (row) => figureOf(row[index] ?? null) ?? 0) ?? 0;
}

/** A line needs two values: a period of one month has none. */
function hasTrend({ rows }: ReportSection, index: number): boolean {
  const known = (cell: Cell) =>
    Array.isArray(cell) && cell.filter((value) => value !== null).length > 1;
  return rows.some((row) => known(row[index] ?? null));
}
