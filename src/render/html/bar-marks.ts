import { maxIndex } from 'd3-array';
import type { ColumnFormat } from '../../report/report-document.ts';
import type { BarLabel } from './bar-labels.ts';
import type { BarNumbers } from './bar-numbers.ts';
import type { BarPlot } from './bar-plot.ts';
import type { Bar, BarSeries } from './bar-series.ts';
import { youngHatch } from './charts/hatch.ts';
import { gridMarkup } from './charts/value-grid.ts';
import type { DrawnWidth } from './drawn-chart.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { tenth, textWidth } from './text-width.ts';

/** One drawing of upright bars. */
export interface BarDrawing {
  readonly series: BarSeries;
  readonly plot: BarPlot;
  readonly numbers: BarNumbers;
  readonly labels: readonly BarLabel[];
  readonly format: ColumnFormat;
  readonly context: PageContext;
  readonly width: DrawnWidth;
  /** Of the drawing's own pattern: a hidden drawing lends none. */
  readonly hatch: string;
}

export function barMarks(drawing: BarDrawing): Markup {
  const { plot, numbers, format, context } = drawing;
  return markup`${numbers.kind === 'axis' && gridMarkup(plot, format, context)}<path class="bar" d="${barPath(drawing)}"/>${youngMarkup(drawing)}${tickMarkup(drawing)}${baseMarkup(plot)}${figureTexts(drawing)}${labelTexts(drawing)}${hitMarkup(drawing)}`;
}

export function heightOf({ plot, labels }: BarDrawing): number {
  return plot.bottom + (labels.some(({ year }) => year !== null) ? 40 : 24);
}

/** What is final of each bar; the hatched part stands on it. */
function barPath({ series, plot }: BarDrawing): string {
  const base = tenth(plot.y(0));
  const path = series.bars.map(({ value, notFinal }, index) => {
    if (value === null) return '';
    const end = tenth(plot.y(value - notFinal));
    return `M${tenth(plot.left(index))} ${base}V${end}h${tenth(plot.barWidth)}V${base}z`;
  });
  return path.join('');
}

function youngMarkup({ series, plot, hatch }: BarDrawing): Markup | null {
  const path = series.bars.map(({ value, notFinal }, index) => {
    if (value === null || notFinal === 0) return '';
    const top = tenth(plot.y(value));
    const height = tenth(plot.y(value - notFinal) - plot.y(value));
    const width = tenth(Math.max(plot.barWidth - 1, 0.5));
    return `M${tenth(plot.left(index) + 0.5)} ${top}h${width}v${height}h-${width}z`;
  });
  if (path.every((part) => part === '')) return null;
  return markup`${youngHatch(hatch)}<path class="young" fill="url(#${hatch})" d="${path.join('')}"/>`;
}

/** A tick reaches 7 % of the bar beyond it on each side, on a halo of the ground's colour. */
function tickMarkup({ series, plot }: BarDrawing): Markup | null {
  const path = series.bars.map(({ previous }, index) => {
    if (previous === null) return '';
    const left = plot.left(index) - plot.barWidth * 0.07;
    return `M${tenth(left)} ${tenth(plot.y(previous))}h${tenth(plot.barWidth * 1.14)}`;
  });
  if (path.every((part) => part === '')) return null;
  const isThin = plot.step < 12;
  return markup`${!isThin && markup`<path class="halo" d="${path.join('')}"/>`}<path class="${isThin ? 'tick thin' : 'tick'}" d="${path.join('')}"/>`;
}

function baseMarkup(plot: BarPlot): Markup {
  return markup`<path class="axis" d="M0 ${tenth(plot.y(0))}H${tenth(plot.width)}"/>`;
}

/** The figure of each bar, the largest bold; an unknown one has a dash, if there is room. */
function figureTexts({ series: { bars }, plot, numbers }: BarDrawing): Markup[] {
  if (numbers.kind === 'axis') return [];
  const largest = maxIndex(bars, ({ value }) => value ?? Number.NEGATIVE_INFINITY);
  return bars.map((bar, index) => {
    const text = numbers.texts[index] ?? null;
    const x = tenth(plot.left(index) + plot.barWidth / 2);
    const y = tenth(figureBaseline(bar, plot));
    if (text === null) return markup`<text x="${x}" y="${y}" class="soft mid">–</text>`;
    return markup`<text x="${x}" y="${y}" class="${index === largest ? 'bold mid' : 'mid'}">${text}</text>`;
  });
}

/** Just beyond the end of the bar, and beyond the tick where the two would meet. */
function figureBaseline({ value, previous }: Bar, { y }: BarPlot): number {
  const end = y(value ?? 0);
  const tick = previous === null ? null : y(previous);
  if (value !== null && value < 0) {
    return (tick !== null && tick > end - 3 && tick < end + 22 ? tick : end) + 15;
  }
  return (tick !== null && tick < end + 3 && tick > end - 22 ? tick : end) - 6;
}

/** Below their bar; where bars are narrower than labels, from the bar on. */
function labelTexts({ series: { bars }, plot, labels }: BarDrawing): Markup[] {
  const widest = Math.max(...labels.map(({ text }) => textWidth(text)), 0);
  const isNarrow = plot.step < 24 && bars.length > 12 && widest > plot.step;
  return labels.flatMap(({ index, text, year }) => {
    const x = tenth(plot.left(index) + (isNarrow ? 0 : plot.barWidth / 2));
    if (isNarrow && index > 0 && x + textWidth(text) > plot.width + 10) return [];
    const look = isNarrow ? 'soft' : 'soft mid';
    const second =
      year !== null &&
      markup`<text x="${x}" y="${plot.bottom + 35}" class="${look}">${year}</text>`;
    return [
      markup`<text x="${x}" y="${plot.bottom + 19}" class="${look} bidi">${text}</text>${second}`,
    ];
  });
}

/** More than these are too thin to point at. */
const maxHits = 60;

/** A clear area over each bar that tells its name and figure to a mouse; the table has them too. */
function hitMarkup({ series, plot, format, context, width }: BarDrawing): Markup | null {
  const { bars, nameOf } = series;
  if (bars.length > maxHits || width === 'narrow') return null;
  return markup`${bars.map((bar, index) => {
    const left = tenth(plot.left(index) - (plot.step - plot.barWidth) / 2);
    const figure = context.formatter.format(bar.value, format);
    return markup`<path class="hit" d="M${left} 0h${tenth(plot.step)}V${plot.bottom}H${left}z"><title>${nameOf(bar)}: ${figure}</title></path>`;
  })}`;
}
