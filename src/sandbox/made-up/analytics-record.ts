import type { LinkedInPostAnalytics, PostCounts } from '../../api/schemas/analytics.ts';
import { grownShare, lastSyncBefore } from './figures.ts';
import type { LinkedInPost } from './linkedin-post.ts';
import type { PlannedPost } from './planned-post.ts';

/** Makes the record that the API gives at `now`, with the figures of the last daily synchronisation. */
export function analyticsRecord(post: LinkedInPost, now: Date): LinkedInPostAnalytics {
  const ageMs = lastSyncBefore(now).getTime() - post.publishedAt.getTime();
  const counts = countsAt(post, ageMs);
  const { impressionCount = null } = counts;
  const hasEmv = post.reporting.hasEmv && impressionCount !== null;
  return {
    id: post.id,
    url: post.url,
    commentary: post.commentary,
    type: post.type,
    publishedAt: post.publishedAt.toISOString(),
    ...counts,
    engagement: engagementOf(counts),
    emv: hasEmv ? (impressionCount * cpmAt(post.publishedAt)) / 1000 : null,
    ...videoAt(post, ageMs),
    servicePost: post.planned && linkOf(post.planned),
  };
}

function countsAt({ figures, reporting }: LinkedInPost, ageMs: number): PostCounts {
  const isKnown = ageMs >= 0 && reporting.extent !== 'none';
  const share = grownShare(ageMs * reporting.speed);
  const grown = (figure: number | null) =>
    isKnown && figure !== null ? Math.round(figure * share) : null;
  const undone = isKnown ? reporting.undone : 'nothing';
  return {
    likeCount: undone === 'like' ? -1 : grown(figures.likes),
    commentCount: grown(figures.comments),
    shareCount: undone === 'share' ? -1 : grown(figures.shares),
    clickCount: grown(figures.clicks),
    saveCount: grown(figures.saves),
    sendCount: grown(figures.sends),
    impressionCount: reporting.extent === 'some' ? null : grown(figures.impressions),
  };
}

/** Computes engagement as LinkedIn defines it for pages. A count that does not exist adds nothing. */
function engagementOf(counts: PostCounts): number | null {
  const { clickCount, likeCount, commentCount, shareCount, impressionCount } = counts;
  if (impressionCount === null || impressionCount === undefined) return null;
  const engagements =
    (clickCount ?? 0) + (likeCount ?? 0) + (commentCount ?? 0) + (shareCount ?? 0);
  return impressionCount === 0 ? 0 : engagements / impressionCount;
}

/** The CPM of the workspace, which rises by 2 every other April, so once within any two years. */
function cpmAt(publishedAt: Date): number {
  const years = publishedAt.getUTCFullYear() - 2024 - (publishedAt.getUTCMonth() < 3 ? 1 : 0);
  return 28 + 2 * Math.floor(years / 2);
}

function videoAt({ figures: { video }, reporting }: LinkedInPost, ageMs: number) {
  const { videoSyncAgeMs, extent, speed } = reporting;
  const isSynced = videoSyncAgeMs !== null && ageMs >= videoSyncAgeMs && extent === 'all';
  if (!video || !isSynced) {
    return { videoViewCount: null, videoViewerCount: null, videoWatchTimeSeconds: null };
  }
  const share = grownShare(ageMs * speed);
  return {
    videoViewCount: Math.round(video.views * share),
    videoViewerCount: Math.round(video.viewers * share),
    videoWatchTimeSeconds: Math.round(video.watchTimeSeconds * share),
  };
}

function linkOf(planned: PlannedPost): LinkedInPostAnalytics['servicePost'] {
  const { id, title, labels, campaign } = planned;
  return {
    id,
    title,
    labels: labels.map((label) => ({ labelId: label.id, name: label.name })),
    campaign: campaign && { id: campaign.id, name: campaign.name },
  };
}
