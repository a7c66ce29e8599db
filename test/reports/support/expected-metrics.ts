import type { GeneratedPost } from '../../report/support/generated-rows.ts';
import { emvOf } from './expected-figures.ts';

/** A metric as reports have to show it, stated apart from the program's own list. */
interface ExpectedMetric {
  readonly title: string;
  /** The posts that can have it. */
  readonly scope: 'all' | 'page' | 'member' | 'video';
  readonly valueOf: (post: GeneratedPost) => number | null;
  readonly isInteraction?: true;
}

const asked = { timezone: 'UTC', cpm: null, removed: 'exclude', from: null, to: null } as const;

/** In the order of reports. */
export const expectedMetrics: readonly ExpectedMetric[] = [
  { title: 'Impressions', scope: 'all', valueOf: (post) => post.impressions },
  { title: 'Engagement', scope: 'all', valueOf: (post) => post.engagement },
  { title: 'EMV', scope: 'all', valueOf: (post) => emvOf(post, asked) },
  { title: 'Likes', scope: 'all', valueOf: (post) => post.counts.like, isInteraction: true },
  { title: 'Comments', scope: 'all', valueOf: (post) => post.counts.comment, isInteraction: true },
  { title: 'Shares', scope: 'all', valueOf: (post) => post.counts.share, isInteraction: true },
  { title: 'Clicks', scope: 'page', valueOf: (post) => post.counts.click, isInteraction: true },
  { title: 'Saves', scope: 'member', valueOf: (post) => post.counts.save, isInteraction: true },
  { title: 'Sends', scope: 'member', valueOf: (post) => post.counts.send, isInteraction: true },
  { title: 'Video views', scope: 'video', valueOf: (post) => post.views },
  { title: 'Video viewers', scope: 'video', valueOf: (post) => post.viewers },
  { title: 'Seconds watched', scope: 'video', valueOf: (post) => post.watchSeconds },
];
