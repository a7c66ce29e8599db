import type { PostDetails } from '../../api/schemas/posts.ts';
import type { CommentChannel, PostStatus } from '../../api/schemas/vocabulary.ts';
import { dayMs, dayOf, type Day } from '../../core/calendar.ts';
import { sandboxUuid } from '../identity.ts';
import { fillSlots } from './commentary.ts';
import { between, pick, pickKey, sample, type Random } from './random.ts';
import { workspaceTexts, type CampaignText, type Topic } from './texts.ts';

/** A post of the planning tool, as it develops without interventions. */
export interface PlannedPost {
  readonly id: string;
  readonly title: string;
  readonly labels: PostDetails['labels'];
  readonly campaign: Campaign | null;
  readonly channels: readonly CommentChannel[];
  readonly createdAt: Date;
  readonly publishedAt: Date;
  /** The time for which it is scheduled. */
  readonly plannedAt: Date;
  /** The time at which the service has noted the publication. */
  readonly updatedAt: Date;
  /** True when the review rejects the post at first. */
  readonly isBlocked: boolean;
  /** Makes up the content for the channels whose content the API shows. There are many assets. */
  readonly content: () => PostContent;
}

interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly startDate: Day;
  readonly endDate: Day;
}

interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

export type PostContent = Pick<PostDetails, 'linkedIn' | 'x'>;

export function drawLabels(seed: number, topic: Topic, random: Random): PostDetails['labels'] {
  const count = Number(pickKey({ 0: 0.12, 1: 0.6, 2: 0.28 }, random));
  const own = sample(topic.labels, count, random);
  const all = random() < 0.06 ? [...own, pick(workspaceTexts.labels, random)] : own;
  return [...new Set(all)].map(({ key, name, color, backgroundColor }) => ({
    id: sandboxUuid(seed, 'label', key),
    name,
    color,
    backgroundColor,
  }));
}

/**
 * Draws the time for which a post was scheduled. Most are published at that time; some wait for a person, and a few are
 * published by hand before it.
 */
export function drawPlannedTime(createdAt: Date, publishedAt: Date, random: Random): Date {
  const lateness = pickKey(
    { onTime: 0.83, minutes: 0.09, hours: 0.04, days: 0.01, early: 0.03 },
    random,
  );
  const seconds = {
    onTime: 0,
    minutes: between(6, 55, random) * 60,
    hours: between(1.2, 20, random) * 3600,
    days: between(1.1, 4, random) * 86_400,
    early: -between(0.2, 6, random) * 3600,
  };
  const plannedMs = publishedAt.getTime() - Math.round(seconds[lateness] * 1000);
  return new Date(Math.max(createdAt.getTime(), plannedMs));
}

export function isCampaignRunning({ from, to }: CampaignText, day: Day): boolean {
  return day.slice(5) >= from && day.slice(5) <= to;
}

/** The campaign if it runs on `day`, or null. */
export function campaignOn(seed: number, campaign: CampaignText, day: Day): Campaign | null {
  if (!isCampaignRunning(campaign, day)) return null;
  const year = day.slice(0, 4);
  return {
    id: sandboxUuid(seed, 'campaign', `${campaign.key}-${year}`),
    name: fillSlots(campaign.name, { year, lastYear: String(Number(year) - 1) }),
    startDate: `${year}-${campaign.from}`,
    endDate: `${year}-${campaign.to}`,
  };
}

export function detailsAt(post: PlannedPost, now: Date): PostDetails {
  const { status, since } = stageAt(post, now);
  const hasTime = status === 'Scheduled' || status === 'Posted';
  return {
    id: post.id,
    url: `https://app.halden-grid.example/posts/${post.id}`,
    title: post.title,
    channels: [...post.channels],
    status,
    publishDate: status === 'Tentative' ? null : dayOf(post.plannedAt, 'UTC'),
    publishAt: hasTime ? post.plannedAt.toISOString() : null,
    createdAt: post.createdAt.toISOString(),
    // the last change of status; the service notes a publication some seconds later
    updatedAt: (post.updatedAt <= now ? post.updatedAt : since).toISOString(),
    labels: post.labels.map((label) => ({ ...label })),
    ...post.content(),
  };
}

/**
 * The number of days before publication at which each stage begins. Each stage is at least two days long, so that a
 * workspace with one publication a day has posts in all stages at any time.
 */
const beginnings: readonly (readonly [status: PostStatus, daysBefore: number])[] = [
  ['Tentative', Infinity],
  ['ToDo', 17],
  ['InProgress', 15],
  ['ForReview', 13],
  ['Finalized', 9],
  ['Scheduled', 7],
  ['Posted', 0],
];
const reviewDaysBefore = { from: 13, to: 9 } as const;

/** The stage of an existing post at `now`. A post that is created late skips the first stages. */
export function stageAt(post: PlannedPost, now: Date): { status: PostStatus; since: Date } {
  const [status, daysBefore] = beginnings.findLast(
    ([, days]) => now.getTime() >= timeBefore(post, days),
  ) ?? ['Tentative', 0];
  return {
    status: status === 'ForReview' && post.isBlocked ? 'Blocked' : status,
    since: new Date(Math.max(post.createdAt.getTime(), timeBefore(post, daysBefore))),
  };
}

/** The time of the review; null for a post that is created too late for one. */
export function reviewOf(post: PlannedPost): TimeSpan | null {
  const from = Math.max(post.createdAt.getTime(), timeBefore(post, reviewDaysBefore.from));
  const to = timeBefore(post, reviewDaysBefore.to);
  return from < to ? { from: new Date(from), to: new Date(to) } : null;
}

function timeBefore({ publishedAt }: PlannedPost, days: number): number {
  return publishedAt.getTime() - days * dayMs;
}
