import { maxIndex } from 'd3-array';
import type { ColumnFormat, ReportSection, ReportTable } from '../../report/report-document.ts';
import { type BarNumbers, barNumbers } from './bar-numbers.ts';
import { type BarPlot, layOutBars } from './bar-plot.ts';
import { drawingMarkup, type DrawnChart, type DrawnWidth, drawnWidths } from './drawn-chart.ts';
import { markup, type Markup } from './markup.ts';
import { type MonthLabel, monthLabels } from './month-labels.ts';
import { type BarsSpec, type MonthBar, monthSeries } from './month-series.ts';
import type { PageContext } from './page-context.ts';
import { tenth, textWidth } from './text-width.ts';

interface Drawing {
  readonly bars: readonly MonthBar[];
  readonly plot: BarPlot;
  readonly numbers: BarNumbers;
  readonly labels: readonly MonthLabel[];
  readonly format: ColumnFormat;
  readonly context: PageContext;
}

/** Bars from 0 by month, ticks for the previous period; null when no month has a value. */
export function barChart(
  section: ReportSection,
  table: ReportTable,
  spec: BarsSpec,
  id: string,
  context: PageContext,
): DrawnChart | null {
  const bars = monthSeries(table, spec);
  const format = table.columns.find(({ name }) => name === spec.y)?.format;
  if (format === undefined || bars.every(({ value }) => value === null)) return null;
  const wide = layOutDrawing(bars, format, 'wide', context);
  const narrow = layOutDrawing(bars, format, 'narrow', context);
  return {
    figure: markup`<figure>
${keyMarkup(wide, narrow)}${drawBars(section, wide, 'wide')}${drawBars(section, narrow, 'narrow')}</figure>
`,
    tableName: `Table, ${bars.length} ${bars.length === 1 ? 'month' : 'months'}`,
    showsAllValues: wide.numbers.kind === 'direct',
    notes: [],
  };
}

function layOutDrawing(
  bars: readonly MonthBar[],
  format: ColumnFormat,
  width: DrawnWidth,
  context: PageContext,
): Drawing {
  const plot = layOutBars(bars, drawnWidths[width]);
  const months = bars.map(({ month }) => month);
  return {
    bars,
    plot,
    format,
    context,
    numbers: barNumbers(bars.map(({ value }) => value), format, plot.step, context), // prettier-ignore
    labels: monthLabels(months, plot.step, context.words, yearOf(context.document.period)),
  };
}

/** The one in which a period begins and ends; posts of that year may have been removed in another. */
function yearOf({ from, to }: PageContext['document']['period']): string | null {
  const year = from?.slice(0, 4) ?? null;
  return year === to?.slice(0, 4) ? year : null;
}

function drawBars(section: ReportSection, drawing: Drawing, width: DrawnWidth): Markup {
  const { plot, numbers, labels } = drawing;
  const hasYears = labels.some(({ year }) => year !== null);
  return drawingMarkup(section, {
    width,
    height: plot.bottom + (hasYears ? 40 : 24),
    drawn: markup`${numbers.kind === 'axis' && gridMarkup(drawing)}<path class="bar" d="${barPath(drawing)}"/>${tickMarkup(drawing)}${baseMarkup(plot)}${figureTexts(drawing)}${labelTexts(drawing)}`,
  });
}

/** A key only for what cannot be named on its mark: the previous period, and a unit left out. */
function keyMarkup(wide: Drawing, narrow: Drawing): Markup | null {
  const { document, words } = wide.context;
  const { previousPeriod, period } = document;
  const previous = wide.bars.some((bar) => bar.previous !== null) && previousPeriod;
  const nameOf = (each: typeof period) => words.periodName(each) ?? words.period(each, 'short');
  const units = [unitMarkup(wide, 'wide'), unitMarkup(narrow, 'narrow')];
  if (!previous && units.every((unit) => unit === null)) return null;
  const names =
    previous &&
    markup`<span><svg width="24" height="12" aria-hidden="true"><path class="tick" d="M0 6H24"/></svg>${nameOf(previous)}</span><span><svg width="10" height="12" aria-hidden="true"><path class="bar" d="M0 0H10V12H0z"/></svg>${nameOf(period)}</span>`;
  return markup`<p class="key">${names}${units}</p>
`;
}

