import { addDays, daysBetween } from '../core/calendar.ts';
import { holds } from './grid.ts';
import type { GivenAnswer, PastCheck, Window } from './plan.ts';

/** Windows hold fewer posts as a rule, and services set limits that are round numbers. */
const minSuspectRecords = 100;
const roundTo = 50;

/**
 * What checks of one workspace's answers have found: which answers to compare with their halves, and which
 * windows to ask for in halves only.
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
   * Whether the answer may have been cut off and has to be checked: its count is round, or is one at which
   * an answer was found cut off before, and no check of this window with this count was made.
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

  /** Whether an answer to this window would be cut off: one to it, or to a window within it, was. */
  isCutOff(profileId: string, window: Window): boolean {
    return this.#checks.some(
      (check) =>
        check.kind === 'cut_off' && check.profileId === profileId && holds(window, check.window),
    );
  }

  /** The windows to ask for in place of one, newest first: itself, or its halves, and theirs, where it is cut off. */
  split(profileId: string, window: Window): readonly Window[] {
    if (isSingleDay(window) || !this.isCutOff(profileId, window)) return [window];
    return halvesOf(window).flatMap((half) => this.split(profileId, half));
  }

  #isKnownCap(records: number): boolean {
    return this.#checks.some((check) => check.kind === 'cut_off' && check.records === records);
  }
}

/** The later and the earlier half, which together hold each day once. @throws RangeError for a single day */
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
