import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../core/errors.ts';
import { archiveFolder } from '../landing/layout.ts';

/** A run's part in the archive, as `<workspace>/<run id>`. */
export type ArchivedRun = string;

/** The last part of each workspace, by the names of their folders. Quick, however large the archive is. */
export async function listNewestRuns(dataDir: string): Promise<ArchivedRun[]> {
  const newest: ArchivedRun[] = [];
  for (const workspace of await listWorkspaces(dataDir)) {
    for (const day of (await listDays(dataDir, workspace)).reverse()) {
      const run = (await listFolders(join(archiveFolder(dataDir), workspace, day))).at(-1);
      if (run === undefined) continue;
      newest.push(`${workspace}/${run}`);
      break;
    }
  }
  return newest;
}

/** All parts, by the names of their folders: by workspace, day and run. */
export async function listArchivedRuns(dataDir: string): Promise<ArchivedRun[]> {
  const all: ArchivedRun[] = [];
  for (const workspace of await listWorkspaces(dataDir)) {
    for (const day of await listDays(dataDir, workspace)) {
      const runs = await listFolders(join(archiveFolder(dataDir), workspace, day));
      all.push(...runs.map((run) => `${workspace}/${run}`));
    }
  }
  return all;
}

/** A folder that begins with `_` is no workspace's. */
async function listWorkspaces(dataDir: string): Promise<string[]> {
  const names = await listFolders(archiveFolder(dataDir));
  return names.filter((name) => !name.startsWith('_'));
}

async function listDays(dataDir: string, workspace: string): Promise<string[]> {
  const names = await listFolders(join(archiveFolder(dataDir), workspace));
  return names.filter((name) => /^\d{4}-\d\d-\d\d$/.test(name));
}

/** Sorted; none of a folder that is not there. */
async function listFolders(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
