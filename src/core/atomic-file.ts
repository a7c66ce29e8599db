import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ensureFolder } from './ensure-folder.ts';

/** Data files are their owner's alone. */
const privateMode = 0o600;

/** For files that are made to be handed on: what the user's umask lets through. */
export const sharedMode = 0o666;

/** Makes a rename inside `folder` survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a whole file or nothing: to a temporary name beside it, fsync, rename, fsync of the folder.
 * Missing folders are made.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  mode = privateMode,
): Promise<void> {
  await ensureFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}
