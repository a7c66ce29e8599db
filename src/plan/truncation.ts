import { addDays, daysBetween } from '../core/calendar.ts';
import { containsWindow } from './grid.ts';
import type { GivenAnswer, PastCheck, Window } from './plan.ts';

/**
 * The smallest count that is suspicious. Most windows hold fewer posts, and services set their limits to
 * round numbers.
 */
const minSuspectRecords = 100;
const roundTo = 50;

/**
 * The truncation checks of one workspace: which answers to compare with their halves, and which windows to
 * read in halves from the start.
 */
export class TruncationChecks {
  readonly #checks: PastCheck[];

  constructor(checks: Iterable<PastCheck>) {
    this.#checks = [...checks];
  }

  add(check: PastCheck): void {
    this.#checks.push(check);
  }

  /**
   * Returns true if the answer may be truncated and has to be checked. Its count is round, or an answer with
   * this count was truncated before, and this window was not yet checked at this count.
   */
  isDue(answer: GivenAnswer): boolean {
    const { records } = answer;
    const isRound = records >= minSuspectRecords && records % roundTo === 0;
    if (!isRound && !this.#isKnownCap(records)) return false;
    return !this.#checks.some(
      (check) =>
        check.records === records &&
        check.profileId === answer.profileId &&
        check.window.start === answer.window.start &&
        check.window.end === answer.window.end,
    );
  }

  /** Returns true if an answer to this window, or to a window within it, was found truncated. */
  isCutOff(profileId: string, window: Window): boolean {
    return this.#checks.some(
      (check) =>
        check.kind === 'cut_off' &&
        check.profileId === profileId &&
        containsWindow(window, check.window),
    );
  }

  /**
   * Returns the windows to read instead of `window`, newest first: the window itself, or its halves, divided
   * further where these are truncated too.
   */
  split(profileId: string, window: Window): readonly Window[] {
    if (isSingleDay(window) || !this.isCutOff(profileId, window)) return [window];
    return halvesOf(window).flatMap((half) => this.split(profileId, half));
  }

  #isKnownCap(records: number): boolean {
    return this.#checks.some((check) => check.kind === 'cut_off' && check.records === records);
  }
}

/**
 * Returns the later and the earlier half, which together hold each day once.
 * @throws RangeError for a single day
 */
export function halvesOf({ start, end }: Window): [later: Window, earlier: Window] {
  const days = daysBetween(start, end) + 1;
  if (days < 2) throw new RangeError(`the date range ${start} to ${end} cannot be halved`);
  const last = addDays(start, Math.ceil(days / 2) - 1);
  return [
    { start: addDays(last, 1), end },
    { start, end: last },
  ];
}

export function isSingleDay({ start, end }: Window): boolean {
  return start === end;
}
