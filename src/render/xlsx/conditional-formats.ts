/** How values colour their cells. */
export type ConditionalFormat =
  | { readonly kind: 'bars'; readonly range: string }
  | {
      readonly kind: 'scale';
      /** The cells that are coloured, for example `C5:C9` and `C11:C20`. */
      readonly ranges: readonly string[];
      /** The least and the largest of their values. */
      readonly limits: readonly [number, number];
      /** All cells that may come to stand there when the reader sorts. */
      readonly range: string;
      /** True of a cell that is never coloured, for the first cell of `range`. */
      readonly exclude: string;
    };

/** Fonts of cells under a rule, in the order in which the workbook has to register them. */
export const ruleFonts = [
  { color: { argb: 'FF626B78' } },
  { color: { argb: 'FFFFFFFF' } },
] as const;
const softFont = 0;
const lightFont = 1;

/** From there on up, of the way from the least to the largest value, ink is harder to read than white. */
const darkFrom = 0.675;

export interface ConditionalFormatXml {
  /** The `conditionalFormatting` elements. */
  readonly formats: string;
  /** The sheet's `extLst`, without which bars fade and have a border. */
  readonly extension: string;
}

const barColor = 'FF1A76C4';
const scaleColors = ['FFEEF4FA', 'FF74A9D3', 'FF0A3763'];
/** Bars end before the figure, which stands right. */
const maxBarLength = 55;

/** @param sheet the sheet's number, which makes the ids of its bars its own */
export function conditionalFormatXml(
  sheet: number,
  formats: readonly ConditionalFormat[],
): ConditionalFormatXml {
  const parts = formats.map((format, index) =>
    format.kind === 'bars'
      ? barsXml(format.range, { id: barId(sheet, index), priority: index + 1 })
      : { formats: scaleXml(format, formats.length + 1), extension: '' },
  );
  const bars = parts.map((part) => part.extension).join('');
  return {
    formats: parts.map((part) => part.formats).join(''),
    extension: bars === '' ? '' : extensionXml(bars),
  };
}

function barId(sheet: number, index: number): string {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0');
  return `{${hex(sheet, 8)}-0000-4000-8000-${hex(index, 12)}}`.toUpperCase();
}

/** Bars from 0 to the largest value of the range: the plain rule, and its refinement since 2010. */
function barsXml(range: string, { id, priority }: { id: string; priority: number }) {
  const reference = `<extLst><ext xmlns:x14="${x14}" uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}"><x14:id>${id}</x14:id></ext></extLst>`;
  const bar = `<dataBar minLength="0" maxLength="${maxBarLength}"><cfvo type="num" val="0"/><cfvo type="max"/><color rgb="${barColor}"/></dataBar>`;
  const limits = '<x14:cfvo type="num"><xm:f>0</xm:f></x14:cfvo><x14:cfvo type="max"/>';
  const solid = `<x14:dataBar minLength="0" maxLength="${maxBarLength}" gradient="0" negativeBarColorSameAsPositive="1" axisPosition="none">${limits}</x14:dataBar>`;
  return {
    formats: formatXml(
      range,
      `<cfRule type="dataBar" priority="${priority}">${bar}${reference}</cfRule>`,
    ),
    extension: `<x14:conditionalFormatting xmlns:xm="${xm}"><x14:cfRule type="dataBar" id="${id}">${solid}</x14:cfRule><xm:sqref>${range}</xm:sqref></x14:conditionalFormatting>`,
  };
}

/**
 * Only cells that count get the scale. The first rule keeps those that do not uncoloured wherever
 * sorting puts them, since a format stays in its place while values move. Each range has rules of its own
 * with the limits of all: readers differ in which cell of several ranges a formula is for.
 */
function scaleXml(
  { ranges, limits: [least, most], range, exclude }: ConditionalFormat & { kind: 'scale' },
  priority: number,
): string {
  const stops = [least, (least + most) / 2, most].map(
    (value) => `<cfvo type="num" val="${value}"/>`,
  );
  const colors = scaleColors.map((color) => `<color rgb="${color}"/>`);
  const scale = `<colorScale>${[...stops, ...colors].join('')}</colorScale>`;
  const dark = least + darkFrom * (most - least);
  const parts = ranges.map((each, index) => {
    const first = each.split(':')[0] ?? each;
    const next = priority + 1 + 2 * index;
    const light = expressionXml(`${first}>${dark}`, {
      font: lightFont,
      priority: next,
      isLast: false,
    });
    return formatXml(
      each,
      `${light}<cfRule type="colorScale" priority="${next + 1}">${scale}</cfRule>`,
    );
  });
  const excluded = expressionXml(exclude, { font: softFont, priority, isLast: true });
  return formatXml(range, excluded) + parts.join('');
}

function formatXml(range: string, rules: string): string {
  return `<conditionalFormatting sqref="${range}">${rules}</conditionalFormatting>`;
}

function expressionXml(
  expression: string,
  { font, priority, isLast }: { font: number; priority: number; isLast: boolean },
): string {
  const formula = expression.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const stop = isLast ? ' stopIfTrue="1"' : '';
  return `<cfRule type="expression" dxfId="${font}" priority="${priority}"${stop}><formula>${formula}</formula></cfRule>`;
}

function extensionXml(bars: string): string {
  return `<extLst><ext xmlns:x14="${x14}" uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"><x14:conditionalFormattings>${bars}</x14:conditionalFormattings></ext></extLst>`;
}

const x14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const xm = 'http://schemas.microsoft.com/office/excel/2006/main';
