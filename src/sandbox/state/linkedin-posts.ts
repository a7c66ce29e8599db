import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import type { FieldErrors } from '../../api/schemas/error.ts';
import type { ProfileKind } from '../identity.ts';
import { badRequest, notFound } from '../refusal.ts';
import type { DayRange, WorkspaceContent } from '../workspace-content.ts';
import { MetricChanges, type Metrics } from './metric-changes.ts';
import type { PostBook } from './post-book.ts';

interface LinkedInPost {
  readonly record: LinkedInPostAnalytics;
  readonly kind: ProfileKind;
}

const allDays: DayRange = { from: '0000-01-01', to: '9999-12-31' };
const memberMetrics = ['saveCount', 'sendCount'] as const;
const ratioMetrics = ['engagement', 'emv'] as const;
const videoMetrics = ['videoViewCount', 'videoViewerCount', 'videoWatchTimeSeconds'] as const;

/** What is on LinkedIn, with figures as they grew or were set. */
export class LinkedInPosts {
  readonly #content: WorkspaceContent;
  readonly #posts: PostBook;
  readonly #changes = new MetricChanges();

  constructor(content: WorkspaceContent, posts: PostBook) {
    this.#content = content;
    this.#posts = posts;
  }

  /** Newest first. */
  list(profileId: string, range: DayRange, now: Date): LinkedInPostAnalytics[] {
    return [...this.#publishedBy(profileId, range, now)].map((record) =>
      this.#changes.apply(record, now),
    );
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
    const post = this.#get(id, now);
    checkMetrics(metrics, { ...post, record: this.#changes.apply(post.record, now) });
    this.#changes.add(post.record.id, { at: now, metrics });
    return this.#changes.apply(post.record, now);
  }

  /** Without the changes. */
  #get(id: string, now: Date): LinkedInPost {
    const found = this.#content.findAnalytics(id.toLowerCase(), now);
    const profile = this.#content.profiles.find((each) => each.id === found?.profileId);
    const record = found && this.#posts.publishedForm(found.record);
    if (!record || !profile) throw notFound('LinkedIn post not found');
    return { record, kind: profile.kind };
  }

  *#publishedBy(profileId: string, range: DayRange, now: Date): Iterable<LinkedInPostAnalytics> {
    for (const record of this.#content.analyticsOf(profileId, range, now)) {
      const published = this.#posts.publishedForm(record);
      if (published) yield published;
    }
  }
}

function checkMetrics(metrics: Metrics, { record, kind }: LinkedInPost): void {
  const changed = { ...record, ...metrics };
  const errors: FieldErrors = {
    ...(kind === 'page' && refused(metrics, memberMetrics, 'only posts of people have it')),
    ...(record.type !== 'Video' && refused(metrics, videoMetrics, 'only videos have it')),
    ...(isHalfSynced(changed) && {
      videoViewCount: ['the three video metrics are known together, or not at all'],
    }),
    ...(typeof changed.impressionCount !== 'number' &&
      refused(metrics, ratioMetrics, 'impressions are not known')),
  };
  if (Object.keys(errors).length > 0) throw badRequest(errors);
}

function isHalfSynced(record: LinkedInPostAnalytics): boolean {
  if (record.type !== 'Video') return false;
  const known = videoMetrics.filter((name) => typeof record[name] === 'number');
  return known.length > 0 && known.length < videoMetrics.length;
}

function refused(
  metrics: Metrics,
  names: readonly (keyof Metrics)[],
  reason: string,
): Record<string, string[]> {
  const given = names.filter((name) => typeof metrics[name] === 'number');
  return Object.fromEntries(given.map((name) => [name, [`${reason}: it must be null here`]]));
}
