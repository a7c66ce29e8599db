import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import type { ReportDocument, ReportSection } from '../../../src/report/report-document.ts';
import { renderWorkbook } from '../../../src/render/xlsx/workbook.ts';
import { documentOf } from '../../support/document-parts.ts';
import { zipEntries } from './zip-entries.ts';

/** A workbook as a library reads it, and its parts. */
export interface ReadWorkbook {
  readonly book: ExcelJS.Workbook;
  readonly parts: ReadonlyMap<string, string>;
}

/** Writes the document and reads it back with a parser that refuses malformed XML. */
export async function roundTrip(document: ReportDocument): Promise<ReadWorkbook> {
  const folder = await mkdtemp(join(tmpdir(), 'postledger-'));
  try {
    const path = join(folder, 'report.xlsx');
    await writeFile(path, await renderWorkbook(document));
    return await readWorkbook(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function readWorkbook(path: string): Promise<ReadWorkbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(path);
  return { book, parts: await zipEntries(path) };
}

/** The sheet of the only section of a document. */
export async function sectionSheet(
  only: ReportSection,
  changes: Partial<ReportDocument> = {},
): Promise<{ sheet: ExcelJS.Worksheet; xml: string }> {
  const { book, parts } = await roundTrip(documentOf([only], changes));
  const [, sheet] = book.worksheets;
  if (!sheet) throw new Error('the section has no sheet');
  return { sheet, xml: partOf(parts, 'xl/worksheets/sheet2.xml') };
}

export function sheetOf(book: ExcelJS.Workbook, name: string): ExcelJS.Worksheet {
  const sheet = book.getWorksheet(name);
  if (!sheet) throw new Error(`no sheet ${name}`);
  return sheet;
}

export function partOf(parts: ReadonlyMap<string, string>, name: string): string {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`no part ${name}`);
  return part;
}

/** The only table of a sheet, as exceljs reads it. */
export function tableOf(sheet: ExcelJS.Worksheet): {
  readonly name: string;
  readonly tableRef: string;
  readonly autoFilterRef?: string;
  readonly columns: readonly { readonly name: string }[];
} {
  const [found] = Object.values((sheet as unknown as { tables: Record<string, object> }).tables);
  if (!found) throw new Error(`no table on ${sheet.name}`);
  return (found as { model: ReturnType<typeof tableOf> }).model;
}

/** The values of a row from column 1 on; null for an empty cell. */
export function rowValues(sheet: ExcelJS.Worksheet, row: number): unknown[] {
  return Array.from(
    { length: sheet.columnCount },
    (_, index) => sheet.getRow(row).getCell(index + 1).value,
  );
}
