import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { textWidth } from '../text-width.ts';
import { rules, text } from './marks.ts';

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

/** A label for each tick, the unit on the top one alone; in full up to thousands, and never two alike. */
export function gridTexts(
  ticks: readonly number[],
  format: ColumnFormat,
  context: PageContext,
): string[] {
  const { formatter, document } = context;
  const isMoney = isMoneyFormat(format);
  const isRate = format === 'rate' || format === 'share' || format === 'change';
  const compact = Math.max(...ticks.map(Math.abs), 0) >= 10_000;
  const written = ticks.map((tick, index) => {
    if (index === ticks.length - 1)
      return formatter.format(tick, isMoney ? 'money' : format, { compact });
    return isRate
      ? bareRate(tick, context)
      : formatter.format(tick, isMoney ? 'count' : format, { compact });
  });
  if (new Set(written).size === written.length) return written;
  const unit = {
    ...(isMoney && { style: 'currency', currency: document.currency }),
    ...(isRate && { style: 'percent' }),
  } as const;
  const fine = { maximumSignificantDigits: 6 } as const;
  const [top, bare] = [{ ...unit, ...fine }, fine].map(
    (options) => new Intl.NumberFormat(document.locale, options),
  );
  return ticks.map((tick, index) => {
    const isTop = index === ticks.length - 1;
    const plain = isTop ? top?.format(tick) : bare?.format(isRate ? tick * 100 : tick);
    return (plain ?? '').replace('-', '\u2212');
  });
}

export interface Grid {
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
export function compactWriter(
  format: ColumnFormat,
  { document, formatter }: PageContext,
): (value: number) => string {
  const isMoney = format === 'money' || format === 'money_exact';
  if (!isMoney && format !== 'count')
    return (value) => formatter.format(value, format, { compact: true });
  const thousands = new Intl.NumberFormat(document.locale, {
    ...(isMoney && { style: 'currency', currency: document.currency }),
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    notation: 'compact',
  });
  return (value) => {
    // Cents say nothing beside thousands, but all of a figure below ten.
    const size = Math.abs(value);
    if (size < 1000) {
      return isMoney && size >= 10
        ? formatter.format(value, 'money')
        : formatter.format(value, format, { compact: true });
    }
    const parts = thousands.formatToParts(value);
    // German has no word for thousands: the figure stays whole.
    const isShort = parts.some(({ type }) => type === 'compact');
    if (!isShort) return formatter.format(value, isMoney ? 'money' : format);
    return parts.map(typeset).join('');
  };
}

function typeset({ type, value }: Intl.NumberFormatPart): string {
  if (type === 'minusSign') return '\u2212';
  return type === 'compact' && value === 'K' ? 'k' : value;
}

/** A rate without its sign, where the words beside the chart name it. */
export function bareRate(value: number, { document }: PageContext): string {
  const format = new Intl.NumberFormat(document.locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return format.format(value * 100).replace('-', '\u2212');
}

function isMoneyFormat(format: ColumnFormat): boolean {
  return format === 'money' || format === 'money_exact';
}
