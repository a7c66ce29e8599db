import { expect, test } from 'vitest';
import { roundTrip, sheetOf } from '../render/xlsx/read-workbook.ts';
import { column, documentOf, section } from '../support/document-parts.ts';

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
