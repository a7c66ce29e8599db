import { generatePosts, type GeneratedPost } from '../../report/support/generated-rows.ts';

export type Kind = 'page' | 'member' | null;

/**
 * Generated posts of a page, a member, a member whose source writes 0 clicks, and a profile of which neither can
 * be told; among them engagement far above 1, as likes count for life and impressions for a year.
 */
export function generateAudiences(count: number): GeneratedPost[] {
  return generatePosts(count, 11).map((post, index) => ({
    ...post,
    counts: { ...post.counts, ...countsOf(post) },
    engagement:
      index % 40 === 0 && post.engagement !== null ? post.engagement * 60 : post.engagement,
  }));
}

export function kindOf({ workspace, profileId }: GeneratedPost): Kind {
  if (workspace === 'acme') return profileId === 'p1' ? 'page' : 'member';
  return profileId === 'p1' ? null : 'member';
}

/** The metrics that LinkedIn does not count for such a profile. */
function countsOf(post: GeneratedPost): Partial<GeneratedPost['counts']> {
  if (kindOf(post) === 'page') return { save: null, send: null };
  if (kindOf(post) === 'member') return { click: post.workspace === 'beta' ? 0 : null };
  return {};
}

/** The names that the reports give the kinds. */
export const kindNames: readonly (readonly [Kind, string])[] = [
  ['page', 'Pages'],
  ['member', 'Members'],
  [null, 'Kind not known'],
];

/** A quantile of values in any order, interpolated between the two nearest as by quantile_cont. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}
