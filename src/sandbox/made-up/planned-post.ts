import { dayMs } from '../../core/calendar.ts';
import { sandboxUuid } from '../identity.ts';
import type { Account } from './account.ts';
import { campaignOn, labelKeys, labelOf, type Campaign, type Label } from './planning.ts';
import type { PostLife } from './post-life.ts';
import type { PostType } from './post-type.ts';
import { between, pick, pickWeighted, sample, type Random } from './random.ts';
import { fillSlots, type Slots } from './slots.ts';
import type { Topic } from './topic.ts';

/** A post of the planning tool, as it goes when nobody intervenes. */
export interface PlannedPost extends PostLife {
  readonly id: string;
  readonly title: string;
  readonly labels: readonly Label[];
  readonly campaign: Campaign | null;
  readonly isOnX: boolean;
}

export interface AboutPost {
  /** Unique within the workspace. */
  readonly name: string;
  readonly topic: Topic;
  readonly type: PostType;
  readonly slots: Slots;
  readonly publishedAt: Date;
  readonly account: Account;
}

/** How long before its publication a post is created at the earliest. */
export const maxLeadDays = 21;

/** Seven in ten posts are published from the tool; plain reposts are made on LinkedIn. */
export function planPost(seed: number, about: AboutPost, random: Random): PlannedPost | null {
  const { name, topic, type, slots, publishedAt } = about;
  if (type === 'Repost' || random() > 0.75) return null;
  const day = publishedAt.toISOString().slice(0, 10);
  const campaignKey = random() < 0.85 ? topic.campaign : null;
  return {
    id: sandboxUuid(seed, 'post', name),
    title: fillSlots(pick(topic.titles, random), slots),
    labels: drawLabels(seed, topic, random),
    campaign: campaignKey && campaignOn(seed, campaignKey, day),
    publishedAt,
    createdAt: new Date(
      publishedAt.getTime() - Math.round(between(0.5, maxLeadDays, random) * dayMs),
    ),
    updatedAt: new Date(publishedAt.getTime() + Math.round(between(2, 40, random)) * 1000),
    isOnX: random() < 0.12,
    isBlocked: random() < 0.2,
  };
}

export function drawLabels(seed: number, topic: Topic, random: Random): Label[] {
  const count = pickWeighted(
    [
      [0, 0.12],
      [1, 0.6],
      [2, 0.28],
    ] as const,
    random,
  );
  const own = sample(topic.labels, count, random);
  const keys = random() < 0.06 ? [...own, pick(labelKeys, random)] : own;
  return [...new Set(keys)].map((key) => labelOf(seed, key));
}
