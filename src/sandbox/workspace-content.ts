import type { LinkedInPostAnalytics } from '../api/schemas/analytics.ts';
import type { PostDetails } from '../api/schemas/posts.ts';
import type { PostStatus } from '../api/schemas/vocabulary.ts';
import type { Day } from '../core/calendar.ts';
import type { SandboxProfile } from './identity.ts';

export interface SandboxWorkspace {
  readonly slug: string;
  readonly name: string;
  /** The IANA name of the zone in which the days of a request are counted. */
  readonly timezone: string;
}

/**
 * The contents that a workspace begins with, and how they develop without interventions. Everything is given as it was
 * at `now`.
 */
export interface WorkspaceContent {
  readonly workspace: SandboxWorkspace;
  readonly profiles: readonly SandboxProfile[];
  /**
   * The posts published from `from` to `to`, both included, and not after `now`, newest first. Each is made up when the
   * caller takes it, so that a caller who needs a few does not pay for all.
   */
  analyticsOf(profileId: string, range: DayRange, now: Date): Iterable<LinkedInPostAnalytics>;
  /** @param id in lower case @returns null also for a post that is not published yet */
  findAnalytics(id: string, now: Date): LinkedInPostAnalytics | null;
  /** @returns null also for a post that is not created yet */
  findPost(postId: string, now: Date): PostPlan | null;
  /** Every post that `findPost` finds, in no particular order. */
  listPosts(now: Date): readonly PostPlan[];
}

/** A post with its timeline. The fields by which posts are sorted and chosen do not need its contents. */
export interface PostPlan {
  readonly id: string;
  readonly channels: readonly string[];
  readonly campaign: CampaignDates | null;
  /** The time in which people work on the post, from its creation to its publication. */
  readonly work: TimeSpan;
  /** The time of the review; null for a post that is never reviewed. */
  readonly review: TimeSpan | null;
  statusAt(now: Date): PostStatus;
  /** Makes up the contents again. */
  detailsAt(now: Date): PostDetails;
}

interface CampaignDates {
  readonly id: string;
  readonly name: string;
  readonly startDate: Day | null;
  readonly endDate: Day | null;
}

export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}
