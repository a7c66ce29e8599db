import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { createFormatter } from '../../src/languages/number-format.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import type { ReportDocument } from '../../src/report/report-document.ts';
import { allPosts, reportConfigOf } from '../../src/report/report-parameters.ts';
import { openReportSession } from '../../src/report/report-session.ts';
import { planSheets } from '../../src/render/xlsx/sheet-plan.ts';
import { writeWorkbook } from '../../src/render/xlsx/workbook.ts';
import { madeDemo } from './support/made-demo.ts';
import { recalculatedWorkbooks, type WorkbookCells } from './support/recalculated-workbook.ts';

const run = promisify(execFile);
const python = '/usr/bin/python3';

/** Saves a workbook by the program that changes it, types a CPM into the second file, and hides the first two months of the third one, as a filter does. */
const change = `
import sys, openpyxl
original, typed, filtered, month = sys.argv[1:]
book = openpyxl.load_workbook(original)
book.save(original)
book["What if"]["B4"] = 45
book.save(typed)
book = openpyxl.load_workbook(original)
for row in (5, 6): book[month].row_dimensions[row].hidden = True
book.save(filtered)
`;

let folder: string;
let document: ReportDocument;
let [original, typed, filtered]: readonly WorkbookCells[] = [{}, {}, {}];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postledger-input-'));
  const now = new Date();
  const config = await loadConfig({
    file: join(await madeDemo(), 'jobs.yaml'),
    environment: {},
    now,
  });
  const period = { ...allPosts, from: '2026-01-01', to: '2026-06-30' } as const;
  const session = await openReportSession(reportConfigOf(config, null, now), period, { folder });
  const definition = (await findReports([builtInReports])).get('emv');
  if (!definition) throw new Error('no report emv');
  document = await buildReport(session, definition);
  session.close();
  const paths = ['original', 'typed', 'filtered'].map((name) => join(folder, `${name}.xlsx`));
  await writeWorkbook(document, paths[0] ?? '');
  await run(python, ['-W', 'ignore', '-c', change, ...paths, 'By month']);
  [original, typed, filtered] = await recalculatedWorkbooks(paths, folder);
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

it('EMV on the sheet What if follows the cell of the CPM, and nothing else in the workbook does', () => {
  const { 'What if': before = {}, ...others } = original ?? {};
  const { 'What if': after = {}, ...othersAfter } = typed ?? {};
  expect(othersAfter).toEqual(others);
  const priced = Object.keys(after).filter(
    (cell) => /^D\d+$/u.test(cell) && after[cell] !== before[cell],
  );
  expect(priced.length).toBeGreaterThan(document.whatIf.length * 2);
  for (const cell of priced)
    expect(after[cell], cell).toBeCloseTo((Number(after[cell.replace('D', 'B')]) / 1000) * 45, 6);
});

it('totals are those of the rows that a filter shows, or nothing', () => {
  const plan = planSheets(document, createFormatter(document)).sections;
  const place = plan.find(({ section }) => section.name === 'by_month')?.place;
  const sheet = filtered?.['By month'] ?? {};
  const at = (name: string, row: number | null) =>
    sheet[`${String.fromCharCode(64 + (place?.columns.get(name) ?? 0))}${row}`];
  const months = Array.from({ length: 4 }, (_, index) => index + 7);
  const sum = (name: string) => months.reduce((all, row) => all + Number(at(name, row) ?? 0), 0);
  const total = place?.totalRow ?? null;
  expect(total).toBe(11);
  expect(at('impressions', total)).toBeCloseTo(sum('impressions'), 6);
  expect(at('emv', total)).toBeCloseTo(sum('emv'), 6);
  expect(at('emv_per_post', total)).toBeCloseTo(sum('emv') / sum('posts_with_emv'), 6);
  expect(at('median_emv', total) ?? '').toBe('');
});
