import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { ReportSection, ReportTable } from '../../../src/report/report-document.ts';
import { renderTableWorkbook, renderWorkbook } from '../../../src/render/xlsx/workbook.ts';
import { emptySampleDocument, sampleDocument } from '../../support/sample-document.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { partOf, readWorkbook, roundTrip, rowValues, sheetOf, tableOf } from './read-workbook.ts';
import { fullDocument } from './full-document.ts';
import { card, column, documentOf, section } from '../../support/document-parts.ts';

function rowsOf(sheet: ExcelJS.Worksheet): unknown[][] {
  return Array.from({ length: sheet.rowCount }, (_, index) => rowValues(sheet, index + 1));
}

function textsOf(sheet: ExcelJS.Worksheet): string[] {
  return rowsOf(sheet)
    .flat()
    .filter((value) => typeof value === 'string');
}

const sample = await roundTrip(sampleDocument());

describe('a workbook', () => {
  it('has a cover, a sheet for each section under its title, and the definitions', () => {
    const names = sampleDocument().sections.map(({ title }) => title);
    expect(sample.book.worksheets.map(({ name, state }) => [name, state])).toEqual(
      ['About', ...names, 'Definitions'].map((name) => [name, 'visible']),
    );
  });

  it('has the summary second, and hides the appendix beyond the tenth sheet, but not the posts', async () => {
    const named = (title: string, changes: Partial<ReportSection> = {}) =>
      section([column('type', 'text')], [['Video']], { name: title, title, ...changes });
    const { book } = await roundTrip(
      documentOf([
        named('Backing', { isAppendix: true }),
        ...Array.from({ length: 6 }, (_, index) => named(`By ${index}`)),
        named('Best', { layout: 'posts' }),
        named('Exclusions', { isAppendix: true }),
        named('Posts', { layout: 'posts', isAppendix: true }),
        named('Summary', { name: 'summary', isAppendix: true }),
        named('Days', { layout: 'data' }),
      ]),
    );
    const namesOf = (state: string) =>
      book.worksheets.filter((sheet) => sheet.state === state).map(({ name }) => name);
    expect(namesOf('visible')).toEqual([
      ...['About', 'Summary', 'By 0', 'By 1', 'By 2', 'By 3', 'By 4', 'By 5', 'Best', 'Posts'],
    ]);
    expect(namesOf('hidden')).toEqual(['Backing', 'Exclusions', 'Days']);
    const texts = textsOf(sheetOf(book, 'About'));
    expect(texts).toContain('Backing · Exclusions · Days');
    expect(texts.join()).toContain('right-click the tab of any sheet and choose Unhide');
  });

  it('has no sheet for a section without rows, and its cover says why', async () => {
    const { book } = await roundTrip(
      documentOf([section([column('type', 'text')], [], { empty: 'No videos.' })]),
    );
    expect(book.worksheets.map(({ name }) => name)).toEqual(['About']);
    expect(textsOf(sheetOf(book, 'About'))).toContain('No videos. No sheet.');
  });

  it('has the title, the facts, the contents and the definitions of the report', () => {
    const { book } = sample;
    const cover = sheetOf(book, 'About');
    expect(textsOf(cover)).toEqual(
      expect.arrayContaining([
        'Fjord & Pine',
        'Earned media value',
        'LinkedIn · 1 January to 31 December 2025',
        '4 January 2026, 06:00',
        '2 removed, €118.20 left out',
      ]),
    );
    const definitions = sheetOf(book, 'Definitions');
    expect(rowValues(definitions, 4)).toEqual([
      'CPM used',
      'Total EMV ÷ total impressions × 1,000, over posts that have both.',
    ]);
    expect(cover.views[0]).toMatchObject({ showGridLines: false });
    const lede = cover.getCell('B7').value;
    expect(lede).toMatchObject({
      richText: [{ text: 'Your 412 posts earned ' }, { font: { bold: true } }, {}],
    });
  });

  it('shows cards with the value, the previous value and the change', async () => {
    const { book } = await roundTrip(
      documentOf([], {
        cards: [
          card('EMV', 'money', 150, 100),
          card('Rate', 'rate', 0.05, 0.042, { note: 'not final' }),
          card('Posts', 'count', 4, 0),
          card('Views', 'count', null, 3),
          card('CPM', 'cpm', 30.001, 30),
        ],
      }),
    );
    const cover = sheetOf(book, 'About');
    const first = 1 + rowsOf(cover).findIndex(([, label]) => label === 'EMV');
    expect(rowsOf(cover).slice(first - 1, first + 3)).toEqual([
      [null, 'EMV', 150, 100, 0.5, null],
      [null, 'Rate', 0.05, 0.042, 0.8, 'not final'],
      [null, 'Posts', 4, 0, 'new', null],
      [null, 'Views', null, 3, null, null],
    ]);
    expect([0, 1, 4].map((at) => cover.getRow(first + at).getCell(5).numFmt)).toEqual([
      ...['+0.0%;"−"0.0%;0.0%', '+0.0" pp";"−"0.0" pp";0.0" pp"', '0.0%'],
    ]);
  });

  it('has the same bytes whenever it is written', async () => {
    const one = await renderWorkbook(sampleDocument());
    expect(await renderWorkbook(sampleDocument())).toEqual(one);
  });

  it('has the source of the data at the end of its cover, and with its title, the program and the time of its data in its properties', async () => {
    const { book } = await roundTrip(sampleDocument({ title: 'A & B' }));
    const source =
      'Run 20260104T050000Z-4f1c2a (daily), finished 4 January 2026, 06:02 · SQL 0123456789ab';
    const cover = sheetOf(book, 'About');
    expect(rowValues(cover, cover.rowCount)).toContain(source);
    expect(book).toMatchObject({
      title: 'A & B',
      description: source,
      creator: 'postledger',
      lastModifiedBy: 'postledger',
      created: new Date('2026-01-04T05:00:00Z'),
      modified: new Date('2026-01-04T05:00:00Z'),
    });
  });

  it('does not name the program when the brand does not want it to', async () => {
    const brand = { name: null, logo: null, color: null, productMark: false };
    const { parts } = await roundTrip(sampleDocument({ brand }));
    expect([...parts.values()].join('')).not.toMatch(/postledger/iu);
    const { parts: marked } = await roundTrip(sampleDocument({ brand: null }));
    expect(partOf(marked, 'docProps/core.xml')).toContain('<dc:creator>postledger</dc:creator>');
  });

  it('is complete for a workspace without posts, but has no date', async () => {
    const { book, parts } = await roundTrip(emptySampleDocument());
    expect(book.worksheets.map(({ name }) => name)).toEqual(['About', 'Summary', 'Definitions']);
    expect(partOf(parts, 'docProps/core.xml')).not.toContain('created');
  });
});

