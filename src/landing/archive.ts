import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { moveDurably } from '../core/durable-folder.ts';
import { hasErrorCode } from '../core/errors.ts';
import type { LandedPart } from './landed-part.ts';
import { ArchiveConflictError, type DamagedFileError } from './landing-errors.ts';
import { archivedPartFolder, landingFolder, partFolderOf, quarantineFolder } from './layout.ts';

/**
 * Moves a loaded part to the archive, whole. A kill leaves it in one place or the other.
 * @throws ArchiveConflictError when the archive has a part of that name
 */
export async function archivePart(dataDir: string, part: LandedPart): Promise<void> {
  const target = archivedPartFolder(dataDir, part.record);
  try {
    await moveDurably(part.folder, target);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY') && !hasErrorCode(error, 'EEXIST')) throw error;
    throw conflictError(part, target, { cause: error });
  }
}

/** Why the archive cannot take a part: it has one of that name. Null when it can. */
export async function findArchiveConflict(
  dataDir: string,
  part: LandedPart,
): Promise<ArchiveConflictError | null> {
  const target = archivedPartFolder(dataDir, part.record);
  try {
    return (await readdir(target)).length > 0 ? conflictError(part, target) : null;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Sets damaged files aside under `quarantine/`, so that they are told of once. What was set aside of the same run
 * before is never written over. The caller holds the warehouse's lock.
 * @returns where they are now
 */
export async function quarantine(dataDir: string, damage: DamagedFileError): Promise<string[]> {
  const places = await findFreePlaces(dataDir, damage.files);
  for (const { from, to } of places) await moveDurably(from, to);
  return places.map(({ to }) => to);
}

interface Place {
  readonly from: string;
  readonly to: string;
}

/** All of one damage stays together: in the folder of its run, or in `<run>.2` where a name is taken there, and so on. */
async function findFreePlaces(dataDir: string, files: readonly string[]): Promise<Place[]> {
  for (let nth = 1; ; nth += 1) {
    const places = files.map((from) => ({ from, to: placeInQuarantine(dataDir, from, nth) }));
    const taken = await Promise.all(places.map(({ to }) => exists(to)));
    if (!taken.includes(true)) return places;
  }
}

function placeInQuarantine(dataDir: string, path: string, nth: number): string {
  const part = partFolderOf(dataDir, path);
  const folder = join(quarantineFolder(dataDir), relative(landingFolder(dataDir), part));
  return join(nth === 1 ? folder : `${folder}.${nth}`, relative(part, path));
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function conflictError(part: LandedPart, target: string, options?: ErrorOptions) {
  return new ArchiveConflictError(
    `${part.folder} is loaded, but ${target} is already there; remove one of them`,
    options,
  );
}
