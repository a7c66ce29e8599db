import type { GeneratedPost } from '../../report/support/generated-rows.ts';
import { quantile } from './audience-posts.ts';
import type { Row } from './document-figures.ts';
import { emvOf, impressionsOf, localParts, sum, type Expectation } from './expected-figures.ts';

export type Posts = readonly GeneratedPost[];

const asked: Expectation = {
  cpm: null,
  timezone: 'Europe/Berlin',
  removed: 'exclude',
  from: null,
  to: null,
};

export function emvsOf(posts: Posts): number[] {
  return posts.flatMap((post) => emvOf(post, asked) ?? []);
}

/** Null below ten. */
function medianOf(values: readonly number[]): number | null {
  return values.length < 10 ? null : quantile(values, 0.5);
}

export function monthOf({ publishedAt }: GeneratedPost): string | null {
  return publishedAt === null
    ? null
    : `${localParts(publishedAt, 'Europe/Berlin').day.slice(0, 7)}-01`;
}

export function dayOf({ publishedAt }: GeneratedPost): string | null {
  return publishedAt === null ? null : localParts(publishedAt, 'Europe/Berlin').day;
}

/** The columns of every group that only this report has. */
export function expectedGroup(posts: Posts, previous: Posts, months: readonly string[]): Row {
  const emvs = emvsOf(posts);
  const [emv, before] = [sum(emvs), sum(emvsOf(previous))];
  return {
    posts: posts.length,
    posts_with_emv: emvs.length,
    emv_per_post: emv === null ? null : emv / emvs.length,
    median_emv: medianOf(emvs),
    previous_emv: before,
    emv_change: emv === null || before === null || before <= 0 ? null : emv / before - 1,
    trend:
      emv === null
        ? null
        : months.map((month) => sum(emvsOf(posts.filter((post) => monthOf(post) === month)))),
  };
}

export function expectedBand(posts: Posts, band: { low: number; high: number }): Row[] {
  const seen = posts.filter((post) => emvOf(post, asked) !== null && post.impressions !== null);
  const impressions = sum(seen.map(impressionsOf)) ?? 0;
  const emv = sum(emvsOf(seen)) ?? 0;
  const row = (point: string, effective_cpm: number, value: number): Row => ({
    point,
    effective_cpm,
    posts: seen.length,
    impressions,
    emv: value,
    is_used: point === 'used',
  });
  return [
    row('low', band.low, (impressions * band.low) / 1000),
    row('used', (emv / impressions) * 1000, emv),
    row('high', band.high, (impressions * band.high) / 1000),
  ];
}

export function expectedConcentration(posts: Posts): Row[] {
  const emvs = emvsOf(posts).sort((a, b) => b - a);
  const total = sum(emvs) ?? 0;
  const bounds = [0, 1, 10, 50, emvs.length];
  return ['top 1', '2–10', '11–50', 'others'].map((ranks, index) => {
    const own = emvs.slice(bounds[index], bounds[index + 1]);
    return {
      ranks,
      posts: own.length,
      emv: sum(own),
      emv_share: (sum(own) ?? 0) / total,
      cumulative_share: (sum(emvs.slice(0, bounds[index + 1])) ?? 0) / total,
    };
  });
}
