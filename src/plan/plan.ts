import type { ProfileConfig } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';

/** Days of the configured time zone, both inclusive. */
export interface Window {
  readonly start: Day;
  readonly end: Day;
}

/**
 * Why a window is read: it never was; its last reading failed; its last answer looks cut off and was not
 * checked; it is younger than `refresh_days`, or was last read before it was over; it is old and its next rare
 * re-reading has come; or the user asked (`--full`, `--from`/`--to`).
 */
export type WindowReason = 'never-read' | 'failed' | 'unchecked' | 'young' | 'aged' | 'asked';

export interface PlannedWindow {
  readonly profile: ProfileConfig;
  readonly window: Window;
  readonly reason: WindowReason;
  /** The window of the grid that is read in halves, of which this is a part; null for one that is read whole. */
  readonly partOf: Window | null;
}

/**
 * Why a post's details are read: they never were; what the analytics say of title, labels or campaign
 * has changed since; they are old; or the user asked (`--full`).
 */
export type DetailReason = 'never-read' | 'changed' | 'aged' | 'asked';

export interface PlannedDetail {
  readonly workspace: string;
  readonly postId: string;
  readonly reason: DetailReason;
}

/** What a run asks one workspace's API for, in the order of asking. */
export interface WorkspacePlan {
  readonly workspace: string;
  /** Newest first, the profiles interleaved. */
  readonly windows: readonly PlannedWindow[];
  /** Due by what the warehouse knows now; a run finds more once it has read the windows. */
  readonly details: readonly PlannedDetail[];
  /** How many more details the posts in the windows will probably make due; null: nothing is known. */
  readonly expectedDetails: number | null;
  /** What checks of its answers have found so far. */
  readonly checks: readonly PastCheck[];
}

/** An answer to a window, by its size. */
export interface GivenAnswer {
  readonly profileId: string;
  readonly window: Window;
  /** All members of the list. */
  readonly records: number;
  /** The posts among them, each once. */
  readonly posts: number;
}

/** What became of an answer that looked cut off, once its halves were read. */
export interface PastCheck extends GivenAnswer {
  readonly workspace: string;
  /** `indivisible`: it was of a single day, and nothing could be read. */
  readonly kind: 'agreed' | 'cut_off' | 'indivisible';
  readonly checkedAt: Date;
}

/** A run that was cut off goes on in the next one, which does not ask again for what it read in so many hours. */
export const cutOffHours = 12;

/** Readings from further in the future than this were made under a clock that has been put back since. */
export const clockSkewHours = 24;

/** One earlier reading of a window, whatever became of it. */
export interface PastReading {
  readonly workspace: string;
  readonly profileId: string;
  readonly window: Window;
  readonly status: 'succeeded' | 'failed';
  /** As in a GivenAnswer. */
  readonly records: number;
  readonly posts: number;
  readonly fetchedAt: Date;
  readonly job: string;
  readonly runStartedAt: Date;
  /** False for a run that was cut off: killed or stopped before its last report was sent. */
  readonly runFinished: boolean;
}

/** What is known of a linked post that bears on reading its details. */
export interface KnownPost {
  readonly workspace: string;
  readonly postId: string;
  /** Of the newest LinkedIn post linked to it; null when unknown. */
  readonly publishedAt: Date | null;
  /** The last answer, 404 included; null when the details were never asked for. */
  readonly detailFetchedAt: Date | null;
  /** What the analytics say of title, labels and campaign differs from what they said at that time. */
  readonly hasChanged: boolean;
  /** A deletion event came: its details are never read again. */
  readonly isRemoved: boolean;
}
