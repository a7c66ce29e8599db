import type { ColumnFormat, ReportSection, ReportTable } from '../../report/report-document.ts';
import { barLabels } from './bar-labels.ts';
import { type BarDrawing, barMarks, heightOf } from './bar-marks.ts';
import { barNumbers } from './bar-numbers.ts';
import { layOutBars } from './bar-plot.ts';
import { barRows } from './bar-rows.ts';
import { type BarSeries, barSeries, type BarsSpec } from './bar-series.ts';
import { chartColumn } from './charts/chart-column.ts';
import { periodKey } from './charts/period-key.ts';
import { gridRoom } from './charts/value-grid.ts';
import {
  drawingMarkup,
  type DrawnChart,
  type DrawnWidth,
  drawnWidths,
  tableOf,
} from './drawn-chart.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { textWidth } from './text-width.ts';

/** Bars from 0, ticks for the previous period; null when nothing on the axis has a value. */
export function barChart(
  section: ReportSection,
  table: ReportTable,
  spec: BarsSpec,
  id: string,
  context: PageContext,
): DrawnChart | null {
  const series = barSeries(table, spec, context);
  const format = chartColumn(table, spec.y)?.format;
  if (!series || format === undefined || series.bars.every(({ value }) => value === null)) {
    return null;
  }
  const wide = drawBars(series, format, { width: 'wide', id, context });
  const narrow = drawBars(series, format, { width: 'narrow', id, context });
  const key = periodKey(
    {
      hasPrevious: series.bars.some(({ previous }) => previous !== null),
      hasYoung: series.bars.some(({ notFinal }) => notFinal > 0),
      mark: 'bar',
      extras: [unitMarkup(wide, 'wide'), unitMarkup(narrow, 'narrow')],
      hatch: `${id}-young-key`,
    },
    context,
  );
  const draw = ({ height, drawn }: Drawn, width: DrawnWidth) =>
    drawingMarkup(section, { width, height, drawn });
  return {
    figure: markup`<figure>
${key}${draw(wide, 'wide')}${draw(narrow, 'narrow')}</figure>
`,
    tableName: tableOf(series.bars.length, context, series.kind === 'month' ? 'month' : 'row'),
    showsAllValues: wide.showsAllValues,
    notes: series.leftOut > 0 ? [`${series.leftOut} more are in the table alone.`] : [],
  };
}

interface Drawn {
  readonly height: number;
  readonly drawn: Markup;
  /** What the figures leave out and the key says; null where they say it themselves. */
  readonly unit: string | null;
  readonly showsAllValues: boolean;
}

function drawBars(
  series: BarSeries,
  format: ColumnFormat,
  { width, id, context }: { width: DrawnWidth; id: string; context: PageContext },
): Drawn {
  const hatch = `${id}-young-${width}`;
  const full = layOutBars(series.bars, drawnWidths[width]);
  if (series.kind === 'word' && areTooLong(series, full.step)) {
    const rows = barRows(series, format, { width: drawnWidths[width], hatch, context });
    return { ...rows, unit: null, showsAllValues: true };
  }
  const numbers = barNumbers(series.bars.map(({ value }) => value), format, full.step, context); // prettier-ignore
  const gutter = numbers.kind === 'axis' ? gridRoom(full.ticks, format, context) : 0;
  const plot = layOutBars(series.bars, drawnWidths[width], gutter);
  const labels = barLabels(series, plot.step, context);
  const drawing: BarDrawing = { series, plot, numbers, labels, format, context, width, hatch };
  return {
    height: heightOf(drawing),
    drawn: barMarks(drawing),
    unit: numbers.kind === 'direct' ? numbers.unit : null,
    showsAllValues: numbers.kind === 'direct',
  };
}

/** Words that do not fit below upright bars are set before lying ones. */
function areTooLong({ bars, nameOf }: BarSeries, step: number): boolean {
  return bars.some((bar) => textWidth(nameOf(bar)) > step - 6);
}

function unitMarkup({ unit }: Drawn, width: DrawnWidth): Markup | null {
  return unit === null ? null : markup`<span class="${width}">${unit}</span>`;
}
