import { scaleLinear } from 'd3-scale';
import type { ColumnFormat } from '../../../report/report-document.ts';
import { bareWriter } from '../chart-numbers.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { tenth, textWidth } from '../text-width.ts';

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
  return Array.from({ length: count }, (_, index) => plainNumber((first + index) * step));
}

/** Without what multiplying in binary leaves behind. */
function plainNumber(value: number): number {
  return Number(value.toPrecision(12));
}

export interface Grid {
  readonly ticks: readonly number[];
  readonly y: (value: number) => number;
  /** Lines begin at 0. */
  readonly width: number;
}

/** Lines with their value above them at the left, the unit on the top one only; 0 is the base line's. */
export function gridMarkup(
  { ticks, y, width }: Grid,
  format: ColumnFormat,
  context: PageContext,
): Markup {
  const texts = gridTexts(ticks, format, context);
  const lines = ticks.flatMap((tick) => (tick === 0 ? [] : [`M0 ${tenth(y(tick))}H${tenth(width)}`])); // prettier-ignore
  return markup`<path class="grid" d="${lines.join('')}"/>${ticks.map(
    (tick, index) =>
      tick !== 0 &&
      markup`<text x="0" y="${tenth(y(tick) - 5)}" class="soft">${texts[index] ?? ''}</text>`,
  )}`;
}

/** Px that labels of the grid take at the left. */
export function gridRoom(
  ticks: readonly number[],
  format: ColumnFormat,
  context: PageContext,
): number {
  return Math.max(0, ...gridTexts(ticks, format, context).map(textWidth)) + 8;
}

/** One for each tick; in full up to thousands, and never two alike. */
export function gridTexts(
  ticks: readonly number[],
  format: ColumnFormat,
  context: PageContext,
): string[] {
  const { formatter, document } = context;
  const isMoney = format === 'money' || format === 'money_exact';
  const isRate = format === 'rate' || format === 'share' || format === 'change';
  const plain = isMoney ? 'count' : format;
  const write = (compact: boolean) => {
    const bare = isRate
      ? bareWriter(0.01, document.locale)
      : (tick: number) => formatter.format(tick, plain, { compact });
    return ticks.map((tick, index) => {
      const isTop = index === ticks.length - 1;
      return isTop ? formatter.format(tick, isMoney ? 'money' : format, { compact }) : bare(tick);
    });
  };
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const choices = largest < 10_000 ? [write(false), write(true)] : [write(true), write(false)];
  return choices.find(areDistinct) ?? fineTexts(ticks, { isMoney, isRate }, context);
}

function areDistinct(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

/** Steps finer than the column's decimals. */
function fineTexts(
  ticks: readonly number[],
  { isMoney, isRate }: { isMoney: boolean; isRate: boolean },
  { document: { locale, currency } }: PageContext,
): string[] {
  const unit: Intl.NumberFormatOptions = {
    ...(isMoney ? { style: 'currency', currency } : {}),
    ...(isRate ? { style: 'percent' } : {}),
  };
  const digits = { maximumSignificantDigits: 6 } as const;
  const top = new Intl.NumberFormat(locale, { ...unit, ...digits });
  const bare = new Intl.NumberFormat(locale, digits);
  return ticks.map((tick, index) => {
    const isTop = index === ticks.length - 1;
    const text = isTop ? top.format(tick) : bare.format(isRate ? tick * 100 : tick);
    return text.replace('-', '\u2212');
  });
}
