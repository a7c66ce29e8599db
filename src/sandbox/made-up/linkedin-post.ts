import { dayMs, type Day } from '../../core/calendar.ts';
import { sandboxUuid, type ProfileKind, type SandboxProfile } from '../identity.ts';
import { composeCommentary, drawSlots, fillSlots, type Slots } from './commentary.ts';
import {
  drawFinalFigures,
  typeShares,
  type Account,
  type FinalFigures,
  type PostType,
} from './figures.ts';
import {
  campaignOn,
  drawLabels,
  drawPlannedTime,
  isCampaignRunning,
  type PlannedPost,
} from './planned-post.ts';
import { linkedInPostContent } from './post-content.ts';
import {
  between,
  integerBetween,
  logNormal,
  pick,
  pickKey,
  pickWeighted,
  poisson,
  randomFor,
  type Random,
} from './random.ts';
import { topics, type Topic } from './texts.ts';

/** A LinkedIn post with everything that does not change with time. */
export interface LinkedInPost {
  readonly id: string;
  readonly url: string;
  readonly profile: SandboxProfile;
  readonly type: PostType;
  readonly publishedAt: Date;
  /** The day of publication in UTC, which is the workspace's zone. */
  readonly publishedOn: Day;
  readonly commentary: string | null;
  readonly figures: FinalFigures;
  readonly reporting: Reporting;
  /** The workspace post behind it; null when it was written on LinkedIn. */
  readonly planned: PlannedPost | null;
}

/** The figures of a post that the service ever learns. */
interface Reporting {
  /** The value `some` excludes impressions and what is computed from them. */
  readonly extent: 'all' | 'some' | 'none';
  /** A like or a share that was undone and counts as −1, as in real services now and then. */
  readonly undone: 'like' | 'share' | 'nothing';
  /** The age at which the figures of a video appear; null means never. */
  readonly videoSyncAgeMs: number | null;
  /** The relative speed at which the figures grow. */
  readonly speed: number;
  readonly hasEmv: boolean;
}

/** The position of a post in the stream: the n-th of a profile on a day. */
export interface Publication {
  readonly account: Account;
  readonly day: Day;
  readonly ordinal: number;
  readonly publishedAt: Date;
}

/** Makes a post, which is the same for the same arguments. Each part of it has random numbers of its own. */
export function makeUpLinkedInPost(seed: number, publication: Publication): LinkedInPost {
  const { account, day, ordinal, publishedAt } = publication;
  const name = `${account.index}-${day}-${ordinal}`;
  const draw = (part: string) => randomFor(seed, 'post', name, part);
  const type = pickWeighted(typeShares, draw('type'));
  const topic = drawTopic(account.profile.kind, day, draw('topic'));
  const slots = drawSlots(publishedAt.getUTCFullYear(), draw('slots'));
  const about = { topic, slots, publishedAt, id: sandboxUuid(seed, 'post', name) };
  const plan = type === 'Repost' ? null : planPost(seed, about, draw('planned'));
  const post: LinkedInPost = {
    id: sandboxUuid(seed, 'linkedin-post', name),
    url: `https://www.linkedin.com/feed/update/urn:li:share:${shareId(publishedAt, draw('url'))}/`,
    profile: account.profile,
    type,
    publishedAt,
    publishedOn: day,
    commentary: composeCommentary(topic, type, slots, draw('text')),
    figures: drawFinalFigures(account, type, publishedAt, draw('figures')),
    reporting: drawReporting(draw('reporting')),
    planned: plan && { ...plan, content: () => linkedInPostContent(seed, post, plan) },
  };
  return post;
}

/** Draws a topic; those with a running campaign come up more often. */
export function drawTopic(kind: ProfileKind, day: Day, random: Random): Topic {
  const fitting = topics.filter(({ isPersonal }) => !(isPersonal && kind === 'page'));
  const weighted = fitting.map((topic) => {
    const isRunning = topic.campaign && isCampaignRunning(topic.campaign, day);
    return [topic, isRunning ? 2.2 : 1] as const;
  });
  return pickWeighted(weighted, random);
}

