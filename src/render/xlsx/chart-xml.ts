import { xmlText } from './cell-text.ts';
import type { ChartCells, ChartSeries, NativeChart, SeriesLook } from './chart-cells.ts';

/** The font of all text in a chart. */
const textProperties = `<a:defRPr sz="900"><a:solidFill><a:srgbClr val="434B57"/></a:solidFill><a:latin typeface="Arial"/></a:defRPr>`;

const lineColors = { grid: 'DDE1E6', axis: '8A929D', white: 'FFFFFF' } as const;

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spaces =
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const axes = '<c:axId val="1001"/><c:axId val="1002"/>';
const none = '<a:noFill/><a:ln><a:noFill/></a:ln>';

/** The XML part of a chart: no title, which is in the first row of the sheet, no frame, and a key only for several series. */
export function chartXml(chart: NativeChart): string {
  const legend =
    chart.series.length < 2 && chart.marks === undefined
      ? ''
      : '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>';
  const plot = `<c:plotArea><c:layout/>${drawnXml(chart)}${axesXml(chart)}<c:spPr>${none}</c:spPr></c:plotArea>`;
  const body = `<c:chart><c:autoTitleDeleted val="1"/>${plot}${legend}<c:plotVisOnly val="0"/><c:dispBlanksAs val="gap"/></c:chart>`;
  const text = `<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr>${textProperties}</a:pPr><a:endParaRPr lang="en-GB"/></a:p></c:txPr>`;
  return `${header}<c:chartSpace ${spaces}><c:date1904 val="0"/><c:roundedCorners val="0"/>${body}<c:spPr>${none}</c:spPr>${text}</c:chartSpace>`;
}

type Numbered = readonly { readonly each: ChartSeries; readonly index: number }[];

/** The marks of all series: bars first, then those that are drawn over them. */
function drawnXml(chart: NativeChart): string {
  const { kind, series, hasValues = false } = chart;
  const numbered = series.map((each, index) => ({ each, index }));
  const events = marksXml(chart);
  if (kind === 'lines') return linesXml(numbered, events);
  if (kind === 'scatter') {
    return `<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>${seriesXml(numbered, 'scatter')}${events}${axes}</c:scatterChart>`;
  }
  const isBar = ({ each: { look } }: Numbered[number]) =>
    look.kind === 'bar' || look.kind === 'hatch' || look.kind === 'portion';
  const over = numbered.filter((each) => !isBar(each));
  const main = numbered.filter(isBar);
  // the columns of further series cover a part of those of the first
  const overlap = kind === 'columns' && main.length > 1 ? 100 : 0;
  const bars = `<c:barChart><c:barDir val="${kind === 'columns' ? 'col' : 'bar'}"/><c:grouping val="clustered"/><c:varyColors val="0"/>${seriesXml(main, 'bar', hasValues)}<c:gapWidth val="45"/><c:overlap val="${overlap}"/>${axes}</c:barChart>`;
  return bars + (over.length === 0 && events === '' ? '' : linesXml(over, events));
}

function linesXml(numbered: Numbered, events: string): string {
  return `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${seriesXml(numbered, 'line')}${events}<c:marker val="1"/>${axes}</c:lineChart>`;
}

/** The width of lines in Office units, of which a point has 12,700. */
const lineWidth = 22_225;

/** More marks than this would hide their line. */
const maxMarks = 24;

