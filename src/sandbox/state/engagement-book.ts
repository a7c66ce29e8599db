import { makeUpEngagements, type Engagement } from '../made-up/engagements.ts';
import { notFound } from '../refusal.ts';

/** The auto-engagements of all posts, less those that were removed. */
export class EngagementBook {
  readonly #seed: number;
  readonly #removed = new Set<string>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  listOf(postId: string): Engagement[] {
    return makeUpEngagements(this.#seed, postId).filter(({ id }) => !this.#removed.has(id));
  }

  /**
   * @param postIds of all posts that exist: engagements go with their post
   * @throws HTTPException 404 for an engagement that does not exist, or not any more
   */
  remove(id: string, postIds: readonly string[]): void {
    const exists = postIds.some((postId) => this.listOf(postId).some((each) => each.id === id));
    if (!exists) throw notFound('Engagement not found');
    this.#removed.add(id);
  }
}
