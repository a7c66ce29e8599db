import type { CampaignKey, LabelKey } from './planning.ts';

/**
 * What posts of one subject are put together from. Texts have slots, which `fillSlots` fills the
 * same way throughout one post: {place}, {other}, {person}, {n}, {big}, {pct}, {minutes}, {year}.
 */
export interface Topic {
  /** Told by an I, so that no page can say it. */
  readonly isPersonal?: true;
  readonly campaign: CampaignKey | null;
  readonly labels: readonly LabelKey[];
  /** Titles in the planning tool: short, for colleagues. */
  readonly titles: readonly string[];
  /** First lines. */
  readonly hooks: readonly string[];
  readonly sentences: readonly string[];
  /** Items of a list. */
  readonly points: readonly string[];
  /** Last lines. */
  readonly closings: readonly string[];
  readonly hashtags: readonly string[];
  readonly emoji: readonly string[];
}
