import type { CompareMode } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';

export const removedModes = ['exclude', 'include', 'only'] as const;
/** What becomes of posts that were deleted. */
type RemovedMode = (typeof removedModes)[number];

/** What a report is asked for. A list's values are alternatives; all lists must be met; an empty one asks nothing. */
export interface ReportParameters {
  /** Days of `published_at` in the configured time zone, both inclusive; null: open. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** Of which profiles, by the workspace's key and their id; null: of all that are configured. */
  readonly scope: readonly { readonly workspace: string; readonly id: string }[] | null;
  readonly workspaces: readonly string[];
  /** Names or ids, also as `<workspace>/<name or id>`. */
  readonly profiles: readonly string[];
  /** Names; `(none)` are the posts without one. */
  readonly campaigns: readonly string[];
  /** Names; `(none)` are the posts without one. */
  readonly labels: readonly string[];
  readonly types: readonly string[];
  /** Currency units per thousand impressions, for every post; null: the API's EMV and the profiles' CPM. */
  readonly cpm: number | null;
  /** The report as it would have been at the end of that day; null: as things are. */
  readonly asOf: Day | null;
  readonly removed: RemovedMode;
  /** What a closed period is set beside: the one before, the same days a year before, or nothing. */
  readonly compare: CompareMode;
}

/** All posts of all configured profiles. */
export const allPosts: ReportParameters = {
  from: null,
  to: null,
  scope: null,
  workspaces: [],
  profiles: [],
  campaigns: [],
  labels: [],
  types: [],
  cpm: null,
  asOf: null,
  removed: 'exclude',
  compare: 'previous',
};
