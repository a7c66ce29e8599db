import { z } from 'zod';
import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import { engagementOf } from '../made-up/analytics-record.ts';
import { badRequest, controlBody, notFound } from '../refusal.ts';
import type { DayRange, WorkspaceContent } from '../workspace-content.ts';
import type { Posts } from './posts.ts';

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

/** Figures that were set by hand: they hold from then on, whatever the post grows by. */
interface MetricChange {
  readonly at: Date;
  readonly metrics: Metrics;
}

const allDays: DayRange = { from: '0000-01-01', to: '9999-12-31' };
const memberMetrics = ['saveCount', 'sendCount'] as const;
const ratioMetrics = ['engagement', 'emv'] as const;
const videoMetrics = ['videoViewCount', 'videoViewerCount', 'videoWatchTimeSeconds'] as const;
const engagementTerms = [
  'clickCount',
  'likeCount',
  'commentCount',
  'shareCount',
  'impressionCount',
] as const;

/** What is on LinkedIn, with figures as they grew or were set. */
export class LinkedInPosts {
  readonly #content: WorkspaceContent;
  readonly #posts: Posts;
  /** By LinkedIn post, in the order in which they were made. */
  readonly #changes = new Map<string, readonly MetricChange[]>();

  constructor(content: WorkspaceContent, posts: Posts) {
    this.#content = content;
    this.#posts = posts;
  }

  /** Newest first. */
  list(profileId: string, range: DayRange, now: Date): LinkedInPostAnalytics[] {
    return [...this.#publishedBy(profileId, range, now)].map((record) => this.#at(record, now));
  }

  /** Of all profiles, one after the other; each is looked for when it is taken. */
  *idsAt(now: Date): Iterable<string> {
    for (const profile of this.#content.profiles) {
      for (const { id } of this.#publishedBy(profile.id, allDays, now)) yield id;
    }
  }

  /**
   * @returns the record as it is from now on
   * @throws HTTPException 404 for a post that is not there, 400 for metrics that it cannot have
   */
  changeMetrics(id: string, metrics: Metrics, now: Date): LinkedInPostAnalytics {
    const found = this.#content.findAnalytics(id.toLowerCase(), now);
    const profile = this.#content.profiles.find((each) => each.id === found?.profileId);
    const record = found && this.#posts.publishedForm(found.record);
    if (!record || !profile) throw notFound('LinkedIn post not found');
    checkMetrics(metrics, this.#at(record, now), profile.kind === 'page');
    const earlier = this.#changes.get(record.id) ?? [];
    this.#changes.set(record.id, [...earlier, { at: now, metrics }]);
    return this.#at(record, now);
  }

  *#publishedBy(profileId: string, range: DayRange, now: Date): Iterable<LinkedInPostAnalytics> {
    for (const record of this.#content.analyticsOf(profileId, range, now)) {
      const published = this.#posts.publishedForm(record);
      if (published) yield published;
    }
  }

  /** The record with all changes up to `now`. */
  #at(record: LinkedInPostAnalytics, now: Date): LinkedInPostAnalytics {
    const changes = this.#changes.get(record.id)?.filter(({ at }) => at <= now) ?? [];
    const cpm = cpmOf(record);
    return changes.reduce((changed, { metrics }) => changeRecord(changed, metrics, cpm), record);
  }
}

function changeRecord(record: LinkedInPostAnalytics, metrics: Metrics, cpm: number | null) {
  const changed = { ...record, ...metrics };
  const hasNewRatio = engagementTerms.some((name) => name in metrics);
  if (hasNewRatio && !('engagement' in metrics)) changed.engagement = engagementOf(changed);
  if ('impressionCount' in metrics && !('emv' in metrics)) {
    const { impressionCount } = metrics;
    const isKnown = typeof impressionCount === 'number' && cpm !== null;
    changed.emv = isKnown ? (impressionCount * cpm) / 1000 : null;
  }
  return changed;
}

/** What the record's own EMV implies, without the noise of the division; null where it says nothing. */
function cpmOf({ emv, impressionCount }: LinkedInPostAnalytics): number | null {
  return emv && impressionCount ? Math.round((emv / impressionCount) * 1e9) / 1e6 : null;
}

function checkMetrics(metrics: Metrics, record: LinkedInPostAnalytics, isPage: boolean): void {
  const changed = { ...record, ...metrics };
  const isVideo = record.type === 'Video';
  const knownVideoMetrics = videoMetrics.filter((name) => typeof changed[name] === 'number');
  const isHalfSynced = isVideo && knownVideoMetrics.length % videoMetrics.length !== 0;
  const errors = {
    ...(isPage && refused(metrics, memberMetrics, 'only posts of people have it')),
    ...(!isVideo && refused(metrics, videoMetrics, 'only videos have it')),
    ...(isHalfSynced && {
      videoViewCount: ['the three video metrics are known together, or not at all'],
    }),
    ...(typeof changed.impressionCount !== 'number' &&
      refused(metrics, ratioMetrics, 'impressions are not known')),
  };
  if (Object.keys(errors).length > 0) throw badRequest(errors);
}

function refused(metrics: Metrics, names: readonly (keyof Metrics)[], reason: string) {
  const given = names.filter((name) => typeof metrics[name] === 'number');
  return Object.fromEntries(given.map((name) => [name, [`${reason}: it must be null here`]]));
}
