import type { Reach } from '../api/api-error.ts';

/** What became of a plan. */
export interface ExtractOutcome {
  /** Answered, the halves of windows that looked cut off among them. */
  readonly succeeded: number;
  /** Posts in the analytics answers. */
  readonly postsRead: number;
  readonly failures: readonly Failure[];
  /** Planned, but not read for the reason of an earlier failure: most of it was not asked for. */
  readonly notRead: number;
  /** What was found to be cut off, now and for the first time. */
  readonly cutOff: readonly CutOffWindow[];
}

/** A window whose answer has not all of its posts. */
export interface CutOffWindow {
  /** Profile and days, for people. */
  readonly subject: string;
  /** `indivisible`: a single day that looks so; what is missing there cannot be read. */
  readonly kind: 'cut_off' | 'indivisible';
  /** That the answer gave. */
  readonly posts: number;
  /** That its halves gave beside them. */
  readonly missing: number;
}

/** A call that did not give what was asked for. */
export interface Failure {
  /** What was asked for, for people; the workspace where no call of it can succeed. */
  readonly subject: string;
  /** What went wrong and what to do about it. */
  readonly message: string;
  /** Null when no answer came. */
  readonly httpStatus: number | null;
  /** HTTP requests spent on it. */
  readonly requests: number;
  /** What else must fail for the same reason. */
  readonly reach: Reach;
}

/** An outcome while it is being made. */
export interface Tally extends ExtractOutcome {
  succeeded: number;
  postsRead: number;
  failures: Failure[];
  notRead: number;
  cutOff: CutOffWindow[];
}

export function emptyTally(): Tally {
  return { succeeded: 0, postsRead: 0, failures: [], notRead: 0, cutOff: [] };
}

/** What was found of a window, in a sentence for people. */
export function describeCutOff({ subject, kind, posts, missing }: CutOffWindow): string {
  return kind === 'indivisible'
    ? `${subject}: the answer looks cut off at ${posts} posts; a single day has no halves to read, so posts of it may be missing`
    : `${subject}: the answer was cut off at ${posts} posts, ${missing} more were in its halves; it is read in halves from now on`;
}
