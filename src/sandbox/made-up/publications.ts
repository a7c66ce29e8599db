import type { Day } from '../../core/calendar.ts';
import { integerBetween, pickWeighted, poisson, randomFor, type Random } from './random.ts';

/** Shares of posts by weekday, from Sunday, as counted in 31,000 real posts. */
const weekdayShares = [0.026, 0.163, 0.203, 0.201, 0.202, 0.171, 0.034] as const;

/** By month, from January, around 1: holidays are quiet. */
const monthFactors = [1.02, 1, 1.08, 0.98, 1.08, 1.02, 0.62, 0.86, 1.18, 1.15, 1.12, 0.89] as const;

/** Hours in UTC of people who work in Europe. */
const hourWeights: readonly (readonly [hour: number, weight: number])[] = [
  [5, 1],
  [6, 8],
  [7, 15],
  [8, 14],
  [9, 11],
  [10, 9],
  [11, 8],
  [12, 7],
  [13, 8],
  [14, 8],
  [15, 5],
  [16, 3],
  [17, 2],
  [18, 1],
  [19, 1],
  [20, 0.5],
];

const onQuarterHour = 0.31;

/**
 * When a profile publishes on `day` (UTC), earliest first: the same times for the same arguments,
 * whatever today is.
 * @param postsPerDay the long-term average
 */
export function publicationTimes(
  seed: number,
  profileIndex: number,
  day: Day,
  postsPerDay: number,
): Date[] {
  const random = randomFor(seed, 'day', profileIndex, day);
  const midnight = new Date(`${day}T00:00:00Z`);
  const weekday = 7 * (weekdayShares[midnight.getUTCDay()] ?? 0);
  const month = monthFactors[midnight.getUTCMonth()] ?? 1;
  const count = poisson(postsPerDay * weekday * month, random);
  return Array.from({ length: count }, () => timeOfDay(midnight, random)).sort(
    (one, other) => one.getTime() - other.getTime(),
  );
}

export function timeOfDay(midnight: Date, random: Random): Date {
  const hour = pickWeighted(hourWeights, random);
  const minute =
    random() < onQuarterHour ? 15 * integerBetween(0, 3, random) : integerBetween(0, 59, random);
  const seconds = integerBetween(0, 59_999, random) / 1000;
  return new Date(midnight.getTime() + (hour * 3600 + minute * 60 + seconds) * 1000);
}
