import type { GeneratedPost } from '../../report/support/generated-rows.ts';
import { emvOf, groupBy } from './expected-figures.ts';

type Scope = 'all' | 'page' | 'member' | 'video';
type Kind = 'page' | 'member' | null;

const asked = { timezone: 'UTC', cpm: null, removed: 'exclude', from: null, to: null } as const;

const metrics: readonly [string, Scope, (post: GeneratedPost) => unknown][] = [
  ['Impressions', 'all', (post) => post.impressions],
  ['Engagement', 'all', (post) => post.engagement],
  ['EMV', 'all', (post) => emvOf(post, asked)],
  ['Likes', 'all', (post) => post.counts.like],
  ['Comments', 'all', (post) => post.counts.comment],
  ['Shares', 'all', (post) => post.counts.share],
  ['Clicks', 'page', (post) => post.counts.click],
  ['Saves', 'member', (post) => post.counts.save],
  ['Sends', 'member', (post) => post.counts.send],
  ['Video views', 'video', (post) => post.views],
  ['Video viewers', 'video', (post) => post.viewers],
  ['Seconds watched', 'video', (post) => post.watchSeconds],
  ['Time of publication', 'all', (post) => post.publishedAt],
];

/** The section on coverage, post by post. Removed posts are left out, but count for the kind of their profile. */
export function knownOf(all: readonly GeneratedPost[]) {
  const kinds = kindsOf(all);
  const posts = all.filter(({ removedAt }) => removedAt === null);
  return metrics.map(([metric, scope, valueOf]) => {
    const isExpected = (post: GeneratedPost) =>
      scope === 'all' ||
      (scope === 'video' ? post.type === 'Video' : kinds.get(keyOf(post)) === scope);
    const isKnown = (post: GeneratedPost) => valueOf(post) !== null;
    const expected = posts.filter(isExpected);
    const shareOf = (some: readonly GeneratedPost[]) =>
      some.length === 0 ? null : some.filter(isKnown).length / some.length;
    const ofKind = (kind: Kind) => expected.filter((post) => kinds.get(keyOf(post)) === kind);
    return {
      metric,
      expected_of: scope,
      known: posts.filter(isKnown).length,
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
