import { xmlText } from './cell-text.ts';
import type { ChartCells, ChartSeries, NativeChart, SeriesLook } from './chart-cells.ts';

/** Of all that a chart writes. */
const textProperties = `<a:defRPr sz="900"><a:solidFill><a:srgbClr val="434B57"/></a:solidFill><a:latin typeface="Arial"/></a:defRPr>`;

const lineColors = { grid: 'DDE1E6', axis: '8A929D', white: 'FFFFFF' } as const;

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spaces =
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const axes = '<c:axId val="1001"/><c:axId val="1002"/>';
const none = '<a:noFill/><a:ln><a:noFill/></a:ln>';

/** The part of a chart: no title (the sheet's first row is it), no frame, a key only for several series. */
export function chartXml(chart: NativeChart): string {
  const legend =
    chart.series.length < 2
      ? ''
      : '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>';
  const plot = `<c:plotArea><c:layout/>${drawnXml(chart)}${axesXml(chart)}<c:spPr>${none}</c:spPr></c:plotArea>`;
  const body = `<c:chart><c:autoTitleDeleted val="1"/>${plot}${legend}<c:plotVisOnly val="0"/><c:dispBlanksAs val="gap"/></c:chart>`;
  const text = `<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr>${textProperties}</a:pPr><a:endParaRPr lang="en-GB"/></a:p></c:txPr>`;
  return `${header}<c:chartSpace ${spaces}><c:date1904 val="0"/><c:roundedCorners val="0"/>${body}<c:spPr>${none}</c:spPr>${text}</c:chartSpace>`;
}

/** The marks of all series: bars first, what is drawn over them after. */
function drawnXml(chart: NativeChart): string {
  const { kind, series } = chart;
  const numbered = series.map((each, index) => ({ each, index }));
  const over = numbered.filter(({ each }) => kind === 'columns' && each.look.kind === 'marks');
  const main = numbered.filter((each) => !over.includes(each));
  return mainXml(chart, main) + (over.length === 0 ? '' : linesXml(over));
}

type Numbered = readonly { readonly each: ChartSeries; readonly index: number }[];

function mainXml({ kind, hasValues = false }: NativeChart, numbered: Numbered): string {
  // A hatched bar lies on the one that it is a part of.
  const overlap = numbered.some(({ each }) => each.look.kind === 'hatch') ? 100 : 0;
  switch (kind) {
    case 'columns':
      return barsXml(numbered, {
        direction: 'col',
        grouping: 'clustered',
        gap: 45,
        overlap,
        hasValues,
      });
    case 'bars':
      return barsXml(numbered, {
        direction: 'bar',
        grouping: 'clustered',
        gap: 45,
        overlap,
        hasValues,
      });
    case 'parts':
      return barsXml(numbered, {
        direction: 'bar',
        grouping: 'percentStacked',
        gap: 60,
        overlap: 100,
        hasValues,
      });
    case 'lines':
      return linesXml(numbered);
    case 'scatter': {
      const series = numbered
        .map(({ each, index }) => seriesXml(each, index, { kind: 'scatter' }))
        .join('');
      return `<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>${series}${axes}</c:scatterChart>`;
    }
  }
}

function barsXml(
  numbered: Numbered,
  look: {
    direction: 'bar' | 'col';
    grouping: string;
    gap: number;
    overlap: number;
    hasValues: boolean;
  },
): string {
  const series = numbered
    .map(({ each, index }) => seriesXml(each, index, { kind: 'bar', hasValues: look.hasValues }))
    .join('');
  return `<c:barChart><c:barDir val="${look.direction}"/><c:grouping val="${look.grouping}"/><c:varyColors val="0"/>${series}<c:gapWidth val="${look.gap}"/><c:overlap val="${look.overlap}"/>${axes}</c:barChart>`;
}

function linesXml(numbered: Numbered): string {
  const series = numbered
    .map(({ each, index }) => seriesXml(each, index, { kind: 'line' }))
    .join('');
  return `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}<c:marker val="1"/>${axes}</c:lineChart>`;
}

/** Widths in the 12,700 units that Office has for a point. */
const lineWidth = 22_225;
const edgeWidth = 12_700;

/** More marks than that hide their line. */
const maxMarks = 24;

