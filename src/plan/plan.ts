import type { ProofReason } from '../api/answer-proof.ts';
import type { DetailKind, ProfileConfig } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';

/** A range of days of the configured time zone. Both ends are inclusive. */
export interface Window {
  readonly start: Day;
  readonly end: Day;
}

/**
 * The reason for reading a window: it was never read; its last reading failed, was skipped or proved less than it was asked;
 * its last answer had a round number of records and its halves were not read; it is younger than `refresh_days`, or was last read before all days on its dates were over; it
 * is old and its next reading is due; or the user asked for it (`--full`, `--from`, `--to`).
 */
export type WindowReason = 'never-read' | 'failed' | 'unchecked' | 'young' | 'aged' | 'asked';

export interface PlannedWindow {
  readonly profile: ProfileConfig;
  readonly window: Window;
  readonly reason: WindowReason;
  /** The window of which this one is read as a part, since it was last read in parts. Null for a window that is read whole. */
  readonly parentWindow: Window | null;
  /** The parts in which it was last read, newest first: what is asked for if the whole fails again. */
  readonly parts: readonly Window[];
  /** True if it failed before, so that it gets one attempt alone. */
  readonly isTrial: boolean;
  /** The round number of records with which it was whole before, since its halves had no more. Null if there is none. */
  readonly confirmedRecords: number | null;
}

/**
 * The reason for reading a post's details: they were never read; the title, labels or campaign in the
 * analytics have changed since; they are old; or the user asked for them (`--full`).
 */
export type DetailReason = 'never-read' | 'changed' | 'aged' | 'asked';

export interface PlannedDetail {
  readonly workspace: string;
  readonly postId: string;
  /** What is read of the post. Each takes a request of its own. */
  readonly kind: DetailKind;
  readonly reason: DetailReason;
}

/** The requests of a run to one workspace's API, in the order of sending. */
export interface WorkspacePlan {
  readonly workspace: string;
  /** The windows, newest first, with the profiles interleaved. */
  readonly windows: readonly PlannedWindow[];
  /**
   * The details that are due by the warehouse's present state. A run finds more once it has read the windows.
   */
  readonly details: readonly PlannedDetail[];
  /** True if the service has refused dates to come: ranges are asked for to today in UTC at most. */
  readonly endsToday: boolean;
  /** What is known of the workspace's profiles, by id. */
  readonly readUntil: ReadonlyMap<string, ReadUntil>;
}

/** To which day a profile was read. */
export interface ReadUntil {
  /** The last day that counts as read; null if none does. */
  readonly lastDay: Day | null;
  /** True if every day was read that should have been. */
  readonly isWhole: boolean;
}

/**
 * An interrupted run is continued by the next one, which does not ask again for what was read in this many
 * hours.
 */
export const cutOffHours = 12;

/** Readings that lie further in the future than this were made under a clock that has since been set back. */
export const clockSkewHours = 24;

/**
 * The HTTP statuses of failures that a later request meets again: the request is wrong, or the profile does not exist.
 * A key that is refused may have been replaced.
 */
export const lastingStatuses: readonly number[] = [400, 404, 422];

/** One earlier reading of a window, successful or not. */
export interface PastReading {
  readonly workspace: string;
  readonly profileId: string;
  /** The days that it was to prove. */
  readonly window: Window;
  /** The first day of the window of which it was a part; null if it was whole. */
  readonly partOf: Day | null;
  /**
   * `partial`: the answer proves less than it was asked for. A window that was skipped after another failure has failed for
   * the same reason.
   */
  readonly status: 'succeeded' | 'partial' | 'failed';
  readonly reason: ProofReason | null;
  /** Null if no answer came. */
  readonly httpStatus: number | null;
  /** The number of records in the answer. */
  readonly records: number;
  readonly fetchedAt: Date;
  readonly job: string;
  readonly runStartedAt: Date;
  /** False for an interrupted run: one that was killed or stopped before it sent its last report. */
  readonly runFinished: boolean;
}

/** The known facts about a linked post that bear on reading its details. */
export interface KnownPost {
  readonly workspace: string;
  readonly postId: string;
  /** The profiles whose LinkedIn posts are linked to it. */
  readonly profileIds: readonly string[];
  /** The publication time of the newest LinkedIn post that is linked to it. Null if unknown. */
  readonly publishedAt: Date | null;
  /** The time of the last answer of each kind, 404 included. Null if it was never asked for. */
  readonly fetchedAt: Readonly<Record<DetailKind, Date | null>>;
  /** True if title, labels or campaign in the analytics differ from what they were at that time. */
  readonly hasChanged: boolean;
  /** True if a deletion event came. The details of a removed post are never read again. */
  readonly isRemoved: boolean;
}
