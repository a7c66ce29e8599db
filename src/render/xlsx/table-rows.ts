import type { Cell, ReportSection, ReportTable } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import { headHeight, type SheetColumn } from './column-layout.ts';
import { linkTarget } from './hyperlink.ts';
import type { Line } from './section-columns.ts';
import type { SectionFormulas } from './section-formulas.ts';
import type { SheetCell, StreamingSheet } from './streaming-sheet.ts';
import { WorkbookLimitError } from './workbook-errors.ts';

/** Excel ignores, or repairs, what is beyond. */
const maxLinks = 65_530;
const maxRows = 1_048_576;
const maxColumns = 16_384;
/** Rows between two looks at whether the disk keeps up. */
const batchSize = 100;
const rowHeight = 15;

export interface WrittenTable {
  /** Rows of the sheet, from 1; `last` is the head's own without any row of data. */
  readonly head: number;
  readonly last: number;
  /** Indexes of the columns in which a null stands. */
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
 * @throws WorkbookLimitError when the table is larger than a sheet can be
 */
export async function writeTableRows(
  sheet: StreamingSheet,
  { rows }: Pick<ReportTable, 'rows'>,
  options: TableRowsOptions,
): Promise<WrittenTable> {
  refuseTooLarge(rows.length + sheet.rows, options.columns.length);
  const writer = new RowWriter(options, rows.length);
  sheet.addRow(writer.heads(), { height: headHeight(options.columns) });
  const head = sheet.rows;
  for (const [index, row] of rows.entries()) {
    sheet.addRow(writer.body({ cells: row, row: head + 1 + index }), { height: rowHeight });
    if (index % batchSize === 0) await sheet.drained();
  }
  const last = sheet.rows;
  if (options.total) {
    sheet.addRow(writer.total(options.total, sheet.rows + 1), { height: rowHeight });
  }
  return { head, last, withNulls: writer.withNulls, lastLinked: writer.lastLinked };
}

class RowWriter {
  readonly #options: TableRowsOptions;
  /** Of the column of addresses; -1: there is none. */
  readonly #urls: number;
  readonly withNulls = new Set<number>();
  /** Whether there is room for a second link in each row, on the title. */
  readonly #hasTitleLinks: boolean;
  #links = 0;
  #lastLinked: number | null = null;

  /** @param rows how many there will be */
  constructor(options: TableRowsOptions, rows: number) {
    this.#options = options;
    this.#hasTitleLinks = 2 * rows <= maxLinks;
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

  /** Its label stands first; a cell without a total keeps the rule above it. */
  total({ label, cells }: NonNullable<ReportSection['total']>, row: number): SheetCell[] {
    return this.#options.columns.map((entry, position) => {
      const style = entry.styles.total;
      if (position === 0) return { value: cellText(label), style };
      const formula = this.#options.formulas?.total(entry.column.name, { cells, row });
      return { value: formula ?? this.#value(cells[entry.index] ?? null, entry), style };
    });
  }

  #bodyCell(entry: SheetColumn, line: Line): SheetCell | null {
    const cell = line.cells[entry.index] ?? null;
    if (cell === null) this.withNulls.add(entry.index);
    const formula = this.#options.formulas?.body(entry.column.name, line) ?? null;
    if (formula !== null) return { value: formula, style: entry.styles.body };
    if (cell === null) return null;
    const link = this.#link(cell, entry, line);
    return link ?? { value: this.#value(cell, entry), style: entry.styles.body };
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

function refuseTooLarge(rows: number, columns: number): void {
  // Room for heads, total and notes.
  const isTooLong = rows > maxRows - 100;
  if (!isTooLong && columns <= maxColumns) return;
  throw new WorkbookLimitError(
    `an Excel sheet holds ${maxRows} rows of ${maxColumns} columns, this table has ${rows} of ${columns}; narrow the period or the columns, or take --format csv or parquet`,
  );
}
