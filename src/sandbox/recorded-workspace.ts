import { z } from 'zod';
import { exitCodes, PostledgerError } from '../core/errors.ts';

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
export type RecordedReading = z.infer<typeof recordSchema>;

export class RecordedWorkspaceError extends PostledgerError {
  readonly code = 'RECORDED_WORKSPACE';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
}

/**
 * @param place what the text is called in a message, for example the file's path
 * @throws RecordedWorkspaceError when it is no JSON, or not of the format
 */
export function parseRecordedWorkspace(text: string, place: string): RecordedWorkspace {
  const result = recordedWorkspaceSchema.safeParse(parseJson(text, place));
  if (result.success) return result.data;
  throw new RecordedWorkspaceError(
    `${place} is not a recorded workspace: ${z.prettifyError(result.error)}\n${advice}`,
  );
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RecordedWorkspaceError(`${place} is not JSON. ${advice}`, { cause });
  }
}
