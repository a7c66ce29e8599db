import { z } from 'zod';
import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import { engagementOf } from '../made-up/analytics-record.ts';
import { controlBody } from '../request.ts';

const wholeNumber = z.int('Invalid number, expected a whole one or null').nullish();
const anyNumber = z.number('Invalid number, expected one or null').nullish();

/** Metrics by their names in the API. Values that no service would give this post are allowed. */
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

const engagementTerms = [
  'clickCount',
  'likeCount',
  'commentCount',
  'shareCount',
  'impressionCount',
] as const;

/** Puts figures that were set by hand into the record. They hold from then on, however the post grows. */
export function changedRecord(
  record: LinkedInPostAnalytics,
  changes: readonly Metrics[],
): LinkedInPostAnalytics {
  const cpm = cpmOf(record);
  return changes.reduce<LinkedInPostAnalytics>((earlier, metrics) => {
    const changed = { ...earlier, ...metrics };
    const hasNewRatio = engagementTerms.some((name) => name in metrics);
    if (hasNewRatio && !('engagement' in metrics)) changed.engagement = engagementOf(changed);
    if ('impressionCount' in metrics && !('emv' in metrics)) {
      const { impressionCount } = metrics;
      const isKnown = typeof impressionCount === 'number' && cpm !== null;
      changed.emv = isKnown ? (impressionCount * cpm) / 1000 : null;
    }
    return changed;
  }, record);
}

/** The CPM that the record's EMV implies, without the noise of the division; null when it implies none. */
function cpmOf({ emv, impressionCount }: LinkedInPostAnalytics): number | null {
  return emv && impressionCount ? Math.round((emv / impressionCount) * 1e9) / 1e6 : null;
}
