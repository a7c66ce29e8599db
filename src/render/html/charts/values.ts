import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { textWidth } from '../text-width.ts';
import { rules, text } from './marks.ts';

type Write = (value: number) => string;

/** From 0 to the largest value, or from the smallest where there are negative ones; 0 to 1 where all are 0. */
export function rangeFromZero(values: readonly (number | null)[]): [number, number] {
  const low = Math.min(0, min(values, (value) => value ?? 0) ?? 0);
  const high = Math.max(0, max(values, (value) => value ?? 0) ?? 0);
  return low === high ? [0, 1] : [low, high];
}

/** Round steps, the plainer ones first; between any two neighbours lies a factor of two at most. */
const roundSteps = [2, 1, 5, 2.5, 4, 3];

/** Round values within the range, three to five of which are not 0 where that is possible. */
export function gridTicks([low, high]: readonly [number, number]): number[] {
  const size = 10 ** Math.floor(Math.log10(high - low));
  const steps = [size, size / 10].flatMap((unit) => roundSteps.map((step) => step * unit));
  const linesOf = (step: number) => Math.floor(high / step) + Math.floor(-low / step);
  const step = steps.find((each) => linesOf(each) >= 3 && linesOf(each) <= 5);
  if (step === undefined) return scaleLinear([low, high], [0, 1]).ticks(4);
  const first = -Math.floor(-low / step);
  const count = Math.floor(high / step) - first + 1;
  // Multiplying in binary leaves something behind.
  return Array.from({ length: count }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** A label for each tick: as many decimals as their step has, and the unit on the top one alone. */
export function gridTexts(
  ticks: readonly number[],
  format: ColumnFormat,
  { formatter, document }: PageContext,
): string[] {
  const top = ticks.length - 1;
  const isCompact = Math.max(...ticks.map(Math.abs), 0) >= 10_000;
  const isPlain = isMoney(format) || format === 'count';
  if (isCompact || !(isPlain || isRate(format))) {
    return ticks.map((tick, index) => {
      const unit = index < top && isMoney(format) ? 'count' : isMoney(format) ? 'money' : format;
      return formatter.format(tick, unit, { compact: isCompact });
    });
  }
  const factor = isRate(format) ? 100 : 1;
  const step = ((ticks[1] ?? 1) - (ticks[0] ?? 0)) * factor;
  const needed = [0, 1, 2, 3, 4, 5, 6].find(
    (digits) => Math.abs(Number(step.toFixed(digits)) - step) < step / 1000,
  );
  const digits = Math.max(needed ?? 6, isRate(format) ? 1 : 0);
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const unit = isRate(format) ? 'percent' : isMoney(format) ? 'currency' : 'decimal';
  const bare = numberWriter(document.locale, decimals);
  const full = numberWriter(document.locale, {
    ...decimals,
    style: unit,
    currency: document.currency,
  });
  return ticks.map((tick, index) => (index === top ? full(tick) : bare(tick * factor)));
}

interface Grid {
  readonly ticks: readonly number[];
  readonly y: (value: number) => number;
  readonly width: number;
}

/** Lines from 0 with their value above them at the left; 0 is the base line's. */
export function gridMarks(
  { ticks, y, width }: Grid,
  format: ColumnFormat,
  context: PageContext,
): Markup {
  const texts = gridTexts(ticks, format, context);
  const lines = ticks
    .filter((tick) => tick !== 0)
    .map((tick) => [0, y(tick), width, y(tick)] as const);
  return markup`${rules(lines, 'grid')}${ticks.map((tick, index) => tick !== 0 && text(0, y(tick) - 5, texts[index] ?? '', 'soft'))}`;
}

/** Px that labels of the grid take at the left. */
export function gridRoom(
  ticks: readonly number[],
  format: ColumnFormat,
  context: PageContext,
): number {
  return Math.max(0, ...gridTexts(ticks, format, context).map(textWidth)) + 8;
}

/** `€8.0k` beside `€9.5k`: thousands in a chart have one decimal, so that figures compare. */
export function compactWriter(format: ColumnFormat, { document, formatter }: PageContext): Write {
  if (!isMoney(format) && format !== 'count')
    return (value) => formatter.format(value, format, { compact: true });
  const thousands = new Intl.NumberFormat(document.locale, {
    ...(isMoney(format) && { style: 'currency', currency: document.currency }),
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    notation: 'compact',
  });
  return (value) => {
    // Cents say nothing beside thousands, but all of a figure below ten.
    const size = Math.abs(value);
    if (size < 1000) {
      return isMoney(format) && size >= 10
        ? formatter.format(value, 'money')
        : formatter.format(value, format, { compact: true });
    }
    const parts = thousands.formatToParts(value);
    // German has no word for thousands: the figure stays whole.
    const isShort = parts.some(({ type }) => type === 'compact');
    if (!isShort) return formatter.format(value, isMoney(format) ? 'money' : format);
    return parts.map(typeset).join('');
  };
}

function typeset({ type, value }: Intl.NumberFormatPart): string {
  if (type === 'minusSign') return '\u2212';
  return type === 'compact' && value === 'K' ? 'k' : value;
}

/** A rate without its sign, where the words beside the chart name it. */
export function bareRate({ document }: PageContext): Write {
  const write = numberWriter(document.locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return (value) => write(value * 100);
}

function numberWriter(locale: string, options: Intl.NumberFormatOptions): Write {
  const format = new Intl.NumberFormat(locale, options);
  return (value) => format.format(value).replace('-', '\u2212');
}

function isMoney(format: ColumnFormat): boolean {
  return format === 'money' || format === 'money_exact';
}

export function isRate(format: ColumnFormat): boolean {
  return format === 'rate' || format === 'share' || format === 'change';
}
