import type { Cell, ReportSection, ReportTable } from '../../report/report-document.ts';
import { sheetValue } from './cell-value.ts';
import { headHeight, type SheetColumn } from './column-layout.ts';
import { linkTarget } from './hyperlink.ts';
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
}

export interface TableRowsOptions {
  readonly columns: readonly SheetColumn[];
  readonly total: ReportSection['total'];
  readonly timezone: string;
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
  const writer = new RowWriter(options);
  sheet.addRow(writer.heads(), { height: headHeight(options.columns) });
  const head = sheet.rows;
  for (const [index, row] of rows.entries()) {
    sheet.addRow(writer.body(row), { height: rowHeight });
    if (index % batchSize === 0) await sheet.drained();
  }
  const last = sheet.rows;
  if (options.total) sheet.addRow(writer.total(options.total), { height: rowHeight });
  return { head, last, withNulls: writer.withNulls };
}

class RowWriter {
  readonly #columns: readonly SheetColumn[];
  readonly #timezone: string;
  readonly withNulls = new Set<number>();
  #links = 0;

  constructor({ columns, timezone }: TableRowsOptions) {
    this.#columns = columns;
    this.#timezone = timezone;
  }

  heads(): SheetCell[] {
    return this.#columns.map(({ head, styles }) => ({ value: head, style: styles.head }));
  }

  body(row: readonly Cell[]): (SheetCell | null)[] {
    return this.#columns.map((column, index) => {
      const cell = row[index] ?? null;
      if (cell === null) {
        this.withNulls.add(index);
        return null;
      }
      return (
        this.#link(cell, column) ?? { value: this.#value(cell, column), style: column.styles.body }
      );
    });
  }

  /** Its label stands first; a cell without a total keeps the rule above it. */
  total({ label, cells }: NonNullable<ReportSection['total']>): SheetCell[] {
    return this.#columns.map((column, index) => {
      const cell = index === 0 ? label : (cells[index] ?? null);
      return { value: this.#value(cell, column), style: column.styles.total };
    });
  }

  #value(cell: Cell, { column }: SheetColumn) {
    return sheetValue(cell, column.format, this.#timezone);
  }

  #link(cell: Cell, { column, styles }: SheetColumn): SheetCell | null {
    if (column.format !== 'url' || typeof cell !== 'string' || this.#links >= maxLinks) return null;
    const hyperlink = linkTarget(cell);
    if (hyperlink === null) return null;
    this.#links += 1;
    return { value: { text: cell, hyperlink }, style: styles.link };
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
