import { lineColors } from './chart-looks.ts';
import type { ChartCells, ChartSeries, SeriesLook } from './native-chart.ts';
import { xmlText } from './xml-text.ts';

/** Widths in the 12,700 units that Office has for a point. */
const lineWidth = 22_225;
const edgeWidth = 12_700;

/** More marks than that hide their line. */
const maxMarks = 24;

/** One series; the order of its elements is the schema's, which differs by the kind of chart. */
export function seriesXml(
  series: ChartSeries,
  index: number,
  { kind, hasValues = false }: { kind: 'bar' | 'line' | 'scatter'; hasValues?: boolean },
): string {
  const { name, categories, values, look } = series;
  const title = `<c:tx><c:strRef><c:f>${xmlText(name.formula)}</c:f>${stringCache([name.text])}</c:strRef></c:tx>`;
  const head = `<c:idx val="${index}"/><c:order val="${index}"/>${title}<c:spPr>${shapeXml(look)}</c:spPr>`;
  if (kind === 'bar') {
    const data = `<c:cat>${cellsXml(categories)}</c:cat><c:val>${numbersXml(values)}</c:val>`;
    return `<c:ser>${head}<c:invertIfNegative val="0"/>${pointsXml(series)}${hasValues ? valueLabels(values.format) : ''}${data}</c:ser>`;
  }
  const isLine = kind === 'line';
  const data = isLine
    ? `<c:cat>${cellsXml(categories)}</c:cat><c:val>${numbersXml(values)}</c:val>`
    : `<c:xVal>${numbersXml(categories)}</c:xVal><c:yVal>${numbersXml(values)}</c:yVal>`;
  return `<c:ser>${head}${markerXml(look, values.values.length)}${data}<c:smooth val="0"/></c:ser>`;
}

function pointsXml({ painted = [] }: ChartSeries): string {
  return painted
    .map(({ index, color }) => {
      const shape = shapeXml({ color, kind: 'bar' });
      return `<c:dPt><c:idx val="${index}"/><c:invertIfNegative val="0"/><c:bubble3D val="0"/><c:spPr>${shape}</c:spPr></c:dPt>`;
    })
    .join('');
}

function valueLabels(format: string | null): string {
  const code = xmlText(format ?? 'General');
  return `<c:dLbls><c:numFmt formatCode="${code}" sourceLinked="0"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr><c:dLblPos val="outEnd"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>`;
}

function shapeXml({ color, kind, dash = 'solid' }: SeriesLook): string {
  const fill = solid(color);
  switch (kind) {
    case 'bar':
      // A thin edge in the ground's colour parts neighbours without a gap.
      return `${fill}<a:ln w="6350">${solid(lineColors.white)}</a:ln>`;
    case 'hatch':
      return `<a:pattFill prst="wdUpDiag"><a:fgClr><a:srgbClr val="${color}"/></a:fgClr><a:bgClr><a:srgbClr val="${lineColors.white}"/></a:bgClr></a:pattFill><a:ln w="6350">${fill}</a:ln>`;
    case 'outline':
      return `${solid(lineColors.white)}<a:ln w="${edgeWidth}">${fill}</a:ln>`;
    case 'line':
      return `<a:ln w="${lineWidth}" cap="rnd">${fill}<a:prstDash val="${dash}"/><a:round/></a:ln>`;
    case 'marks':
      return `<a:ln w="${lineWidth}"><a:noFill/></a:ln>`;
  }
}

function markerXml({ color, kind, mark }: SeriesLook, count: number): string {
  if (mark === undefined || (kind === 'line' && count > maxMarks))
    return '<c:marker><c:symbol val="none"/></c:marker>';
  const size = kind === 'marks' ? 14 : 5;
  return `<c:marker><c:symbol val="${mark}"/><c:size val="${size}"/><c:spPr>${solid(color)}<a:ln w="6350">${solid(color)}</a:ln></c:spPr></c:marker>`;
}

function solid(color: string): string {
  return `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`;
}

function cellsXml(cells: ChartCells): string {
  const isNumeric = cells.values.every((value) => typeof value !== 'string');
  if (isNumeric && cells.format !== null) return numbersXml(cells);
  const texts = cells.values.map((value) => (value === null ? null : String(value)));
  return `<c:strRef><c:f>${xmlText(cells.formula)}</c:f>${stringCache(texts)}</c:strRef>`;
}

function numbersXml({ formula, values, format }: ChartCells): string {
  const points = values
    .map((value, index) =>
      typeof value === 'number' ? `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>` : '',
    )
    .join('');
  const code = xmlText(format ?? 'General');
  return `<c:numRef><c:f>${xmlText(formula)}</c:f><c:numCache><c:formatCode>${code}</c:formatCode><c:ptCount val="${values.length}"/>${points}</c:numCache></c:numRef>`;
}

function stringCache(texts: readonly (string | null)[]): string {
  const points = texts
    .map((text, index) =>
      text === null ? '' : `<c:pt idx="${index}"><c:v>${xmlText(text)}</c:v></c:pt>`,
    )
    .join('');
  return `<c:strCache><c:ptCount val="${texts.length}"/>${points}</c:strCache>`;
}
