import type { BarSeries } from './bar-series.ts';
import { dayAt, monthAt } from './charts/x-reader.ts';
import { type MonthLabel, monthLabels } from './month-labels.ts';
import type { PageContext } from './page-context.ts';
import { cutToWidth, textWidth } from './text-width.ts';

/** What stands below a bar. */
export type BarLabel = MonthLabel;

/** As many labels as fit below bars `step` px apart, on round dates and numbers. */
export function barLabels(series: BarSeries, step: number, context: PageContext): BarLabel[] {
  const places = series.bars.map(({ place }) => place);
  const year = yearOf(context.document.period);
  switch (series.kind) {
    case 'month':
      return monthLabels(places.map(monthAt), step, context.words, year);
    case 'day':
      return dayLabels(places.map(dayAt), step, context);
    case 'number':
      return numberLabels(places, series.bars.map(series.nameOf), step); // prettier-ignore
    case 'word':
      return series.bars.map((bar, index) => ({ index, text: cutToWidth(series.nameOf(bar), step - 6), year: null })); // prettier-ignore
  }
}

/** The one in which a period begins and ends; posts of that year may have been removed in another. */
export function yearOf({ from, to }: PageContext['document']['period']): string | null {
  const year = from?.slice(0, 4) ?? null;
  return year === to?.slice(0, 4) ? year : null;
}

/** Each day or week by its date, or the months' first ones by their month. */
function dayLabels(days: readonly string[], step: number, context: PageContext): BarLabel[] {
  const { words, document } = context;
  const knownYear = yearOf(document.period);
  const room = textWidth('28 May') + 8;
  const stride = Math.ceil(room / step);
  const firsts = days.flatMap((day, index) => beginsMonth(days, index) ? [{ day, index }] : []); // prettier-ignore
  const chosen =
    stride === 1 || firsts.length < 3
      ? days.flatMap((day, index) => (index % stride === 0 ? [{ day, index }] : []))
      : monthStride(firsts, step);
  const isByMonth = stride > 1 && firsts.length >= 3;
  return chosen.map(({ day, index }, place) => {
    const year = day.slice(0, 4);
    const beginsYear = place === 0 || year !== chosen[place - 1]?.day.slice(0, 4);
    const text = isByMonth ? words.monthName(day, 'short') : words.day(day);
    return { index, text, year: beginsYear && year !== knownYear ? year : null };
  });
}

/** The first bar is no beginning when its month began weeks before. */
function beginsMonth(days: readonly string[], index: number): boolean {
  const day = days[index] ?? '';
  const before = days[index - 1];
  return before === undefined ? Number(day.slice(8)) <= 7 : day.slice(0, 7) !== before.slice(0, 7);
}

function monthStride<First extends { readonly day: string; readonly index: number }>(
  firsts: readonly First[],
  step: number,
): First[] {
  const first = firsts[0]?.index ?? 0;
  const monthWidth = (((firsts.at(-1)?.index ?? first) - first) * step) / (firsts.length - 1);
  const stride = [1, 2, 3, 6, 12].find((each) => each * monthWidth >= 36) ?? 12;
  return firsts.filter(({ day }) => (Number(day.slice(5, 7)) - 1) % stride === 0);
}

/** Of whole numbers in a row the round ones; of others every so many. */
function numberLabels(
  numbers: readonly number[],
  texts: readonly string[],
  step: number,
): BarLabel[] {
  const room = Math.max(...texts.map(textWidth)) + 8;
  const stride = [1, 2, 5, 10, 20, 50, 100, 200].find((each) => each * step >= room) ?? 500;
  const first = numbers[0] ?? 0;
  const isInRow = numbers.every((number, index) => number === first + index);
  return texts.flatMap((text, index) => {
    const at = isInRow ? first + index : index;
    return at % stride === 0 ? [{ index, text, year: null }] : [];
  });
}
