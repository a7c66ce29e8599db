import { describe, expect, it } from 'vitest';
import { sampleDocument } from '../../support/sample-document.ts';
import { partOf, roundTrip, rowValues, sectionSheet, sheetOf } from './read-workbook.ts';
import { chartOf, columns, documentOf, section } from '../../support/document-parts.ts';

const heat = section(
  columns({ weekday: 'weekday', hour: 'hour', posts: 'count', rate: 'rate' }),
  [
    [1, 7, 6, 0.02],
    [1, 8, 9, 0.1],
    [2, 9, 4, 0.3],
    [1, 10, 5, 0.04],
    [1, 11, 5, null],
  ],
  {
    chart: chartOf('heatmap', {
      row: 'weekday',
      column: 'hour',
      value: 'rate',
      n: 'posts',
      minimum: 5,
    }),
  },
);

const value = (row: number, result: number) => ({
  formula: `'By thing – rows'!$D$${row}`,
  result,
});

describe("a sheet's XML", () => {
  it('draws shares as solid bars from 0 without a border, linked by one id', async () => {
    const shares = section(
      columns({ type: 'text', emv_share: 'share' }),
      [
        ['Video', 0.7],
        ['Image', 0.3],
      ],
      { total: { label: 'Total', cells: [null, 1] } },
    );
    const { xml } = await sectionSheet(shares);
    const id = '{00000002-0000-4000-8000-000000000000}';
    expect(xml).toContain(
      '<conditionalFormatting sqref="B5:B6"><cfRule type="dataBar" priority="1">',
    );
    expect(xml).toContain(`<x14:id>${id}</x14:id>`);
    expect(xml).toContain(`<x14:cfRule type="dataBar" id="${id}">`);
    expect(xml).toContain('gradient="0"');
    expect(xml).toContain('<xm:sqref>B5:B6</xm:sqref>');
    expect(xml).not.toContain('border="1"');
  });

  it('shows a heatmap as a grid above its rows, and colours the values of enough posts', async () => {
    const { book, parts } = await roundTrip(documentOf([heat]));
    expect(book.worksheets.map(({ name, state }) => [name, state])).toEqual([
      ['About', 'visible'],
      ['By thing', 'visible'],
      ['By thing – rows', 'hidden'],
    ]);
    const grid = sheetOf(book, 'By thing');
    expect([4, 5, 6].map((row) => rowValues(grid, row))).toEqual([
      ['', '07:00', '08:00', '09:00', '10:00', '11:00'],
      ['Mon', value(5, 0.02), value(6, 0.1), null, value(8, 0.04), null],
      ['Tue', null, null, value(7, 0.3), null, null],
    ]);
    const xml = partOf(parts, 'xl/worksheets/sheet2.xml');
    expect(xml).toContain(
      '<conditionalFormatting sqref="B5 C5 E5"><cfRule type="colorScale" priority="1">',
    );
  });

  it('shows a heatmap of the rows that it draws, with all weekdays and no hour left out', async () => {
    const year = { ...heat, name: 'year', title: 'Year', layout: 'data' as const, chart: null };
    const rows = [
      [1, 7, 6, 0.02],
      [7, 9, 8, 0.5],
    ];
    const chart = { ...chartOf('heatmap', heat.chart as never), rows: 'year' };
    const { book } = await roundTrip(
      documentOf([
        { ...heat, rows: heat.rows.slice(0, 1), chart },
        { ...year, rows },
      ]),
    );
    const grid = sheetOf(book, 'By thing');
    expect([4, 5, 6, 11].map((row) => rowValues(grid, row))).toEqual([
      ['', '07:00', '08:00', '09:00'],
      ['Mon', { formula: `'Year'!$D$5`, result: 0.02 }, null, null],
      ['Tue', null, null, null],
      ['Sun', null, null, { formula: `'Year'!$D$6`, result: 0.5 }],
    ]);
  });

  it('links http and https addresses that Office accepts, writes others as text, and links the cover to its sheets', async () => {
    const longest = `https://example.com/${'a'.repeat(2_079 - 20)}`;
    const linked = [
      ['https://example.com/a?b=1&c="2"', 'https://example.com/a?b=1&c=%222%22'],
      ['http://example.com', 'http://example.com/'],
      ['https://example.com/a b?c={d|e}^`', 'https://example.com/a%20b?c=%7Bd%7Ce%7D%5E%60'],
      [longest, longest],
    ];
    const others = ['javascript:alert(1)', 'file:///etc/passwd', '\\\\server\\share', 'https://'];
    const texts = [...others, 'mailto:a@example.com', 'www.example.com', `${longest}a`];
    const rows = [...linked.map(([text = '']) => [text]), ...texts.map((text) => [text])];
    const links = section(columns({ url: 'url' }), rows);
    const { sheet, xml } = await sectionSheet(links);
    expect(rows.map((_, index) => sheet.getCell(`A${index + 5}`).value)).toEqual([
      ...linked.map(([text, hyperlink]) => ({ text, hyperlink })),
      ...texts,
    ]);
    expect(xml).toContain('<hyperlinks><hyperlink ref="A5" r:id="rId1"/>');

    const { parts } = await roundTrip({
      ...sampleDocument(),
      sections: [{ ...links, title: 'By "odd" & <name>!' }],
    });
    const cover = partOf(parts, 'xl/worksheets/sheet1.xml');
    expect(cover).toMatch(
      /<hyperlinks><hyperlink ref="B\d+" location="'By &quot;odd&quot; &amp; &lt;name&gt;_'!A1"\/>/u,
    );
    expect([...parts.keys()]).not.toContain('xl/worksheets/_rels/sheet1.xml.rels');
  });
});
