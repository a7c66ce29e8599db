import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readNames } from './existing.ts';

/**
 * Removes what killed processes left half done in a folder. The caller holds the lock of whoever makes files
 * of such names.
 */
export async function removeLeftovers(folder: string, pattern: RegExp): Promise<void> {
  const names = (await readNames(folder)).filter((name) => pattern.test(name));
  for (const name of names) await rm(join(folder, name), { force: true });
}
