import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../core/errors.ts';
import { otherName } from './segment-name.ts';

/**
 * Renames a segment's file without replacing another one: where the name is taken by a file that differs, as
 * after somebody restored an older copy, it gets a name of its own. The caller syncs the folders.
 */
export async function placeSegment(path: string, folder: string, name: string): Promise<void> {
  const isTaken = await differs(path, join(folder, name));
  await rename(path, join(folder, isTaken ? otherName(name) : name));
}

async function differs(path: string, target: string): Promise<boolean> {
  try {
    return !(await readFile(target)).equals(await readFile(path));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}
