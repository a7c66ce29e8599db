import { addDays, daysBetween, type Day } from '../../../src/core/calendar.ts';
import { seededRandom } from '../../report/support/generated-rows.ts';
import type { WarehouseRows } from '../../report/support/report-warehouse.ts';
import { localParts } from './expected-figures.ts';
import { nothing } from './golden-rows.ts';

/** Names as the warehouse's. */
export type MetricColumn = keyof typeof nothing;
const metricColumns = Object.keys(nothing) as MetricColumn[];

/** One day's reading of a post. Values that it did not give are null. */
interface Reading {
  readonly day: Day;
  readonly values: Readonly<Record<MetricColumn, number | null>>;
}

export interface HistoryPost {
  readonly id: string;
  readonly profileId: string;
  readonly type: string;
  /** ISO 8601 in UTC. */
  readonly publishedAt: string | null;
  /** By day, the oldest first. */
  readonly readings: readonly Reading[];
}

export const historyZone = 'Europe/Berlin';
export const historyProfiles = [
  { profile_id: 'p1', name: 'Acme', cpm: 30 },
  { profile_id: 'p2', name: 'Mara Lind', cpm: null },
];

/** The program was first run on the first day, so that older posts have no early readings. */
const firstDay = '2025-06-01';
const days = 150;
/** The days on which nothing was read. */
const gaps = ['2025-06-09', '2025-07-20', '2025-07-21', '2025-07-22', '2025-10-25', '2025-10-26'];
/** The day on which the workspace's CPM was changed. */
const pricedAnewOn = '2025-08-15';

/**
 * Posts of a year with readings of 150 days: posts read every day while young and every seventh day later, days on
 * which nothing was read, counts that were taken back, video figures that expired, posts read once or never.
 */
export function generateHistory(count: number, seed = 11): HistoryPost[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => generatePost(index, random));
}

function generatePost(index: number, random: () => number): HistoryPost {
  const published = Date.UTC(2025, 0, 1) + Math.floor(random() * 300 * 86_400) * 1000;
  const publishedAt = index % 23 === 5 ? null : new Date(published).toISOString();
  const isVideo = index % 3 === 0;
  const make = readingMaker(random, published, isVideo);
  const readOn = readingDays(publishedAt, index, random);
  return {
    id: `post-${String(index).padStart(3, '0')}`,
    profileId: index % 2 === 0 ? 'p1' : 'p2',
    type: isVideo ? 'Video' : 'Text',
    publishedAt,
    readings: readOn.map((day) => make(day)),
  };
}

function readingDays(publishedAt: string | null, index: number, random: () => number): Day[] {
  const day = publishedAt === null ? '2025-01-01' : localParts(publishedAt, historyZone).day;
  const all = Array.from({ length: days }, (_, offset) => addDays(firstDay, offset)).filter(
    (one) => one >= day && !gaps.includes(one),
  );
  if (index % 17 === 3) return [];
  if (index % 17 === 4) return all.slice(-1);
  return all.filter(
    (one) =>
      random() > 0.06 && (daysBetween(day, one) < 40 || daysBetween(firstDay, one) % 7 === 0),
  );
}

function readingMaker(random: () => number, published: number, isVideo: boolean) {
  const final = Math.round(200 + random() ** 4 * 40_000);
  const halfLife = 1 + random() * 3;
  const hasEmv = random() < 0.8;
  return (day: Day): Reading => {
    const age = Math.max(0, (Date.parse(`${day}T03:00:00Z`) - published) / 86_400_000);
    const grown = 1 - 0.5 ** (age / halfLife) + Math.min(0.05, age / 4000);
    const impressions = Math.round(final * grown) - (random() < 0.02 ? 7 : 0);
    const likes = Math.round(impressions / 50) - (random() < 0.04 ? 1 : 0);
    const cpm = day < pricedAnewOn ? 25 : 40;
    const maybe = (value: number) => (random() < 0.05 ? null : value);
    const video = (share: number) =>
      isVideo && age < 100 ? maybe(Math.round(impressions * share)) : null;
    return {
      day,
      values: {
        ...nothing,
        like_count: maybe(likes),
        comment_count: maybe(Math.round(impressions / 400)),
        click_count: maybe(Math.round(impressions / 90)),
        impression_count: maybe(impressions),
        engagement: maybe(0.04),
        emv: hasEmv ? maybe(Math.round(impressions * cpm) / 1000) : null,
        video_view_count: video(0.3),
        video_viewer_count: video(0.2),
        video_watch_time_seconds: video(2.5),
      },
    };
  };
}

/** The same history as rows of the warehouse. */
export function historyRows(posts: readonly HistoryPost[]): WarehouseRows {
  return {
    profiles: historyProfiles,
    linkedin_posts: posts.map((post) => ({
      profile_id: post.profileId,
      linkedin_post_id: post.id,
      type: post.type,
      commentary: `Text of ${post.id}`,
      published_at: post.publishedAt,
      last_seen_at: `${post.readings.at(-1)?.day ?? firstDay}T03:00:00Z`,
      ...lastValues(post),
    })),
    linkedin_post_snapshots: posts.flatMap((post) =>
      post.readings.map(({ day, values }) => ({
        linkedin_post_id: post.id,
        captured_on: day,
        captured_at: `${day}T03:00:00Z`,
        ...values,
      })),
    ),
  };
}

/** The last known value of each metric. */
function lastValues({ readings }: HistoryPost) {
  return Object.fromEntries(
    metricColumns.map((name) => [
      name,
      readings.map(({ values }) => values[name]).findLast((value) => value !== null) ?? null,
    ]),
  );
}