describe('the sheet What if', () => {
  it('prices sections at a cell that has the CPM of the report at first', async () => {
    const { book } = await roundTrip(fullDocument());
    const sheet = sheetOf(book, 'What if');
    expect(rowValues(sheet, 4)).toEqual(['CPM', 30, 'EUR per 1,000 impressions', null]);
    expect(sheet.getCell('B4').numFmt).toBe('[$€]#,##0.00');
    const priced = (row: number, result: number) => ({ formula: `B${row}/1000*$B$4`, result });
    expect([6, 7, 11].map((row) => rowValues(sheet, row))).toEqual([
      ['By thing', 'Impressions', 'Emv as reported', 'Emv at this CPM'],
      [new Date('2025-01-01T00:00:00Z'), 1000, 30, priced(7, 30)],
      ['Total', 10_000, 300, priced(11, 300)],
    ]);
    expect(rowValues(sheet, 14).slice(0, 2)).toEqual(['Anna', 1000]);
  });

  it('is not there when no CPM is known', async () => {
    const { book } = await roundTrip(fullDocument({ prices: { cells: [], periods: [] } }));
    expect(book.worksheets.map(({ name }) => name)).not.toContain('What if');
  });
});

describe("a query's workbook", () => {
  const query = { title: 'Query', timezone: 'UTC', currency: 'USD', locale: 'en-US' };
  const table: ReportTable = {
    columns: [
      column('day', 'date'),
      column('emv', 'money_exact'),
      column('day', 'text'),
      column('sum', 'count'),
      column('rate', 'decimal'),
      column('long', 'decimal'),
    ],
    rows: [['2025-03-01', 12.5, '=1+1', 2n ** 60n, 0.0142, 9007199254740994]],
    exactRows: [['2025-03-01', 12.5, '=1+1', 2n ** 60n, 0.0142, '9007199254740993.25']],
  };
  it('is one sheet with heads in its first row, frozen and filtered', async () => {
    const path = join(await temporaryFolder(), 'rows.xlsx');
    await writeFile(path, await renderTableWorkbook(table, query));
    const { book } = await readWorkbook(path);
    const sheet = sheetOf(book, 'Rows');
    expect([rowValues(sheet, 1), rowValues(sheet, 2)]).toEqual([
      ['Day', 'Emv', 'Day 2', 'Sum', 'Rate', 'Long'],
      [
        new Date('2025-03-01T00:00:00Z'),
        ...[12.5, '=1+1', '1152921504606846976', 0.0142, '9007199254740993.25'],
      ],
    ]);
    expect(tableOf(sheet)).toMatchObject({ name: 'query', tableRef: 'A1:F2' });
    expect(sheet.getCell('A2').numFmt).toBe('yyyy-mm-dd');
    expect(sheet.getCell('E2').numFmt).toBeUndefined();
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1, topLeftCell: 'A2' });
    expect(sheet.getCell('B2').numFmt).toBe('[$$]#,##0.00');
  });
  it('refuses more than 100,000 rows of a query, and says what to do', async () => {
    const rows = new Array<readonly number[]>(100_001).fill([1]);
    await expect(
      renderTableWorkbook({ columns: [column('n', 'count')], rows }, query),
    ).rejects.toThrow(/100001; take --format csv or parquet/u);
  });
});
