import { xmlText } from './cell-text.ts';
import type { NativeChart } from './chart-cells.ts';

/** Where a chart's upper left corner lies: column and row from 1, and how far below the row's top, in points. */
export interface ChartAnchor {
  readonly column: number;
  readonly row: number;
  readonly below: number;
}

/** In centimetres. */
export const chartWidth = 16;
const usualHeight = 8;
/** Office counts so many in a centimetre. */
const unitsPerCm = 360_000;

export function chartHeight({ height = usualHeight }: Pick<NativeChart, 'height'>): number {
  return height;
}

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const drawingSpace = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const mainSpace = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const chartSpace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const relationSpace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageSpace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const officeType = 'application/vnd.openxmlformats-officedocument';

/** A drawing with one chart, which keeps its size whatever the cells below it do. */
export function drawingXml(
  chart: Pick<NativeChart, 'label' | 'height'>,
  { column, row, below }: ChartAnchor,
): string {
  const from = `<xdr:from><xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>${Math.round(below * 12_700)}</xdr:rowOff></xdr:from>`;
  const named = `<xdr:cNvPr id="2" name="Chart 1" descr="${xmlText(chart.label)}"/>`;
  const graphic = `<a:graphic><a:graphicData uri="${chartSpace}"><c:chart xmlns:c="${chartSpace}" xmlns:r="${relationSpace}" r:id="rId1"/></a:graphicData></a:graphic>`;
  const frame = `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>${named}<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>${graphic}</xdr:graphicFrame>`;
  return `${header}<xdr:wsDr xmlns:xdr="${drawingSpace}" xmlns:a="${mainSpace}"><xdr:oneCellAnchor>${from}<xdr:ext cx="${chartWidth * unitsPerCm}" cy="${Math.round(chartHeight(chart) * unitsPerCm)}"/>${frame}<xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>`;
}

/** A drawing and its chart have the same number. */
export function drawingRelations(number: number): string {
  return `${header}<Relationships xmlns="${packageSpace}"><Relationship Id="rId1" Type="${relationSpace}/chart" Target="../charts/chart${number}.xml"/></Relationships>`;
}

/** The content types of the first `count` drawings and charts. */
export function drawingTypes(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const drawing = `<Override PartName="/xl/drawings/drawing${index + 1}.xml" ContentType="${officeType}.drawing+xml"/>`;
    const chart = `<Override PartName="/xl/charts/chart${index + 1}.xml" ContentType="${officeType}.drawingml.chart+xml"/>`;
    return drawing + chart;
  }).join('');
}
