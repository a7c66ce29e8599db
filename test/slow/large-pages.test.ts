import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderHtml } from '../../src/render/html/render-html.ts';
import { writeWorkbook } from '../../src/render/xlsx/workbook.ts';
import { roundTrip, sheetOf } from '../render/xlsx/read-workbook.ts';
import { column, documentOf, section } from '../render/xlsx/small-document.ts';
import { sampleDocument } from '../support/sample-document.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { unpackedPage } from '../support/unpacked-page.ts';

test('a page holds fifty thousand posts and says how many more are in the CSV file', () => {
  const document = sampleDocument();
  const sections = document.sections
    .filter(({ layout }) => layout === 'posts')
    .map(({ rows, ...posts }) => ({
      ...posts,
      rows: Array.from({ length: 50_001 }, (_, index) => rows[index % 400] ?? []),
    }));
  const page = renderHtml({ ...document, sections }, { logo: null, formats: ['csv'] });
  expect(page).toContain('data-rows="49992"');
  expect(page).toMatch(
    /<tbody class="gap"><tr><td><\/td><td colspan="5">1 post more, EMV €[\d,]+<span class="elsewhere">: in the CSV file<\/span>/u,
  );
  expect(unpackedPage(page).split('<th scope="row">').length - 1).toBe(50_000);
});

test('a workbook holds 100,000 rows of a section and says that the others are in CSV', async () => {
  const rows = Array.from({ length: 100_001 }, (_, index) => [index]);
  const long = section([column('n', 'count')], rows, { total: { label: 'All', cells: [7] } });
  const { book } = await roundTrip(documentOf([long]));
  const sheet = sheetOf(book, 'By thing');
  expect([sheet.getCell('A5').value, sheet.getCell('A100004').value]).toEqual([0, 99_999]);
  expect(sheet.getCell('A100007').value).toBe(
    'The first 100,000 of 100,001 rows; CSV and Parquet have all of them.',
  );
});

test('a workbook with too many columns does not replace the existing file', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'report.xlsx');
  await writeFile(path, 'before');
  const columns = Array.from({ length: 16_385 }, (_, index) => column(`c${index}`, 'count'));
  await expect(writeWorkbook(documentOf([section(columns, [[1]])]), path)).rejects.toThrow(
    /16384/u,
  );
  expect(await readFile(path, 'utf8')).toBe('before');
  expect(await readdir(folder)).toEqual(['report.xlsx']);
});
