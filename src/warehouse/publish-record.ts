import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomic } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { fileIdentity, resolveLinks } from './file-identity.ts';

/**
 * Stands beside the warehouse and tells which file this program has published there. Written before the file takes
 * its place, with both identities, so that a kill between the two raises no false alarm.
 */
const recordSchema = z.strictObject({
  version: z.literal(1),
  /** What is at the path now or in a moment: the file that was there, and the one that follows. */
  files: z.array(z.string()),
  written_at: z.iso.datetime(),
  /** What another program has put there, as it was when it was noticed; a rebuild ends it. */
  foreign: z.strictObject({ file: z.string(), noticed_at: z.iso.datetime() }).nullable(),
});
type PublishRecord = z.infer<typeof recordSchema>;

/**
 * `ours`: the published file is the one that this program has put there; `foreign`: another program has changed or
 * replaced it since; `unrecorded`: nobody knows, as for one that an earlier version of this program made.
 */
export interface Provenance {
  readonly state: 'missing' | 'ours' | 'foreign' | 'unrecorded';
  /** When it was noticed that another program's changes are in it; null: there are none that are known of. */
  readonly foreignSince: Date | null;
}

/** Where the published file at `path` comes from. Changes nothing. */
export async function readProvenance(path: string): Promise<Provenance> {
  const own = await resolveLinks(path);
  const identity = await fileIdentity(own);
  if (identity === null) return { state: 'missing', foreignSince: null };
  const record = await readPublishRecord(own);
  const foreignSince = record?.foreign ? new Date(record.foreign.noticed_at) : null;
  return { state: stateOf(identity, record), foreignSince };
}

function stateOf(identity: string, record: PublishRecord | null): Provenance['state'] {
  if (record === null) return 'unrecorded';
  return record.files.includes(identity) ? 'ours' : 'foreign';
}

function recordPath(path: string): string {
  return `${path}.published.json`;
}

/** Of the file that a record stands beside, where things are told, and when. */
interface Publishing {
  /** Of the file itself, not of a link to it. */
  readonly path: string;
  readonly clock: Clock;
  readonly log?: Log | undefined;
}

/** Warns, once, when the published file is one that another program has changed or put there. */
export async function tellIfForeign(
  { path, clock, log }: Publishing,
  identity: string | null,
): Promise<void> {
  const record = await readPublishRecord(path);
  if (identity === null || stateOf(identity, record) !== 'foreign') return;
  if (record === null || record.foreign?.file === identity) return;
  log?.warn({ warehouse: path }, foreignWarning);
  const noticed_at = record.foreign?.noticed_at ?? clock.now().toISOString();
  await writeRecord(path, { ...record, foreign: { file: identity, noticed_at } });
}

const foreignWarning =
  'the warehouse is not the file that was published: another program has changed it, or it was copied or restored from a backup; what is new is loaded onto it as it is. `postledger rebuild --check` compares it with the raw store, `postledger rebuild` replaces it by what the raw store holds';

/**
 * Tells which files may stand at the path from here on: the one that is there, and the one that takes its place.
 * @param isMadeAnew from the raw store alone, so that nothing of another program is in it
 */
export async function announceFile(
  { path, clock }: Publishing,
  identities: readonly (string | null)[],
  isMadeAnew: boolean,
): Promise<void> {
  const before = isMadeAnew ? null : await readPublishRecord(path);
  await writeRecord(path, {
    version: 1,
    files: identities.filter((identity) => identity !== null),
    written_at: clock.now().toISOString(),
    foreign: before?.foreign ?? null,
  });
}

/** Null where there is none, or one that nobody can make sense of: it is written anew with the next publishing. */
async function readPublishRecord(path: string): Promise<PublishRecord | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(recordPath(path), 'utf8')));
  } catch (error) {
    const isSenseless = error instanceof SyntaxError || error instanceof z.ZodError;
    if (isSenseless || hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function writeRecord(path: string, record: PublishRecord): Promise<void> {
  await writeFileAtomic(recordPath(path), `${JSON.stringify(record, null, 2)}\n`);
}