/** The order of its elements is the schema's, which differs by the kind of chart. */
function seriesXml(
  numbered: Numbered,
  kind: 'bar' | 'line' | 'scatter',
  hasValues = false,
): string {
  const drawn = numbered.map(({ each, index }) => {
    const { name, categories, values, look, points: own = [] } = each;
    const title = `<c:tx><c:strRef><c:f>${xmlText(name.formula)}</c:f>${stringCache([name.text])}</c:strRef></c:tx>`;
    const head = `<c:idx val="${index}"/><c:order val="${index}"/>${title}<c:spPr>${shapeXml(look)}</c:spPr>`;
    const data =
      kind === 'scatter'
        ? `<c:xVal>${numbersXml(categories)}</c:xVal><c:yVal>${numbersXml(values)}</c:yVal>`
        : `<c:cat>${cellsXml(categories)}</c:cat><c:val>${numbersXml(values)}</c:val>`;
    if (kind === 'bar') {
      const labels = hasValues ? valueLabels(values.format) : '';
      const points = [...own].map(
        ([at, pointLook]) =>
          `<c:dPt><c:idx val="${at}"/><c:invertIfNegative val="0"/><c:bubble3D val="0"/><c:spPr>${shapeXml(pointLook)}</c:spPr></c:dPt>`,
      );
      return `<c:ser>${head}<c:invertIfNegative val="0"/>${points.join('')}${labels}${data}</c:ser>`;
    }
    return `<c:ser>${head}${markerXml(look, values.values.length)}${data}<c:smooth val="0"/></c:ser>`;
  });
  return drawn.join('');
}

/** A series of events, whose labels are their numbers and whose bars of error are lines down to the axis. */
function marksXml({ series, marks }: NativeChart): string {
  const [first] = series;
  if (!marks?.cells || !first) return '';
  const { name, labels, cells } = marks;
  const numbers = [...labels].map(
    ([index, text]) =>
      `<c:dLbl><c:idx val="${index}"/><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang="en-GB" sz="900"/><a:t>${xmlText(text)}</a:t></a:r></a:p></c:rich></c:tx><c:dLblPos val="t"/>${shownLabel(true)}</c:dLbl>`,
  );
  const heights = numbersXml(cells.heights);
  const data = cells.days
    ? `<c:xVal>${numbersXml(cells.days)}</c:xVal><c:yVal>${heights}</c:yVal>`
    : `<c:cat>${cellsXml(first.categories)}</c:cat><c:val>${heights}</c:val>`;
  const look = { color: '434B57', kind: 'marks', mark: 'diamond' } as const;
  const down = `<c:errBars><c:errDir val="y"/><c:errBarType val="minus"/><c:errValType val="percentage"/><c:noEndCap val="1"/><c:val val="100"/><c:spPr><a:ln w="6350">${solid(look.color)}<a:prstDash val="sysDot"/></a:ln></c:spPr></c:errBars>`;
  const marker = markerXml(look, cells.heights.values.length, 6);
  return `<c:ser><c:idx val="${series.length}"/><c:order val="${series.length}"/><c:tx><c:v>${xmlText(name)}</c:v></c:tx><c:spPr>${shapeXml(look)}</c:spPr>${marker}<c:dLbls>${numbers.join('')}${shownLabel(false)}</c:dLbls>${down}${data}<c:smooth val="0"/></c:ser>`;
}

function shownLabel(isShown: boolean): string {
  return `<c:showLegendKey val="0"/><c:showVal val="${isShown ? 1 : 0}"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/>`;
}

function valueLabels(format: string | null): string {
  const code = xmlText(format ?? 'General');
  return `<c:dLbls><c:numFmt formatCode="${code}" sourceLinked="0"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr><c:dLblPos val="outEnd"/>${shownLabel(true)}</c:dLbls>`;
}

function shapeXml({ color, kind, dash = 'solid' }: SeriesLook): string {
  const fill = solid(color);
  switch (kind) {
    case 'bar':
      // A thin edge in the colour of the background separates bars without a gap.
      return `${fill}<a:ln w="6350">${solid(lineColors.white)}</a:ln>`;
    case 'hatch':
    case 'portion':
      return `<a:pattFill prst="${kind === 'hatch' ? 'wdUpDiag' : 'wdDnDiag'}"><a:fgClr><a:srgbClr val="${color}"/></a:fgClr><a:bgClr><a:srgbClr val="${lineColors.white}"/></a:bgClr></a:pattFill><a:ln w="6350">${fill}</a:ln>`;
    case 'line':
      return `<a:ln w="${lineWidth}" cap="rnd">${fill}<a:prstDash val="${dash}"/><a:round/></a:ln>`;
    case 'marks':
      return `<a:ln w="${lineWidth}"><a:noFill/></a:ln>`;
  }
}

