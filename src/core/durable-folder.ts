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
