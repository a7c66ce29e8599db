import type { CommentChannel } from '../../api/schemas/vocabulary.ts';
import { dayMs, daysBetween, type Day } from '../../core/calendar.ts';
import { defaultSandbox, sandboxUuid } from '../identity.ts';
import { composeCommentary } from './commentary.ts';
import { drawTopic } from './made-up-post.ts';
import { drawLabels, type PlannedPost } from './planned-post.ts';
import { campaignOn } from './planning.ts';
import { timeOfDay } from './publications.ts';
import { between, integerBetween, pick, randomFor } from './random.ts';
import { drawSlots, fillSlots } from './slots.ts';

/** A post for channels other than LinkedIn, of which analytics knows nothing. */
export interface ChannelPost {
  readonly planned: PlannedPost;
  readonly brand: string;
  readonly channels: readonly CommentChannel[];
  /** The tweets, where it goes out on X. */
  readonly texts: readonly string[];
}

/** Drawn with equal chances. */
const channelSets: readonly (readonly CommentChannel[])[] = [
  ['Instagram'],
  ['Instagram', 'Facebook'],
  ['Instagram', 'Facebook', 'Threads'],
  ['Twitter'],
  ['Twitter', 'Threads'],
  ['TikTok', 'YouTubeShorts'],
  ['Facebook', 'Webflow'],
  ['Discord', 'Slack'],
];

/** Long enough that each goes through all stages. */
const leadDays = { low: 20, high: 30 } as const;
export const maxLeadDays = leadDays.high;

/** The one post of `day` (UTC): the same for the same arguments, whatever today is. */
export function makeUpChannelPost(seed: number, day: Day): ChannelPost {
  const draw = (part: string) => randomFor(seed, 'channel-post', day, part);
  const channels = pick(channelSets, draw('channels'));
  const topic = drawTopic('page', day, draw('topic'));
  const slots = drawSlots(Number(day.slice(0, 4)), draw('slots'));
  const text = composeCommentary(topic, 'Image', slots, draw('text')) ?? '';
  const random = draw('planned');
  const publishedAt = timeOfDay(new Date(`${day}T00:00:00Z`), random);
  const leadMs = Math.round(between(leadDays.low, leadDays.high, random) * dayMs);
  const planned = {
    id: sandboxUuid(seed, 'post', `channels-${day}`),
    title: fillSlots(pick(topic.titles, random), slots),
    labels: drawLabels(seed, topic, random),
    campaign: topic.campaign && campaignOn(seed, topic.campaign, day),
    createdAt: new Date(publishedAt.getTime() - leadMs),
    publishedAt,
    updatedAt: new Date(publishedAt.getTime() + integerBetween(2, 40, random) * 1000),
    isOnX: channels.includes('Twitter'),
    isBlocked: isBlockedOn(day),
  };
  const texts = text.split('\n\n').slice(0, integerBetween(1, 3, random));
  return { planned, brand: defaultSandbox.workspace.name, channels, texts };
}

/** One in three, evenly, so that among those in review there always is one and there always are others. */
function isBlockedOn(day: Day): boolean {
  return daysBetween('2000-01-01', day) % 3 === 0;
}
