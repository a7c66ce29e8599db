import { lineColors, textProperties } from './chart-looks.ts';
import type { NativeChart } from './native-chart.ts';
import { xmlText } from './xml-text.ts';

/** Words and figures of an axis lie level: what does not fit is left out instead of turned. */
const levelText = `<c:txPr><a:bodyPr rot="0" vert="horz"/><a:lstStyle/><a:p><a:pPr>${textProperties}</a:pPr><a:endParaRPr lang="en-GB"/></a:p></c:txPr>`;

/** The two axes of a chart: what is compared, and the values with a light grid. */
export function axesXml(chart: NativeChart): string {
  const isLying = chart.kind === 'bars' || chart.kind === 'parts';
  return chart.kind === 'scatter'
    ? numbersAxis(chart) + valueAxis(chart, isLying)
    : namesAxis(chart, isLying) + valueAxis(chart, isLying);
}

/** Lying bars run downwards in the order of the rows. */
function namesAxis(chart: NativeChart, isLying: boolean): string {
  const orientation = isLying ? 'maxMin' : 'minMax';
  const format = chart.series[0]?.categories.format ?? 'General';
  return `<c:catAx>${axisXml({ id: 1001, orientation, position: isLying ? 'l' : 'b', format, isGrid: false, hasLine: true })}<c:crossAx val="1002"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/></c:catAx>`;
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
