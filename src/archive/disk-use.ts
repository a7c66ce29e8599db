import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { hasErrorCode } from '../core/errors.ts';
import { archivedEventsFolder, inboxFolder } from '../inbox/spool/layout.ts';
import { archiveFolder, landingFolder, quarantineFolder } from '../landing/layout.ts';
import { readLedger } from './archive-ledger.ts';
import { contentsName } from './contents-list.ts';
import { indexLedger, type LedgerIndex } from './ledger-index.ts';

/** Files, and the bytes in them together. */
export interface Usage {
  readonly files: number;
  readonly bytes: number;
}

interface WorkspaceUsage extends Usage {
  readonly workspace: string;
  /** One for each run that read the workspace. */
  readonly parts: number;
}

/** What `data_dir` holds, the warehouse not counted. */
export interface DiskUse {
  readonly landing: Usage;
  /** By name. */
  readonly archive: readonly WorkspaceUsage[];
  readonly archived_events: Usage;
  readonly inbox: Usage;
  readonly quarantine: Usage;
}

const nothing: Usage = { files: 0, bytes: 0 };
const statsAtOnce = 16;

/**
 * Adds up the files of `data_dir`. Of what the archive's ledger knows it takes the ledger's word, so that a large
 * archive is measured at once: what was damaged, added or removed there by hand is not in it. Changes nothing, and
 * may miss what is moved meanwhile.
 */
export async function measureDiskUse(dataDir: string): Promise<DiskUse> {
  const index = indexLedger((await readLedger(dataDir)).entries);
  return {
    landing: await measureFolder(landingFolder(dataDir)),
    archive: await measureWorkspaces(dataDir, index),
    archived_events: await measureEvents(dataDir, index),
    inbox: await measureFolder(inboxFolder(dataDir)),
    quarantine: await measureFolder(quarantineFolder(dataDir)),
  };
}

async function measureWorkspaces(dataDir: string, index: LedgerIndex): Promise<WorkspaceUsage[]> {
  const root = archiveFolder(dataDir);
  const workspaces: WorkspaceUsage[] = [];
  for (const workspace of await listFolders(root)) {
    if (workspace.startsWith('_')) continue;
    const parts: Usage[] = [];
    for (const day of await listFolders(join(root, workspace))) {
      for (const runId of await listFolders(join(root, workspace, day))) {
        parts.push(await measurePart(root, `${workspace}/${day}/${runId}`, index));
      }
    }
    workspaces.push({ workspace, parts: parts.length, ...sum(parts) });
  }
  return workspaces;
}

async function measurePart(root: string, place: string, index: LedgerIndex): Promise<Usage> {
  const entry = index.parts.get(place);
  if (!entry) return measureFolder(join(root, place));
  const list = await sizeOf(join(root, place, contentsName));
  return { files: entry.files + 1, bytes: entry.bytes + list };
}

async function measureEvents(dataDir: string, index: LedgerIndex): Promise<Usage> {
  const root = archivedEventsFolder(dataDir);
  const days: Usage[] = [];
  for (const day of await listFolders(root)) {
    const knownBytes = (name: string) => index.segments.get(`${day}/${name}`)?.file_bytes;
    days.push(await measureFolder(join(root, day), knownBytes));
  }
  return sum(days);
}

/** With all that is below it. @param knownBytes of a file directly in it, which need not be looked at then */
async function measureFolder(
  folder: string,
  knownBytes: (name: string) => number | undefined = () => undefined,
): Promise<Usage> {
  const entries = await listEntries(folder);
  const files = entries.filter((entry) => !entry.isDirectory());
  const sizes = await pLimit(statsAtOnce).map(
    files,
    async ({ name }) => knownBytes(name) ?? sizeOf(join(folder, name)),
  );
  const usages = [{ files: files.length, bytes: sizes.reduce((total, bytes) => total + bytes, 0) }];
  for (const entry of entries) {
    if (entry.isDirectory()) usages.push(await measureFolder(join(folder, entry.name)));
  }
  return sum(usages);
}

function sum(usages: readonly Usage[]): Usage {
  return usages.reduce(
    (total, { files, bytes }) => ({ files: total.files + files, bytes: total.bytes + bytes }),
    nothing,
  );
}

async function listFolders(path: string): Promise<string[]> {
  const entries = await listEntries(path);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function listEntries(path: string): Promise<Dirent[]> {
  return (await whenThere(readdir(path, { withFileTypes: true }))) ?? [];
}

/** 0 for a file that was moved meanwhile. */
async function sizeOf(path: string): Promise<number> {
  return (await whenThere(stat(path)))?.size ?? 0;
}

async function whenThere<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
