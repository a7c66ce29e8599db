import { describe, expect, it } from 'vitest';
import { rowValues, sectionSheet, tableOf } from './read-workbook.ts';
import { chartOf, column, columns, section } from '../../support/document-parts.ts';

const months = section(
  columns({ month: 'month', posts: 'count', emv: 'money', emv_share: 'share' }),
  [
    ['2025-01-01', 3, 1_200.5, 0.75],
    ['2025-02-01', 1, null, 0.25],
  ],
  {
    finding: 'January brought the most',
    basis: 'n = 4 posts',
    sortedBy: 'emv',
    total: { label: 'Total', cells: [null, 4, 1_200.5, null] },
    notes: ['Figures may still change.'],
  },
);

const { sheet, xml } = await sectionSheet(months);

describe("a section's sheet", () => {
  it('has the finding, the description with its n, heads in row 4, rows, a total and notes', () => {
    const rows = Array.from({ length: 9 }, (_, index) => rowValues(sheet, index + 1));
    expect(rows).toEqual([
      ['January brought the most', null, null, null],
      ['EMV by thing, in euro. · n = 4 posts', null, null, null],
      [null, null, null, null],
      ['Month', 'Posts', 'Emv', 'Emv_share'],
      [new Date('2025-01-01T00:00:00Z'), 3, 1_200.5, 0.75],
      [new Date('2025-02-01T00:00:00Z'), 1, null, 0.25],
      [
        'Total',
        { formula: 'SUBTOTAL(109,B5:B6)', result: 4 },
        { formula: 'SUBTOTAL(109,C5:C6)', result: 1_200.5 },
        null,
      ],
      [null, null, null, null],
      ['Figures may still change.', null, null, null],
    ]);
  });

  it('formats figures and dates by column, also in the total, and aligns figures and their heads right', () => {
    const formats = ['A5', 'B5', 'C5', 'D5', 'B7', 'C7'].map((cell) => sheet.getCell(cell).numFmt);
    expect(formats).toEqual(['mmm yyyy', '#,##0', '[$€]#,##0', '0.0%', '#,##0', '[$€]#,##0']);
    const sides = ['A4', 'A5', 'B4', 'B5'].map((cell) => sheet.getCell(cell).alignment.horizontal);
    expect(sides).toEqual(['left', 'left', 'right', 'right']);
  });

  it('is set in Arial, with the finding, the key figure and the total in bold, and a dark rule above the total', () => {
    const cells = ['A1', 'B5', 'C5', 'A7', 'C7'].map((cell) => sheet.getCell(cell));
    expect(cells.map(({ font }) => [font.name, font.size, font.bold ?? false])).toEqual([
      ['Arial', 14, true],
      ['Arial', 10, false],
      ...[1, 2, 3].map(() => ['Arial', 10, true]),
    ]);
    const top = { style: 'thin', color: { argb: 'FF15191F' } };
    expect(['A7', 'D7'].map((cell) => sheet.getCell(cell).border.top)).toEqual([top, top]);
  });

  it('keeps heads and keys visible and filters the rows without the total', () => {
    const frozen = { state: 'frozen', xSplit: 1, ySplit: 4, topLeftCell: 'B5' };
    expect(sheet.views[0]).toMatchObject(frozen);
    const table = { name: 'by_thing', tableRef: 'A4:D6', autoFilterRef: 'A4:D6' };
    expect(tableOf(sheet)).toMatchObject(table);
  });

  it('gives the table the name of the section, unless that is a cell, and heads that differ', async () => {
    const alike = months.columns.map((column) => ({ ...column, title: 'Same' }));
    const { sheet } = await sectionSheet({ ...months, name: 'q1', columns: alike });
    expect(tableOf(sheet).name).toBe('q1_');
    const heads = ['Same', 'Same 2', 'Same 3', 'Same 4'];
    expect(tableOf(sheet).columns.map(({ name }) => name)).toEqual(heads);
    expect(rowValues(sheet, 4)).toEqual(heads);
  });

  it('prints one page wide with repeated heads, and the report, period and page number in the foot', async () => {
    const { sheet } = await sectionSheet(months, { title: 'Fish & chips' });
    expect(sheet.pageSetup).toMatchObject({
      orientation: 'landscape',
      paperSize: 9,
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      printTitlesRow: '4:4',
    });
    expect(sheet.headerFooter.oddFooter).toBe(
      '&L&"Arial,Regular"&8 Fish && chips&C&"Arial,Regular"&8 2025&R&"Arial,Regular"&8 Page &P of &N',
    );
  });

  it('prints a table that is too wide for one page on several, each with the key', async () => {
    const many = Array.from({ length: 30 }, (_, index) => column(`column_${index}`, 'count'));
    const row = ['a', ...many.map((_, index) => index)];
    const wide = section([column('label', 'text'), ...many], [row]);
    const { sheet } = await sectionSheet(wide);
    expect(sheet.pageSetup).toMatchObject({ fitToWidth: 2, printTitlesColumn: 'A:A' });
  });

  it('prints the columns that the page shows, without those for programs', async () => {
    const more = [...months.columns, column('posts_with_emv', 'count', { isInHtml: false })];
    const rows = months.rows.map((row) => [...row, 1]);
    const { sheet } = await sectionSheet({ ...months, columns: more, rows, total: null });
    expect(sheet.pageSetup.printArea).toBe('A1:D8');
  });

  it('wraps a finding that is longer than a page, and shows sentences whole', async () => {
    const finding = 'January brought the most by far, as it has done before. '.repeat(3).trim();
    const { sheet } = await sectionSheet({ ...months, finding });
    expect(sheet.getCell('A1')).toMatchObject({ alignment: { wrapText: true }, isMerged: true });
    expect(sheet.getRow(1).height).toBe(44);
    const list = section([column('topic', 'text'), column('text', 'text')], [['EMV', finding]]);
    const sentences = await sectionSheet({ ...list, layout: 'sentences' });
    expect(sentences.sheet.getColumn(2).width).toBe(finding.length + 2);
  });

  it('draws a chart to the right of a narrow table, and below a wide one in its own row', async () => {
    const chart = chartOf('bars', { x: 'month', y: 'posts' });
    const narrow = await sectionSheet({ ...months, chart });
    expect(narrow.sheet.rowCount).toBe(9);
    const one = await sectionSheet({ ...months, chart, rows: months.rows.slice(1), total: null });
    expect([narrow, one].map(({ xml }) => xml.includes('<drawing'))).toEqual([true, false]);
    const many = Array.from({ length: 12 }, (_, index) => column(`column_${index}`, 'count'));
    const wide = await sectionSheet({
      ...months,
      chart,
      columns: [...months.columns, ...many],
      rows: months.rows.map((row) => [...row, ...many.map(() => 1)]),
      total: null,
    });
    expect(wide.sheet.getRow(10).height).toBeGreaterThan(8 * 28);
  });

  it('hides nothing, and is wide enough for heads, for long amounts in a currency with three letters, and for the label of its total', async () => {
    expect(sheet.columns.map((entry) => entry.width)).toEqual([13, 13, 13, 18]);
    expect(xml).not.toContain('hidden');
    const total = { label: 'Alle Beiträge, jeder einmal gezählt', cells: [null, 3, null, null] };
    const rows = months.rows.map((row) => [...row.slice(0, 2), 123_456_789, ...row.slice(3)]);
    const widths = async (currency: string) => {
      const { sheet } = await sectionSheet({ ...months, rows, total }, { currency });
      return [1, 3].map((index) => sheet.getColumn(index).width);
    };
    expect([await widths('EUR'), await widths('NOK')]).toEqual([
      [40, 18],
      [40, 21],
    ]);
  });

  it('names the time zone of its times, and the weekday that is 1', async () => {
    const posts = section(
      columns({ published_at: 'datetime', weekday: 'weekday', hour: 'hour' }),
      [
        ['2025-07-01T22:30:00Z', 3, 0],
        ['2025-07-01T21:59:59.999999Z', 2, 23],
      ],
      { key: [] },
    );
    const { sheet } = await sectionSheet(posts);
    expect(rowValues(sheet, 4)).toEqual([
      'Published_at (Europe/Berlin)',
      'Weekday (1 = Monday)',
      'Hour',
    ]);
    expect(rowValues(sheet, 5)).toEqual([new Date('2025-07-02T00:30:00Z'), 3, 0]);
    // a time stays within its second, and so within its day
    expect(sheet.getCell('A6').value).toEqual(new Date('2025-07-01T23:59:59Z'));
    expect(sheet.getCell('A5').numFmt).toBe('yyyy-mm-dd hh:mm');
    expect(sheet.getCell('C5').numFmt).toBe('00":00"');
  });

  it('writes durations of a few seconds with a decimal, in all cells of a column or none', async () => {
    const times = section(
      columns({ name: 'text', per_view: 'duration', watched: 'duration' }),
      [
        ['a', 7.25, 30],
        ['b', 11, 7_200],
      ],
      { total: { label: 'All', cells: [null, 9, 7_230] } },
    );
    const { sheet } = await sectionSheet(times);
    const formats = ['B5', 'B7', 'C5', 'C7'].map((cell) => sheet.getCell(cell).numFmt);
    expect(formats).toEqual(['s.0" s"', 's.0" s"', '[h]:mm:ss', '[h]:mm:ss']);
    expect(sheet.getCell('B5').value).toEqual(new Date('1899-12-30T00:00:07.250Z'));
  });

  it('writes durations, points, factors, CPM, lists and large integers with their types, and booleans as words', async () => {
    const mixed = section(
      [
        ...columns({ name: 'text', watched: 'duration', lift: 'pp', factor: 'factor', cpm: 'cpm' }),
        ...columns({ price: 'money_exact', labels: 'list', is_removed: 'boolean', huge: 'count' }),
      ],
      [['007', 5_400, 0.012, 1.29, 30.5, 8_833.06, ['Event', 'Hiring'], false, 2n ** 60n]],
    );
    const { sheet, xml } = await sectionSheet(mixed);
    const [, ...values] = rowValues(sheet, 5);
    expect(sheet.getCell('A5').value).toBe('007');
    expect(xml).toMatch(/<c r="B5" s="\d+"><v>0\.0625<\/v>/u);
    expect(values.slice(1)).toEqual([1.2, 1.29, 30.5, 8_833.06, 'Event, Hiring', 'no', 2 ** 60]);
    expect(['B5', 'C5', 'D5', 'E5', 'F5'].map((cell) => sheet.getCell(cell).numFmt)).toEqual([
      '[h]:mm:ss',
      '+0.0" pp";"−"0.0" pp";0.0" pp"',
      '"× "0.00',
      '#,##0.00',
      '[$€]#,##0.00',
    ]);
  });

  it('gives no sign to a change that is shown as 0', async () => {
    const changes = section(columns({ name: 'text', emv_change: 'change', rate_change: 'pp' }), [
      ['a', 0.0004, -0.0004],
      ['b', -0.0005, 0.0005],
    ]);
    const { sheet } = await sectionSheet(changes);
    const formats = ['B5', 'C5', 'B6', 'C6'].map((cell) => sheet.getCell(cell).numFmt);
    const signed = ['+0.0%;"−"0.0%;0.0%', '+0.0" pp";"−"0.0" pp";0.0" pp"'];
    expect(formats).toEqual(['0.0%', '0.0" pp"', ...signed]);
  });

  it('explains empty cells once, under the table', async () => {
    const reason = 'The service gave no impressions.';
    const posts = section(
      [
        column('title', 'text'),
        column('impressions', 'count', { nullNote: reason }),
        column('emv', 'money', { nullNote: reason }),
        column('clicks', 'count', { nullNote: 'Pages only.' }),
      ],
      [
        ['a', null, null, 1],
        ['b', 5, null, 0],
      ],
    );
    const { sheet } = await sectionSheet(posts);
    expect(sheet.getCell('A8').value).toBe(`Empty in Impressions, Emv: ${reason}`);
    expect(sheet.rowCount).toBe(8);
  });

  it('says of the empty cells of a week without posts that it has none', async () => {
    const views = column('views', 'count', { nullNote: 'No video is synced.' });
    const weeks = section(
      [...columns({ week: 'date', posts: 'count' }), views],
      [
        ['2025-01-06', 0, null],
        ['2025-01-13', 2, 5],
      ],
    );
    const { sheet } = await sectionSheet(weeks);
    expect(sheet.getCell('A8').value).toBe('Empty in Views: No post.');
  });

  it('has the first sentence of its description as the title when there is no finding, and the rest below', async () => {
    const heads = async (description: string) => {
      const { sheet } = await sectionSheet({ ...months, finding: null, description });
      return [sheet.getCell('A1').value, sheet.getCell('A2').value];
    };
    expect(await heads('EMV by thing.')).toEqual(['EMV by thing', 'By thing · n = 4 posts']);
    expect(await heads('EMV by thing. A difference is no cause.')).toEqual([
      'EMV by thing',
      'By thing · A difference is no cause. · n = 4 posts',
    ]);
  });

  it('freezes the whole key if there is room for the rest, otherwise the first key columns', async () => {
    const wide = 'x'.repeat(60);
    const texts = columns({ region: 'text', profile: 'text', post: 'text', emv: 'text' });
    const key = ['region', 'post'];
    const narrow = await sectionSheet(section(texts, [['a', 'b', 'c', 'd']], { key }));
    const broad = await sectionSheet(section(texts, [['a', wide, wide, 'd']], { key }));
    expect(narrow.sheet.views[0]).toMatchObject({ xSplit: 3 });
    expect(broad.sheet.views[0]).toMatchObject({ xSplit: 1 });
  });

  it('puts the title of posts first and keeps only it visible, and puts texts and narrow ids last', async () => {
    const own = [
      ...columns({ workspace: 'text', profile: 'text', linkedin_post_id: 'text', url: 'url' }),
      ...columns({ title: 'text', commentary: 'longtext', emv: 'money' }),
      column('not_final', 'boolean', { isInHtml: false }),
    ];
    const row = ['acme', 'Anna', 'id-1', 'https://example.com/1', 'Post 1', 'Text', 5, null];
    const untitled = ['acme', 'Anna', 'id-2', null, null, 'First words.\nMore', 4, null];
    const posts = section(own, [row, untitled], {
      layout: 'posts',
      key: ['workspace', 'linkedin_post_id'],
    });
    const { sheet } = await sectionSheet(posts);
    expect(rowValues(sheet, 4)).toEqual([
      ...['Title', 'Profile', 'Emv', 'Url', 'Commentary', 'Workspace', 'Linkedin_post_id'],
    ]);
    expect(sheet.views[0]).toMatchObject({ xSplit: 1, ySplit: 4 });
    expect([6, 7].map((index) => sheet.getColumn(index).width)).toEqual([12, 12]);
    expect(sheet.getCell('A5').value).toMatchObject({ hyperlink: 'https://example.com/1' });
    expect(sheet.getCell('A6').value).toBe('First words.');
    expect(sheet.pageSetup.printArea).toMatch(/^A1:/u);
  });

  it('lists the figures of a single row, one below the other', async () => {
    const figures = columns({ impressions: 'count', emv: 'money' });
    const { sheet } = await sectionSheet(section(figures, [[2000, 60]], { layout: 'figures' }));
    const rows = [4, 5, 6].map((row) => rowValues(sheet, row));
    expect(rows).toEqual([
      ['Figure', 'Value'],
      ['Impressions', 2000],
      ['Emv', 60],
    ]);
  });
});
