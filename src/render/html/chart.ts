import { chartTable, type ReportSection } from '../../report/report-document.ts';
import { barChart } from './chart-bars.ts';
import { bandChart } from './charts/chart-band.ts';
import { distributionChart } from './charts/chart-distribution.ts';
import { linesChart } from './charts/chart-lines.ts';
import { multiplesChart } from './charts/chart-multiples.ts';
import { stripChart } from './charts/chart-strip.ts';
import { heatmapChart } from './chart-heatmap.ts';
import { liftChart } from './charts/chart-lift.ts';
import { stackedChart } from './charts/chart-stacked.ts';
import { stagesChart } from './charts/chart-stages.ts';
import type { DrawnChart } from './drawn-chart.ts';

export type { DrawnChart } from './drawn-chart.ts';
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
    case 'multiples':
      return multiplesChart(section, table, section.chart, context);
    case 'distribution':
      return distributionChart(section, table, section.chart, context);
    case 'strip':
      return stripChart(section, table, section.chart, context);
    case 'band':
      return bandChart(section, table, section.chart, context);
    case 'lift':
      return liftChart(section, table, section.chart, context);
    case 'stacked':
      return stackedChart(section, table, section.chart, context);
    case 'stages':
      return stagesChart(section, table, section.chart, context);
    case 'heatmap':
      return heatmapChart(section, table, section.chart, id, context);
    case 'quartiles':
    case undefined:
      return null;
  }
}
