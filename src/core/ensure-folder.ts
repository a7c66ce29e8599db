import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from './errors.ts';

/**
 * Makes a folder and those above it. Node's own recursive mkdir says ENOENT for whatever keeps it from making
 * one, such as a full disk or one that is read-only.
 * @returns the topmost folder that was made; undefined when all were there
 */
export async function ensureFolder(path: string): Promise<string | undefined> {
  try {
    await mkdir(path);
    return path;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST') && (await stat(path)).isDirectory()) return undefined;
    if (!hasErrorCode(error, 'ENOENT') || dirname(path) === path) throw error;
  }
  const topmost = await ensureFolder(dirname(path));
  const made = await ensureFolder(path);
  return topmost ?? made;
}