function unitMarkup({ numbers }: Drawing, width: DrawnWidth): Markup | null {
  const unit = numbers.kind === 'direct' ? numbers.unit : null;
  return unit === null ? null : markup`<span class="${width}">${unit}</span>`;
}

/** Labels above the lines at the left, the unit on the top one only. */
function gridMarkup({ plot, format, context }: Drawing): Markup[] {
  const isMoney = format === 'money' || format === 'money_exact';
  return plot.ticks.map((tick, index) => {
    const isTop = index === plot.ticks.length - 1;
    const shown = isMoney && !isTop ? 'count' : format;
    const text = context.formatter.format(tick, shown, { compact: true });
    const y = tenth(plot.y(tick));
    const line = tick !== 0 && markup`<path class="grid" d="M0 ${y}H${tenth(plot.width)}"/>`;
    return markup`${line}${tick !== 0 && markup`<text x="0" y="${y - 5}" class="soft">${text}</text>`}`;
  });
}

function barPath({ bars, plot }: Drawing): string {
  return bars
    .flatMap((bar) => {
      if (bar.value === null) return [];
      const left = tenth(plot.left(bar));
      return [`M${left} ${tenth(plot.y(0))}V${tenth(plot.y(bar.value))}h${tenth(plot.barWidth)}V${tenth(plot.y(0))}z`]; // prettier-ignore
    })
    .join('');
}

/** A tick reaches 7 % of the bar beyond it on each side, on a halo of the ground's colour. */
function tickMarkup({ bars, plot }: Drawing): Markup | null {
  const path = bars
    .flatMap((bar) => {
      if (bar.previous === null) return [];
      const left = plot.left(bar) - plot.barWidth * 0.07;
      return [`M${tenth(left)} ${tenth(plot.y(bar.previous))}h${tenth(plot.barWidth * 1.14)}`];
    })
    .join('');
  if (path === '') return null;
  return markup`<path class="halo" d="${path}"/><path class="tick" d="${path}"/>`;
}

function baseMarkup(plot: BarPlot): Markup {
  return markup`<path class="axis" d="M0 ${tenth(plot.y(0))}H${tenth(plot.width)}"/>`;
}

/** The figure of each bar, the largest bold; an unknown month has a dash, if there is room. */
function figureTexts({ bars, plot, numbers }: Drawing): Markup[] {
  if (numbers.kind === 'axis') return [];
  const largest = maxIndex(bars, ({ value }) => value ?? Number.NEGATIVE_INFINITY);
  return bars.map((bar, index) => {
    const text = numbers.texts[index] ?? null;
    const x = tenth(plot.left(bar) + plot.barWidth / 2);
    const y = tenth(figureBaseline(bar, plot));
    if (text === null) return markup`<text x="${x}" y="${y}" class="soft mid">–</text>`;
    return markup`<text x="${x}" y="${y}" class="${index === largest ? 'bold mid' : 'mid'}">${text}</text>`;
  });
}

/** Just beyond the end of the bar, and beyond the tick where the two would meet. */
function figureBaseline({ value, previous }: MonthBar, { y }: BarPlot): number {
  const end = y(value ?? 0);
  const tick = previous === null ? null : y(previous);
  if (value !== null && value < 0) {
    return (tick !== null && tick > end - 3 && tick < end + 22 ? tick : end) + 15;
  }
  return (tick !== null && tick < end + 3 && tick > end - 22 ? tick : end) - 6;
}

/** Below their bar; where bars are narrower than labels, from the start of the month. */
function labelTexts({ bars, plot, labels }: Drawing): Markup[] {
  const isNarrow = plot.step < 24 && bars.length > 12;
  return labels.flatMap(({ index, text, year }) => {
    const bar = bars[index];
    if (!bar) return [];
    const x = tenth(plot.left(bar) + (isNarrow ? 0 : plot.barWidth / 2));
    if (isNarrow && index > 0 && x + textWidth(text) > plot.width + 10) return [];
    const look = isNarrow ? 'soft' : 'soft mid';
    const second =
      year !== null &&
      markup`<text x="${x}" y="${plot.bottom + 35}" class="${look}">${year}</text>`;
    return [markup`<text x="${x}" y="${plot.bottom + 19}" class="${look}">${text}</text>${second}`];
  });
}
