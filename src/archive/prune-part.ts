import { readdir, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import { removeLeftovers } from '../inbox/spool/leftovers.ts';
import type { LandedPart, LandedResponse } from '../landing/landed-part.ts';
import { DamagedFileError } from '../landing/landing-errors.ts';
import { prunedName, responseStem } from '../landing/layout.ts';
import type { PrunedRecord } from '../landing/manifest.ts';
import { appendToLedger } from './archive-ledger.ts';
import {
  contentsName,
  describeFile,
  readContents,
  sha256Of,
  type ListedFile,
} from './contents-list.ts';
import { describeFiles, writeContents } from './seal-part.ts';
import { partFiles } from './verify-part.ts';

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
  const before = await listBefore(part);
  const { workspace, run_id } = part.record;
  const seqs = responses.map(({ manifest }) => manifest.seq);
  await appendToLedger(dataDir, [{ version: 1, kind: 'pruned', workspace, run_id, seqs }]);
  await removeLeftovers(part.folder, unfinishedRecord);
  const records: ListedFile[] = [];
  for (const response of responses) records.push(await writeRecord(part, response, given));
  const bodies = responses.flatMap(({ bodyPath }) => bodyPath ?? []);
  for (const path of bodies) await unlink(path);
  await syncFolder(part.folder);
  // what stands in their place is verified from here on, too; all else by the hashes that it had
  const files = await listAfter(
    part,
    before,
    records,
    bodies.map((path) => basename(path)),
  );
  await appendToLedger(dataDir, [await writeContents(part, files)]);
}

/** What was archived with the part; of one that an earlier version archived without a list, what parts have. */
async function listBefore({ folder }: LandedPart): Promise<readonly ListedFile[]> {
  const names = await readdir(folder);
  const path = join(folder, contentsName);
  if (!names.includes(contentsName)) {
    return describeFiles(
      folder,
      names.filter((name) => partFiles.test(name)),
    );
  }
  const read = await readContents(path);
  if ('problem' in read) throw new DamagedFileError(`${path}: ${read.problem}`, [path]);
  return read.list.files;
}

/** @param records those that were written now @param bodies that were removed now */
async function listAfter(
  { folder, responses }: LandedPart,
  before: readonly ListedFile[],
  records: readonly ListedFile[],
  bodies: readonly string[],
): Promise<ListedFile[]> {
  const listed = new Map(before.map((file) => [file.name, file]));
  // of prunings that were killed before they had listed theirs
  for (const { manifest, pruned } of responses) {
    const name = prunedName(responseStem(manifest.seq));
    if (pruned && !listed.has(name)) listed.set(name, await describeFile(folder, name));
    if (pruned) listed.delete(`${responseStem(manifest.seq)}.body.gz`);
  }
  for (const record of records) listed.set(record.name, record);
  for (const name of bodies) listed.delete(name);
  return [...listed.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function writeRecord(
  { folder }: LandedPart,
  { manifest: { seq, body } }: LandedResponse,
  given: readonly GivenUp[],
): Promise<ListedFile> {
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
  const name = prunedName(responseStem(seq));
  const text = `${JSON.stringify(record)}\n`;
  await writeFileAtomic(join(folder, name), text);
  return { name, bytes: Buffer.byteLength(text), sha256: sha256Of(text) };
}
