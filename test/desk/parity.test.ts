import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import {
  createFormatter,
  type Cell,
  type ColumnFormat,
} from '../../src/languages/number-format.ts';
import { writeReport } from '../../src/output/report-files.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import {
  columnIn,
  type ReportDocument,
  type ReportSection,
} from '../../src/report/report-document.ts';
import { allPosts, reportConfigOf } from '../../src/report/report-parameters.ts';
import { openReportSession } from '../../src/report/report-session.ts';
import { sharedBrowser } from '../support/browser-page.ts';
import { csvRows } from './support/csv-rows.ts';
import { madeDemo } from './support/made-demo.ts';
import { pageFigures, type PageFigures } from './support/page-figures.ts';
import { planSheets } from '../../src/render/xlsx/sheet-plan.ts';
import { columnLetters, headRow } from '../../src/render/xlsx/table-address.ts';
import {
  python,
  recalculatedWorkbooks,
  type SheetCells,
  type WorkbookCells,
} from './support/recalculated-workbook.ts';

/**
 * The same figure is the same in HTML, XLSX (computed again), CSV and JSON: for every report there is. And a workbook
 * that a person changes follows.
 */

const definitions = await findReports([builtInReports]);

interface Written {
  readonly document: ReportDocument;
  /** The workbook's cells as LibreOffice computes them. */
  readonly sheets: WorkbookCells;
  readonly page: PageFigures;
}

/** Saves a workbook by the program that changes it, types a CPM into the second file, and hides the first two months of the third one, as a filter does. */
const change = `
import sys, openpyxl
original, typed, filtered = sys.argv[1:]
book = openpyxl.load_workbook(original)
book.save(original)
book["What if"]["B4"] = 45
book.save(typed)
book = openpyxl.load_workbook(original)
for row in (5, 6): book["By month"].row_dimensions[row].hidden = True
book.save(filtered)
`;

let folder: string;
/** The workbook of EMV as that program saves it, with a CPM typed in, and with two months hidden. */
let [original, typed, filtered]: readonly WorkbookCells[] = [{}, {}, {}];
const reports = new Map<string, Written>();

