import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeWorkbook } from '../../src/render/xlsx/workbook.ts';
import { roundTrip, sheetOf } from '../render/xlsx/read-workbook.ts';
import { column, documentOf, section } from '../support/document-parts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a workbook holds 100,000 rows of a section and says that the others are in CSV', async () => {
  const rows = Array.from({ length: 100_001 }, (_, index) => [index]);
  const long = section([column('n', 'count')], rows, { total: { label: 'All', cells: [7] } });
  const { book } = await roundTrip(documentOf([long]));
  const sheet = sheetOf(book, 'By thing');
  expect([sheet.getCell('A5').value, sheet.getCell('A100004').value]).toEqual([0, 99_999]);
  expect(sheet.getCell('A100007').value).toBe(
    'The first 100,000 of 100,001 rows; CSV and Parquet have all.',
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
