import { sandboxUuid } from '../identity.ts';
import { integerBetween, randomFor, sample } from '../made-up/random.ts';

const kinds = ['like', 'comment', 'repost'] as const;

/** An auto-engagement: what a profile does with a post by itself once it is out. */
export interface Engagement {
  readonly id: string;
  readonly postId: string;
  readonly kind: (typeof kinds)[number];
}

/** Those of one post; four in ten have some. */
export function engagementsOf(seed: number, postId: string): Engagement[] {
  const random = randomFor(seed, 'engagements', postId);
  if (random() > 0.4) return [];
  return sample(kinds, integerBetween(1, kinds.length, random), random).map((kind) => ({
    id: sandboxUuid(seed, 'engagement', `${postId}-${kind}`),
    postId,
    kind,
  }));
}
