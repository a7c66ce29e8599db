import { z } from 'zod';
import { addDays, type Day } from '../core/calendar.ts';
import { proofReasons, type AnswerProof } from '../api/answer-proof.ts';

/** Values that become part of a path must be the name of one folder, whatever wrote them. */
const folderName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,127}$/, 'not a folder name');

/**
 * A run's responses from one workspace are in the folder `raw/<workspace>/<yyyy-mm-dd>/<run_id>/`:
 *
 *     run.json                 RunRecord, written before the first request
 *     000001.json.gz           the unchanged response body, gzipped
 *     000001.manifest.json     ResponseManifest, written after its body is on disk
 *     finish.json              FinishRecord; missing while the run goes on, or if it died
 *
 * A body without a manifest was left by a killed process and is ignored.
 */
export const runRecordSchema = z.strictObject({
  version: z.literal(2),
  run_id: folderName,
  job: z.string(),
  workspace: folderName,
  started_at: z.iso.datetime(),
  profiles: z.array(
    z.strictObject({ profile_id: z.string(), name: z.string(), cpm: z.number().nullable() }),
  ),
  linked_post_field: z.string(),
  /** True if the run was to send reports, so that there are records of what was sent. */
  delivers: z.boolean().optional(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('analytics'),
    profile_id: z.string(),
    start_date: z.iso.date(),
    end_date: z.iso.date(),
  }),
  z.strictObject({ kind: z.enum(['post', 'approvals', 'comments']), post_id: z.string() }),
]);
export type RequestRecord = z.infer<typeof requestSchema>;

/**
 * A request and its result after all attempts. Times are in UTC with milliseconds. A field that is not known is ignored:
 * raw runs stay readable for good.
 */
export const responseManifestSchema = z.object({
  version: z.literal(2),
  run_id: z.string(),
  workspace: z.string(),
  /** A number that counts from 1 within the run folder. */
  seq: z.int().positive(),
  request: requestSchema,
  /**
   * `succeeded`: a 200 with its body; `not-found`: a 404 on a post, or for a profile that has ended; `failed`: anything
   * else.
   */
  outcome: z.enum(['succeeded', 'not-found', 'failed']),
  /** The HTTP status; null if no response came. */
  http_status: z.int().nullable(),
  /**
   * The time at which the last attempt's response was complete, or had failed. No two responses of a run have the
   * same time; together with the position of a record in its response, it orders all readings.
   */
  fetched_at: z.iso.datetime(),
  /** HTTP requests sent for it, including retries and those answered with 429. */
  requests: z.int().nonnegative(),
  /** One sentence about the failure, or about what the answer does not prove; else null. */
  error: z.string().nullable(),
  /** The stored body; null if none was kept, as for failures but that of an answer whose records cannot be read. */
  body: z
    .strictObject({
      file: z.string(),
      /** The size before compression. */
      bytes: z.int().nonnegative(),
      /** The hash of the compressed file, so that `sha256sum` can check it. */
      sha256: z.string().length(64),
    })
    .nullable(),
  /** Records in an analytics answer; null for other requests, and for an answer that is not a JSON array. */
  records: z.int().nonnegative().nullable(),
  /** The number of distinct posts among the records. */
  distinct_posts: z.int().nonnegative().nullable(),
  /**
   * What an analytics answer proves: that these are all posts from `first_day` to `last_day`, or nothing of any day (null).
   * Left out for other requests and for failures, and before answers were judged when they came.
   */
  proof: z
    .strictObject({
      first_day: z.iso.date().nullable(),
      last_day: z.iso.date().nullable(),
      reason: z.enum(proofReasons).nullable(),
      /** Records that are dated more than a day outside of the dates that were asked for. */
      outside: z.int().nonnegative(),
    })
    .optional(),
  /**
   * The name of the linked post with which each record of an analytics answer has documented fields of documented types
   * alone, so that one scan can load all of them. The load looks at the records of any other answer one by one.
   */
  plain_with: z.string().optional(),
  /** The first day of the window of which this one was asked for as a part; left out for a window that is whole. */
  part_of: z.iso.date().optional(),
});
export type ResponseManifest = z.infer<typeof responseManifestSchema>;

/**
 * Returns the days that an analytics request was to prove: the date after them was asked for, too, unless the answer proves
 * that date. A succeeded one without a proof was asked for its days alone.
 */
export function daysToProve(
  { start_date: start, end_date: end }: { readonly start_date: Day; readonly end_date: Day },
  { outcome, proof }: Pick<ResponseManifest, 'outcome' | 'proof'>,
): { start: Day; end: Day } {
  const dayBefore = addDays(end, -1);
  const last = dayBefore < start ? start : dayBefore;
  return { start, end: proof?.last_day ?? (outcome === 'succeeded' && !proof ? end : last) };
}

export function proofRecord({ days, reason, outside }: AnswerProof) {
  return { first_day: days?.first ?? null, last_day: days?.last ?? null, reason, outside };
}

/** Returns whether an analytics answer proves all days that it was to prove (`succeeded`), or none (`partial`). */
export function windowStatus({
  outcome,
  proof,
}: Pick<ResponseManifest, 'outcome' | 'proof'>): 'succeeded' | 'partial' | 'failed' {
  if (outcome !== 'succeeded') return 'failed';
  return proof?.first_day === null ? 'partial' : 'succeeded';
}

export const finishRecordSchema = z.strictObject({
  version: z.literal(2),
  finished_at: z.iso.datetime(),
  /** `partial`: some windows or details failed; `failed`: none succeeded though some were asked. */
  status: z.enum(['succeeded', 'partial', 'failed']),
  /** HTTP requests that this run sent for the workspace, including retries, details and those answered with 429. */
  requests: z.int().nonnegative(),
  /** Attempts beyond each call's first, not counting those after a 429. */
  retries: z.int().nonnegative(),
  /** Answers with the status 429. */
  throttled: z.int().nonnegative(),
  /** The milliseconds in which the rate limit or a 429 held requests back. */
  waited_ms: z.int().nonnegative(),
});
export type FinishRecord = z.infer<typeof finishRecordSchema>;