function markerXml(
  { color, kind, mark }: SeriesLook,
  count: number,
  size = kind === 'marks' ? 14 : 5,
): string {
  if (mark === undefined || (kind === 'line' && count > maxMarks))
    return '<c:marker><c:symbol val="none"/></c:marker>';
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

/** The labels of an axis are horizontal; those that do not fit are left out instead of rotated. */
const levelText = `<c:txPr><a:bodyPr rot="0" vert="horz"/><a:lstStyle/><a:p><a:pPr>${textProperties}</a:pPr><a:endParaRPr lang="en-GB"/></a:p></c:txPr>`;

/** The two axes of a chart: the categories, and the values with a light grid. */
function axesXml(chart: NativeChart): string {
  return (chart.kind === 'scatter' ? numbersAxis(chart) : namesAxis(chart)) + valueAxis(chart);
}

/** Horizontal bars are ordered from top to bottom. */
function namesAxis(chart: NativeChart): string {
  const isHorizontal = chart.kind === 'bars';
  const scale = `<c:orientation val="${isHorizontal ? 'maxMin' : 'minMax'}"/>`;
  const format = chart.series[0]?.categories.format ?? 'General';
  const axis = axisXml({ id: 1001, scale, position: isHorizontal ? 'l' : 'b', format });
  return `<c:catAx>${axis}<c:crossAx val="1002"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/>${skipXml(chart)}<c:noMultiLvlLbl val="1"/></c:catAx>`;
}

/** The names of months and days are wide, so that some are left out when there are many. */
const maxLevelLabels = 13;

function skipXml({ kind, series }: NativeChart): string {
  const count = series[0]?.categories.values.length ?? 0;
  const skip = Math.ceil(count / maxLevelLabels);
  if (skip < 2 || (kind !== 'columns' && kind !== 'lines')) return '';
  return `<c:tickLblSkip val="${skip}"/><c:tickMarkSkip val="${skip}"/>`;
}

function numbersAxis({ series }: NativeChart): string {
  const format = series[0]?.categories.format ?? 'General';
  const values = series.flatMap(({ categories }) => categories.values.map(Number));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const limits = least === most ? '' : `<c:max val="${most}"/><c:min val="${least}"/>`;
  const scale = `<c:orientation val="minMax"/>${limits}`;
  // Dates are wide, so that there are at most five of them, at whole days.
  const step = Math.max(1, Math.ceil((most - least) / 5));
  const unit = format.includes('yyyy') ? `<c:majorUnit val="${step}"/>` : '';
  return `<c:valAx>${axisXml({ id: 1001, scale, position: 'b', format })}<c:crossAx val="1002"/><c:crosses val="autoZero"/><c:crossBetween val="midCat"/>${unit}</c:valAx>`;
}

function valueAxis(chart: NativeChart): string {
  const { kind, format, hasValues = false } = chart;
  // The axis of names runs downwards, so that its far end is the foot.
  const crosses = kind === 'bars' ? 'max' : 'min';
  const between = kind === 'lines' || kind === 'scatter' ? 'midCat' : 'between';
  const position = kind === 'bars' ? 'b' : 'l';
  const scale = `<c:orientation val="minMax"/>${barLimit(chart)}`;
  const values = hasValues ? 'hidden' : 'shown';
  return `<c:valAx>${axisXml({ id: 1002, scale, position, format, values })}<c:crossAx val="1001"/><c:crosses val="${crosses}"/><c:crossBetween val="${between}"/></c:valAx>`;
}

/** Bars begin at 0. Otherwise programs begin the axis near the smallest value when all are close to each other. */
function barLimit({ kind, series }: NativeChart): string {
  if (kind === 'lines' || kind === 'scatter') return '';
  const values = series.flatMap((each) => each.values.values.map(Number));
  if (values.every((value) => value >= 0)) return '<c:min val="0"/>';
  return values.every((value) => value <= 0) ? '<c:max val="0"/>' : '';
}

function axisXml(axis: {
  readonly id: number;
  readonly scale: string;
  readonly position: 'b' | 'l';
  readonly format: string;
  /** The style of an axis of values, which has a grid instead of a line. */
  readonly values?: 'shown' | 'hidden';
}): string {
  const { id, scale, position, format, values } = axis;
  const line = (color: string) => `<a:ln w="6350">${solid(color)}</a:ln>`;
  const grid =
    values === 'shown'
      ? `<c:majorGridlines><c:spPr>${line(lineColors.grid)}</c:spPr></c:majorGridlines>`
      : '';
  // The labels are below all bars, even those of negative values; a reversed axis ends at its high end.
  const labels = values === undefined ? 'low' : 'nextTo';
  const shape = values === undefined ? line(lineColors.axis) : '<a:ln><a:noFill/></a:ln>';
  return `<c:axId val="${id}"/><c:scaling>${scale}</c:scaling><c:delete val="${values === 'hidden' ? 1 : 0}"/><c:axPos val="${position}"/>${grid}<c:numFmt formatCode="${xmlText(format)}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="${labels}"/><c:spPr>${shape}</c:spPr>${levelText}`;
}

/** The upper left corner of a chart: column and row from 1, and the distance from the top of the row in points. */
export interface ChartAnchor {
  readonly column: number;
  readonly row: number;
  readonly below: number;
}

/** The width and the usual height of a chart in centimetres. */
export const chartWidth = 16;
const usualHeight = 8;
/** The number of Office units in a centimetre. */
const unitsPerCm = 360_000;

export function chartHeight({ height = usualHeight }: Pick<NativeChart, 'height'>): number {
  return height;
}

const drawingSpace = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const mainSpace = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const chartSpace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const relationSpace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageSpace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const officeType = 'application/vnd.openxmlformats-officedocument';

/** A drawing with charts, whose sizes do not depend on the cells below them. */
export function drawingXml(
  charts: readonly {
    readonly chart: Pick<NativeChart, 'label' | 'height'>;
    readonly anchor: ChartAnchor;
  }[],
): string {
  const frames = charts.map(({ chart, anchor }, index) => frameXml(chart, anchor, index + 1));
  return `${header}<xdr:wsDr xmlns:xdr="${drawingSpace}" xmlns:a="${mainSpace}">${frames.join('')}</xdr:wsDr>`;
}

/** @param number the number of the chart in its drawing, from 1 */
function frameXml(
  chart: Pick<NativeChart, 'label' | 'height'>,
  { column, row, below }: ChartAnchor,
  number: number,
): string {
  const from = `<xdr:from><xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>${Math.round(below * 12_700)}</xdr:rowOff></xdr:from>`;
  const named = `<xdr:cNvPr id="${number + 1}" name="Chart ${number}" descr="${xmlText(chart.label)}"/>`;
  const graphic = `<a:graphic><a:graphicData uri="${chartSpace}"><c:chart xmlns:c="${chartSpace}" xmlns:r="${relationSpace}" r:id="rId${number}"/></a:graphicData></a:graphic>`;
  const frame = `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>${named}<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>${graphic}</xdr:graphicFrame>`;
  return `<xdr:oneCellAnchor>${from}<xdr:ext cx="${chartWidth * unitsPerCm}" cy="${Math.round(chartHeight(chart) * unitsPerCm)}"/>${frame}<xdr:clientData/></xdr:oneCellAnchor>`;
}

/** @param numbers the numbers of the charts of a drawing among those of the workbook */
export function drawingRelations(numbers: readonly number[]): string {
  const relations = numbers.map(
    (number, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relationSpace}/chart" Target="../charts/chart${number}.xml"/>`,
  );
  return `${header}<Relationships xmlns="${packageSpace}">${relations.join('')}</Relationships>`;
}

/** @param drawings the number of drawings @param charts the number of charts in all of them */
export function drawingTypes(drawings: number, charts: number): string {
  const types = (count: number, path: string, type: string) =>
    Array.from(
      { length: count },
      (_, index) =>
        `<Override PartName="/xl/${path}${index + 1}.xml" ContentType="${officeType}.${type}+xml"/>`,
    ).join('');
  return (
    types(drawings, 'drawings/drawing', 'drawing') +
    types(charts, 'charts/chart', 'drawingml.chart')
  );
}
