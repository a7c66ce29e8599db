import { addDays, dayOf, type Day } from '../../core/calendar.ts';
import { makeUpChannelPost, maxLeadDays, type ChannelPost } from './channel-post.ts';

/** How far back from the earliest time asked for they reach. */
const pastDays = 60;
/** How far back from the start at most, however far the clock is moved. */
const maxPastDays = 3660;

/**
 * Posts for channels other than LinkedIn, one a day whatever the size of the workspace: with them there
 * are posts in every status at any time, also where hardly anything is published on LinkedIn.
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
    const [from, to] = [addDays(today, -pastDays), addDays(today, maxLeadDays + 2)];
    for (; this.#to < to; this.#to = addDays(this.#to, 1)) this.#add(this.#to);
    while (this.#from > from && this.#from > this.#first)
      this.#add((this.#from = addDays(this.#from, -1)));
  }

  #add(day: Day): void {
    const post = makeUpChannelPost(this.#seed, day);
    this.#posts.set(post.planned.id, post);
  }
}
