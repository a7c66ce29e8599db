import { dayMs } from '../core/calendar.ts';
import { holds, isSingleDay, touches } from './halves.ts';
import type { GivenAnswer, PastCheck, Window } from './plan.ts';

/**
 * Why an answer may have been cut off. `strong`: so many records are a limit that services set, or one at
 * which this workspace was found cut off before. `weak`: as many as it ever gives, which chance brings too.
 */
export type Suspicion = 'strong' | 'weak';

/** Nobody sets a limit below this one, and quiet profiles often have the same few posts. */
const leastLimit = 10;
/** Numbers of records that services commonly give at most; the larger ones are multiples of 50. */
const commonLimits = new Set([20, 25, 50]);
const commonMultiple = 50;
const leastRound = 100;
const powersOfTwo = new Set([128, 256, 512, 1024, 2048, 4096, 8192]);
/** That many checks of the largest answers are enough, however many answers are as large. */
const mostAgreements = 5;
/** A window that has grown by days without posts is checked again after so long. */
const agreementDays = 7;

/**
 * How much one workspace's API has answered, and what checks of its answers found: what tells an answer that
 * may have been cut off from one that was not. Plain arithmetic; nothing is asked.
 */
export class AnswerSizes {
  #largest = 0;
  /** Whose answer was as large as the largest. */
  readonly #largestAnswers: GivenAnswer[] = [];
  readonly #checks: PastCheck[] = [];
  /** By profile. */
  readonly #cutOff = new Map<string, Window[]>();
  /** Sizes of answers that were found cut off. */
  readonly #limits = new Set<number>();

  constructor(answers: Iterable<GivenAnswer>, checks: Iterable<PastCheck>) {
    for (const answer of answers) this.sawAnswer(answer);
    for (const check of checks) this.sawCheck(check);
  }

  sawAnswer(answer: GivenAnswer): void {
    if (answer.posts < this.#largest) return;
    if (answer.posts > this.#largest) this.#largestAnswers.length = 0;
    this.#largest = answer.posts;
    const isKnown = this.#largestAnswers.some((known) => isSameWindow(known, answer));
    if (!isKnown) this.#largestAnswers.push(answer);
  }

  sawCheck(check: PastCheck): void {
    this.#checks.push(check);
    if (check.kind !== 'cut_off') return;
    this.#limits.add(check.records).add(check.posts);
    const windows = this.#cutOff.get(check.profileId);
    if (windows) windows.push(check.window);
    else this.#cutOff.set(check.profileId, [check.window]);
  }

  /** Whether a window that was found cut off lies in this one, or is it: its answer would be cut off, too. */
  isCutOff(profileId: string, window: Window): boolean {
    return (this.#cutOff.get(profileId) ?? []).some((cutOff) => holds(window, cutOff));
  }

  /** Null for an answer that looks whole, or was checked and has not changed since. */
  suspicionOf(answer: GivenAnswer, now: Date): Suspicion | null {
    const suspicion = this.#suspicion(answer);
    if (suspicion === null || this.#wasChecked(answer, now)) return null;
    return suspicion;
  }

  /** Whether an answer of this size was found cut off. */
  isLimit({ posts, records }: GivenAnswer): boolean {
    return this.#limits.has(posts) || this.#limits.has(records);
  }

  /** Whether an answer of this size may yet turn out to be one of the largest. */
  mayBeLargest({ posts }: GivenAnswer): boolean {
    return posts >= leastLimit && posts >= this.#largest;
  }

  /**
   * How many more checks have to agree before the largest answers count as whole: one window may happen to
   * have exactly as many posts as the limit lets through, but hardly several. One check for a single answer,
   * and one more each time that their number has doubled.
   */
  get agreementsLeft(): number {
    const isAgreed = ({ kind, posts }: PastCheck) => kind === 'agreed' && posts === this.#largest;
    const answers = countIndependent(this.#largestAnswers, 2 ** (mostAgreements - 1));
    const agreed = countIndependent(this.#checks.filter(isAgreed), mostAgreements);
    return Math.max(0, 1 + Math.floor(Math.log2(answers)) - agreed);
  }

  #suspicion(answer: GivenAnswer): Suspicion | null {
    if (this.isLimit(answer)) return 'strong';
    const isLargest = answer.posts >= this.#largest;
    const hasRound = isRound(answer.posts) || isRound(answer.records);
    // nothing can be done about a single day: it is not worth a word unless there is little doubt
    if (isSingleDay(answer.window)) return hasRound && isLargest ? 'strong' : null;
    if (hasRound) return 'strong';
    if (!isLargest || answer.posts < leastLimit) return null;
    if (this.agreementsLeft === 0) return null;
    const isShared = this.#largestAnswers.some((other) => isIndependent(other, answer));
    return isShared || commonLimits.has(answer.posts) ? 'weak' : null;
  }

  #wasChecked(answer: GivenAnswer, now: Date): boolean {
    return this.#checks.some(
      (check) =>
        check.kind !== 'cut_off' &&
        check.posts === answer.posts &&
        (isSameWindow(check, answer) || hasGrownFrom(check, answer, now)),
    );
  }
}

function isRound(size: number): boolean {
  return (size >= leastRound && size % commonMultiple === 0) || powersOfTwo.has(size);
}

function isSameWindow(a: GivenAnswer, b: GivenAnswer): boolean {
  return (
    a.profileId === b.profileId &&
    a.window.start === b.window.start &&
    a.window.end === b.window.end
  );
}

/** Of those that have no day in common, up to `most`. */
function countIndependent(answers: readonly GivenAnswer[], most: number): number {
  const counted: GivenAnswer[] = [];
  for (const answer of answers) {
    if (counted.length === most) break;
    if (counted.every((other) => isIndependent(other, answer))) counted.push(answer);
  }
  return counted.length;
}

/** They cannot have posts in common. */
function isIndependent(a: GivenAnswer, b: GivenAnswer): boolean {
  return a.profileId !== b.profileId || !touches(a.window, b.window);
}

/** The window of today grows daily: while nothing is posted, a check of some days ago stands for it. */
function hasGrownFrom(check: PastCheck, { profileId, window }: GivenAnswer, now: Date): boolean {
  const ageMs = now.getTime() - check.checkedAt.getTime();
  return (
    check.kind === 'agreed' &&
    check.profileId === profileId &&
    check.window.start === window.start &&
    check.window.end < window.end &&
    ageMs >= 0 &&
    ageMs < agreementDays * dayMs
  );
}
