import type { DetailKind, ProfileConfig } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';

/** A range of days of the configured time zone. Both ends are inclusive. */
export interface Window {
  readonly start: Day;
  readonly end: Day;
}

/**
 * The reason for reading a window: it was never read; its last reading failed or was skipped; its last answer may be
 * truncated and was not checked; it is younger than `refresh_days`, or was last read before all days on its dates were over; it
 * is old and its next reading is due; or the user asked for it (`--full`, `--from`, `--to`).
 */
export type WindowReason = 'never-read' | 'failed' | 'unchecked' | 'young' | 'aged' | 'asked';

export interface PlannedWindow {
  readonly profile: ProfileConfig;
  readonly window: Window;
  readonly reason: WindowReason;
  /**
   * The longer window of which this one is a half (or a half of a half). Null for a window that is read
   * whole.
   */
  readonly parentWindow: Window | null;
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
  /** The checks of this workspace's answers so far. */
  readonly checks: readonly PastCheck[];
}

/** The size of the answer to a window. */
export interface GivenAnswer {
  readonly profileId: string;
  readonly window: Window;
  /** The number of records in the answer. */
  readonly records: number;
  /** The number of distinct posts in the answer. */
  readonly posts: number;
}

/** The result of comparing a possibly truncated answer with the answers to its halves. */
export interface PastCheck extends GivenAnswer {
  readonly workspace: string;
  /** `indivisible` means that the window was a single day, which has no halves to compare with. */
  readonly kind: 'agreed' | 'cut_off' | 'indivisible';
  readonly checkedAt: Date;
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
  readonly window: Window;
  /** A window that was skipped after another failure has failed for the same reason. */
  readonly status: 'succeeded' | 'failed';
  /** Null if no answer came. */
  readonly httpStatus: number | null;
  /** The size of the answer, as in {@link GivenAnswer}. */
  readonly records: number;
  readonly posts: number;
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
