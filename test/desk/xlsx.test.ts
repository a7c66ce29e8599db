import { execFile } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/report-document.ts';
import { renderTableWorkbook, renderWorkbook } from '../../src/render/xlsx/workbook.ts';
import { fullDocument } from '../render/xlsx/full-document.ts';
import { columns } from '../support/document-parts.ts';
import {
  emptySampleDocument,
  sampleDocument,
  sampleEngagementDocument,
} from '../support/sample-document.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { python } from './support/recalculated-workbook.ts';

const run = promisify(execFile);

interface Sheet {
  readonly title: string;
  readonly filter: string | null;
  readonly rules: readonly string[];
  readonly links: readonly string[];
  /** The ranges of the chart series: heads, categories, values. */
  readonly charts: readonly (readonly string[])[];
  /** Type (n, s, b, d, f), format and text of each cell that is not empty, by address. */
  readonly cells: Readonly<Record<string, readonly [string, string, string]>>;
}

const describeSheets = `
import json, sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
def refs(s):
    numbers = [x.numRef or x.strRef for x in (s.cat, s.xVal) if x] + [x.numRef for x in (s.val, s.yVal) if x]
    return [s.tx.strRef.f] + [x.f for x in numbers]
print(json.dumps([{
    "title": sheet.title,
    "filter": sheet.auto_filter.ref,
    "rules": [rule.type for area in sheet.conditional_formatting for rule in area.rules],
    "links": [c.hyperlink.target or c.hyperlink.location for r in sheet.iter_rows() for c in r if c.hyperlink],
    "charts": [[ref for s in drawn.series for ref in refs(s)] for chart in sheet._charts for drawn in ([chart] + chart._charts[1:])],
    "cells": {c.coordinate: [c.data_type, c.number_format, str(c.value)] for r in sheet.iter_rows() for c in r if c.value is not None},
} for sheet in book.worksheets]))
`;

async function readByPython(path: string): Promise<Sheet[]> {
  // It says of every file with bars that are solid, Excel's own too, that it does not know them.
  const warnings = ['-W', 'error', '-W', 'ignore::UserWarning:openpyxl.worksheet._reader'];
  const { stdout } = await run(python, [...warnings, '-c', describeSheets, path], {
    maxBuffer: 64 * 2 ** 20,
  });
  return JSON.parse(stdout) as Sheet[];
}

async function convert(path: string, filter: string): Promise<string> {
  const folder = dirname(path);
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  await run('soffice', [profile, '--headless', '--convert-to', filter, '--outdir', folder, path]);
  return folder;
}

/** All sheets as CSV, values as LibreOffice keeps them. */
async function convertToCsv(path: string): Promise<Map<string, string>> {
  const folder = await convert(
    path,
    'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1',
  );
  const files = (await readdir(folder)).filter((file) => file.endsWith('.csv'));
  const entries = files.map(async (file): Promise<[string, string]> => [
    file.slice('report-'.length, -'.csv'.length),
    await readFile(join(folder, file), 'utf8'),
  ]);
  return new Map(await Promise.all(entries));
}

async function written(document: ReportDocument): Promise<string> {
  const path = join(await temporaryFolder(), 'report.xlsx');
  await writeFile(path, await renderWorkbook(document));
  return path;
}

function sheetNamed(sheets: readonly Sheet[], title: string): Sheet {
  const sheet = sheets.find((candidate) => candidate.title === title);
  if (!sheet) throw new Error(`no sheet ${title}`);
  return sheet;
}

