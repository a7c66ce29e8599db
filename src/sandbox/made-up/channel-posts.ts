import type { CommentChannel } from '../../api/schemas/vocabulary.ts';
import { addDays, dayMs, dayOf, daysBetween, type Day } from '../../core/calendar.ts';
import { sandboxUuid } from '../identity.ts';
import { composeCommentary, drawSlots, fillSlots } from './commentary.ts';
import { drawTopic, timeOfDay } from './linkedin-post.ts';
import { campaignOn, drawLabels, type PlannedPost } from './planned-post.ts';
import { tweetsOf } from './post-content.ts';
import { between, integerBetween, pick, randomFor } from './random.ts';

/** The channels, drawn with equal chances. */
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

/** The number of days from creation to publication, long enough for all stages. */
const leadDays = { low: 20, high: 30 } as const;

/** Makes the one post of `day` (UTC), which is the same for the same arguments, whatever today is. */
function makeUpChannelPost(seed: number, day: Day): PlannedPost {
  const draw = (part: string) => randomFor(seed, 'channel-post', day, part);
  const channels = pick(channelSets, draw('channels'));
  const topic = drawTopic('page', day, draw('topic'));
  const slots = drawSlots(Number(day.slice(0, 4)), draw('slots'));
  const text = composeCommentary(topic, 'Image', slots, draw('text')) ?? '';
  const random = draw('planned');
  const publishedAt = timeOfDay(new Date(`${day}T00:00:00Z`), random);
  const leadMs = Math.round(between(leadDays.low, leadDays.high, random) * dayMs);
  const planned = {
    id: postId(seed, day),
    title: fillSlots(pick(topic.titles, random), slots),
    channels,
    labels: drawLabels(seed, topic, random),
    campaign: topic.campaign && campaignOn(seed, topic.campaign, day),
    createdAt: new Date(publishedAt.getTime() - leadMs),
    publishedAt,
    plannedAt: publishedAt,
    updatedAt: new Date(publishedAt.getTime() + integerBetween(2, 40, random) * 1000),
    // every third post is in this state, so that posts in review always include some of each
    isBlocked: daysBetween('2000-01-01', day) % 3 === 0,
  };
  const tweets = text.split('\n\n').slice(0, integerBetween(1, 3, random));
  const isOnX = channels.includes('Twitter');
  return { ...planned, content: () => (isOnX ? { x: tweetsOf(seed, planned, tweets) } : {}) };
}

/** The days before the earliest time that is asked for. */
const pastDays = 60;

/**
 * Lists posts for channels other than LinkedIn, one a day whatever the size of the workspace. They make sure that there
 * are posts in every status at any time, even if hardly anything is published on LinkedIn.
 * @param start the time at which the sandbox was started
 * @param id of one post; left out: all that are created by `now`
 */
export function listChannelPosts(seed: number, start: Date, now: Date, id?: string): PlannedPost[] {
  const posts: PlannedPost[] = [];
  const end = addDays(dayOf(now, 'UTC'), leadDays.high + 2);
  let day = addDays(dayOf(start < now ? start : now, 'UTC'), -pastDays);
  for (; day < end; day = addDays(day, 1))
    if (id === undefined || id === postId(seed, day)) posts.push(makeUpChannelPost(seed, day));
  return posts.filter(({ createdAt }) => createdAt <= now);
}

function postId(seed: number, day: Day): string {
  return sandboxUuid(seed, 'post', `channels-${day}`);
}
