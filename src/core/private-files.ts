import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureFolder, syncFolder } from './atomic-file.ts';

/** The user's umask; the usual one until `keepFilesPrivate` has read it. */
let userMask = 0o022;
let isPrivate = false;

/**
 * From now on, only the user may read files that this process, its libraries or its child processes create.
 * {@link publishFile} and {@link shareFolder} apply the user's own umask.
 */
export function keepFilesPrivate(): void {
  if (isPrivate) return;
  isPrivate = true;
  userMask = process.umask(0o077);
}

/** Moves a finished file to its final place, whole or not at all. Missing folders are created. */
export async function publishFile(from: string, to: string): Promise<void> {
  await shareFolder(dirname(to));
  await shareFile(from);
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Gives a file the permissions that the user's umask allows. */
export async function shareFile(path: string): Promise<void> {
  await chmod(path, 0o666 & ~userMask);
}

/** Creates a folder and those above it with the permissions that the user's umask allows. */
export async function shareFolder(path: string): Promise<void> {
  const topmost = await ensureFolder(path);
  if (topmost === undefined) return;
  for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) {
    await chmod(folder, 0o777 & ~userMask);
  }
}

/** Runs `work` with a private folder inside `parent`, which is removed afterwards. */
export async function withPrivateFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  // mkdtemp creates it with the mode 0700, whatever the umask is.
  const folder = await mkdtemp(join(parent, '.postledger-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
