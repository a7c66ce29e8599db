import type { Backlog } from './known-events.ts';

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
  /** Since when and why events could not be stored, until one is again; null when all is well. */
  readonly failing: { readonly since: Date; readonly error: string } | null;
}
