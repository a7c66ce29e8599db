import { PostledgerError } from '../../core/errors.ts';
import type { Cell, ReportSection, ReportTable } from '../../report/report-document.ts';
import { cellText, linkTarget, shortenTo } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import type { Line } from './formula.ts';
import type { SectionFormulas } from './section-formulas.ts';
import type { SheetCell, SheetWriter } from './sheet-writer.ts';
import { columnStyles, styles } from './styles.ts';
import { type SheetColumn, type TableLayout, headHeight } from './table-layout.ts';
import { columnLetters } from './table-place.ts';

/** Excel ignores, or repairs, what is beyond. */
const maxLinks = 65_530;
const maxColumns = 16_384;
const rowHeight = 15;
/** In characters: what the column of titles shows. */
const maxLeadWords = 48;

export interface WrittenTable {
  /** Rows of the sheet, from 1; `last` is the head's own without any row of data. */
  readonly head: number;
  readonly last: number;
  /** Indexes of the columns with a null. */
  readonly withNulls: ReadonlySet<number>;
  /** The last row of the sheet that has a link; null: no row lacks one for want of room. */
  readonly lastLinked: number | null;
}

export interface TableRowsOptions {
  readonly columns: readonly SheetColumn[];
  readonly total: ReportSection['total'];
  readonly timezone: string;
  /** Null: every cell is as given. */
  readonly formulas: SectionFormulas | null;
  /** The column whose cells link to the address in their row's column of addresses; null: none does. */
  readonly linked: string | null;
}

/**
 * Writes heads, rows and total below what the sheet has already.
 * @throws WorkbookLimitError when the table is wider than a sheet can be
 */
export function writeTableRows(
  sheet: SheetWriter,
  { rows }: Pick<ReportTable, 'rows'>,
  options: TableRowsOptions,
): WrittenTable {
  refuseTooWide(options.columns.length);
  const writer = new RowWriter(options, rows.length);
  sheet.addRow(writer.heads(), { height: headHeight(options.columns) });
  const head = sheet.rows;
  for (const [index, row] of rows.entries()) {
    sheet.addRow(writer.body({ cells: row, row: head + 1 + index }), { height: rowHeight });
  }
  const last = sheet.rows;
  if (options.total) {
    sheet.addRow(writer.total(options.total, sheet.rows + 1), { height: rowHeight });
  }
  return { head, last, withNulls: writer.withNulls, lastLinked: writer.lastLinked };
}

/** Writes the only row of a table as a list: the name of each figure, and the figure beside it. */
export function writeFigureRows(
  sheet: SheetWriter,
  { rows }: Pick<ReportTable, 'rows'>,
  options: TableRowsOptions,
): WrittenTable {
  const writer = new RowWriter(options, 1);
  const { head: left } = columnStyles('text', null);
  const { head: right } = columnStyles('count', null);
  sheet.addRow([
    { value: 'Figure', style: left },
    { value: 'Value', style: right },
  ]);
  const head = sheet.rows;
  const figures = writer.body({ cells: rows[0] ?? [], row: head + 1 });
  figures.forEach((figure, index) => {
    const name = options.columns[index]?.head ?? '';
    sheet.addRow([{ value: name, style: styles.label }, figure], { height: rowHeight });
  });
  const { withNulls, lastLinked } = writer;
  return { head, last: sheet.rows, withNulls, lastLinked };
}

class RowWriter {
  readonly #options: TableRowsOptions;
  /** Of the column of addresses; -1: there is none. */
  readonly #urls: number;
  /** Of the column of whole texts; -1: there is none. */
  readonly #texts: number;
  readonly withNulls = new Set<number>();
  /** Whether there is room for a second link in each row, on the title. */
  readonly #hasTitleLinks: boolean;
  #links = 0;
  #lastLinked: number | null = null;

