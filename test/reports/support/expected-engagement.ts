import type { GeneratedPost } from '../../report/support/generated-rows.ts';
import { kindNames, kindOf, quantile } from './audience-posts.ts';
import type { Row } from './document-figures.ts';
import { engagementsOf, impressionsOf, ratio, sum } from './expected-figures.ts';

type Posts = readonly GeneratedPost[];

/** The rate of a post. Null without engagement or impressions. */
function rateOf(post: GeneratedPost): number | null {
  return ratio([post], engagementsOf, impressionsOf);
}

export function rateOfAll(posts: Posts): number | null {
  return ratio(posts, engagementsOf, impressionsOf);
}

/** The columns of `by_type` and `by_label` that compare a group with the other posts of the same kind of profile. */
export function expectedAgainstRest(posts: Posts, isIn: (post: GeneratedPost) => boolean) {
  const rated = posts.filter((post) => rateOf(post) !== null);
  const sides = kindNames.flatMap(([kind]) => {
    const own = rated.filter((post) => kindOf(post) === kind);
    const [inside, outside] = [own.filter(isIn), own.filter((post) => !isIn(post))];
    return inside.length === 0 ? [] : { inside, outside };
  });
  const inside = sides.flatMap((side) => side.inside);
  const outside = sides.flatMap((side) => side.outside);
  const impressions = ({ inside: own }: (typeof sides)[number]) => sum(own.map(impressionsOf)) ?? 0;
  const all = sum(sides.map(impressions)) ?? NaN;
  const rest =
    sum(sides.map((side) => (rateOfAll(side.outside) ?? NaN) * impressions(side))) ?? NaN;
  const rate = rateOfAll(inside) ?? NaN;
  const isCompared = inside.length >= 10 && outside.length >= 10;
  return {
    with: inside.length,
    without: outside.length,
    rest: isCompared ? rest / all : null,
    lift: isCompared ? rate - rest / all : null,
    factor: isCompared ? rate / (rest / all) : null,
    isClear: isCompared && areClearlyApart(sides, rate, rest / all),
  };
}

interface Side {
  readonly inside: Posts;
  readonly outside: Posts;
}

/**
 * Compares a group of posts with others, of which each side has those of one kind of profile.
 * @param rate the rate of the group
 * @param rest the rate that its posts would have at the rates of the others
 */
function areClearlyApart(sides: readonly Side[], rate: number, rest: number): boolean {
  const judged = sides.filter((side) => Math.min(side.inside.length, side.outside.length) >= 5);
  if (judged.length === 0) return false;
  const leads = judged.every((side) => isClearlyMore(side.inside, side.outside));
  const trails = judged.every((side) => isClearlyMore(side.outside, side.inside));
  return (leads && isMuchMore(rate, rest)) || (trails && isMuchMore(rest, rate));
}

/** Compares the rates of two groups of posts, whichever single post of either is left out. */
function isClearlyMore(posts: Posts, others: Posts): boolean {
  return isMuchMore(Math.min(...ratesWithoutOne(posts)), Math.max(...ratesWithoutOne(others)));
}

function isMuchMore(rate: number, other: number): boolean {
  return rate > other && (rate / other >= 1.1 || rate - other >= 0.01);
}

function ratesWithoutOne(posts: Posts): number[] {
  return posts.map((left) => rateOfAll(posts.filter((post) => post !== left)) ?? NaN);
}

/** The quartiles of the given rates of posts with impressions. Null for fewer than 10 posts. */
export function expectedQuartiles(posts: Posts) {
  const rates = posts.flatMap((post) => (rateOf(post) === null ? [] : Number(post.engagement)));
  const at = (share: number) => (rates.length >= 10 ? quantile(rates, share) : null);
  return { rate_p25: at(0.25), rate_p50: at(0.5), rate_p75: at(0.75) };
}

/** The section `top_and_bottom`: each kind of profile by itself. */
export function expectedExtremes(posts: Posts, minimumImpressions: number): Row[] {
  const judged = posts.filter(
    (post) => (post.impressions ?? -1) >= minimumImpressions && rateOf(post) !== null,
  );
  const kinds = kindNames.filter(([kind]) => judged.some((post) => kindOf(post) === kind));
  const maxPerSide = kinds.length > 1 ? 3 : 5;
  return kinds.flatMap(([kind]) => {
    const ranked = judged
      .filter((post) => kindOf(post) === kind)
      .toSorted(
        (a, b) =>
          Number(rateOf(b)) - Number(rateOf(a)) ||
          Number(b.impressions) - Number(a.impressions) ||
          (a.workspace + a.id < b.workspace + b.id ? -1 : 1),
      );
    const best = Math.min(maxPerSide, Math.ceil(ranked.length / 2));
    const worst = Math.min(maxPerSide, Math.floor(ranked.length / 2));
    return ranked.flatMap((post, index) => {
      const isBest = index < best;
      if (!isBest && index < ranked.length - worst) return [];
      return {
        side: isBest ? 'highest rate' : 'lowest rate',
        kind,
        rank: index + 1,
        linkedin_post_id: post.id,
        engagement_rate: rateOf(post),
        impressions: post.impressions,
      };
    });
  });
}
