import { makeUpEngagements, type Engagement } from '../made-up/engagements.ts';
import { notFound } from '../refusal.ts';
import type { PostBook } from './post-book.ts';

/** The auto-engagements of all posts, less those that were removed. */
export class EngagementBook {
  readonly #seed: number;
  readonly #removed = new Set<string>();
  /** What each engagement belongs to, of the posts that were looked through so far. */
  readonly #postIds = new Map<string, string>();
  readonly #searchedPostIds = new Set<string>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  listOf(postId: string): Engagement[] {
    return makeUpEngagements(this.#seed, postId).filter(({ id }) => !this.#removed.has(id));
  }

  /**
   * @param posts that exist: engagements go with their post
   * @throws HTTPException 404 for an engagement that does not exist, or not any more
   */
  remove(id: string, posts: PostBook, now: Date): void {
    const postId = this.#postIds.get(id) ?? this.#search(id, posts.idsAt(now));
    const exists = postId !== null && posts.find(postId, now) !== null && !this.#removed.has(id);
    if (!exists) throw notFound('Engagement not found');
    this.#removed.add(id);
  }

  /** An id does not say whose it is: the engagements of each post are made up once to see that. */
  #search(id: string, postIds: readonly string[]): string | null {
    for (const postId of postIds) {
      if (this.#searchedPostIds.has(postId)) continue;
      this.#searchedPostIds.add(postId);
      for (const each of makeUpEngagements(this.#seed, postId)) this.#postIds.set(each.id, postId);
      if (this.#postIds.has(id)) return postId;
    }
    return null;
  }
}
