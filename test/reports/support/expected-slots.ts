import type { GeneratedPost } from '../../report/support/generated-rows.ts';
import { kindNames, kindOf, type Kind } from './audience-posts.ts';
import type { Row } from './document-figures.ts';
import { rateOf, rateOfAll } from './expected-engagement.ts';
import { groupBy, localParts, sum } from './expected-figures.ts';

/** The section `by_weekday_hour` by the formula of its definition, in order. */
export function expectedSlots(posts: readonly GeneratedPost[], timezone: string): Row[] {
  const levels = levelsOf(posts);
  const levelled = (post: GeneratedPost): GeneratedPost => ({
    ...post,
    engagement: post.engagement === null ? null : post.engagement * (levels.get(kindOf(post)) ?? 1),
  });
  const slots = groupBy(posts, (post) => {
    if (post.publishedAt === null) return [];
    const { weekday, hour } = localParts(post.publishedAt, timezone);
    return [{ weekday, hour }];
  });
  const overall = Number(rateOfAll(posts));
  const k = shrinkage(
    slots.map((slot) => slot.posts.flatMap((post) => rateOf(levelled(post)) ?? [])),
  );
  const rows = slots.map(({ key, posts: own }) => {
    const rate = rateOfAll(own);
    const levelRate = rateOfAll(own.map(levelled));
    const weight = effectivePosts(own);
    return {
      ...key,
      posts: own.length,
      engagement_rate: rate,
      shrunk_rate:
        levelRate === null ? null : overall + (weight / (weight + k)) * (levelRate - overall),
      rated_posts: own.filter((post) => rateOf(post) !== null).length,
    };
  });
  const ranked = rows.filter((row) => row.rated_posts >= 5 && row.shrunk_rate !== null);
  return rows
    .map((row) => ({
      ...row,
      rank: ranked.includes(row)
        ? 1 + ranked.filter((other) => Number(other.shrunk_rate) > Number(row.shrunk_rate)).length
        : null,
    }))
    .toSorted((a, b) => slotOf(a) - slotOf(b));
}

/** The factor by which a kind of profile is below the rate of all posts. */
function levelsOf(posts: readonly GeneratedPost[]): ReadonlyMap<Kind, number> {
  const overall = Number(rateOfAll(posts));
  return new Map(
    kindNames.map(([kind]) => {
      const own = posts.filter((post) => kindOf(post) === kind);
      return [kind, overall / Number(rateOfAll(own))];
    }),
  );
}

function slotOf(row: Row): number {
  return Number(row['weekday']) * 24 + Number(row['hour']);
}

/** The number of equally large posts with the same weight. */
function effectivePosts(posts: readonly GeneratedPost[]): number {
  const sizes = posts.flatMap((post) => (rateOf(post) === null ? [] : Number(post.impressions)));
  const squares = Number(sum(sizes.map((size) => size ** 2)));
  return Number(sum(sizes)) ** 2 / squares;
}

/** The variance within ÷ the variance between groups, by one-way analysis of variance of unequal groups; at most 10. */
function shrinkage(groups: readonly (readonly number[])[]): number {
  const filled = groups.filter((group) => group.length > 0);
  const all = filled.flat();
  const mean = average(all);
  const within = filled.flatMap((group) => group.map((rate) => (rate - average(group)) ** 2));
  const between = filled.map((group) => group.length * (average(group) - mean) ** 2);
  const varianceWithin = Number(sum(within)) / (all.length - filled.length);
  const sizes = all.length - Number(sum(filled.map((group) => group.length ** 2))) / all.length;
  const varianceBetween = (Number(sum(between)) - (filled.length - 1) * varianceWithin) / sizes;
  return varianceBetween > 0 ? Math.min(10, varianceWithin / varianceBetween) : 10;
}

function average(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
