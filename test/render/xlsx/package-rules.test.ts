import { describe, expect, it } from 'vitest';
import {
  emptySampleDocument,
  sampleDocument,
  sampleEngagementDocument,
} from '../../support/sample-document.ts';
import { fullDocument } from './full-document.ts';
import { brokenRules } from './package-rules.ts';
import { roundTrip } from './read-workbook.ts';

describe("a workbook's parts", () => {
  it.each([
    ['every kind of chart and formula', fullDocument()],
    ['a year', sampleDocument()],
    ['a heatmap', sampleEngagementDocument()],
    ['no posts', emptySampleDocument()],
    [
      'hostile names',
      {
        ...fullDocument(),
        title: '&<>"\u0000',
        brand: { name: '$&</Company>', logo: null, color: null, productMark: true },
      },
    ],
  ])('follow the rules that Excel enforces: %s', async (_, document) => {
    const { parts } = await roundTrip(document);
    expect(brokenRules(parts)).toEqual([]);
  });

  it('are reported when they break these rules', async () => {
    const { parts } = await roundTrip(fullDocument());
    const broken = (name: string, change: (xml: string) => string) =>
      brokenRules(
        new Map([...parts].map(([part, xml]) => [part, part.endsWith(name) ? change(xml) : xml])),
      );
    expect(
      broken('[Content_Types].xml', (xml) =>
        xml.replace(/<Override PartName="\/xl\/charts\/chart1[^>]*>/u, ''),
      ),
    ).toEqual(['xl/charts/chart1.xml: no content type']);
    expect(broken('sheet3.xml.rels', (xml) => xml.replace('drawing1', 'drawing99'))).toEqual([
      'xl/worksheets/sheet3.xml: xl/drawings/drawing99.xml is not there',
    ]);
    expect(broken('sheet3.xml', (xml) => xml.replace('B5:B8)', 'B5:B8)+nothing'))).toEqual([
      'xl/worksheets/sheet3.xml: no name nothing',
    ]);
    expect(
      broken('sheet3.xml', (xml) => xml.replace(/(<drawing[^>]*>)(.*)(<\/worksheet>)/u, '$2$1$3')),
    ).toHaveLength(1);
    const named = (name: string) => (xml: string) => xml.replace(/ name="\w+"/u, ` name="${name}"`);
    expect(broken('tables/table1.xml', named('b2'))).toEqual([
      'xl/worksheets/sheet2.xml: no table can be b2',
    ]);
    expect(
      broken('tables/table2.xml', (xml) => xml.replace(/(id="1" name=")/u, '$1Other ')),
    ).toHaveLength(1);
    expect(
      broken('styles.xml', (xml) => xml.replace(/<cellXfs count="\d+"/u, '<cellXfs count="1"')),
    ).toEqual(['styles: cellXfs has another count']);
  });
});
