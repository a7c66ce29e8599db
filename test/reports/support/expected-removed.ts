import { unlinkedRemovals, type GeneratedPost } from '../../report/support/generated-rows.ts';
import {
  emvOf,
  engagementsOf,
  groupBy,
  impressionsOf,
  isInPeriod,
  localParts,
  profileOf,
  ratio,
  sum,
  type Expectation,
  type Figures,
} from './expected-figures.ts';

/** Every figure of the report on removed posts computed again, post by post, without SQL. */
export function expectedRemoved(
  all: readonly GeneratedPost[],
  asked: Expectation,
): Record<string, Figures[]> {
  const posts = all.filter((post) => isInPeriod(post, asked));
  const removed = posts.filter(isRemoved);
  const emvTotal = sum(posts.map((post) => emvOf(post, asked)));
  const figures = (of: readonly GeneratedPost[]) => removedFigures(of, emvTotal, asked);
  const rows = (keyOf: (post: GeneratedPost) => Figures) =>
    groupBy(removed, (post) => [keyOf(post)]).map((group) => ({
      ...group.key,
      ...figures(group.posts),
    }));
  const withTotals = (keyOf: (post: GeneratedPost) => Figures) =>
    groupBy(posts, (post) => [keyOf(post)])
      .filter((group) => group.posts.some(isRemoved))
      .map((group) => ({
        ...group.key,
        ...figures(group.posts.filter(isRemoved)),
        posts_total: group.posts.length,
      }));
  return {
    summary: [{ ...figures(removed), ...summaryFigures(posts, asked), emv_total: emvTotal }],
    by_month: rows((post) => ({ removed_month: removedMonth(post, asked.timezone) })),
    by_profile: withTotals(profileOf),
    by_campaign: withTotals((post) => ({ campaign: post.campaign ?? '(none)' })),
    by_person: rows((post) => ({
      removed_by: post.removedBy ?? '(automatic)',
      is_automatic: String(post.removedBy === null),
    })),
    left_out: leftOut(removed, asked),
    posts: removed.map((post) => ({
      ...postFigures(post),
      ...without(figures([post]), 'removed_posts'),
    })),
  };
}

function removedFigures(
  removed: readonly GeneratedPost[],
  emvTotal: number | null,
  asked: Expectation,
): Figures {
  const emv = sum(removed.map((post) => emvOf(post, asked)));
  const cpm = ratio(removed, (post) => emvOf(post, asked), impressionsOf);
  return {
    removed_posts: removed.length,
    impressions: sum(removed.map(impressionsOf)),
    engagements: sum(removed.map(engagementsOf)),
    emv,
    effective_cpm: cpm === null ? null : cpm * 1000,
    emv_share: emv === null || !emvTotal ? null : emv / emvTotal,
  };
}

function summaryFigures(posts: readonly GeneratedPost[], asked: Expectation): Figures {
  const removed = posts.filter(isRemoved);
  const times = removed.flatMap((post) => post.removedAt ?? []).sort();
  return {
    posts_total: posts.length,
    profiles: new Set(removed.map(({ workspace, profileId }) => `${workspace} ${profileId}`)).size,
    engagement_rate: ratio(removed, engagementsOf, impressionsOf),
    interactions: sum(removed.map(interactionsOf)),
    posts_without_emv: removed.filter((post) => emvOf(post, asked) === null).length,
    removed_by_person: removed.filter((post) => post.removedBy !== null).length,
    removed_automatically: removed.filter((post) => post.removedBy === null).length,
    first_removed_at: times[0] ?? null,
    last_removed_at: times.at(-1) ?? null,
    unlinked_removals: unlinkedRemovals.length,
  };
}

function postFigures(post: GeneratedPost): Figures {
  return {
    workspace: post.workspace,
    profile: profileOf(post).profile,
    linkedin_post_id: post.id,
    title: `Title of ${post.id}`,
    commentary: post.commentary,
    type: post.type,
    campaign: post.campaign,
    labels: [...new Set(post.labels.map(({ name }) => name))].join(','),
    is_removed: 'true',
    removed_at: post.removedAt,
    removed_by: post.removedBy,
    engagement_rate: ratio([post], engagementsOf, impressionsOf),
    interactions: interactionsOf(post),
    last_seen_at: '2026-01-04T05:00:00.000Z',
  };
}

function leftOut(removed: readonly GeneratedPost[], asked: Expectation): Figures[] {
  const counts = {
    'No EMV is known': removed.filter((post) => emvOf(post, asked) === null).length,
    'No impressions are known': removed.filter((post) => post.impressions === null).length,
    'No engagement is known': removed.filter((post) => engagementsOf(post) === null).length,
    'No time of publication': removed.filter((post) => post.publishedAt === null).length,
    'Deleted without a LinkedIn post in the data': unlinkedRemovals.length,
  };
  return Object.entries(counts)
    .filter(([, posts]) => posts > 0)
    .map(([reason, posts]) => ({ reason, posts }));
}

function isRemoved(post: GeneratedPost): boolean {
  return post.removedAt !== null;
}

function interactionsOf(post: GeneratedPost): number | null {
  return sum(Object.values(post.counts));
}

function removedMonth(post: GeneratedPost, timezone: string): string {
  return `${localParts(post.removedAt ?? '', timezone).day.slice(0, 7)}-01`;
}

function without(figures: Figures, name: string): Figures {
  return Object.fromEntries(Object.entries(figures).filter(([own]) => own !== name));
}
