import { addDays, dayOf, type Day } from '../../core/calendar.ts';
import { sandboxProfiles } from '../identity.ts';
import { analyticsRecord } from './analytics-record.ts';
import { listChannelPosts } from './channel-posts.ts';
import { accountsOf, type Account } from './figures.ts';
import {
  makeUpLinkedInPost,
  maxLeadDays,
  publicationTimes,
  type LinkedInPost,
  type Publication,
} from './linkedin-post.ts';
import type { PlannedPost } from './planned-post.ts';

export interface MadeUpOptions {
  readonly seed: number;
  /** The number of profiles with analytics. */
  readonly profileCount: number;
  readonly postCount: number;
  /** The newest `postCount` posts up to this time exist; later ones appear as time goes on. */
  readonly start: Date;
}

/** Days of UTC, the zone of the workspace, both included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

export type WorkspaceContent = ReturnType<typeof madeUpContent>;

/** The average number of days over which `postCount` posts are spread. */
const spanDays = 730;

/**
 * Makes a workspace whose posts are made up from the seed. A day has the same posts whatever today is, so that a
 * sandbox that is started again tomorrow has the same history, one day longer. Everything is given as it was at `now`.
 */
export function madeUpContent(options: MadeUpOptions) {
  const { seed, start, profileCount } = options;
  const profiles = sandboxProfiles(seed, profileCount);
  const withAnalytics = profiles.filter(({ kind }) => kind !== 'engagement');
  const stream = new PostStream(options, accountsOf(seed, withAnalytics));
  return {
    profiles,
    /** Yields what was published until `now`, newest first. A caller who needs a few records does not pay for all. */
    *analyticsOf(profileId: string, range: DayRange, now: Date) {
      for (const post of stream.listPosts(profileId, range, now)) yield analyticsRecord(post, now);
    },
    /** @returns null also for a post that is not created yet */
    findPost: (postId: string, now: Date): PlannedPost | null =>
      stream.findPlanned(postId, now) ?? listChannelPosts(seed, start, now, postId)[0] ?? null,
    listPosts: (now: Date): readonly PlannedPost[] => [
      ...stream.listPlanned(now),
      ...listChannelPosts(seed, start, now),
    ],
  };
}

/** The posts on LinkedIn, made up day by day as far as they are asked for. */
class PostStream {
  readonly #options: MadeUpOptions;
  readonly #accounts: readonly Account[];
  /** The posts by profile id, oldest first. */
  readonly #posts = new Map<string, LinkedInPost[]>();
  /** The workspace posts behind them by id. */
  readonly #planned = new Map<string, PlannedPost>();
  #lastDay: Day;

  constructor(options: MadeUpOptions, accounts: readonly Account[]) {
    this.#options = options;
    this.#accounts = accounts;
    this.#lastDay = dayOf(options.start, 'UTC');
    this.#addFirst();
  }

  listPosts(profileId: string, { from, to }: DayRange, now: Date): LinkedInPost[] {
    this.#extendTo(dayOf(now, 'UTC'));
    const posts = (this.#posts.get(profileId) ?? []).filter(
      (post) => post.publishedOn >= from && post.publishedOn <= to && post.publishedAt <= now,
    );
    return posts.reverse();
  }

  findPlanned(plannedId: string, now: Date): PlannedPost | null {
    this.#extendToPlanned(now);
    const post = this.#planned.get(plannedId);
    return post && post.createdAt <= now ? post : null;
  }

  listPlanned(now: Date): PlannedPost[] {
    this.#extendToPlanned(now);
    return [...this.#planned.values()].filter(({ createdAt }) => createdAt <= now);
  }

  /** Makes up the newest posts up to the start, and those that are published later on that day. */
  #addFirst(): void {
    const { postCount, start } = this.#options;
    const isLater = ({ publishedAt }: Publication) => publishedAt > start;
    const later = this.#publicationsOn(this.#lastDay).filter(isLater);
    const newest: Publication[] = [];
    for (
      let day = this.#lastDay;
      this.#accounts.length > 0 && newest.length < postCount;
      day = addDays(day, -1)
    ) {
      newest.push(...this.#publicationsOn(day).filter((each) => !isLater(each)));
    }
    this.#add([...newest.sort(byTimeNewestFirst).slice(0, postCount), ...later]);
  }

  /** Makes up posts up to the last day for which a post can exist already. */
  #extendToPlanned(now: Date): void {
    this.#extendTo(addDays(dayOf(now, 'UTC'), maxLeadDays + 1));
  }

  #extendTo(day: Day): void {
    const publications: Publication[] = [];
    while (this.#lastDay < day) {
      this.#lastDay = addDays(this.#lastDay, 1);
      publications.push(...this.#publicationsOn(this.#lastDay));
    }
    this.#add(publications);
  }

  #publicationsOn(day: Day): Publication[] {
    const { seed, postCount } = this.#options;
    return this.#accounts.flatMap((account) =>
      publicationTimes(seed, account.index, day, (account.share * postCount) / spanDays).map(
        (publishedAt, ordinal) => ({ account, day, ordinal, publishedAt }),
      ),
    );
  }

  #add(publications: readonly Publication[]): void {
    const { seed } = this.#options;
    for (const publication of publications.toSorted(byTimeNewestFirst).reverse()) {
      const post = makeUpLinkedInPost(seed, publication);
      const posts = this.#posts.get(post.profile.id);
      if (posts) posts.push(post);
      else this.#posts.set(post.profile.id, [post]);
      if (post.planned) this.#planned.set(post.planned.id, post.planned);
    }
  }
}

function byTimeNewestFirst(one: Publication, other: Publication): number {
  return other.publishedAt.getTime() - one.publishedAt.getTime();
}
