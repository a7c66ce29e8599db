import type { CommentChannel } from '../../api/schemas/vocabulary.ts';
import { addDays, dayMs, dayOf, daysBetween, type Day } from '../../core/calendar.ts';
import { defaultSandbox, sandboxUuid } from '../identity.ts';
import { composeCommentary, drawSlots, fillSlots } from './commentary.ts';
import { drawTopic, timeOfDay } from './linkedin-post.ts';
import { campaignOn, drawLabels, type PlannedPost } from './planned-post.ts';
import { between, integerBetween, pick, randomFor } from './random.ts';

/** A post for channels other than LinkedIn, of which analytics knows nothing. */
export interface ChannelPost {
  readonly planned: PlannedPost;
  readonly brand: string;
  readonly channels: readonly CommentChannel[];
  /** The tweets of a post for X. */
  readonly texts: readonly string[];
}

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
function makeUpChannelPost(seed: number, day: Day): ChannelPost {
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
    plannedAt: publishedAt,
    updatedAt: new Date(publishedAt.getTime() + integerBetween(2, 40, random) * 1000),
    isOnX: channels.includes('Twitter'),
    isBlocked: isBlockedOn(day),
  };
  const texts = text.split('\n\n').slice(0, integerBetween(1, 3, random));
  return { planned, brand: defaultSandbox.workspace.name, channels, texts };
}

/** Chooses every third post, so that posts in review always include some of each. */
function isBlockedOn(day: Day): boolean {
  return daysBetween('2000-01-01', day) % 3 === 0;
}

/** The reach of these posts before the earliest time that is asked for. */
const pastDays = 60;
/** The greatest reach before the start, however far the clock is moved. */
const maxPastDays = 3660;

/**
 * Posts for channels other than LinkedIn, one a day whatever the size of the workspace. They make sure that there are
 * posts in every status at any time, even if hardly anything is published on LinkedIn.
 */
export class ChannelPosts {
  readonly #seed: number;
  readonly #posts = new Map<string, ChannelPost>();
  /** The days that are made up, without the last one. */
  #from: Day;
  #to: Day;
  readonly #first: Day;

  constructor(seed: number, start: Date) {
    this.#seed = seed;
    const startDay = dayOf(start, 'UTC');
    this.#from = this.#to = addDays(startDay, -pastDays);
    this.#first = addDays(startDay, -maxPastDays);
  }

  find(id: string, now: Date): ChannelPost | null {
    this.#cover(now);
    const post = this.#posts.get(id);
    return post && post.planned.createdAt <= now ? post : null;
  }

  list(now: Date): ChannelPost[] {
    this.#cover(now);
    return [...this.#posts.values()].filter(({ planned }) => planned.createdAt <= now);
  }

  #cover(now: Date): void {
    const today = dayOf(now, 'UTC');
    const [from, to] = [addDays(today, -pastDays), addDays(today, leadDays.high + 2)];
    for (; this.#to < to; this.#to = addDays(this.#to, 1)) this.#add(this.#to);
    while (this.#from > from && this.#from > this.#first)
      this.#add((this.#from = addDays(this.#from, -1)));
  }

  #add(day: Day): void {
    const post = makeUpChannelPost(this.#seed, day);
    this.#posts.set(post.planned.id, post);
  }
}
