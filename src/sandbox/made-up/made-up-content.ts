import { addDays, dayOf, type Day } from '../../core/calendar.ts';
import { sandboxProfiles } from '../identity.ts';
import { analyticsRecord } from './analytics-record.ts';
import { listChannelPosts, type ChannelPost } from './channel-posts.ts';
import { accountsOf, type Account } from './figures.ts';
import {
  makeUpLinkedInPost,
  maxLeadDays,
  publicationTimes,
  type LinkedInPost,
  type Publication,
} from './linkedin-post.ts';
import { planOf, type PlannedPost, type PostPlan } from './planned-post.ts';
import { channelPostContent, linkedInPostContent } from './post-content.ts';

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
    findPost: (postId: string, now: Date): PostPlan | null => {
      const plan = stream.findPlan(postId, now);
      if (plan) return plan;
      const [post] = listChannelPosts(seed, start, now, postId);
      return post ? channelPlan(seed, post) : null;
    },
    listPosts: (now: Date): readonly PostPlan[] => [
      ...stream.listPlans(now),
      ...listChannelPosts(seed, start, now).map((post) => channelPlan(seed, post)),
    ],
  };
}

function channelPlan(seed: number, post: ChannelPost): PostPlan {
  return planOf(post.planned, post.channels, () => channelPostContent(seed, post));
}

function linkedInPlan(seed: number, post: LinkedInPost, planned: PlannedPost): PostPlan {
  const channels = planned.isOnX ? (['LinkedIn', 'Twitter'] as const) : (['LinkedIn'] as const);
  return planOf(planned, channels, () => linkedInPostContent(seed, post, planned));
}

interface LinkedPost {
  readonly createdAt: Date;
  readonly plan: PostPlan;
}

/** The posts on LinkedIn, made up day by day as far as they are asked for. */
class PostStream {
  readonly #options: MadeUpOptions;
  readonly #accounts: readonly Account[];
  /** The posts by profile id, oldest first. */
  readonly #posts = new Map<string, LinkedInPost[]>();
  /** The posts by the id of the workspace post behind each. */
  readonly #linkedPosts = new Map<string, LinkedPost>();
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

  findPlan(plannedId: string, now: Date): PostPlan | null {
    this.#extendToPlanned(now);
    const post = this.#linkedPosts.get(plannedId);
    return post && post.createdAt <= now ? post.plan : null;
  }

  listPlans(now: Date): PostPlan[] {
    this.#extendToPlanned(now);
    return [...this.#linkedPosts.values()]
      .filter(({ createdAt }) => createdAt <= now)
      .map(({ plan }) => plan);
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
      const { planned } = post;
      if (!planned) continue;
      const plan = linkedInPlan(seed, post, planned);
      this.#linkedPosts.set(planned.id, { createdAt: planned.createdAt, plan });
    }
  }
}

function byTimeNewestFirst(one: Publication, other: Publication): number {
  return other.publishedAt.getTime() - one.publishedAt.getTime();
}
