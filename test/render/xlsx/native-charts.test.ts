import { describe, expect, it } from 'vitest';
import type { ChartSpec, ReportSection } from '../../../src/report/report-document.ts';
import { chartXml } from '../../../src/render/xlsx/chart-xml.ts';
import { nativeChart } from '../../../src/render/xlsx/native-charts.ts';
import { createNumberFormats } from '../../../src/render/xlsx/number-formats.ts';
import { createFormatter } from '../../../src/languages/number-format.ts';
import { locateTable } from '../../../src/render/xlsx/table-address.ts';
import { sampleDocument } from '../../support/sample-document.ts';
import { fullDocument } from './full-document.ts';
import { roundTrip } from './read-workbook.ts';
import { chartOf, columns, type Formats, section } from '../../support/document-parts.ts';

const document = fullDocument();

/** The chart of a section, by its name or as the only one of the document. */
function drawn(of: string | ReportSection) {
  const sections = typeof of === 'string' ? document.sections : [of];
  const located = sections.map((each) => ({
    section: each,
    address: locateTable(each, each.name),
  }));
  const found = sections.find((each) => each === of || each.name === of);
  if (!found) throw new Error('no such section');
  const numberFormats = createNumberFormats({ locale: 'en-GB', currency: 'EUR' });
  const timezone = 'Europe/Berlin';
  const formatter = createFormatter(document);
  return nativeChart(found, { sections: located, numberFormats, timezone, document, formatter });
}

function drawnRows(formats: Formats, chart: ChartSpec, rows: ReportSection['rows']) {
  return drawn(section(columns(formats), rows, { chart }));
}

/** The XML of bars by month from January on, one for each amount, with what `own` and `aim` have of each. */
function barsXml(amounts: readonly number[], keys: { marked?: string; target?: string } = {}) {
  const formats = { m: 'month', y: 'money', own: 'boolean', aim: 'money' } as const;
  const rows = amounts.map((y, index) => [`2025-0${index + 1}-01`, y, index > 0, 15]);
  const made = drawnRows(formats, chartOf('bars', { x: 'm', y: 'y', ...keys }), rows);
  if (!made) throw new Error('no chart');
  return chartXml(made);
}