  /** @param rows how many there will be */
  constructor(options: TableRowsOptions, rows: number) {
    this.#options = options;
    this.#hasTitleLinks = 2 * rows <= maxLinks;
    this.#texts = options.columns.find(({ column }) => column.format === 'longtext')?.index ?? -1;
    this.#urls = options.columns.find(({ column }) => column.format === 'url')?.index ?? -1;
  }

  get lastLinked(): number | null {
    return this.#lastLinked;
  }

  heads(): SheetCell[] {
    return this.#options.columns.map(({ head, styles }) => ({ value: head, style: styles.head }));
  }

  body(line: Line): (SheetCell | null)[] {
    return this.#options.columns.map((entry) => this.#bodyCell(entry, line));
  }

  /** Its label comes first; a cell without a total keeps the rule above it. */
  total({ label, cells }: NonNullable<ReportSection['total']>, row: number): SheetCell[] {
    return this.#options.columns.map((entry, position) => {
      const style = entry.styles.total;
      if (position === 0) return { value: cellText(label), style };
      const formula = this.#options.formulas?.total(entry.column.name, { cells, row });
      return { value: formula ?? this.#value(cells[entry.index] ?? null, entry), style };
    });
  }

  #bodyCell(entry: SheetColumn, line: Line): SheetCell | null {
    const cell = line.cells[entry.index] ?? this.#leadWords(entry, line);
    if (cell === null) this.withNulls.add(entry.index);
    const formula = this.#options.formulas?.body(entry.column.name, line) ?? null;
    if (formula !== null) return { value: formula, style: entry.styles.body };
    if (cell === null) return null;
    const link = this.#link(cell, entry, line);
    return link ?? { value: this.#value(cell, entry), style: entry.styles.body };
  }

  /** A post without a title is known by how its text begins. */
  #leadWords({ column }: SheetColumn, { cells }: Line): string | null {
    if (column.name !== this.#options.linked) return null;
    const text = cells[this.#texts];
    if (typeof text !== 'string') return null;
    const [first = ''] = text.trim().split('\n');
    return first === '' ? null : shortenTo(first, maxLeadWords);
  }

  /** Rows without formulas are data as they are: there an integer that Excel would round is text. */
  #value(cell: Cell, { column }: SheetColumn) {
    if (typeof cell === 'bigint' && this.#options.formulas === null) return String(cell);
    return sheetValue(cell, column.format, this.#options.timezone);
  }

  #link(cell: Cell, { column, styles }: SheetColumn, { cells, row }: Line): SheetCell | null {
    const isTitle = this.#hasTitleLinks && column.name === this.#options.linked;
    if ((column.format !== 'url' && !isTitle) || typeof cell !== 'string') return null;
    if (this.#links >= maxLinks) {
      this.#lastLinked ??= row - 1;
      return null;
    }
    const address = column.format === 'url' ? cell : cells[this.#urls];
    const hyperlink = typeof address === 'string' ? linkTarget(address) : null;
    const text = cellText(cell);
    if (hyperlink === null || text === '') return null;
    this.#links += 1;
    return { value: { text, hyperlink }, style: styles.link };
  }
}

function refuseTooWide(columns: number): void {
  if (columns <= maxColumns) return;
  throw new WorkbookLimitError(
    `an Excel sheet holds ${maxColumns} columns, this table has ${columns}; take fewer columns, or --format csv or parquet`,
  );
}

/** A table that no sheet of Excel can hold. */
export class WorkbookLimitError extends PostledgerError {
  readonly code = 'WORKBOOK_LIMIT';
  readonly recovery = 'fix-input';
}

/** The filter takes heads and rows, not the total: that stays below whatever is hidden. */
export function setRanges(sheet: SheetWriter, table: WrittenTable, layout: TableLayout): void {
  if (layout.columns.length === 0) return;
  const last = columnLetters(layout.columns.length);
  sheet.setFilter(`A${table.head}:${last}${table.last}`);
  if (table.last > table.head) sheet.setPlainCells(`A${table.head + 1}:${last}${table.last + 1}`);
}
