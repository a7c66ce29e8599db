import { readdir } from 'node:fs/promises';
import { relative, join } from 'node:path';
import { moveDurably } from '../core/durable-folder.ts';
import { hasErrorCode } from '../core/errors.ts';
import type { LandedPart } from './landed-part.ts';
import { ArchiveConflictError, type DamagedFileError } from './landing-errors.ts';
import { archivedPartFolder, landingFolder, quarantineFolder } from './layout.ts';

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

/** Sets damaged files aside under `quarantine/`, so that they are told of once. @returns where they are now */
export async function quarantine(dataDir: string, damage: DamagedFileError): Promise<string[]> {
  const targets: string[] = [];
  for (const file of damage.files) {
    const target = join(quarantineFolder(dataDir), relative(landingFolder(dataDir), file));
    await moveDurably(file, target);
    targets.push(target);
  }
  return targets;
}

function conflictError(part: LandedPart, target: string, options?: ErrorOptions) {
  return new ArchiveConflictError(
    `${part.folder} is loaded, but ${target} is already there; remove one of them`,
    options,
  );
}
