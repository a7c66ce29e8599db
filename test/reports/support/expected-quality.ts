import type { GeneratedPost } from '../../report/support/generated-rows.ts';
import { groupBy } from './expected-figures.ts';
import { expectedMetrics } from './expected-metrics.ts';

type Kind = 'page' | 'member' | null;

/** The section on coverage, post by post. Removed posts are left out, but count for the kind of their profile. */
export function knownOf(all: readonly GeneratedPost[]) {
  const kinds = kindsOf(all);
  const posts = all.filter(({ removedAt }) => removedAt === null);
  const published = (post: GeneratedPost) => post.publishedAt;
  return [
    ...expectedMetrics,
    { title: 'Time of publication', scope: 'all', valueOf: published } as const,
  ].map(({ title, scope, valueOf }) => {
    const isExpected = (post: GeneratedPost) =>
      scope === 'all' ||
      (scope === 'video' ? post.type === 'Video' : kinds.get(keyOf(post)) === scope);
    const isKnown = (post: GeneratedPost) => valueOf(post) !== null;
    const expected = posts.filter(isExpected);
    const shareOf = (some: readonly GeneratedPost[]) =>
      some.length === 0 ? null : some.filter(isKnown).length / some.length;
    const ofKind = (kind: Kind) => expected.filter((post) => kinds.get(keyOf(post)) === kind);
    return {
      metric: title,
      expected_of: scope,
      known: expected.filter(isKnown).length,
      expected: expected.length,
      missing: expected.filter((post) => !isKnown(post)).length,
      known_share: shareOf(expected),
      page_expected: ofKind('page').length,
      page_share: shareOf(ofKind('page')),
      member_expected: ofKind('member').length,
      member_share: shareOf(ofKind('member')),
      unexpected: posts.filter((post) => isKnown(post) && !isExpected(post)).length,
    };
  });
}

function keyOf({ workspace, profileId }: GeneratedPost): string {
  return `${workspace} ${profileId}`;
}

/** Clicks indicate a page, and saves or sends a member. If both occur, a metric that is never above 0 does not count. */
function kindsOf(posts: readonly GeneratedPost[]): ReadonlyMap<string, Kind> {
  const groups = groupBy(posts, (post) => [{ key: keyOf(post) }]);
  return new Map(groups.map(({ key, posts: own }) => [String(key['key']), kindOf(own)]));
}

function kindOf(posts: readonly GeneratedPost[]): Kind {
  const clicks = posts.flatMap(({ counts }) => counts.click ?? []);
  const sends = posts.flatMap(({ counts }) => [counts.save ?? [], counts.send ?? []].flat());
  const real = (values: readonly number[]) => values.some((value) => value !== 0);
  const isPage = clicks.length > 0 && (sends.length === 0 || (real(clicks) && !real(sends)));
  const isMember = sends.length > 0 && (clicks.length === 0 || (real(sends) && !real(clicks)));
  if (isPage) return 'page';
  return isMember ? 'member' : null;
}
