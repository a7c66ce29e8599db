import { maxIndex } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ColumnFormat } from '../../report/report-document.ts';
import { valueRange } from './bar-plot.ts';
import type { Bar, BarSeries } from './bar-series.ts';
import { compactWriter } from './chart-numbers.ts';
import { youngHatch } from './charts/hatch.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from './text-width.ts';

const rowHeight = 26;
const barHeight = 16;
/** Below a key. */
const top = 10;

/** Lying bars from 0, each after its name and before its figure: for words that need the room. */
export function barRows(
  series: BarSeries,
  format: ColumnFormat,
  { width, hatch, context }: { width: number; hatch: string; context: PageContext },
): { height: number; drawn: Markup } {
  const { bars, nameOf } = series;
  const write = compactWriter(format, context);
  const figures = bars.map(({ value }) => (value === null ? '–' : write(value)));
  const names = bars.map((bar) => cutToWidth(nameOf(bar), width * (width < 400 ? 0.42 : 0.36)));
  const left = Math.max(...names.map(textWidth)) + 14;
  const figureRoom = Math.max(...figures.map(textWidth)) * boldWidth + 10;
  const range = valueRange(bars);
  // Figures of negative bars stand before them.
  const x = scaleLinear(range, [left + (range[0] < 0 ? figureRoom : 0), width - figureRoom]);
  const largest = maxIndex(bars, ({ value }) => value ?? Number.NEGATIVE_INFINITY);
  const texts = bars.map((bar, index) => {
    const base = index * rowHeight + barHeight - 3;
    const isNegative = (bar.value ?? 0) < 0;
    const ends = [x(bar.value ?? 0), ...(bar.previous === null ? [] : [x(bar.previous)])];
    const end = isNegative ? Math.min(...ends) - 6 : Math.max(...ends, x(0)) + 6;
    const look = [index === largest ? 'bold' : '', isNegative ? 'end' : ''].join(' ').trim();
    return markup`<text x="0" y="${base}" class="bidi">${names[index] ?? ''}</text><text x="${tenth(end)}" y="${base}" class="${look}">${figures[index] ?? ''}</text>`;
  });
  const height = bars.length * rowHeight;
  return {
    height: height + top,
    drawn: markup`<g transform="translate(0 ${top})"><path class="bar" d="${pathOf(bars, x)}"/>${youngMarkup(bars, x, hatch)}${tickMarkup(bars, x)}<path class="axis" d="M${tenth(x(0))} 0V${height - rowHeight + barHeight}"/>${texts}</g>`,
  };
}

type Scale = (value: number) => number;

function pathOf(bars: readonly Bar[], x: Scale): string {
  const path = bars.map(({ value, notFinal }, index) =>
    value === null
      ? ''
      : `M${tenth(x(0))} ${index * rowHeight}H${tenth(x(value - notFinal))}v${barHeight}H${tenth(x(0))}z`,
  );
  return path.join('');
}

function youngMarkup(bars: readonly Bar[], x: Scale, hatch: string): Markup | null {
  if (bars.every(({ notFinal }) => notFinal === 0)) return null;
  const path = bars.map(({ value, notFinal }, index) =>
    value === null || notFinal === 0
      ? ''
      : `M${tenth(x(value - notFinal))} ${index * rowHeight + 0.5}H${tenth(x(value))}v${barHeight - 1}H${tenth(x(value - notFinal))}z`,
  );
  return markup`${youngHatch(hatch)}<path class="young" fill="url(#${hatch})" d="${path.join('')}"/>`;
}

function tickMarkup(bars: readonly Bar[], x: Scale): Markup | null {
  const path = bars.map(({ previous }, index) =>
    previous === null ? '' : `M${tenth(x(previous))} ${index * rowHeight - 1}v${barHeight + 2}`,
  );
  if (path.every((part) => part === '')) return null;
  return markup`<path class="halo" d="${path.join('')}"/><path class="tick" d="${path.join('')}"/>`;
}
