import { z } from 'zod';

/** What becomes a part of a path, whoever wrote it, is the name of one folder. */
const folderName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,127}$/, 'is no name of a folder');

/**
 * On disk: `landing/<workspace>/<run_id>/` holds one workspace's part of one run, and is moved whole to
 * `archive/<workspace>/<YYYY-MM-DD>/<run_id>/` (the UTC day the run started) once it is loaded:
 *
 *     run.json                 RunRecord, written before the first request
 *     000001.body.gz           the response body as it came, gzipped
 *     000001.manifest.json     ResponseManifest, written after its body is safely on disk
 *     000001.check.json        WindowCheck of that response, where it looked cut off; written after its halves'
 *     000001.pruned.json       PrunedRecord, in the archive, in the place of a body that was given up
 *     finish.json              FinishRecord; missing when the run was cut off
 *
 * A body without a manifest is the trace of a kill and counts for nothing.
 */
export const runRecordSchema = z.strictObject({
  version: z.literal(1),
  run_id: folderName,
  job: z.string(),
  workspace: folderName,
  started_at: z.iso.datetime(),
  profiles: z.array(
    z.strictObject({ profile_id: z.string(), name: z.string(), cpm: z.number().nullable() }),
  ),
  linked_post_field: z.string(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('analytics'),
    profile_id: z.string(),
    start_date: z.iso.date(),
    end_date: z.iso.date(),
  }),
  z.strictObject({ kind: z.literal('post'), post_id: z.string() }),
]);
export type LandedRequest = z.infer<typeof requestSchema>;

/** What was asked, and what came of it after all attempts. Times are UTC with milliseconds. */
export const responseManifestSchema = z.strictObject({
  version: z.literal(1),
  run_id: z.string(),
  workspace: z.string(),
  /** Counts from 1 within the run's part. */
  seq: z.int().positive(),
  request: requestSchema,
  /** `succeeded`: a whole 200; `not-found`: a 404 on a post; `failed`: anything else. */
  outcome: z.enum(['succeeded', 'not-found', 'failed']),
  /** Null when no response came. */
  http_status: z.int().nullable(),
  /** When the last attempt's response was complete, or had failed. */
  fetched_at: z.iso.datetime(),
  /** HTTP requests sent for it, retries and 429s included. */
  requests: z.int().nonnegative(),
  /** One sentence; null on success. */
  error: z.string().nullable(),
  /** Of the body before compression; null when nothing was kept (failures keep none). */
  body: z
    .strictObject({ file: z.string(), bytes: z.int().nonnegative(), sha256: z.string().length(64) })
    .nullable(),
  /** Records in an analytics answer; null elsewhere. */
  records: z.int().nonnegative().nullable(),
  /** The posts among them, each once. Parts of earlier versions do not say. */
  distinct_posts: z.int().nonnegative().optional(),
});
export type ResponseManifest = z.infer<typeof responseManifestSchema>;

/** What a rebuild of the warehouse has to know of a body that is no longer there. */
export const prunedRecordSchema = z.strictObject({
  version: z.literal(1),
  /** Of the body before compression, as the manifest has them. */
  bytes: z.int().nonnegative(),
  sha256: z.string().length(64),
  /** Records that were taken from it. */
  posts_read: z.int().nonnegative(),
  /** Records that could not be taken. */
  rejected: z.int().nonnegative(),
  /** By post: a fingerprint of what it said, for posts whose details were not read since. */
  mentions: z.record(z.string(), z.string()).optional(),
});
export type PrunedRecord = z.infer<typeof prunedRecordSchema>;

const count = z.int().nonnegative();

/**
 * What became of an analytics answer that looked cut off. `agreed`: its two halves had no post that it had
 * not; `cut_off`: they had; `indivisible`: it is of a single day, which has no halves to read.
 */
export const windowCheckSchema = z.strictObject({
  version: z.literal(1),
  run_id: z.string(),
  workspace: z.string(),
  /** Of the answer that was compared; its manifest is beside this. */
  seq: z.int().positive(),
  profile_id: z.string(),
  start_date: z.iso.date(),
  end_date: z.iso.date(),
  kind: z.enum(['agreed', 'cut_off', 'indivisible']),
  checked_at: z.iso.datetime(),
  /** Records of the answer, and the posts among them, each once. */
  records_whole: count,
  posts_whole: count,
  /** Posts of the earlier and the later half, and of both together, each once; null for a single day. */
  posts_first_half: count.nullable(),
  posts_second_half: count.nullable(),
  posts_halves: count.nullable(),
  /** Posts of the halves that the answer had not. */
  missing: count,
});
export type WindowCheck = z.infer<typeof windowCheckSchema>;

export const finishRecordSchema = z.strictObject({
  version: z.literal(1),
  finished_at: z.iso.datetime(),
  /** `partial`: some windows or details failed; `failed`: none succeeded though some were asked. */
  status: z.enum(['succeeded', 'partial', 'failed']),
  /** HTTP requests sent by this part, retries, 429s and details included. */
  requests: z.int().nonnegative(),
  /** Attempts beyond each call's first, 429s not counted. */
  retries: z.int().nonnegative(),
  /** 429 answers. */
  throttled: z.int().nonnegative(),
});
export type FinishRecord = z.infer<typeof finishRecordSchema>;
