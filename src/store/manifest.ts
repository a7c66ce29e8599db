import { z } from 'zod';

/** What becomes a part of a path, whoever wrote it, is the name of one folder. */
const folderName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,127}$/, 'not a folder name');

/**
 * On disk, `raw/<workspace>/<yyyy-mm-dd>/<run_id>/` holds one workspace's responses of one run:
 *
 *     run.json                 RunRecord, written before the first request
 *     000001.json.gz           the response body as it came, gzipped
 *     000001.manifest.json     ResponseManifest, written after its body is on disk
 *     000001.check.json        TruncationCheck of that response, where it looked cut off
 *     finish.json              FinishRecord; missing while the run is under way, or when it was cut off
 *
 * A body without a manifest is the trace of a kill and counts for nothing.
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
export type RequestRecord = z.infer<typeof requestSchema>;

/** What was asked, and what came of it after all attempts. Times are UTC with milliseconds. */
export const responseManifestSchema = z.strictObject({
  version: z.literal(2),
  run_id: z.string(),
  workspace: z.string(),
  /** Counts from 1 within the run folder. */
  seq: z.int().positive(),
  request: requestSchema,
  /** `succeeded`: a whole 200; `not-found`: a 404 on a post; `failed`: anything else. */
  outcome: z.enum(['succeeded', 'not-found', 'failed']),
  /** Null when no response came. */
  http_status: z.int().nullable(),
  /**
   * When the last attempt's response was complete, or had failed. No two responses of a run have the same
   * time: with the position of a record in its response it orders all readings.
   */
  fetched_at: z.iso.datetime(),
  /** HTTP requests sent for it, retries and 429s included. */
  requests: z.int().nonnegative(),
  /** One sentence; null on success. */
  error: z.string().nullable(),
  /** Null when nothing was kept (failures keep no body). */
  body: z
    .strictObject({
      file: z.string(),
      /** Before compression. */
      bytes: z.int().nonnegative(),
      /** Of the file as it lies there, so that `sha256sum` checks it. */
      sha256: z.string().length(64),
    })
    .nullable(),
  /** Records in an analytics answer; null elsewhere, and for an answer that is no JSON array. */
  records: z.int().nonnegative().nullable(),
  /** The posts among them, each once. */
  distinct_posts: z.int().nonnegative().nullable(),
  /** Whether each record has the documented fields with the documented types, and nothing else. */
  is_plain: z.boolean(),
});
export type ResponseManifest = z.infer<typeof responseManifestSchema>;

const count = z.int().nonnegative();

/**
 * What became of an analytics answer that looked cut off. `agreed`: its two halves had no post that it had
 * not; `cut_off`: they had; `indivisible`: it is of a single day, which has no halves to read.
 */
export const truncationCheckSchema = z.strictObject({
  version: z.literal(2),
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
export type TruncationCheck = z.infer<typeof truncationCheckSchema>;

export const finishRecordSchema = z.strictObject({
  version: z.literal(2),
  finished_at: z.iso.datetime(),
  /** `partial`: some windows or details failed; `failed`: none succeeded though some were asked. */
  status: z.enum(['succeeded', 'partial', 'failed']),
  /** HTTP requests sent by this run for the workspace, retries, 429s and details included. */
  requests: z.int().nonnegative(),
  /** Attempts beyond each call's first, 429s not counted. */
  retries: z.int().nonnegative(),
  /** 429 answers. */
  throttled: z.int().nonnegative(),
});
export type FinishRecord = z.infer<typeof finishRecordSchema>;
