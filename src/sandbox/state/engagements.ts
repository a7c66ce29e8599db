import { sandboxUuid } from '../identity.ts';
import { integerBetween, randomFor, sample } from '../made-up/random.ts';
import { notFound } from '../refusal.ts';
import type { Posts } from './posts.ts';

const kinds = ['like', 'comment', 'repost'] as const;

/** An auto-engagement: what a profile does with a post by itself once it is out. */
export interface Engagement {
  readonly id: string;
  readonly postId: string;
  readonly kind: (typeof kinds)[number];
}

/** The auto-engagements of all posts, less those that were removed. */
export class Engagements {
  readonly #seed: number;
  readonly #removed = new Set<string>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Four in ten posts have some. */
  listOf(postId: string): Engagement[] {
    const random = randomFor(this.#seed, 'engagements', postId);
    if (random() > 0.4) return [];
    return sample(kinds, integerBetween(1, kinds.length, random), random)
      .map((kind) => ({
        id: sandboxUuid(this.#seed, 'engagement', `${postId}-${kind}`),
        postId,
        kind,
      }))
      .filter(({ id }) => !this.#removed.has(id));
  }

  /**
   * @param posts that exist: engagements go with their post
   * @throws HTTPException 404 for an engagement that does not exist, or not any more
   */
  remove(id: string, posts: Posts, now: Date): void {
    // an id does not say whose it is
    const isOf = (postId: string) => this.listOf(postId).some((each) => each.id === id);
    if (!posts.list(now).some(({ plan }) => isOf(plan.id))) throw notFound('Engagement not found');
    this.#removed.add(id);
  }
}