/** Makes an id as LinkedIn does: the time of publication in Unix milliseconds stands above the lowest 22 bits. */
function shareId(publishedAt: Date, random: Random): bigint {
  return (BigInt(publishedAt.getTime()) << 22n) | BigInt(integerBetween(0, 2 ** 22 - 1, random));
}

function drawReporting(random: Random): Reporting {
  const extent = pickKey({ all: 0.982, some: 0.006, none: 0.012 }, random);
  const undone = pickKey({ nothing: 0.993, share: 0.005, like: 0.002 }, random);
  const videoSyncAgeMs = random() < 0.04 ? null : (0.5 + 2 * random()) * dayMs;
  return {
    extent,
    undone,
    videoSyncAgeMs,
    speed: logNormal(1, 0.3, random),
    hasEmv: random() > 0.03,
  };
}

interface AboutPost {
  readonly id: string;
  readonly topic: Topic;
  readonly slots: Slots;
  readonly publishedAt: Date;
}

/** The longest time between the creation and the publication of a post. */
export const maxLeadDays = 21;

/** Links three in four posts to the workspace; plain reposts are made on LinkedIn. */
function planPost(seed: number, about: AboutPost, random: Random) {
  const { id, topic, slots, publishedAt } = about;
  if (random() > 0.75) return null;
  const day = publishedAt.toISOString().slice(0, 10);
  const campaign = random() < 0.85 ? topic.campaign : null;
  const title = fillSlots(pick(topic.titles, random), slots);
  const labels = drawLabels(seed, topic, random);
  const leadMs = Math.round(between(0.5, maxLeadDays, random) * dayMs);
  const createdAt = new Date(publishedAt.getTime() - leadMs);
  return {
    id,
    title,
    labels,
    campaign: campaign && campaignOn(seed, campaign, day),
    publishedAt,
    createdAt,
    updatedAt: new Date(publishedAt.getTime() + Math.round(between(2, 40, random)) * 1000),
    plannedAt: drawPlannedTime(createdAt, publishedAt, randomFor(seed, 'planned', id)),
    channels: random() < 0.12 ? (['LinkedIn', 'Twitter'] as const) : (['LinkedIn'] as const),
    isBlocked: random() < 0.2,
  };
}

/** The shares of posts by weekday, from Sunday, as counted in 31,000 real posts. */
const weekdayShares = [0.026, 0.163, 0.203, 0.201, 0.202, 0.171, 0.034] as const;

/** The factor on posts by month, from January: holidays are quiet. */
const monthFactors = [1.02, 1, 1.08, 0.98, 1.08, 1.02, 0.62, 0.86, 1.18, 1.15, 1.12, 0.89] as const;

/** The weights of hours in UTC from 05:00, for people who work in Europe. */
const hourWeights = [1, 8, 15, 14, 11, 9, 8, 7, 8, 8, 5, 3, 2, 1, 1, 0.5].map(
  (weight, index) => [index + 5, weight] as const,
);

const onQuarterHour = 0.31;

/**
 * Draws the times at which a profile publishes on `day` (UTC), earliest first. They are the same for the same arguments,
 * whatever today is.
 * @param postsPerDay the long-term average
 */
export function publicationTimes(
  seed: number,
  profileIndex: number,
  day: Day,
  postsPerDay: number,
): Date[] {
  const random = randomFor(seed, 'day', profileIndex, day);
  const midnight = new Date(`${day}T00:00:00Z`);
  const weekday = 7 * (weekdayShares[midnight.getUTCDay()] ?? 0);
  const month = monthFactors[midnight.getUTCMonth()] ?? 1;
  const count = poisson(postsPerDay * weekday * month, random);
  return Array.from({ length: count }, () => timeOfDay(midnight, random)).sort(
    (one, other) => one.getTime() - other.getTime(),
  );
}

export function timeOfDay(midnight: Date, random: Random): Date {
  const hour = pickWeighted(hourWeights, random);
  const minute =
    random() < onQuarterHour ? 15 * integerBetween(0, 3, random) : integerBetween(0, 59, random);
  const seconds = integerBetween(0, 59_999, random) / 1000;
  return new Date(midnight.getTime() + (hour * 3600 + minute * 60 + seconds) * 1000);
}