beforeAll(async () => {
  const demo = await madeDemo();
  folder = await mkdtemp(join(tmpdir(), 'postledger-parity-'));
  const documents = await writeReports(demo);
  const names = [...definitions.keys()];
  const paths = [...names, 'original', 'typed', 'filtered'].map((name) =>
    join(folder, `${name}.xlsx`),
  );
  const changed = paths.slice(-3);
  await copyFile(paths[names.indexOf('emv')] ?? '', changed[0] ?? '');
  await promisify(execFile)(python, ['-W', 'ignore', '-c', change, ...changed]);
  const workbooks = await recalculatedWorkbooks(paths, join(folder, 'calculated'));
  [original, typed, filtered] = workbooks.slice(-3);
  const pages = await readPages(names);
  for (const [index, document] of documents.entries()) {
    const [sheets, page] = [workbooks[index], pages[index]];
    if (sheets && page) reports.set(document.name, { document, sheets, page });
  }
}, 400_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function writeReports(demo: string): Promise<ReportDocument[]> {
  const now = new Date();
  const config = await loadConfig({ file: join(demo, 'jobs.yaml'), environment: {}, now });
  // half a year of posts beside the half before it: long lists take most of the time of other programs
  const today = dayOf(now, config.timezone);
  const days = { from: addDays(today, -180), to: addDays(today, -1) };
  const parameters = { ...allPosts, ...days, compare: 'none' as const };
  const session = await openReportSession(reportConfigOf(config, null, now), parameters, {
    folder,
  });
  const formats = ['csv', 'json', 'xlsx', 'html'] as const;
  const documents: ReportDocument[] = [];
  try {
    for (const definition of definitions.values()) {
      const { document } = await writeReport({ session, definition, set: {}, formats, folder });
      documents.push(document);
    }
    return documents;
  } finally {
    session.close();
  }
}

async function readPages(names: readonly string[]): Promise<PageFigures[]> {
  const page = await (await sharedBrowser()).newPage();
  const figures: PageFigures[] = [];
  for (const name of names) {
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    figures.push(await pageFigures(page));
  }
  await page.close();
  return figures;
}

function reportOf(name: string): Written {
  const report = reports.get(name);
  if (!report) throw new Error(`no report ${name}`);
  return report;
}

describe.each([...definitions.keys()])('%s', (name) => {
  test('has the same figures in CSV as in JSON in each section', async () => {
    for (const section of reportOf(name).document.sections) {
      const { rows } = section;
      const [heads, ...fields] = csvRows(await readText(name, `${section.name}.csv`));
      const objects = JSON.parse(await readText(name, `${section.name}.json`)) as Record<
        string,
        unknown
      >[];
      expect(heads).toEqual(section.columns.map((column) => column.name));
      expect([fields.length, objects.length]).toEqual([rows.length, rows.length]);
      const figures = figureColumns(section);
      for (const [index, row] of rows.entries()) {
        const expected = figures.map(({ columnIndex }) => numberOf(row[columnIndex] ?? null));
        expect(
          figures.map(({ columnIndex }) => numberOf(fields[index]?.[columnIndex] ?? null)),
        ).toEqual(expected.map(readable));
        expect(
          figures.map(({ column }) => numberOf((objects[index]?.[column.name] ?? null) as Cell)),
        ).toEqual(expected);
      }
    }
  });

  test('has each figure of each section in the workbook, including totals', () => {
    const { document, sheets } = reportOf(name);
    for (const { section, address: table } of planSheets(document, createFormatter(document))
      .sections) {
      const sheet = sheets[table.sheet] ?? {};
      const rows = [...section.rows, ...(section.total ? [section.total.cells] : [])];
      for (const [columnIndex, column] of section.columns.entries()) {
        const position = table.columns.get(column.name);
        if (position === undefined || !isNumber(section, columnIndex)) continue;
        rows.forEach((row, index) => {
          // the label of the total stands in the first column, which may be a number elsewhere
          if (columnIndex === 0 && row === section.total?.cells) return;
          const address = table.isList
            ? `B${headRow + position}`
            : `${columnLetters(position)}${table.firstRow + index}`;
          const expected = numberOf(row[columnIndex] ?? null);
          const told = `${section.name} ${column.name} ${address}`;
          if (expected === null) expect(sheet[address] ?? '', told).toBe('');
          else
            expectClose(
              inReport(sheet[address], section, columnIndex, row),
              expected,
              told,
              columnIn(column, row).format === 'duration' ? 1e-3 : undefined,
            );
        });
      }
    }
  });

  test('shows each total, summary and card in the page', () => {
    const { document, page } = reportOf(name);
    const formatter = createFormatter(document);
    const shown = document.sections.filter(({ total }) => total !== null);
    if (document.showsCards !== false)
      expect(page.figures.length + page.cards.length).toBeGreaterThan(3);
    for (const section of shown) {
      const table = page.tables.find(({ caption }) => caption === section.title);
      expect(table, section.name).toBeDefined();
      const totals = section.columns.flatMap((column, columnIndex) => {
        const cell = section.total?.cells[columnIndex] ?? null;
        const isPrinted = column.isInHtml && columnIndex > 0 && column.format !== 'trend';
        return isPrinted && cell !== null ? [formatter.format(cell, column.format)] : [];
      });
      expect(plain(table?.total ?? [])).toEqual(expect.arrayContaining(plain(totals)));
    }
    const figures = document.sections
      .filter(({ layout }) => layout === 'figures')
      .flatMap(({ columns, rows }) =>
        columns.flatMap((column, columnIndex) =>
          column.isInHtml
            ? [
                [
                  column.title,
                  formatter.format(rows[0]?.[columnIndex] ?? null, column.format),
                ] as const,
              ]
            : [],
        ),
      );
    expect(page.figures.map(plain)).toEqual(expect.arrayContaining(figures.map(plain)));
    for (const card of document.showsCards === false ? [] : document.cards.slice(0, 6)) {
      const format = card.format === 'cpm' ? 'money_exact' : card.format;
      const text = formatter.format(card.value, format);
      expect(page.cards.map(plain)).toContainEqual(plain([card.label, text]));
    }
  });
});

test('EMV on the sheet What if follows the cell of the CPM, and nothing else in the workbook does', () => {
  const { 'What if': before = {}, ...others } = original ?? {};
  const { 'What if': after = {}, ...othersAfter } = typed ?? {};
  expect(othersAfter).toEqual(others);
  const priced = Object.keys(after).filter(
    (cell) => /^D\d+$/u.test(cell) && after[cell] !== before[cell],
  );
  expect(priced.length).toBeGreaterThan(reportOf('emv').document.whatIf.length * 2);
  for (const cell of priced)
    expect(after[cell], cell).toBeCloseTo((Number(after[cell.replace('D', 'B')]) / 1000) * 45, 6);
});

test('totals are those of the rows that a filter shows, or nothing', () => {
  const { document } = reportOf('emv');
  const plan = planSheets(document, createFormatter(document)).sections;
  const address = plan.find(({ section }) => section.name === 'by_month')?.address;
  const total = address?.totalRow ?? 0;
  expect(total).toBeGreaterThan(8);
  const at = (name: string, row: number) =>
    filtered?.['By month']?.[`${columnLetters(address?.columns.get(name) ?? 0)}${row}`];
  const shown = Array.from({ length: total - 7 }, (_, index) => index + 7);
  const sum = (name: string) => shown.reduce((all, row) => all + Number(at(name, row) ?? 0), 0);
  expect(at('impressions', total)).toBeCloseTo(sum('impressions'), 6);
  expect(at('emv', total)).toBeCloseTo(sum('emv'), 6);
  expect(at('emv_per_post', total)).toBeCloseTo(sum('emv') / sum('posts_with_emv'), 6);
  expect(at('median_emv', total) ?? '').toBe('');
});

async function readText(...path: string[]): Promise<string> {
  return readFile(join(folder, ...path), 'utf8');
}

function figureColumns({ columns, rows }: ReportSection) {
  return columns.flatMap((column, columnIndex) =>
    rows.some((row) => ['number', 'bigint'].includes(typeof row[columnIndex]))
      ? [{ column, columnIndex }]
      : [],
  );
}

function isNumber({ columns, rows, total }: ReportSection, columnIndex: number): boolean {
  const cells = [...rows.map((row) => row[columnIndex]), total?.cells[columnIndex]];
  return columns[columnIndex] !== undefined && cells.some((cell) => typeof cell === 'number');
}

/** The value as the report has it: durations in seconds, points as a fraction. */
function inReport(
  value: SheetCells[string] | undefined,
  { columns }: ReportSection,
  columnIndex: number,
  row: readonly Cell[],
) {
  const number = numberOf(value ?? null);
  if (number === null) return null;
  const scales: Partial<Record<ColumnFormat, number>> = { duration: 86_400, pp: 0.01 };
  const column = columns[columnIndex];
  const format = column && columnIn(column, row).format;
  return number * ((format && scales[format]) ?? 1);
}

/** CSV has 15 significant digits, JSON all of them. */
function readable(value: number | null): number | null {
  return typeof value === 'number' ? Number(value.toPrecision(15)) : value;
}

function numberOf(cell: Cell | undefined): number | null {
  if (cell === null || cell === undefined) return null;
  return typeof cell === 'number' ? cell : Number(cell);
}

/** Arrows stand for signs in the page. */
function plain<Texts extends readonly string[]>(texts: Texts): string[] {
  return texts.map((text) => text.replace(/[▲▼+−\s]/gu, ''));
}

/** LibreOffice writes fifteen digits; what reads them here knows durations to the millisecond. */
function expectClose(value: number | null, expected: number, told: string, least = 1e-12): void {
  const allowed = Math.max(Math.abs(expected) * 1e-9, least);
  expect(value, told).not.toBeNull();
  expect(
    Math.abs((value ?? 0) - expected),
    `${told}: ${value} for ${expected}`,
  ).toBeLessThanOrEqual(allowed);
}
