import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../core/errors.ts';
import { archivedEventsFolder } from '../inbox/spool/layout.ts';
import { isArchivedName } from '../inbox/spool/segment-name.ts';
import { archiveFolder } from '../landing/layout.ts';
import { ledgerPath } from './layout.ts';

/** What lies in the archive, by its folders alone. */
export interface ArchiveTree {
  /** Places of parts (workspace, day and run), each with the number of its files. */
  readonly parts: ReadonlyMap<string, number>;
  /** Places of segments (day and name). */
  readonly segments: ReadonlySet<string>;
  /** Absolute paths of what belongs to neither. */
  readonly strays: readonly string[];
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;

export async function readArchiveTree(dataDir: string): Promise<ArchiveTree> {
  const root = archiveFolder(dataDir);
  const eventsRoot = archivedEventsFolder(dataDir);
  const parts = new Map<string, number>();
  const segments = new Set<string>();
  const strays: string[] = [];
  for (const entry of await listEntries(root)) {
    const path = join(root, entry.name);
    if (path === ledgerPath(dataDir) && entry.isFile()) continue;
    if (path === eventsRoot && entry.isDirectory()) await readEvents(path, segments, strays);
    else if (entry.isDirectory() && !entry.name.startsWith('_')) {
      await readWorkspace(path, entry.name, parts, strays);
    } else strays.push(path);
  }
  return { parts, segments, strays };
}

async function readWorkspace(
  folder: string,
  workspace: string,
  parts: Map<string, number>,
  strays: string[],
): Promise<void> {
  for (const day of await listDays(folder, strays)) {
    for (const { name, isFolder } of await listKinds(join(folder, day))) {
      const path = join(folder, day, name);
      if (isFolder) parts.set(`${workspace}/${day}/${name}`, (await listEntries(path)).length);
      else strays.push(path);
    }
  }
}

async function readEvents(folder: string, segments: Set<string>, strays: string[]): Promise<void> {
  for (const day of await listDays(folder, strays)) {
    for (const { name, isFile } of await listKinds(join(folder, day))) {
      if (isFile && isArchivedName(name)) segments.add(`${day}/${name}`);
      else strays.push(join(folder, day, name));
    }
  }
}

async function listDays(folder: string, strays: string[]): Promise<string[]> {
  const days: string[] = [];
  for (const { name, isFolder } of await listKinds(folder)) {
    if (isFolder && dayPattern.test(name)) days.push(name);
    else strays.push(join(folder, name));
  }
  return days;
}

async function listKinds(folder: string) {
  const entries = await listEntries(folder);
  return entries.map((entry) => ({
    name: entry.name,
    isFolder: entry.isDirectory(),
    isFile: entry.isFile(),
  }));
}

/** By name; none when there is no such folder. */
export async function listEntries(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