describe("a workbook's charts", () => {
  it('draw bars from the cells with their cached values, and the previous period as dashes', () => {
    const chart = drawn('by_month');
    expect(chart).toMatchObject({
      kind: 'columns',
      format: '[$€]#,##0',
      label: 'April brought the most',
    });
    const [now, before] = chart?.series ?? [];
    expect(now).toEqual({
      name: { formula: "'by_month'!$C$4", text: 'Emv' },
      categories: {
        formula: "'by_month'!$A$5:$A$8",
        values: [45_658, 45_689, 45_717, 45_748],
        format: 'mmm yyyy',
      },
      values: { formula: "'by_month'!$C$5:$C$8", values: [30, 60, 90, 120], format: '[$€]#,##0' },
      look: { color: '0B5FA5', kind: 'bar' },
      points: new Map(),
    });
    expect(before?.look).toEqual({ color: '15191F', kind: 'marks', mark: 'dash' });
    expect(before?.values.values).toEqual([null, 60, 60, 60]);
  });

  it('leave out empty bars at both ends, as the page does', () => {
    const rows = [null, 10, null, 20, null].map((y, index) => [`2025-0${index + 1}-01`, y]);
    const chart = drawnRows({ m: 'month', y: 'money' }, chartOf('bars', { x: 'm', y: 'y' }), rows);
    expect(chart?.series.map(({ values }) => values.values)).toEqual([[10, null, 20]]);
  });

  it.each([
    { amounts: [19, 20], limit: '<c:min val="0"/>' },
    { amounts: [-19, -20], limit: '<c:max val="0"/>' },
    { amounts: [-1, 20], limit: '' },
  ])('have bars that begin at 0: $amounts', ({ amounts, limit }) => {
    const values = /<c:valAx>.*<\/c:valAx>/.exec(barsXml(amounts))?.[0];
    expect(values).toContain(`<c:scaling><c:orientation val="minMax"/>${limit}</c:scaling>`);
  });

  it('hatch the part of a bar that is not final, and omit the series when all values are', () => {
    const looksOf = (young: readonly (number | null)[]) => {
      const rows = young.map((part, index) => [`2025-0${index + 1}-01`, 10 * (index + 1), part]);
      const chart = chartOf('bars', { x: 'm', y: 'y', not_final: 'young' });
      const made = drawnRows({ m: 'month', y: 'money', young: 'money' }, chart, rows);
      return made?.series.map(({ look, values }) => [look.kind, values.values]);
    };
    expect(looksOf([null, 15])).toEqual([
      ['bar', [10, 20]],
      ['hatch', [null, 15]],
    ]);
    expect(looksOf([null, null])).toHaveLength(1);
  });

  it('draw the target as a line over the bars', () => {
    const xml = barsXml([10, 20], { target: 'aim' });
    const [, bars = '', line = ''] =
      /(<c:barChart>.*<\/c:barChart>)(<c:lineChart>.*<\/c:lineChart>)/.exec(xml) ?? [];
    expect(bars).not.toContain('Aim');
    expect(line).toContain('Aim');
  });

  it('make the bars lighter that are beside those of the period', () => {
    const xml = barsXml([9, 10], { marked: 'own' });
    expect(xml.match(/<c:dPt>.*?<\/c:dPt>/gu)).toEqual([
      expect.stringMatching(/<c:idx val="0"\/>.*A0C1DC/u),
    ]);
  });

  it('draw the rows of another section as a line for each facet over shared months', () => {
    const chart = drawn('by_profile');
    expect(chart?.kind).toBe('lines');
    expect(chart?.series.map(({ name, values }) => [name.text, values.formula])).toEqual([
      ['Anna', "'profile_months'!$C$5:$C$8"],
      ['Halden "Grid" & Söhne', "'profile_months'!$C$9:$C$12"],
      ['Tomasz', "'profile_months'!$C$13:$C$16"],
    ]);
    expect(chart?.series[0]?.values.values).toEqual([0, 1, null, 3]);
    expect(drawn('profile_months')).toBeNull();
  });

  it('draw a bar for each facet in a period of one month', () => {
    const rows = ['Anna', 'Bo'].map((who, at) => [who, '2025-10-01', at + 1]);
    const chart = chartOf('multiples', { facet: 'who', x: 'm', y: 'y' });
    expect(drawnRows({ who: 'text', m: 'month', y: 'money' }, chart, rows)).toMatchObject({
      kind: 'bars',
      series: [{ categories: { values: ['Anna', 'Bo'] }, values: { values: [1, 2] } }],
    });
  });

  it('give series with different days an axis of numbers, and leave out values without a day', () => {
    const chart = drawn('days');
    expect(chart?.kind).toBe('scatter');
    expect(chart?.series.map(({ categories }) => categories.formula)).toEqual([
      "'days'!$B$5:$B$6",
      "('days'!$B$7,'days'!$B$9)",
    ]);
    expect(new Set(chart?.series.map(({ look }) => look.mark)).size).toBe(2);
  });

  it('draw horizontal bars for names, labelled with their values instead of an axis', () => {
    expect(drawn('by_type')?.kind).toBe('bars');
    expect(drawn('stages')).toMatchObject({ kind: 'bars', hasValues: true, height: 4.9 });
  });

  it('leave out lines without a value, and place uneven ages on a scale', () => {
    const ages = [1, 2, 7, 30];
    const rows = ['a', 'b', 'none'].flatMap((name) =>
      ages.map((age) => [name, age, name === 'none' ? null : age / 30]),
    );
    const chart = chartOf('lines', { x: 'age', y: 'y', series: 'm' });
    const lines = drawnRows({ m: 'text', age: 'count', y: 'rate' }, chart, rows);
    expect(lines?.kind).toBe('scatter');
    expect(lines?.series.map(({ name }) => name.text)).toEqual(['a', 'b']);
  });

  it('draw of more than six lines the five with the highest last value', () => {
    const rows = Array.from({ length: 18 }, (_, index) => [
      `p${index % 9}`,
      index < 9 ? '2025-01-01' : '2025-02-01',
      index % 9,
    ]);
    const chart = chartOf('multiples', { facet: 'p', x: 'm', y: 'y' });
    const made = drawnRows({ p: 'text', m: 'month', y: 'count' }, chart, rows);
    const names = made?.series.map(({ name }) => name.text);
    expect(names).toEqual(['p4', 'p5', 'p6', 'p7', 'p8']);
  });
});

it('has the colour of the brand in charts, in bars of cells and in scales', async () => {
  const usual = await roundTrip(sampleDocument({ brand: null }));
  const brand = { name: null, logo: null, color: '#7a1f5c', productMark: true };
  const branded = await roundTrip(sampleDocument({ brand }));
  const xml = ({ parts }: typeof usual) => [...parts.values()].join('');
  expect(xml(usual)).toMatch(/<a:srgbClr val="1A76C4"|<color rgb="FF1A76C4"/);
  expect(xml(branded)).not.toMatch(/1A76C4/);
  expect(xml(branded)).toMatch(/<a:srgbClr val="7A1F5C"[^]*<color rgb="FF7A1F5C"/);
});
