import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type ExcelJS from 'exceljs';
import type { ReportDocument } from '../../src/report/report-document.ts';
import { renderHtml } from '../../src/render/html/render-html.ts';
import { renderJson } from '../../src/render/json.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import { generatedRows, generatePosts } from '../report/support/generated-rows.ts';
import { openSessionOn } from '../report/support/open-session.ts';
import { roundTrip } from '../render/xlsx/read-workbook.ts';

const golden = join(import.meta.dirname, '..', 'golden', 'german');

let document: ReportDocument;

beforeAll(async () => {
  const definition = (await findReports([builtInReports])).get('emv');
  if (!definition) throw new Error('no report emv');
  const period = { from: '2025-10-01', to: '2025-12-31' } as const;
  const style = { locale: 'de-DE', language: 'de', cpmBand: { low: 20, high: 45 } };
  const session = await openSessionOn(generatedRows(generatePosts(40, 3)), period, style);
  const built = await buildReport(session, definition);
  document = { ...built, stamp: { ...built.stamp, sqlHash: 'aus dem SQL' } };
});

test('a page in German says everything in German', async () => {
  const page = renderHtml(document, { logo: null, formats: ['csv', 'xlsx'] });
  expect(page).toContain('<html lang="de-DE"');
  await expect(pageText(page)).toMatchFileSnapshot(join(golden, 'emv.html.txt'));
});

test('so does a workbook', async () => {
  const { book, parts } = await roundTrip(document);
  expect(parts.get('docProps/core.xml')).toContain('<dc:language>de</dc:language>');
  const sheets = book.worksheets.map((sheet) => `# ${sheet.name}\n${sheetText(sheet)}`);
  await expect(`${sheets.join('\n\n')}\n`).toMatchFileSnapshot(join(golden, 'emv.xlsx.txt'));
});

test('data for programs are the same in every language', () => {
  const types = document.sections.find(({ name }) => name === 'by_type');
  expect(types?.rows.map(([type]) => type)).toContain('Bild');
  expect(types && renderJson(types)).toContain('"type":"Image"');
});

/** One line for each text of the page, and for each text that is only spoken. */
function pageText(page: string): string {
  const body = page.slice(page.indexOf('<body')).replaceAll(/<script[^]*?<\/script>/g, '');
  const shown = body.replaceAll(/<svg class="narrow"[^]*?<\/svg>/g, '');
  const texts = shown.matchAll(
    />([^<]+)<|(?:aria-label|title|alt|data-(?:show|hide|next|found|more|fewer))="([^"]+)"/g,
  );
  const lines = new Set([...texts].map(([, text, label]) => (text ?? label ?? '').trim()));
  return `${[...lines].filter((line) => /\p{L}/u.test(line)).join('\n')}\n`;
}

/** One line for each row with words. */
function sheetText(sheet: ExcelJS.Worksheet): string {
  const lines: string[] = [];
  sheet.eachRow((row) => {
    const cells: string[] = [];
    row.eachCell((cell) => {
      if (cell.master === cell && !(cell.value instanceof Date)) cells.push(cell.text);
    });
    const line = cells.join(' | ');
    if (/\p{L}/u.test(line)) lines.push(line);
  });
  return lines.slice(0, 20).join('\n');
}
