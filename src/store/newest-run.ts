import { addDays, type Day } from '../core/calendar.ts';
import { listRunNames } from './run-folder.ts';

/** Returns the day of the newest run in the raw store up to a day; null if there is none. */
export async function newestRunDay(dataDir: string, until: Day): Promise<Day | null> {
  let newest: Day | null = null;
  for await (const { day } of listRunNames(dataDir))
    if (day <= until && day > (newest ?? '')) newest = day;
  return newest;
}

/**
 * Returns true if the clock is to be believed that something is older than this many days: it is no further than that
 * past the newest run. A clock that is years ahead would otherwise remove everything.
 */
export function isClockLikely(newestRun: Day | null, days: number, today: Day): boolean {
  return newestRun !== null && addDays(newestRun, days) >= today;
}
