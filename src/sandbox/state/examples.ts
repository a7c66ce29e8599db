import { postStatuses, type PostStatus } from '../../api/schemas/vocabulary.ts';
import type { Post } from './posts.ts';

/** Ids to try: a few of each, the same for the same seed, clock and requests. */
export interface Examples {
  /** By status, without those in the trash; those for LinkedIn first, then by publication, latest first. */
  readonly posts: Readonly<Record<PostStatus, readonly string[]>>;
  readonly posts_with_approvals: readonly string[];
  readonly posts_with_comments: readonly string[];
  readonly linkedin_posts: readonly string[];
  readonly engagements: readonly {
    readonly id: string;
    readonly post_id: string;
    readonly kind: string;
  }[];
  readonly ideas: readonly string[];
  readonly users: readonly { readonly id: string; readonly name: string; readonly email: string }[];
  readonly in_trash: { readonly posts: readonly string[]; readonly ideas: readonly string[] };
  readonly deleted_posts: readonly string[];
}

const fewCount = 5;

/** The first few; stops looking then, as most posts have to be made up to be looked at. */
export function few<Item>(items: Iterable<Item>): Item[] {
  const chosen: Item[] = [];
  for (const item of items) {
    chosen.push(item);
    if (chosen.length === fewCount) break;
  }
  return chosen;
}

/** The ids of the first few posts of which this is so. */
export function fewIds(posts: readonly Post[], isSo: (post: Post) => boolean): string[] {
  return few(
    (function* () {
      for (const post of posts) if (isSo(post)) yield post.plan.id;
    })(),
  );
}

export function fewByStatus(posts: readonly Post[]): Examples['posts'] {
  const entries = postStatuses.map((status) => [
    status,
    fewIds(posts, (post) => post.status === status && !post.isInTrash),
  ]);
  return Object.fromEntries(entries) as Record<PostStatus, string[]>;
}
