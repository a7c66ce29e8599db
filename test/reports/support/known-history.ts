import { daysBetween, type Day } from '../../../src/core/calendar.ts';
import { localParts } from './expected-figures.ts';
import {
  historyProfiles,
  historyZone,
  type HistoryPost,
  type MetricColumn,
} from './growth-history.ts';

/** Metrics of a reading as reports have them. */
const figureNames = [
  'impressions',
  'engagements',
  'emv',
  'likes',
  'comments',
  'clicks',
  'views',
  'viewers',
  'seconds',
] as const;
export type FigureName = (typeof figureNames)[number];
export type KnownFigures = Readonly<Record<FigureName, number | null>>;

/** A day's reading, with missing values taken from the previous reading. */
export interface KnownReading {
  readonly day: Day;
  /** Days from that of publication, in the report's zone; null without one. */
  readonly age: number | null;
  readonly figures: KnownFigures;
}

/** The change between two readings. */
interface Increment {
  readonly day: Day;
  readonly days: number;
  readonly age: number | null;
  readonly figures: KnownFigures;
}

export interface KnownPost {
  readonly post: HistoryPost;
  readonly readings: readonly KnownReading[];
  readonly increments: readonly Increment[];
}

/** @param asOf readings after it are not counted @param cpm for every post; null: as given */
export function knownHistory(
  posts: readonly HistoryPost[],
  { asOf = null, cpm = null }: { readonly asOf?: Day | null; readonly cpm?: number | null } = {},
): KnownPost[] {
  return posts
    .map((post) => ({
      ...post,
      readings: post.readings.filter(({ day }) => asOf === null || day <= asOf),
    }))
    .filter((post) => asOf === null || post.readings.length > 0)
    .map((post) => {
      const readings = knownReadings(post, cpm);
      return { post, readings, increments: incrementsOf(readings) };
    });
}

function knownReadings(post: HistoryPost, cpm: number | null): KnownReading[] {
  const last = new Map<MetricColumn, number>();
  const published =
    post.publishedAt === null ? null : localParts(post.publishedAt, historyZone).day;
  return post.readings.map(({ day, values }) => {
    for (const [name, value] of Object.entries(values) as [MetricColumn, number | null][]) {
      if (value !== null) last.set(name, value);
    }
    const of = (name: MetricColumn) => last.get(name) ?? null;
    return {
      day,
      age: published === null ? null : daysBetween(published, day),
      figures: {
        impressions: of('impression_count'),
        engagements: product(of('engagement'), of('impression_count'), 1),
        emv: emvOf(post, of('emv'), of('impression_count'), cpm),
        likes: of('like_count'),
        comments: of('comment_count'),
        clicks: of('click_count'),
        views: of('video_view_count'),
        viewers: of('video_viewer_count'),
        seconds: of('video_watch_time_seconds'),
      },
    };
  });
}

function product(a: number | null, b: number | null, per: number): number | null {
  return a === null || b === null ? null : (a * b) / per;
}

function emvOf(
  { profileId }: HistoryPost,
  given: number | null,
  impressions: number | null,
  cpm: number | null,
): number | null {
  if (cpm !== null) return product(impressions, cpm, 1000);
  const own = historyProfiles.find(({ profile_id }) => profile_id === profileId)?.cpm ?? null;
  return given ?? product(impressions, own, 1000);
}

function incrementsOf(readings: readonly KnownReading[]): Increment[] {
  return readings.flatMap((reading, index) => {
    const before = readings[index - 1];
    if (before === undefined) return [];
    const differences = figureNames.map((name) => {
      const [now, then] = [reading.figures[name], before.figures[name]];
      return [name, now === null || then === null ? null : now - then];
    });
    return [
      {
        day: reading.day,
        days: daysBetween(before.day, reading.day),
        age: reading.age,
        figures: Object.fromEntries(differences) as KnownFigures,
      },
    ];
  });
}

/** The reading at an age: from day 7 on that of a day earlier or later will do, the nearer, of two the earlier. */
export function readingAt({ readings }: KnownPost, age: number): KnownReading | null {
  const wanted = age >= 7 ? [age, age - 1, age + 1] : [age];
  for (const one of wanted) {
    const found = readings.find((reading) => reading.age === one);
    if (found) return found;
  }
  return null;
}
