import { makeUpEngagements, type Engagement } from '../made-up/engagements.ts';
import { notFound } from '../refusal.ts';
import type { BookedPost } from './post-book.ts';

/** The auto-engagements of all posts, less those that were removed. */
export class EngagementBook {
  readonly #seed: number;
  readonly #removed = new Set<string>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  listOf({ plan }: BookedPost): Engagement[] {
    return makeUpEngagements(this.#seed, plan.id).filter(({ id }) => !this.#removed.has(id));
  }

  /**
   * @param posts those that exist: engagements go with their post
   * @throws HTTPException 404 for an engagement that does not exist, or not any more
   */
  remove(id: string, posts: readonly BookedPost[]): void {
    const exists = posts.some((post) => this.listOf(post).some((each) => each.id === id));
    if (!exists) throw notFound('Engagement not found');
    this.#removed.add(id);
  }
}
