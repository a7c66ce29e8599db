import { axesXml } from './chart-axes-xml.ts';
import { textProperties } from './chart-looks.ts';
import { seriesXml } from './chart-series-xml.ts';
import type { ChartSeries, NativeChart } from './native-chart.ts';

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
