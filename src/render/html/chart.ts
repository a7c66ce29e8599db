import { chartTable, type ReportSection } from '../../report/report-document.ts';
import { barChart } from './chart-bars.ts';
import { linesChart } from './charts/chart-lines.ts';
import { heatmapChart } from './chart-heatmap.ts';
import type { DrawnChart } from './drawn-chart.ts';
import type { PageContext } from './page-context.ts';

/** The section's chart, of the rows that it names; null without one, or without a value to draw. */
export function drawChart(
  section: ReportSection,
  id: string,
  context: PageContext,
): DrawnChart | null {
  const table = chartTable(section, context.document);
  switch (section.chart?.kind) {
    case 'bars':
      return barChart(section, table, section.chart, id, context);
    case 'lines':
      return linesChart(section, table, section.chart, context);
    case 'heatmap':
      return heatmapChart(section, table, section.chart, id, context);
    case 'multiples':
    case 'distribution':
    case 'strip':
    case 'band':
    case 'quartiles':
    case 'lift':
    case 'stacked':
    case 'stages':
    case undefined:
      return null;
  }
}
