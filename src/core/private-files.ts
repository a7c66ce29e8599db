import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ensureFolder, setMode, syncFolder } from './atomic-file.ts';
import { systemClock } from './clock.ts';
import { destinationOf, resolveLinks, writeToStream } from './destination.ts';
import { hasErrorCode, isSystemError } from './errors.ts';
import { acquireLock, readLockHolder, removeDeadLock } from './lock.ts';

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

interface OutputOptions {
  readonly signal?: AbortSignal;
  /** The permissions; by default those that the user's umask allows. */
  readonly mode?: number;
}

/**
 * Writes a file for people where they named it: whole or not at all, or into a device or a pipe. Missing folders are
 * created, links are followed.
 * @param make writes the file that it is given, and may return something of it
 */
export async function writeOutput<T>(
  path: string,
  make: (draft: string) => Promise<T>,
  options: OutputOptions = {},
): Promise<T> {
  const to = await destinationOf(path);
  const folder = to.isStream ? tmpdir() : dirname(to.path);
  await shareFolder(folder);
  return withPrivateFolder(folder, async (own) => {
    const draft = join(own, 'output');
    const made = await make(draft);
    await publishFile(draft, path, options);
    return made;
  });
}

/** Moves a finished file to where {@link writeOutput} would write it. */
export async function publishFile(
  from: string,
  to: string,
  options: OutputOptions = {},
): Promise<void> {
  const { path, isStream } = await destinationOf(to);
  if (isStream) return writeToStream(from, path, options.signal);
  await shareFolder(dirname(path));
  await setMode(from, options.mode ?? 0o666 & ~userMask);
  await rename(from, path).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EXDEV')) throw error;
    // a link has led to another disk
    return writeOutput(path, (draft) => writeFile(draft, createReadStream(from)), options);
  });
  await syncFolder(dirname(path));
}

/**
 * Moves a finished folder from a private one to its final place beside that, where the one before it is removed. If the
 * process is killed in between, the next one puts that back.
 */
export async function publishFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const mode = entry.isDirectory() ? 0o777 : 0o666;
    await setMode(join(entry.parentPath, entry.name), mode & ~userMask);
  }
  await setMode(from, 0o777 & ~userMask);
  await shareFolder(dirname(to));
  const before = join(dirname(from), `${basename(to)}${beforeSuffix}`);
  await rename(to, before).catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  });
  await rename(from, to);
  await syncFolder(dirname(to));
  await rm(before, { recursive: true, force: true });
}

/** The end of the name of a folder that is being replaced, in the private folder. */
const beforeSuffix = '.before';

/** Gives a file the permissions that the user's umask allows. */
export async function shareFile(path: string): Promise<void> {
  await setMode(path, 0o666 & ~userMask);
}

/** Creates a folder and those above it with the permissions that the user's umask allows. */
export async function shareFolder(path: string): Promise<void> {
  const target = await resolveLinks(path);
  const topmost = await ensureFolder(target);
  if (topmost === undefined) return;
  for (let folder = target; folder.length >= topmost.length; folder = dirname(folder)) {
    await setMode(folder, 0o777 & ~userMask);
  }
}

/** A folder that only this process uses. The caller removes it. */
export interface PrivateFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes a private folder inside `parent`. A lock beside it says that its process lives, so that the next process removes
 * what a killed one left.
 */
export async function makePrivateFolder(parent: string): Promise<PrivateFolder> {
  await removeLeftFolders(parent);
  const path = join(parent, `.postledger-${randomBytes(8).toString('hex')}`);
  const purpose = `writing to ${path}`;
  const options = { purpose, waitMs: 0, clock: systemClock, isOwnName: true };
  const lock = await acquireLock(`${path}.lock`, options);
  const remove = async () => {
    await rm(path, { recursive: true, force: true });
    await lock.release();
  };
  try {
    await mkdir(path, { mode: 0o700 });
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Runs `work` with a private folder inside `parent`, which is removed afterwards. */
export async function withPrivateFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await makePrivateFolder(parent);
  try {
    return await work(folder.path);
  } finally {
    await folder.remove();
  }
}

const privateName = /^\.postledger-[0-9a-f]{16}$/;
const lockName = /^\.postledger-[0-9a-f]{16}\.lock(?:\.[0-9a-f]{16})?$/;

/**
 * Removes the private folders of killed processes in `parent`.
 * @param depth the number of levels of folders within `parent` that are examined, too
 */
export async function removeLeftFolders(parent: string, depth = 0): Promise<void> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(parent, entry.name);
    if (lockName.test(entry.name)) await removeDeadLock(path);
    else if (privateName.test(entry.name)) await removeLeftFolder(path);
    else if (depth > 0 && entry.isDirectory()) await removeLeftFolders(path, depth - 1);
  }
}

/** Removes a private folder without a live lock. One of another user is left. */
async function removeLeftFolder(folder: string): Promise<void> {
  try {
    if ((await readLockHolder(`${folder}.lock`)) !== null) return;
    for (const name of (await readdir(folder)).filter((each) => each.endsWith(beforeSuffix))) {
      // it was killed before the folder that was to take this one's place had it
      const to = join(dirname(folder), basename(name, beforeSuffix));
      if (!existsSync(to)) await rename(join(folder, name), to);
    }
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
