import {
  type ChartSpec,
  chartTable,
  type ReportDocument,
  type ReportSection,
} from '../../report/report-document.ts';
import type { ChartSource, DrawnChart, NativeChart } from './chart-cells.ts';
import { barChart, figuresChart, lineChart, partsChart } from './chart-kinds.ts';
import type { NumberFormats } from './number-formats.ts';
import type { TablePlace } from './table-place.ts';

/** More points than that are slow to draw and say nothing more. */
const maxRows = 5_000;

export interface ChartContext {
  readonly sections: readonly { readonly section: ReportSection; readonly place: TablePlace }[];
  readonly numberFormats: NumberFormats;
  readonly timezone: string;
}

/** The chart of a section as the workbook draws it; null: there is none, or nothing to draw. */
export function nativeChart(section: ReportSection, context: ChartContext): NativeChart | null {
  const { chart } = section;
  if (chart === null || section.layout === 'data') return null;
  const source = sourceOf(section, context);
  if (source === null || source.table.rows.length > maxRows) return null;
  const drawn = drawChart(chart, source);
  const isEmpty = !drawn?.series.some(({ values }) =>
    values.values.some((value) => value !== null),
  );
  if (drawn === null || isEmpty) return null;
  return { ...drawn, label: section.finding ?? section.description };
}

function sourceOf(
  section: ReportSection,
  { sections, ...formats }: ChartContext,
): ChartSource | null {
  const document: Pick<ReportDocument, 'sections'> = {
    sections: sections.map((each) => each.section),
  };
  const table = chartTable(section, document as ReportDocument);
  const place = sections.find((each) => each.section === table)?.place;
  return place === undefined ? null : { table, place, ...formats };
}

function drawChart(chart: ChartSpec, source: ChartSource): DrawnChart | null {
  switch (chart.kind) {
    case 'bars':
      return barChart(source, {
        label: chart.x,
        value: chart.y,
        previous: chart.previous,
        notFinal: chart.not_final,
      });
    case 'band':
      return figuresChart(source, chart, [{ name: chart.value, look: 'bar' }]);
    case 'stages':
      return figuresChart(source, chart, [{ name: chart.value, look: 'bar' }]);
    case 'lift':
      return figuresChart(source, chart, [
        { name: chart.without, look: 'outline' },
        { name: chart.with, look: 'bar' },
      ]);
    case 'quartiles':
      return figuresChart(source, { label: source.table.columns[0]?.name ?? '' }, [
        { name: chart.low, look: 'light' },
        { name: chart.middle, look: 'bar' },
        { name: chart.high, look: 'dark' },
      ]);
    case 'lines':
      return lineChart(source, { ...chart });
    case 'multiples':
      return lineChart(source, { x: chart.x, y: chart.y, series: chart.facet, previous: null });
    case 'strip':
      return partsChart(source, { group: null, part: chart.label, share: chart.share });
    case 'stacked':
      return partsChart(source, { group: chart.group, part: chart.part, share: chart.share });
    // A scale colours the heatmap's cells; a distribution is a dot a row, which no chart of a sheet counts.
    case 'heatmap':
    case 'distribution':
      return null;
  }
}