/** One series; the order of its elements is the schema's, which differs by the kind of chart. */
function seriesXml(
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

/** Words and figures of an axis lie level: what does not fit is left out instead of turned. */
const levelText = `<c:txPr><a:bodyPr rot="0" vert="horz"/><a:lstStyle/><a:p><a:pPr>${textProperties}</a:pPr><a:endParaRPr lang="en-GB"/></a:p></c:txPr>`;

/** The two axes of a chart: what is compared, and the values with a light grid. */
function axesXml(chart: NativeChart): string {
  const isLying = chart.kind === 'bars' || chart.kind === 'parts';
  return chart.kind === 'scatter'
    ? numbersAxis(chart) + valueAxis(chart, isLying)
    : namesAxis(chart, isLying) + valueAxis(chart, isLying);
}

/** Lying bars run downwards in the order of the rows. */
function namesAxis(chart: NativeChart, isLying: boolean): string {
  const orientation = isLying ? 'maxMin' : 'minMax';
  const format = chart.series[0]?.categories.format ?? 'General';
  return `<c:catAx>${axisXml({ id: 1001, orientation, position: isLying ? 'l' : 'b', format, isGrid: false, hasLine: true })}<c:crossAx val="1002"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/>${skipXml(chart)}<c:noMultiLvlLbl val="1"/></c:catAx>`;
}

/** Names of months and days stand level and are wide: of many, some are left out. */
const maxLevelLabels = 13;

function skipXml({ kind, series }: NativeChart): string {
  const count = series[0]?.categories.values.length ?? 0;
  const skip = Math.ceil(count / maxLevelLabels);
  if (skip < 2 || (kind !== 'columns' && kind !== 'lines')) return '';
  return `<c:tickLblSkip val="${skip}"/><c:tickMarkSkip val="${skip}"/>`;
}

function numbersAxis(chart: NativeChart): string {
  const format = chart.series[0]?.categories.format ?? 'General';
  const values = chart.series.flatMap(({ categories }) => categories.values.map(Number));
  const limits = { least: Math.min(...values), most: Math.max(...values) };
  const isTime = format.includes('yyyy');
  // Dates are wide: five of them at most, at whole days.
  const step = isTime ? Math.max(1, Math.ceil((limits.most - limits.least) / 5)) : null;
  return `<c:valAx>${axisXml({ id: 1001, orientation: 'minMax', position: 'b', format, isGrid: false, hasLine: true, limits })}<c:crossAx val="1002"/><c:crosses val="autoZero"/><c:crossBetween val="midCat"/>${step === null ? '' : `<c:majorUnit val="${step}"/>`}</c:valAx>`;
}

function valueAxis(
  { kind, format: given, hasValues = false }: NativeChart,
  isLying: boolean,
): string {
  const format = kind === 'parts' ? '0%' : given;
  // The axis of names runs downwards, so that its far end is the foot.
  const crosses = isLying ? 'max' : 'min';
  const between = kind === 'lines' || kind === 'scatter' ? 'midCat' : 'between';
  return `<c:valAx>${axisXml({ id: 1002, orientation: 'minMax', position: isLying ? 'b' : 'l', format, isGrid: true, hasLine: false, isHidden: hasValues })}<c:crossAx val="1001"/><c:crosses val="${crosses}"/><c:crossBetween val="${between}"/></c:valAx>`;
}

function axisXml(axis: {
  readonly id: number;
  readonly orientation: 'minMax' | 'maxMin';
  readonly position: 'b' | 'l';
  readonly format: string;
  readonly isGrid: boolean;
  readonly hasLine: boolean;
  readonly isHidden?: boolean;
  readonly limits?: { readonly least: number; readonly most: number };
}): string {
  const line = (color: string) =>
    `<a:ln w="6350"><a:solidFill><a:srgbClr val="${color}"/></a:solidFill></a:ln>`;
  const limits =
    axis.limits === undefined || axis.limits.least === axis.limits.most
      ? ''
      : `<c:max val="${axis.limits.most}"/><c:min val="${axis.limits.least}"/>`;
  const isHidden = axis.isHidden === true;
  const grid =
    axis.isGrid && !isHidden
      ? `<c:majorGridlines><c:spPr>${line(lineColors.grid)}</c:spPr></c:majorGridlines>`
      : '';
  // Below all bars, those of negative values too; the far end of a reversed axis is not its low one.
  const labels = axis.isGrid ? 'nextTo' : 'low';
  const shape = axis.hasLine ? line(lineColors.axis) : '<a:ln><a:noFill/></a:ln>';
  return `<c:axId val="${axis.id}"/><c:scaling><c:orientation val="${axis.orientation}"/>${limits}</c:scaling><c:delete val="${isHidden ? 1 : 0}"/><c:axPos val="${axis.position}"/>${grid}<c:numFmt formatCode="${xmlText(axis.format)}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="${labels}"/><c:spPr>${shape}</c:spPr>${levelText}`;
}
