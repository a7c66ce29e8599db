import type { LinkedInPostAnalytics } from '../api/schemas/analytics.ts';
import { dayOf, type Day } from '../core/calendar.ts';
import type { RecordedReading, RecordedWorkspace } from './recorded-workspace.ts';
import type {
  CampaignDates,
  DayRange,
  KnownDetails,
  Period,
  PostPlan,
  WorkspaceContent,
} from './workspace-content.ts';

interface Reading {
  readonly atMs: number;
  readonly profileId: string;
  readonly publishedMs: number | null;
  /** In the workspace's zone. */
  readonly publishedOn: Day | null;
  readonly record: LinkedInPostAnalytics;
}

const statusesInReview = ['ForReview', 'Blocked'];
const reviewedStatuses = [...statusesInReview, 'Finalized', 'Scheduled', 'Posted'];
const endOfTime = new Date('9999-12-31T23:59:59Z');

/** Serves each post as its last reading at the time that is asked. */
export function recordedContent(data: RecordedWorkspace): WorkspaceContent {
  const readings = data.generations
    .flatMap(({ at, records }) =>
      records.map((record) => readingOf(record, at, data.workspace.timezone)),
    )
    .sort((one, other) => one.atMs - other.atMs);
  const posts = new Map(
    (data.posts ?? []).map((post) => [post.id, planOf(post as KnownDetails, readings)]),
  );
  return {
    workspace: data.workspace,
    profiles: data.profiles,
    analyticsOf: (profileId, range, now) =>
      lastReadings(readings, now)
        .filter((reading) => reading.profileId === profileId && isWithin(reading, range))
        .sort(byPublicationNewestFirst)
        .map(({ record }) => record),
    findAnalytics: (id, now) =>
      lastReadings(readings, now).find(({ record }) => record.id.toLowerCase() === id) ?? null,
    findPost: (postId) => posts.get(postId) ?? null,
    listPosts: () => [...posts.values()],
  };
}

/** Its details stay as they were recorded, so it stands still unless somebody intervenes. */
function planOf(post: KnownDetails, readings: readonly Reading[]): PostPlan {
  const work = workOn(post);
  return {
    id: post.id,
    channels: post.channels ?? [],
    campaign: campaignOf(post.id, readings),
    work,
    review: work && reviewOf(post.status, work),
    statusAt: () => post.status,
    detailsAt: () => post,
  };
}

function workOn({ createdAt, updatedAt }: KnownDetails): Period | null {
  const [from, to] = [new Date(createdAt ?? NaN), new Date(updatedAt ?? NaN)];
  return from <= to ? { from, to } : null;
}

function reviewOf(status: string | undefined, { from, to }: Period): Period | null {
  if (status === undefined || !reviewedStatuses.includes(status)) return null;
  return { from, to: statusesInReview.includes(status) ? endOfTime : to };
}

/** The last one that was recorded; the API gives no dates with it. */
function campaignOf(postId: string, readings: readonly Reading[]): CampaignDates | null {
  const reading = readings.findLast(({ record }) => record.servicePost?.id === postId);
  const campaign = reading?.record.servicePost?.campaign;
  return campaign ? { id: campaign.id, name: campaign.name, startDate: null, endDate: null } : null;
}

/** When the last generation was read: from then on everything is there. */
export function lastGenerationAt(data: RecordedWorkspace): Date {
  return new Date(Math.max(...data.generations.map(({ at }) => Date.parse(at))));
}

function readingOf(recorded: RecordedReading, at: string, timezone: string): Reading {
  const { profile_id: profileId, ...record } = recorded;
  const published = recorded.publishedAt ? new Date(recorded.publishedAt) : null;
  return {
    atMs: Date.parse(at),
    profileId: profileId.toLowerCase(),
    publishedMs: published?.getTime() ?? null,
    publishedOn: published && dayOf(published, timezone),
    record: withLowerCaseLink(record as LinkedInPostAnalytics),
  };
}

/** Posts have ids in lower case, however their records were written; what is no link stays as it is. */
function withLowerCaseLink(record: LinkedInPostAnalytics): LinkedInPostAnalytics {
  const { servicePost } = record;
  if (typeof servicePost?.id !== 'string') return record;
  return { ...record, servicePost: { ...servicePost, id: servicePost.id.toLowerCase() } };
}

function lastReadings(readings: readonly Reading[], now: Date): Reading[] {
  const nowMs = now.getTime();
  const last = new Map<string, Reading>();
  for (const reading of readings) {
    if (reading.atMs <= nowMs) last.set(`${reading.profileId} ${reading.record.id}`, reading);
  }
  return [...last.values()];
}

/** A post without a publication time is outside of no range. */
function isWithin({ publishedOn }: Reading, { from, to }: DayRange): boolean {
  return publishedOn === null || (publishedOn >= from && publishedOn <= to);
}

function byPublicationNewestFirst(one: Reading, other: Reading): number {
  return (other.publishedMs ?? 0) - (one.publishedMs ?? 0);
}
