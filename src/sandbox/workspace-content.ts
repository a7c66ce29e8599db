import type { LinkedInPostAnalytics } from '../api/schemas/analytics.ts';
import type { PostDetails } from '../api/schemas/posts.ts';
import type { Day } from '../core/calendar.ts';
import type { SandboxProfile } from './identity.ts';

export interface SandboxWorkspace {
  readonly slug: string;
  readonly name: string;
  /** IANA name: the days of a request are days of this zone. */
  readonly timezone: string;
}

/** What the routes serve, made up or recorded. Everything is as it was at `now`. */
export interface WorkspaceContent {
  readonly workspace: SandboxWorkspace;
  readonly profiles: readonly SandboxProfile[];
  /** Posts published from `from` to `to`, both included, and not after `now`; newest first. */
  listAnalytics(profileId: string, range: DayRange, now: Date): readonly LinkedInPostAnalytics[];
  findPost(postId: string, now: Date): PostDetails | null;
}

export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}
