import { expect } from 'vitest';
import type { Cell } from '../../../src/languages/number-format.ts';
import type { ReportDocument, ReportSection } from '../../../src/report/report-document.ts';

/** A row of a section, by column. */
export type Row = Readonly<Record<string, Cell>>;

/** The rows of a document's section in their order. */
export function rowsOf(document: ReportDocument, name: string): Row[] {
  const { columns, rows, exactRows = rows } = sectionOf(document, name);
  // words as they are in the data
  const cellOf = (at: number, index: number) => {
    const [cell = null, exact = null] = [rows[at]?.[index], exactRows[at]?.[index]];
    return typeof cell === 'string' ? exact : cell;
  };
  return rows.map((_row, at) =>
    Object.fromEntries(columns.map(({ name: column }, index) => [column, cellOf(at, index)])),
  );
}

export function sectionOf(document: ReportDocument, name: string): ReportSection {
  const section = document.sections.find((one) => one.name === name);
  if (section === undefined) throw new Error(`no section ${name}`);
  return section;
}

/** Holds a section against rows in their order, in the columns that these have; numbers to 9 digits. */
export function expectRows(document: ReportDocument, name: string, wanted: readonly Row[]): void {
  const columns = Object.keys(wanted[0] ?? {});
  const found = rowsOf(document, name).map((row) =>
    Object.fromEntries(columns.map((column) => [column, rounded(row[column])])),
  );
  expect(found, name).toEqual(
    wanted.map((row) =>
      Object.fromEntries(columns.map((column) => [column, rounded(row[column])])),
    ),
  );
}

/** A number to 9 digits. */
export function rounded(cell: Cell | undefined): unknown {
  if (Array.isArray(cell)) return cell.map((one: Cell) => rounded(one));
  if (typeof cell === 'bigint') return Number(cell);
  // a little more than it is: a half between two of nine digits falls one way, however it was summed
  return typeof cell === 'number' ? Number((cell * (1 + 1e-12)).toPrecision(9)) : cell;
}
