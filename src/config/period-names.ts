/** The names of days up to today, in the order in which they are listed. */
export const periodNames = [
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'this_month',
  'last_month',
  'last_12_months',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
  'all',
] as const;

/** A name, or a year, a quarter or a month of the calendar. */
export type PeriodName =
  (typeof periodNames)[number] | `${number}` | `${number}-Q${number}` | `${number}-${number}`;

/** Every name of a period, for messages. */
export const periodList = `${periodNames.join(', ')}, or a month, quarter or year such as 2026-10, 2026-Q3 or 2026`;

/** Matches every name of a period. */
export const periodPattern = new RegExp(
  `^(${periodNames.join('|')}|[12]\\d{3}(-Q[1-4]|-0[1-9]|-1[0-2])?)$`,
);

export function isPeriodName(text: string): text is PeriodName {
  return periodPattern.test(text);
}
