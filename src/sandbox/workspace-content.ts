import type { LinkedInPostAnalytics } from '../api/schemas/analytics.ts';
import type { PostDetails } from '../api/schemas/posts.ts';
import type { PostStatus } from '../api/schemas/vocabulary.ts';
import type { Day } from '../core/calendar.ts';
import type { SandboxProfile } from './identity.ts';

export interface SandboxWorkspace {
  readonly slug: string;
  readonly name: string;
  /** IANA name: the days of a request are days of this zone. */
  readonly timezone: string;
}

/**
 * What a workspace begins with, and how it develops without interventions.
 * Everything is as it was at `now`.
 */
export interface WorkspaceContent {
  readonly workspace: SandboxWorkspace;
  readonly profiles: readonly SandboxProfile[];
  /**
   * Posts published from `from` to `to`, both included, and not after `now`; newest first. Each is made
   * when it is taken, so that whoever needs a few does not pay for all.
   */
  analyticsOf(profileId: string, range: DayRange, now: Date): Iterable<LinkedInPostAnalytics>;
  /** @param id in lower case; null for a post that is not published yet, too */
  findAnalytics(id: string, now: Date): LinkedInPostAnalytics | null;
  /** Null for a post that is not created yet, too. */
  findPost(postId: string, now: Date): PostPlan | null;
  /** Every post that `findPost` finds, in no order. */
  listPosts(now: Date): readonly PostPlan[];
}

/** A post and how it goes on. What all posts are sorted and chosen by is there without its contents. */
export interface PostPlan {
  readonly id: string;
  readonly channels: readonly string[];
  readonly campaign: CampaignDates | null;
  /** When its people work on it, from creation to publication. */
  readonly work: Period;
  /** When it is reviewed; null: never. */
  readonly review: Period | null;
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

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}
