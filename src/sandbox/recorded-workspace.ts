import { z } from 'zod';
import type { LinkedInPostAnalytics } from '../api/schemas/analytics.ts';
import { dayOf, type Day } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import type {
  CampaignDates,
  DayRange,
  KnownDetails,
  PostPlan,
  WorkspaceContent,
} from './workspace-content.ts';

const advice =
  'Give a recorded workspace: docs/sandbox.md describes the format under "A recorded workspace".';
const instant = z.iso.datetime({ offset: true });

/**
 * What was read of one LinkedIn post at one time: an analytics record of the API as it was given,
 * with the profile that it belongs to beside it. Only what the sandbox itself needs is checked, so
 * that records which break the API's rules can be recorded and served too.
 */
const recordSchema = z.looseObject({
  profile_id: z.guid(),
  id: z.string(),
  publishedAt: instant.nullish(),
});

/** A workspace as it was read at several times: what `sandbox serve --data` takes. */
const recordedWorkspaceSchema = z.strictObject({
  format: z.literal('postledger-recorded-workspace'),
  version: z.literal(1),
  /** Where the figures come from, for whoever opens the file. */
  source: z.string(),
  licence: z.string(),
  workspace: z.strictObject({ slug: z.string(), name: z.string(), timezone: z.string() }),
  profiles: z.array(
    z.strictObject({
      id: z.guid().lowercase(),
      name: z.string(),
      kind: z.enum(['page', 'member', 'engagement']),
    }),
  ),
  /** Details of linked posts, as `GET /posts/{id}` gives them; the same at all times. */
  posts: z.array(z.looseObject({ id: z.guid().lowercase() })).optional(),
  /** By time. A post is served as its last record at or before the sandbox's clock says. */
  generations: z.array(z.strictObject({ at: instant, records: z.array(recordSchema) })).min(1),
});
export type RecordedWorkspace = z.infer<typeof recordedWorkspaceSchema>;
type RecordedReading = z.infer<typeof recordSchema>;

/**
 * @param place what the text is called in a message, for example the file's path
 * @throws UsageError when it is no JSON, or not of the format
 */
export function parseRecordedWorkspace(text: string, place: string): RecordedWorkspace {
  const result = recordedWorkspaceSchema.safeParse(parseJson(text, place));
  if (result.success) return result.data;
  throw new UsageError(
    `${place} is not a recorded workspace: ${z.prettifyError(result.error)}\n${advice}`,
  );
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${place} is not JSON. ${advice}`, { cause });
  }
}

interface Reading {
  readonly atMs: number;
  readonly profileId: string;
  readonly publishedMs: number | null;
  /** In the workspace's zone. */
  readonly publishedOn: Day | null;
  readonly record: LinkedInPostAnalytics;
}

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
      lastReadings(readings, now).find(({ record }) => record.id.toLowerCase() === id)?.record ??
      null,
    findPost: (postId) => posts.get(postId) ?? null,
    listPosts: () => [...posts.values()],
  };
}

/** Its details stay as they were recorded, so it changes by interventions only. */
function planOf(post: KnownDetails, readings: readonly Reading[]): PostPlan {
  return {
    id: post.id,
    channels: post.channels ?? [],
    campaign: campaignOf(post.id, readings),
    work: null,
    review: null,
    statusAt: () => post.status,
    detailsAt: () => post,
  };
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
