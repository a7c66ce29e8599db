import { z } from 'zod';
import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import { controlBody } from '../control-body.ts';
import { engagementOf } from '../made-up/analytics-record.ts';

const wholeNumber = z.int('Invalid number, expected a whole one or null').nullish();
const anyNumber = z.number('Invalid number, expected one or null').nullish();

/** Metrics by the names that they have in the API. */
export const metricsSchema = controlBody({
  likeCount: wholeNumber,
  commentCount: wholeNumber,
  shareCount: wholeNumber,
  clickCount: wholeNumber,
  saveCount: wholeNumber,
  sendCount: wholeNumber,
  impressionCount: wholeNumber,
  engagement: anyNumber,
  emv: anyNumber,
  videoViewCount: wholeNumber,
  videoViewerCount: wholeNumber,
  videoWatchTimeSeconds: wholeNumber,
}).refine((metrics) => Object.keys(metrics).length > 0, {
  error: 'name at least one metric',
  when: ({ issues }) => issues.length === 0,
});
export type Metrics = z.infer<typeof metricsSchema>;

interface Change {
  readonly at: Date;
  readonly metrics: Metrics;
}

const engagementTerms = [
  'clickCount',
  'likeCount',
  'commentCount',
  'shareCount',
  'impressionCount',
] as const;

/** Figures that were set by hand: each holds from its time on, whatever the post grows by. */
export class MetricChanges {
  readonly #changes = new Map<string, Change[]>();

  add(linkedInPostId: string, change: Change): void {
    const earlier = this.#changes.get(linkedInPostId) ?? [];
    this.#changes.set(linkedInPostId, [...earlier, change]);
  }

  /** The record with all changes up to `now`, in the order in which they were made. */
  apply(record: LinkedInPostAnalytics, now: Date): LinkedInPostAnalytics {
    const changes = this.#changes.get(record.id)?.filter(({ at }) => at <= now) ?? [];
    const cpm = cpmOf(record);
    return changes.reduce((changed, { metrics }) => changeRecord(changed, metrics, cpm), record);
  }
}

function changeRecord(
  record: LinkedInPostAnalytics,
  metrics: Metrics,
  cpm: number | null,
): LinkedInPostAnalytics {
  const changed = { ...record, ...metrics };
  const hasNewRatio = engagementTerms.some((name) => name in metrics);
  if (hasNewRatio && !('engagement' in metrics)) changed.engagement = engagementOf(changed);
  if ('impressionCount' in metrics && !('emv' in metrics)) changed.emv = emvOf(changed, cpm);
  return changed;
}

function emvOf({ impressionCount }: LinkedInPostAnalytics, cpm: number | null): number | null {
  return typeof impressionCount !== 'number' || cpm === null
    ? null
    : (impressionCount * cpm) / 1000;
}

/** What the record's own EMV implies, without the noise of the division; null where it says nothing. */
function cpmOf({ emv, impressionCount }: LinkedInPostAnalytics): number | null {
  return emv && impressionCount ? Math.round((emv / impressionCount) * 1e9) / 1e6 : null;
}
