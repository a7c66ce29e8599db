import type { ProfileKind } from '../identity.ts';
import type { Account } from './account.ts';
import { typeTraits, type PostType } from './post-type.ts';
import { between, logNormal, normal, type Random } from './random.ts';

/** What a post will have reached long after its publication; null where there is no such metric. */
export interface FinalFigures {
  readonly impressions: number;
  readonly likes: number;
  readonly comments: number;
  readonly shares: number;
  /** Pages only. */
  readonly clicks: number | null;
  /** Members only, as `sends`. */
  readonly saves: number | null;
  readonly sends: number | null;
  readonly video: VideoFigures | null;
}

interface VideoFigures {
  readonly views: number;
  readonly viewers: number;
  readonly watchTimeSeconds: number;
}

export function drawFinalFigures(
  account: Account,
  type: PostType,
  publishedAt: Date,
  random: Random,
): FinalFigures {
  const impressions = drawImpressions(account, type, publishedAt, random);
  const likes = drawLikes(impressions, type, random);
  return {
    impressions,
    likes,
    comments: drawShareOfLikes(likes, { none: 0.46, median: 0.03, sigma: 0.95 }, random),
    shares: drawShareOfLikes(likes, { none: 0.26, median: 0.075, sigma: 0.72 }, random),
    ...drawKindFigures(account.profile.kind, impressions, likes, random),
    video: type === 'Video' ? drawVideo(impressions, random) : null,
  };
}

function drawImpressions(account: Account, type: PostType, at: Date, random: Random): number {
  const season = 1 + 0.12 * Math.sin((2 * Math.PI * (at.getUTCMonth() - 7)) / 12);
  const breakthrough = random() < 0.002 ? logNormal(25, 0.4, random) : 1;
  const spread = Math.exp(account.sigma * Math.max(-2.8, Math.min(2.8, normal(random))));
  const typical = account.medianImpressions * typeTraits[type].reach * season;
  return Math.max(3, Math.round(typical * spread * breakthrough));
}

/** log1p(likes) = 0.76 ln(impressions) − 2.31, as fitted to a real account (r = 0.85). */
function drawLikes(impressions: number, type: PostType, random: Random): number {
  const expected = 0.76 * Math.log(impressions) - 2.31 + Math.log(typeTraits[type].liking);
  const isUnliked = random() < 0.03;
  if (isUnliked) return 0;
  const likes = Math.round(Math.expm1(Math.max(0, expected + 0.42 * normal(random))));
  return Math.min(likes, Math.floor(impressions / 4));
}

interface RatioTraits {
  /** The share of posts, of those that are well liked, with none at all. */
  readonly none: number;
  /** Of the others. */
  readonly median: number;
  readonly sigma: number;
}

function drawShareOfLikes(likes: number, traits: RatioTraits, random: Random): number {
  const none = likes < 10 ? Math.min(0.85, traits.none * 2) : traits.none;
  const ratio = logNormal(traits.median, traits.sigma, random);
  return random() < none ? 0 : Math.max(1, Math.round(likes * ratio));
}

function drawKindFigures(kind: ProfileKind, impressions: number, likes: number, random: Random) {
  const first = logNormal(kind === 'page' ? 0.018 : 0.05, 0.6, random);
  const second = logNormal(0.025, 0.7, random);
  if (kind === 'page') {
    return { clicks: Math.round(impressions * Math.min(0.3, first)), saves: null, sends: null };
  }
  return { clicks: null, saves: Math.round(likes * first), sends: Math.round(likes * second) };
}

/** Ratios as in LinkedIn's own exports of members' videos. */
function drawVideo(impressions: number, random: Random): VideoFigures {
  const views = Math.round(impressions * between(0.2, 0.44, random));
  return {
    views,
    viewers: Math.round(views * between(0.76, 0.92, random)),
    watchTimeSeconds: Math.round(views * between(5.2, 9.9, random)),
  };
}
