import type { Backlog } from './known-events.ts';

/** Events could not be stored, and none has been since. */
export interface Failing {
  readonly since: Date;
  readonly error: string;
  /** For example `ENOSPC`. */
  readonly code: string;
  /** Whether only the next event shows that it is over; else that is seen within a second, without one. */
  readonly isTriedByEvents: boolean;
}

/** How a spool is doing; what other processes did to the inbox is seen within a second. */
export interface SpoolState {
  /** What is not on disk yet, and whose senders wait for it. */
  readonly queued: { readonly events: number; readonly bytes: number };
  /** Of the segment that is appended to; 0 when there is none. */
  readonly openSegmentBytes: number;
  /** All that waits to be loaded and archived, the open segment included. */
  readonly backlog: Backlog;
  /** Events whose repeats are known, in the archive and in the inbox. */
  readonly knownEvents: number;
  /** Null when all is well. */
  readonly failing: Failing | null;
}
