import { chartTable, type ReportSection } from '../../report/report-document.ts';
import { barChart } from './charts/bars.ts';
import { calendarChart } from './charts/calendar.ts';
import { chartRows } from '../chart-rows.ts';
import { type Drawn, noteLine, readDrawn } from '../drawn.ts';
import {
  type Chart,
  type ChartScope,
  figureMarkup,
  type Picture,
  pictureOf,
} from './charts/figure.ts';
import { heatmapChart } from './charts/heatmap.ts';
import { linesChart } from './charts/lines.ts';
import { multiplesChart } from './charts/multiples.ts';
import { stackedChart } from './charts/shares.ts';
import type { Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';

export interface DrawnChart {
  readonly figure: Markup;
  /** Set when each mark is labelled with its value, so that the table can be folded. */
  readonly showsAllValues: boolean;
  /** Sentences about the drawing; they come before the notes of the section. */
  readonly notes: readonly string[];
}

/** The chart of a section; null when the section has none, or no value to draw. */
export function drawChart(
  section: ReportSection,
  id: string,
  context: PageContext,
): DrawnChart | null {
  const { chart, scope, marked } = readChart(section, id, context);
  if (chart === null) return null;
  const { showsAllValues, notes = [] } = chart;
  return {
    figure: figureMarkup(chart, scope, marked),
    showsAllValues,
    notes: [...marked.map((note) => noteLine(note, context.formatter)), ...notes],
  };
}

/** The chart of a section as a picture of its own; null when the section has none, or no value to draw. */
export function drawPicture(section: ReportSection, context: PageContext): Picture | null {
  const { chart, scope, marked } = readChart(section, 'chart', context);
  return chart && pictureOf(chart, scope, marked);
}

function readChart(section: ReportSection, id: string, context: PageContext) {
  const table = chartTable(section, context.document);
  const scope = { section, table, rows: chartRows(table, context.formatter), context, id };
  const drawn = readDrawn(section, context.document, context.formatter);
  return { chart: chartOf(drawn, scope), scope, marked: drawn?.notes ?? [] };
}

function chartOf(drawn: Drawn | null, scope: ChartScope): Chart | null {
  const spec = scope.section.chart;
  switch (spec?.kind) {
    case 'bars':
      return drawn && barChart(drawn, spec.x, scope);
    case 'lines':
      return drawn && linesChart(drawn, spec.steps, scope.context);
    case 'multiples':
      return drawn && multiplesChart(drawn, spec, scope);
    case 'stacked':
      return stackedChart(spec, scope);
    case 'heatmap':
      return heatmapChart(spec, scope);
    case 'calendar':
      return calendarChart(spec, scope);
    case 'quartiles': // drawn in the table's rows
    case undefined:
      return null;
  }
}
