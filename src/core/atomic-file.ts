import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { resolveLinks } from './destination.ts';
import { hasErrorCode, UsageError } from './errors.ts';

/** Only the owner may read and write data files. */
const privateMode = 0o600;

/** The codes with which the file systems of shares and sticks refuse what they do not have. */
const refusals = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EINVAL'];

/** Ignores that a file system has no permissions, or no sync of folders. */
function unlessRefused(error: unknown): void {
  if (!refusals.some((code) => hasErrorCode(error, code))) throw error;
}

/** Sets permissions, unless the file system has none: then its mount decides who may read. */
export async function setMode(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch(unlessRefused);
}

/** Makes a rename inside `folder` survive a power cut, where the file system can. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync().catch(unlessRefused);
  } finally {
    await handle.close();
  }
}

/**
 * Gives a finished file its name, unless another file has it.
 * @throws UsageError on a file system without hard links, where nothing else does this whole or not at all
 */
export async function linkFile(draft: string, path: string): Promise<void> {
  await link(draft, path).catch((cause: unknown) => {
    unlessRefused(cause);
    const { code } = cause as NodeJS.ErrnoException;
    throw new UsageError(
      `the file system of ${dirname(path)} has no hard links (${code}), which data_dir and the warehouse need; name another disk, or a share that has them`,
      { cause },
    );
  });
}

/** Makes what was written to a file survive a power cut. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a whole file or nothing: it writes and syncs a temporary file, renames it and syncs the folder.
 * Missing folders are created.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  await placeFile(path, data);
  await syncFolder(dirname(path));
}

/**
 * Does the same, but does not sync the folder. After a power cut the file may be gone.
 * @param publish gives the finished file its name; {@link linkFile} fails if another has it
 */
export async function placeFile(
  path: string,
  data: string | Uint8Array,
  publish: (draft: string, path: string) => Promise<void> = rename,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await createPrivate(temporary);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await publish(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function createPrivate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', privateMode);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    await ensureFolder(dirname(path));
    return await open(path, 'wx', privateMode);
  }
}

/** Creates a folder and those above it, so that they survive a power cut. */
export async function makeFolder(path: string): Promise<void> {
  const target = await resolveLinks(path);
  const firstMade = await ensureFolder(target);
  if (firstMade === undefined) return;
  for (let folder = target; folder.length >= firstMade.length; folder = dirname(folder)) {
    await syncFolder(dirname(folder));
  }
}

/**
 * Creates a folder and those above it. Node's recursive mkdir reports ENOENT whatever the reason of a failure is,
 * such as a full or a read-only disk. A link to a folder that is not there yet is followed.
 * @returns the topmost folder that was created, or undefined if all of them existed
 */
export async function ensureFolder(path: string): Promise<string | undefined> {
  try {
    await mkdir(path);
    return path;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) {
      const target = await resolveLinks(path);
      if (!existsSync(target)) return await ensureFolder(target);
      if ((await stat(target)).isDirectory()) return undefined;
    }
    if (!hasErrorCode(error, 'ENOENT') || dirname(path) === path) throw error;
  }
  const topmost = await ensureFolder(dirname(path));
  const made = await ensureFolder(path);
  return topmost ?? made;
}
