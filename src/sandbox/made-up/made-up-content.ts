import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import { addDays, dayOf, type Day } from '../../core/calendar.ts';
import { defaultSandbox, sandboxProfiles } from '../identity.ts';
import type { DayRange, PostPlan, WorkspaceContent } from '../workspace-content.ts';
import { accountsOf, type Account } from './account.ts';
import { analyticsRecord } from './analytics-record.ts';
import type { ChannelPost } from './channel-post.ts';
import { ChannelPosts } from './channel-posts.ts';
import { makeUpPost, type MadeUpPost, type Publication } from './made-up-post.ts';
import { maxLeadDays, type PlannedPost } from './planned-post.ts';
import { channelPostContent, linkedInPostChannels, linkedInPostContent } from './post-content.ts';
import { planOf } from './post-details.ts';
import { publicationTimes } from './publications.ts';

export interface MadeUpOptions {
  readonly seed: number;
  /** Profiles with analytics. */
  readonly profileCount: number;
  readonly postCount: number;
  /** The newest `postCount` posts up to then are there; later ones appear as time goes on. */
  readonly start: Date;
}

/** How many days `postCount` posts are spread over, on average. */
const spanDays = 730;

/**
 * A workspace whose posts are made up from the seed. A day has the same posts whatever today is, so
 * that a sandbox which is started again tomorrow tells the same story, one day longer.
 */
export function madeUpContent(options: MadeUpOptions): WorkspaceContent {
  const { seed, start, profileCount } = options;
  const profiles = sandboxProfiles(seed, profileCount);
  const withAnalytics = profiles.filter(({ kind }) => kind !== 'engagement');
  const stream = new PostStream(options, accountsOf(seed, withAnalytics));
  const channelPosts = new ChannelPosts(seed, start);
  return {
    workspace: defaultSandbox.workspace,
    profiles,
    analyticsOf: (profileId, range, now) => recordsOf(stream.listPosts(profileId, range, now), now),
    findAnalytics: (id, now) => {
      const post = stream.findPost(id, now);
      return post && { profileId: post.profile.id, record: analyticsRecord(post, now) };
    },
    findPost: (postId, now) => {
      const channelPost = channelPosts.find(postId, now);
      return channelPost ? channelPlan(seed, channelPost) : stream.findPlan(postId, now);
    },
    listPosts: (now) => [
      ...stream.listPlans(now),
      ...channelPosts.list(now).map((post) => channelPlan(seed, post)),
    ],
  };
}

function* recordsOf(posts: readonly MadeUpPost[], now: Date): Iterable<LinkedInPostAnalytics> {
  for (const post of posts) yield analyticsRecord(post, now);
}

function channelPlan(seed: number, post: ChannelPost): PostPlan {
  return planOf(post.planned, post.channels, () => channelPostContent(seed, post));
}

interface LinkedPost {
  readonly planned: PlannedPost;
  readonly plan: PostPlan;
}

function linkedPost(seed: number, post: MadeUpPost, planned: PlannedPost): LinkedPost {
  const channels = linkedInPostChannels(planned);
  return {
    planned,
    plan: planOf(planned, channels, () => linkedInPostContent(seed, post, planned)),
  };
}

class PostStream {
  readonly #options: MadeUpOptions;
  readonly #accounts: readonly Account[];
  /** By profile id, oldest first. */
  readonly #posts = new Map<string, MadeUpPost[]>();
  readonly #postsById = new Map<string, MadeUpPost>();
  /** By the id of the post that each was planned as. */
  readonly #linkedPosts = new Map<string, LinkedPost>();
  #lastDay: Day;

  constructor(options: MadeUpOptions, accounts: readonly Account[]) {
    this.#options = options;
    this.#accounts = accounts;
    this.#lastDay = dayOf(options.start, 'UTC');
    this.#add([...this.#newestUpToStart(), ...this.#laterOnFirstDay()]);
  }

  listPosts(profileId: string, { from, to }: DayRange, now: Date): MadeUpPost[] {
    this.#extendTo(dayOf(now, 'UTC'));
    const posts = (this.#posts.get(profileId) ?? []).filter(
      (post) => post.publishedOn >= from && post.publishedOn <= to && post.publishedAt <= now,
    );
    return posts.reverse();
  }

  findPost(id: string, now: Date): MadeUpPost | null {
    this.#extendTo(dayOf(now, 'UTC'));
    const post = this.#postsById.get(id);
    return post && post.publishedAt <= now ? post : null;
  }

  findPlan(plannedId: string, now: Date): PostPlan | null {
    this.#extendToPlanned(now);
    const post = this.#linkedPosts.get(plannedId);
    return post && post.planned.createdAt <= now ? post.plan : null;
  }

  listPlans(now: Date): PostPlan[] {
    this.#extendToPlanned(now);
    return [...this.#linkedPosts.values()]
      .filter(({ planned }) => planned.createdAt <= now)
      .map(({ plan }) => plan);
  }

  /** Up to the last day for which a post can exist already. */
  #extendToPlanned(now: Date): void {
    this.#extendTo(addDays(dayOf(now, 'UTC'), maxLeadDays + 1));
  }

  #newestUpToStart(): Publication[] {
    const { postCount, start } = this.#options;
    const publications: Publication[] = [];
    if (this.#accounts.length === 0) return publications;
    for (let day = this.#lastDay; publications.length < postCount; day = addDays(day, -1)) {
      publications.push(...this.#publicationsOn(day).filter((each) => each.publishedAt <= start));
    }
    return publications.sort(byTimeNewestFirst).slice(0, postCount);
  }

  #laterOnFirstDay(): Publication[] {
    const { start } = this.#options;
    return this.#publicationsOn(this.#lastDay).filter((each) => each.publishedAt > start);
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
      const post = makeUpPost(seed, publication);
      const posts = this.#posts.get(post.profile.id);
      if (posts) posts.push(post);
      else this.#posts.set(post.profile.id, [post]);
      this.#postsById.set(post.id, post);
      const { planned } = post;
      if (planned) this.#linkedPosts.set(planned.id, linkedPost(seed, post, planned));
    }
  }
}

function byTimeNewestFirst(one: Publication, other: Publication): number {
  return other.publishedAt.getTime() - one.publishedAt.getTime();
}
