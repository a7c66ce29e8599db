import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import { removeLeftovers } from '../inbox/spool/leftovers.ts';
import type { LandedPart, LandedResponse } from '../landing/landed-part.ts';
import { prunedName, responseStem } from '../landing/layout.ts';
import type { PrunedRecord } from '../landing/manifest.ts';
import { appendToLedger } from './archive-ledger.ts';
import { sealPart } from './seal-part.ts';

/** A response whose body is given up, with what a rebuild has to know of it. */
export interface GivenUp extends Pick<PrunedRecord, 'posts_read' | 'rejected'> {
  readonly seq: number;
  /** By post: the fingerprint of what it said, where that can still matter. */
  readonly mentions: Readonly<Record<string, string>>;
}

/** What a kill leaves of a record of a pruned body. */
const unfinishedRecord = /^\d{6,}\.pruned\.json\.[0-9a-f-]{36}\.tmp$/;

/** The part's responses that still have a body, of those given. */
export function bodiesOf(part: LandedPart, given: readonly GivenUp[]): LandedResponse[] {
  const seqs = new Set(given.map(({ seq }) => seq));
  return part.responses.filter(({ manifest, bodyPath }) => {
    return bodyPath !== null && seqs.has(manifest.seq);
  });
}

/** How much these bodies take on disk. */
export async function measureBodies(responses: readonly LandedResponse[]): Promise<number> {
  let bytes = 0;
  for (const { bodyPath } of responses) if (bodyPath !== null) bytes += (await stat(bodyPath)).size;
  return bytes;
}

/**
 * Removes bodies of an archived part, after the ledger was told of it and a small record stands in the place of each.
 * Killed anywhere, each response has its body or its record, and pruning again completes it. The caller holds the
 * warehouse's lock and has verified the part.
 */
export async function prunePart(
  dataDir: string,
  part: LandedPart,
  given: readonly GivenUp[],
): Promise<void> {
  const responses = bodiesOf(part, given);
  if (responses.length === 0) return;
  const { workspace, run_id } = part.record;
  const seqs = responses.map(({ manifest }) => manifest.seq);
  await appendToLedger(dataDir, [{ version: 1, kind: 'pruned', workspace, run_id, seqs }]);
  await removeLeftovers(part.folder, unfinishedRecord);
  for (const response of responses) await writeRecord(part, response, given);
  for (const { bodyPath } of responses) if (bodyPath !== null) await unlink(bodyPath);
  await syncFolder(part.folder);
  // what stands in their place is verified from here on, too
  await appendToLedger(dataDir, [await sealPart(part)]);
}

async function writeRecord(
  { folder }: LandedPart,
  { manifest: { seq, body } }: LandedResponse,
  given: readonly GivenUp[],
): Promise<void> {
  const counts = given.find((each) => each.seq === seq);
  if (!body || !counts) throw new RangeError(`response ${seq} has nothing to prune`);
  const record: PrunedRecord = {
    version: 1,
    bytes: body.bytes,
    sha256: body.sha256,
    posts_read: counts.posts_read,
    rejected: counts.rejected,
    ...(Object.keys(counts.mentions).length > 0 && { mentions: counts.mentions }),
  };
  const path = join(folder, prunedName(responseStem(seq)));
  await writeFileAtomic(path, `${JSON.stringify(record)}\n`);
}
