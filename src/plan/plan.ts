import type { ProfileConfig } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';

/** Days of the configured time zone, both inclusive. */
export interface Window {
  readonly start: Day;
  readonly end: Day;
}

/**
 * Why a window is read: it never was; its last reading failed; it is younger than `refresh_days`;
 * it is old and its next rare re-reading has come; or the user asked (`--full`, `--from`/`--to`).
 */
export type WindowReason = 'never-read' | 'failed' | 'young' | 'aged' | 'asked';

export interface PlannedWindow {
  readonly profile: ProfileConfig;
  readonly window: Window;
  readonly reason: WindowReason;
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
}

/** One earlier reading of a window, whatever became of it. */
export interface PastReading {
  readonly workspace: string;
  readonly profileId: string;
  readonly window: Window;
  readonly status: 'succeeded' | 'failed';
  readonly fetchedAt: Date;
  readonly job: string;
  readonly runStartedAt: Date;
  /** False for a run that was cut off (killed or interrupted). */
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
