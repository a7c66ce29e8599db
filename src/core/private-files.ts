import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureFolder, syncFolder } from './atomic-file.ts';

/** As usual, until it is known. */
let usersMask = 0o022;
let isKept = false;

/**
 * From here on, what this process and those that it starts make is its user's alone, also what a library makes;
 * {@link publishFile} and {@link shareFolder} give what the user's own umask gives.
 */
export function keepFilesPrivate(): void {
  if (isKept) return;
  isKept = true;
  usersMask = process.umask(0o077);
}

/** Moves a finished file to where its user wants it, whole or not at all. Missing folders are made. */
export async function publishFile(from: string, to: string): Promise<void> {
  await shareFolder(dirname(to));
  await shareFile(from);
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Gives a file that was made here the rights that its user's files have. */
export async function shareFile(path: string): Promise<void> {
  await chmod(path, 0o666 & ~usersMask);
}

/** Makes a folder and those above it as its user would. */
export async function shareFolder(path: string): Promise<void> {
  const topmost = await ensureFolder(path);
  if (topmost === undefined) return;
  for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) {
    await chmod(folder, 0o777 & ~usersMask);
  }
}

/** Lets `work` use a folder inside `parent` of its own, which is removed afterwards. */
export async function withPrivateFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  // its mode is 0700 whatever the umask
  const folder = await mkdtemp(join(parent, '.postledger-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
