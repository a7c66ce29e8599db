import type { ReportSection, ReportTable } from '../../../report/report-document.ts';
import {
  drawingMarkup,
  type DrawnChart,
  type DrawnWidth,
  drawnWidths,
  tableOf,
} from '../drawn-chart.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { tenth, textWidth } from '../text-width.ts';
import {
  belowMarkup,
  besideMarkup,
  labelRoom,
  legendHeight,
  type LineLabel,
  lineLabels,
} from './line-labels.ts';
import { lineMarks } from './line-marks.ts';
import { layOutLines, type LinePlot } from './line-plot.ts';
import { lineSet, type LineSet, type LinesSpec } from './line-series.ts';
import { periodKey } from './period-key.ts';
import { gridMarkup } from './value-grid.ts';

/** A line for each series, named at its end; null when no row has both a place and a value. */
export function linesChart(
  section: ReportSection,
  table: ReportTable,
  spec: LinesSpec,
  context: PageContext,
): DrawnChart | null {
  const set = lineSet(table, spec, context);
  if (!set || set.series.length === 0) return null;
  const labels = lineLabels(set, context);
  const isNamed = set.series.some(({ name }) => name !== null);
  const hasPrevious = isNamed && set.series.some(({ previous }) => previous.length > 0);
  const key = periodKey({ hasPrevious, hasYoung: false, mark: 'line', extras: [], hatch: '' }, context); // prettier-ignore
  const draw = (width: DrawnWidth) => {
    const { height, drawn } = drawLines({ set, spec, labels, context }, width);
    return drawingMarkup(section, { width, height, drawn });
  };
  return {
    figure: markup`<figure>
${key}${draw('wide')}${draw('narrow')}</figure>
`,
    tableName: tableOf(table.rows.length, context),
    showsAllValues: false,
    notes: otherNotes(set),
  };
}

interface Lines {
  readonly set: LineSet;
  readonly spec: LinesSpec;
  readonly labels: readonly LineLabel[];
  readonly context: PageContext;
}

function drawLines(lines: Lines, width: DrawnWidth): { height: number; drawn: Markup } {
  const { set, spec, labels, context } = lines;
  const pixels = drawnWidths[width];
  const isBelow = width === 'narrow' && labels.some(({ name }) => name !== null);
  const plot = layOutLines(set, isBelow ? pixels : pixels - labelRoom(labels), context);
  const names = isBelow ? belowMarkup(labels, plot) : besideMarkup(labels, plot);
  return {
    height: plot.end + (isBelow ? legendHeight(labels) : 0),
    drawn: markup`${gridMarkup(plot, set.columns.y.format, context)}${axisMarkup(plot)}${lineMarks(set.series, plot, spec.steps)}${names}`,
  };
}

/** The base line at 0, and the places along the foot. */
function axisMarkup({ axis, x, y, width, bottom }: LinePlot): Markup {
  const { startsAtTick } = axis;
  const ticks = axis.ticks.filter(
    ({ at, text }) => !startsAtTick || x(at) + textWidth(text) <= width + 12,
  );
  const marks = ticks.map(({ at }) => `M${tenth(x(at))} ${tenth(bottom)}v5`).join('');
  const texts = ticks.map(({ at, text, year }) => {
    const left = tenth(x(at));
    const look = startsAtTick ? 'soft' : 'soft mid';
    const second = year !== null && markup`<text x="${left}" y="${bottom + 35}" class="${look}">${year}</text>`; // prettier-ignore
    return markup`<text x="${left}" y="${bottom + 19}" class="${look} bidi">${text}</text>${second}`;
  });
  return markup`<path class="axis" d="M0 ${tenth(y(0))}H${tenth(width)}${marks}"/>${texts}`;
}

/** Lines that had to go without a name. */
function otherNotes({ series, leftOut }: LineSet): string[] {
  const count = series.filter(({ isOther }) => isOther).length;
  if (count === 0) return [];
  const lines = count === 1 ? 'One other line is' : `${count} other lines are`;
  return [
    `${lines} thin and grey, without a name; the table has them.`,
    ...(leftOut > 0 ? [`${leftOut} more are in the table alone.`] : []),
  ];
}
