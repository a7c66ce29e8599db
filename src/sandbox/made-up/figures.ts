import type { linkedInPostTypes } from '../../api/schemas/vocabulary.ts';
import { dayMs } from '../../core/calendar.ts';
import type { ProfileKind, SandboxProfile } from '../identity.ts';
import { between, logNormal, normal, randomFor, type Random } from './random.ts';

interface Habits {
  /** The relative number of its posts. */
  readonly weight: number;
  readonly medianImpressions: number;
  /** The standard deviation of the logarithm of impressions within the account. */
  readonly sigma: number;
}

/** A profile with its habits of publishing and its readership. */
export interface Account extends Habits {
  readonly profile: SandboxProfile;
  readonly index: number;
  /** Its share of all posts of the workspace. */
  readonly share: number;
}

/**
 * Impressions are log-normal as in real accounts (medians from 1,100 to 14,000; sigma from 0.43 to 1.71 for whole
 * accounts, 0.8 to 1.12 in the middle half), without the most extreme account, in which one post has four fifths of all
 * impressions.
 */
const knownHabits: readonly Habits[] = [
  { weight: 1.55, medianImpressions: 2300, sigma: 0.85 },
  { weight: 0.85, medianImpressions: 1250, sigma: 0.8 },
  { weight: 1.1, medianImpressions: 5200, sigma: 1.08 },
  { weight: 0.85, medianImpressions: 3200, sigma: 1 },
  { weight: 0.65, medianImpressions: 1070, sigma: 0.62 },
];

export function accountsOf(seed: number, profiles: readonly SandboxProfile[]): Account[] {
  const accounts = profiles.map((profile, index) => ({
    profile,
    index,
    ...(knownHabits[index] ?? drawHabits(seed, index)),
  }));
  const total = accounts.reduce((sum, { weight }) => sum + weight, 0);
  return accounts.map((account) => ({ ...account, share: account.weight / total }));
}

function drawHabits(seed: number, index: number): Habits {
  const random = randomFor(seed, 'account', index);
  return {
    weight: 0.5 + random(),
    medianImpressions: logNormal(2000, 0.5, random),
    sigma: 0.8 + 0.32 * random(),
  };
}

export type PostType = (typeof linkedInPostTypes)[number];

/**
 * The share of each type, and its reach compared with an image: a factor on impressions, and one on likes given
 * impressions. The source is 31,000 posts of 2024 and 2025. "Image" there is split into single and multiple images, and
 * "Repost" and "Feed Sharing" into reposts with and without a text. The three rarest types are guesses, since the source
 * lacks them.
 */
const typeTraits: Readonly<
  Record<PostType, { readonly share: number; readonly reach: number; readonly liking: number }>
> = {
  Image: { share: 0.3, reach: 1, liking: 1 },
  MultiImage: { share: 0.104, reach: 1.15, liking: 1.1 },
  Article: { share: 0.152, reach: 0.68, liking: 0.72 },
  Video: { share: 0.14, reach: 1.35, liking: 0.95 },
  Text: { share: 0.136, reach: 1.05, liking: 1.12 },
  Repost: { share: 0.069, reach: 0.5, liking: 0.9 },
  QuotePost: { share: 0.04, reach: 0.75, liking: 0.95 },
  Document: { share: 0.042, reach: 1.25, liking: 0.9 },
  Poll: { share: 0.008, reach: 1.1, liking: 0.35 },
  Celebration: { share: 0.004, reach: 0.9, liking: 1.6 },
  Event: { share: 0.003, reach: 0.6, liking: 0.7 },
  Job: { share: 0.002, reach: 0.7, liking: 0.5 },
};

export const typeShares = Object.entries(typeTraits).map(
  ([type, { share }]) => [type as PostType, share] as const,
);

/** The figures that a post reaches long after its publication; null for a metric that it does not have. */
export interface FinalFigures {
  readonly impressions: number;
  readonly likes: number;
  readonly comments: number;
  readonly shares: number;
  /** Only pages have this metric. */
  readonly clicks: number | null;
  /** Only members have this metric and `sends`. */
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

/** Draws likes by log1p(likes) = 0.76 ln(impressions) − 2.31, as fitted to a real account (r = 0.85). */
function drawLikes(impressions: number, type: PostType, random: Random): number {
  const expected = 0.76 * Math.log(impressions) - 2.31 + Math.log(typeTraits[type].liking);
  const isUnliked = random() < 0.03;
  if (isUnliked) return 0;
  const likes = Math.round(Math.expm1(Math.max(0, expected + 0.42 * normal(random))));
  return Math.min(likes, Math.floor(impressions / 4));
}

interface RatioTraits {
  /** The share of well-liked posts that have none at all. */
  readonly none: number;
  /** The ratio for the other posts. */
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

/** The ratios are those of LinkedIn's own exports of members' videos. */
function drawVideo(impressions: number, random: Random): VideoFigures {
  const views = Math.round(impressions * between(0.2, 0.44, random));
  return {
    views,
    viewers: Math.round(views * between(0.76, 0.92, random)),
    watchTimeSeconds: Math.round(views * between(5.2, 9.9, random)),
  };
}

/** The hour of the day, in UTC, at which the service reads LinkedIn's figures. */
const syncHour = 3;

/** The last time at or before `now` when the service read LinkedIn, which it does daily like the real one. */
export function lastSyncBefore(now: Date): Date {
  const shiftMs = syncHour * 3_600_000;
  return new Date(Math.floor((now.getTime() - shiftMs) / dayMs) * dayMs + shiftMs);
}

/**
 * The part of a final figure that is reached at an age: nine tenths within the first week, the rest over months. It
 * grows with age from 0 towards 1.
 */
export function grownShare(ageMs: number): number {
  const days = Math.max(0, ageMs) / dayMs;
  return 0.92 * (1 - Math.exp(-days / 2.2)) + 0.08 * (1 - Math.exp(-days / 70));
}
