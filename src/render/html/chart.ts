import type { ReportSection } from '../../report/report-document.ts';
import { barChart } from './chart-bars.ts';
import { heatmapChart } from './chart-heatmap.ts';
import type { DrawnChart } from './drawn-chart.ts';
import type { PageContext } from './page-context.ts';

/** The section's chart; null when it has none, or no value that could be drawn. */
export function drawChart(
  section: ReportSection,
  id: string,
  context: PageContext,
): DrawnChart | null {
  switch (section.chart?.kind) {
    case 'bars':
      return barChart(section, section.chart, context);
    case 'heatmap':
      return heatmapChart(section, section.chart, id, context);
    case 'lines':
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
