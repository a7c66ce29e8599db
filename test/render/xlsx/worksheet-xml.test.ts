import { describe, expect, it } from 'vitest';
import { sampleDocument, sampleEngagementDocument } from '../../support/sample-document.ts';
import { partOf, roundTrip, sectionSheet } from './read-workbook.ts';
import { column, section } from './small-document.ts';

/** ECMA-376, part 1, 18.3.1.99: the elements of a sheet that we use, in their order. */
const schemaOrder = [
  'sheetPr',
  'sheetViews',
  'sheetFormatPr',
  'cols',
  'sheetData',
  'autoFilter',
  'mergeCells',
  'conditionalFormatting',
  'dataValidations',
  'hyperlinks',
  'pageMargins',
  'pageSetup',
  'headerFooter',
  'ignoredErrors',
  'drawing',
  'extLst',
];

function topElements(xml: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  for (const [tag, close, name, empty] of xml.matchAll(/<(\/?)([\w:]+)[^>]*?(\/?)>/gu)) {
    if (tag.startsWith('<?')) continue;
    if (close === '' && depth === 1) elements.push(name ?? '');
    if (empty === '') depth += close === '' ? 1 : -1;
  }
  return elements;
}

const heat = section(
  [column('hour', 'hour'), column('posts', 'count'), column('engagement_rate', 'rate')],
  [
    [7, 6, 0.02],
    [8, 9, 0.1],
    [9, 4, 0.3],
    [10, 5, 0.04],
    [11, 5, null],
  ],
  {
    chart: {
      kind: 'heatmap',
      row: 'hour',
      column: 'hour',
      value: 'engagement_rate',
      n: 'posts',
      minimum: 5,
      rows: null,
    },
  },
);

describe("a sheet's XML", () => {
  it('has its elements in the order of the schema', async () => {
    for (const document of [sampleDocument(), sampleEngagementDocument()]) {
      const { parts } = await roundTrip(document);
      const sheets = [...parts].filter(([name]) => name.startsWith('xl/worksheets/sheet'));
      expect(sheets).toHaveLength(document.sections.length + 2);
      for (const [, xml] of sheets) {
        const found = topElements(xml).map((name) => schemaOrder.indexOf(name));
        expect(found).not.toContain(-1);
        expect(found).toEqual(found.toSorted((a, b) => a - b));
      }
    }
  });

  it('gives shares solid bars from 0 without a border, tied by one id', async () => {
    const shares = section(
      [column('type', 'text'), column('emv_share', 'share')],
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

  it('colours a heatmap by its values, all but those of few posts', async () => {
    const { xml } = await sectionSheet(heat);
    const scale =
      '<colorScale><cfvo type="num" val="0.02"/><cfvo type="num" val="0.060000000000000005"/><cfvo type="num" val="0.1"/><color rgb="FFEEF4FA"/><color rgb="FF74A9D3"/><color rgb="FF0A3763"/></colorScale>';
    const rules = (first: string, priority: number) =>
      `<cfRule type="expression" dxfId="1" priority="${priority}"><formula>${first}&gt;0.07400000000000001</formula></cfRule><cfRule type="colorScale" priority="${priority + 1}">${scale}</cfRule></conditionalFormatting>`;
    expect(xml).toContain(
      '<conditionalFormatting sqref="C5:C9"><cfRule type="expression" dxfId="0" priority="2" stopIfTrue="1"><formula>$B5&lt;5</formula></cfRule></conditionalFormatting>' +
        `<conditionalFormatting sqref="C5:C6">${rules('C5', 3)}` +
        `<conditionalFormatting sqref="C8:C9">${rules('C8', 5)}`,
    );
  });

  it('colours nothing where no cell counts', async () => {
    const rows = heat.rows.map(([hour = null, posts = null]) => [hour, posts, null]);
    const { xml } = await sectionSheet({ ...heat, rows });
    expect(xml).not.toContain('conditionalFormatting');
  });

  it('links addresses outside, and the cover to its sheets', async () => {
    const links = section(
      [column('url', 'url')],
      [['https://example.com/a?b=1&c="2"'], ['javascript:alert(1)']],
      { name: 'by "odd" & <name>' },
    );
    const { sheet, xml } = await sectionSheet({ ...links, name: 'links' });
    expect(sheet.getCell('A5').value).toEqual({
      text: 'https://example.com/a?b=1&c="2"',
      hyperlink: 'https://example.com/a?b=1&c=%222%22',
    });
    expect(sheet.getCell('A6').value).toBe('javascript:alert(1)');
    expect(xml).toContain('<hyperlinks><hyperlink ref="A5" r:id="rId1"/></hyperlinks>');

    const { parts } = await roundTrip({ ...sampleDocument(), sections: [links] });
    const cover = partOf(parts, 'xl/worksheets/sheet1.xml');
    expect(cover).toMatch(
      /<hyperlinks><hyperlink ref="B\d+" location="&apos;by &quot;odd&quot; &amp; &lt;name&gt;&apos;!A1"\/><hyperlink ref="B\d+" location="&apos;Definitions&apos;!A1"\/><\/hyperlinks>/u,
    );
    expect([...parts.keys()]).not.toContain('xl/worksheets/_rels/sheet1.xml.rels');
  });
});
