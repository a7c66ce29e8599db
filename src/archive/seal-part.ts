import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { archivedPartFolder } from '../landing/layout.ts';
import type { RunRecord } from '../landing/manifest.ts';
import {
  contentsName,
  contentsText,
  describeFile,
  sha256Of,
  unfinishedContents,
  type ContentsList,
  type ListedFile,
} from './contents-list.ts';
import type { PartEntry } from './ledger-line.ts';

/** Files that are read at once: small ones wait for the disk, not for each other. */
const filesAtOnce = 16;

export interface SealablePart {
  readonly folder: string;
  readonly record: RunRecord;
}

/**
 * Writes a part's `contents.json` durably, over one that is there: the part may have changed since. Nobody else
 * writes to the part any more, in landing or in the archive. Its other files are on disk for good already.
 * @returns what the ledger has to say of it; the caller appends it before the part is moved
 */
export async function sealPart(part: SealablePart): Promise<PartEntry> {
  return writeContents(part, await describeFiles(part.folder, await listForContents(part.folder)));
}

export function describeFiles(folder: string, names: readonly string[]): Promise<ListedFile[]> {
  return pLimit(filesAtOnce).map(names, (name) => describeFile(folder, name));
}

/**
 * Writes a part's list durably.
 * @returns what the ledger has to say of it
 */
export async function writeContents(
  { folder, record }: SealablePart,
  files: readonly ListedFile[],
): Promise<PartEntry> {
  const { workspace, run_id } = record;
  const list: ContentsList = { version: 1, workspace, run_id, files: [...files] };
  const text = contentsText(list);
  await writeFileAtomic(join(folder, contentsName), text);
  return {
    version: 1,
    kind: 'part',
    workspace,
    run_id,
    day: archivedDay(record),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    contents_sha256: sha256Of(text),
  };
}

/** The folder of the archive that a part is in, of those of its workspace. */
function archivedDay(record: RunRecord): string {
  return basename(dirname(archivedPartFolder('', record)));
}

/** By name. What a killed sealing left of a list goes. */
async function listForContents(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (unfinishedContents.test(entry.name)) await rm(join(folder, entry.name), { force: true });
    else if (entry.isFile() && entry.name !== contentsName) names.push(entry.name);
  }
  return names.sort();
}
