import type { CalendarWords } from './calendar-words.ts';
import { textWidth } from './text-width.ts';

export interface MonthLabel {
  readonly index: number;
  readonly text: string;
  /** On the second line: the year, where it begins. */
  readonly year: string | null;
}

/** Months between two labels, each a divisor of the next, so that labels stay on the calendar. */
const strides = [1, 2, 3, 6, 12, 24, 60, 120];

/**
 * As many names of months as fit side by side; letters for up to a year, years alone for decades.
 * @param knownYear the year that the page speaks of, so that its months need none; null when of several
 */
export function monthLabels(
  months: readonly string[],
  step: number,
  words: CalendarWords,
  knownYear: string | null,
): MonthLabel[] {
  const short = (month: string) => words.monthName(month, 'short');
  const room = Math.max(...months.map((month) => textWidth(short(month)))) + 6;
  if (step < room && step >= 14 && months.length <= 12) {
    return months.map((month, index) => label(index, words.monthName(month, 'narrow'), null));
  }
  const needsYears = months.some((month) => month.slice(0, 4) !== knownYear);
  const yearRoom = textWidth('2024') + 8;
  const stride = strides.find((each) => each * step >= (each < 12 ? room : yearRoom)) ?? 120;
  const chosen = months.flatMap((month, index) =>
    isOnStride(month, stride) ? [{ month, index }] : [],
  );
  if (stride >= 12) return chosen.map(({ month, index }) => label(index, month.slice(0, 4), null));
  return chosen.map(({ month, index }, place) => {
    const beginsYear = place === 0 || month.slice(0, 4) !== chosen[place - 1]?.month.slice(0, 4);
    return label(index, short(month), needsYears && beginsYear ? month.slice(0, 4) : null);
  });
}

function isOnStride(month: string, stride: number): boolean {
  return (Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1) % stride === 0;
}

function label(index: number, text: string, year: string | null): MonthLabel {
  return { index, text, year };
}