describe('a workbook in other programs', () => {
  it('opens in openpyxl without a warning, with types and formats', async () => {
    const sheets = await readByPython(await written(sampleDocument()));
    const month = sheetNamed(sheets, 'By month');
    // the filter belongs to the sheet's table
    expect(month).toMatchObject({ filter: null, rules: ['dataBar'] });
    expect(month.cells['A5']).toEqual(['d', 'mmm yyyy', '2025-01-01 00:00:00']);
    expect(month.cells['B5']?.slice(0, 2)).toEqual(['n', '#,##0']);
    expect(month.cells['D5']?.slice(0, 2)).toEqual(['n', '[$€]#,##0']);
    expect(month.cells['F5']?.slice(0, 2)).toEqual(['n', '0.0%']);

    const posts = sheetNamed(sheets, 'Posts');
    const titled = Object.keys(posts.cells).filter((cell) => /^A(?:[5-9]|\d{2,3})$/u.test(cell));
    const rows = titled.filter((cell) => Number(cell.slice(1)) < 5 + 412);
    expect(posts.links).toHaveLength(412 + rows.length);
    expect(posts.cells['D5']).toEqual(['d', 'yyyy-mm-dd hh:mm', '2025-09-17 08:12:00']);
    expect(sheetNamed(sheets, 'About').links).toEqual([
      ...sampleDocument().sections.map((section) => `'${section.title}'!A1`),
      "'Definitions'!A1",
    ]);
    expect(month.cells['B17']).toEqual(['f', '#,##0', '=SUBTOTAL(109,B5:B16)']);
    const types = sheets.flatMap((sheet) => Object.values(sheet.cells).map(([type]) => type));
    expect(new Set(types)).toEqual(new Set(['s', 'n', 'd', 'f']));
  });

  it('opens in openpyxl with a heatmap and without rows', async () => {
    const sheets = await readByPython(await written(sampleEngagementDocument()));
    expect(sheetNamed(sheets, 'Weekday and hour').rules).toEqual(['colorScale']);
    const empty = await readByPython(await written(emptySampleDocument()));
    expect(empty.map(({ title }) => title)).toEqual(['About', 'Summary', 'Definitions']);
  });

  it('has charts and names that openpyxl can read', async () => {
    const { sections, ...document } = fullDocument();
    const named = sections.map((section) => ({ ...section, title: section.name }));
    const sheets = await readByPython(await written({ ...document, sections: named }));
    const charts = (title: string) => sheetNamed(sheets, title).charts;
    expect(charts('by_month')).toEqual([
      ["'by_month'!$C$4", "'by_month'!$A$5:$A$8", "'by_month'!$C$5:$C$8"],
      ["'by_month'!$F$4", "'by_month'!$A$5:$A$8", "'by_month'!$F$5:$F$8"],
    ]);
    expect(charts('by_profile')[0]?.slice(0, 3)).toEqual([
      "'profile_months'!$A$5",
      "'profile_months'!$B$5:$B$8",
      "'profile_months'!$C$5:$C$8",
    ]);
    expect(charts('mix')).toEqual([]);
    const drawn = sheets.filter((sheet) => sheet.charts.length > 0).map(({ title }) => title);
    expect(drawn).toEqual([...['by_month', 'by_type', 'by_profile', 'days', 'stages']]);
  });

  it('keeps hostile text unchanged in LibreOffice and openpyxl', async () => {
    const texts = [
      ...['=1+1', '+49 30', '@a', '-5', '  sides  ', '_x0041_', '007', 'a\n\nb', '"q",<&>', '🧗🏽‍♀️ 𝗕'],
    ];
    const table = { columns: columns({ text: 'longtext' }), rows: texts.map((text) => [text]) };
    const path = join(await temporaryFolder(), 'report.xlsx');
    const options = { title: 'Query', timezone: 'UTC', currency: 'USD', locale: 'en-US' };
    await writeFile(path, await renderTableWorkbook(table, options));

    const [sheet] = await readByPython(path);
    const read = texts.map((_, index) => sheet?.cells[`A${index + 2}`]);
    expect(read).toEqual(texts.map((text) => ['s', 'General', text]));

    const csv = (await convertToCsv(path)).get('Rows') ?? '';
    const quoted = texts.map((text) =>
      /[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
    );
    expect(csv).toBe(`Text\n${quoted.join('\n')}\n`);
  });

  it('prints with the finding first, heads on every page, and page numbers', async () => {
    const path = await written(sampleDocument());
    const folder = await convert(path, 'pdf');
    const { stdout } = await run('pdftotext', ['-layout', join(folder, 'report.pdf'), '-']);
    const pages = stdout.split('\f').slice(0, -1);
    expect(pages[0]).toContain('Your 412 posts earned');
    expect(pages[2]).toMatch(/^\s*September brought the most of the year/u);
    expect(pages[2]).toMatch(/Jan 2025 +38 +477,185 +€13,361 +28\.00 +11\.2% +€2,900\b/u);
    expect(pages[2]).toMatch(/Total +412 +4,007,853 +€119,167 +29\.73 +100\.0% +€92,134\b/u);
    const posts = pages.slice(7, -1);
    expect(posts.length).toBeGreaterThan(1);
    for (const page of posts) expect(page).toMatch(/Title\s+Profile\s+Type/u);
    pages.forEach((page, index) => expect(page).toContain(`Page ${index + 1} of ${pages.length}`));
  });
});
