import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './atomic-file.ts';
import { ensureFolder } from './ensure-folder.ts';

/** Makes a folder and those above it, so that they survive a power cut. */
export async function makeFolder(path: string): Promise<void> {
  const firstMade = await ensureFolder(path);
  if (firstMade === undefined) return;
  for (let folder = path; folder.length >= firstMade.length; folder = dirname(folder)) {
    await syncFolder(dirname(folder));
  }
}

/** Moves a file or folder so that it is in one of the two places at any time, also after a power cut. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await rename(from, to);
  await syncFolder(dirname(to));
  await syncFolder(dirname(from));
}
