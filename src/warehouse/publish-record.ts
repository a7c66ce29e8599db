import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { hasErrorCode } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { fileIdentity, resolveLinks } from './file-identity.ts';

/**
 * Lies beside the warehouse and names the file that this program has published there. Written before the file takes
 * its place, with both identities, so that a kill between the two raises no false alarm.
 */
const recordSchema = z.object({
  version: z.literal(1),
  /** What is at the path now or in a moment: the file that was there, and the one that follows. */
  files: z.array(z.string()),
  written_at: z.iso.datetime(),
});
type PublishRecord = z.infer<typeof recordSchema>;

/**
 * `ours`: the published file is the one that this program has put there; `foreign`: another program has changed or
 * replaced it since; `unrecorded`: nobody knows, as for one that an earlier version of this program made.
 */
export type Provenance = 'missing' | 'ours' | 'foreign' | 'unrecorded';

/** Where the published file at `path` comes from. Changes nothing. */
export async function readProvenance(path: string): Promise<Provenance> {
  const own = await resolveLinks(path);
  const identity = await fileIdentity(own);
  return identity === null ? 'missing' : provenanceOf(identity, await readPublishRecord(own));
}

function provenanceOf(identity: string, record: PublishRecord | null): Provenance {
  if (record === null) return 'unrecorded';
  return record.files.includes(identity) ? 'ours' : 'foreign';
}

function recordPath(path: string): string {
  return `${path}.published.json`;
}

/** Warns when the published file is one that another program has changed or put there. */
export async function warnIfForeign(path: string, log: Log | undefined): Promise<void> {
  if ((await readProvenance(path)) === 'foreign') log?.warn({ warehouse: path }, foreignWarning);
}

const foreignWarning =
  'the warehouse is not the file that was published: another program has changed it, or it was copied or restored from a backup; what is new is loaded onto it as it is. `postledger rebuild --check` compares it with the raw store, `postledger rebuild` replaces it by what the raw store holds';

/**
 * Records which files may be at the path from here on: the one that is there, and the one that takes its place.
 * @param path of the file itself, not of a link to it
 */
export async function recordFiles(
  path: string,
  identities: readonly (string | null)[],
  now: Date,
): Promise<void> {
  const record: PublishRecord = {
    version: 1,
    files: identities.filter((identity) => identity !== null),
    written_at: now.toISOString(),
  };
  await writeFileAtomic(recordPath(path), `${JSON.stringify(record, null, 2)}\n`);
}

/** Null where there is none, or one that cannot be parsed: the next load that publishes writes it again. */
async function readPublishRecord(path: string): Promise<PublishRecord | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(recordPath(path), 'utf8')));
  } catch (error) {
    const isUnparsable = error instanceof SyntaxError || error instanceof z.ZodError;
    if (isUnparsable || hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
