import { constants, createReadStream, createWriteStream, existsSync, openSync } from 'node:fs';
import { readlink, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock } from './clock.ts';
import { hasErrorCode, InterruptedError, UsageError } from './errors.ts';

/** What a path leads to, which need not be there yet. */
interface Destination {
  /** The path without links. */
  readonly path: string;
  /** True for a device, a pipe or an open file such as /dev/stdout: it is written to, and nothing takes its place. */
  readonly isStream: boolean;
}

/** Matches the folder of a process's open files, to which /dev/fd and /dev/stdout lead. */
const openFiles = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/fd$/;

/**
 * Follows the links of a path, also those whose target is not there yet.
 * @throws UsageError when the folder of a link's target is missing, as on a disk that is not mounted
 */
export async function destinationOf(path: string): Promise<Destination> {
  const parent = dirname(path);
  if (parent === path) return { path, isStream: false };
  const { path: folder } = await destinationOf(parent);
  const resolved = join(folder, basename(path));
  const found = await statOf(resolved);
  const isSpecial = found !== null && !found.isFile() && !found.isDirectory();
  if (openFiles.test(folder) || isSpecial) return { path: resolved, isStream: true };
  const link = await readlink(resolved).catch(() => null);
  if (link === null) return { path: resolved, isStream: false };
  const target = resolve(folder, link);
  if (found === null && (await statOf(dirname(target))) === null) {
    throw new UsageError(
      `${resolved} is a link to ${target}, whose folder is missing; mount its disk, or correct the link`,
    );
  }
  return destinationOf(target);
}

/** Returns the path without its links, so that a rename takes the place of a file and not of a link. */
export async function resolveLinks(path: string): Promise<string> {
  return (await destinationOf(path)).path;
}

/** Returns the nearest folder that exists: the path or one above it, from which files can be moved there by rename. */
export function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

const { O_WRONLY, O_NONBLOCK } = constants;
const pipePauseMs = 100;

/**
 * Writes a file's content to a device, a pipe or an open file. A reader that closes its pipe early has enough.
 * @throws InterruptedError when the signal aborts first
 */
export async function writeToStream(
  from: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const target = await openStream(path, signal);
  try {
    await pipeline(createReadStream(from), target, { ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted)
      throw new InterruptedError(`stopped while writing to ${path}`, { cause: error });
    if (!hasErrorCode(error, 'EPIPE')) throw error;
  }
}

async function openStream(path: string, signal: AbortSignal | undefined): Promise<Writable> {
  const inherited = Number(path.replace(`/proc/${process.pid}/fd/`, ''));
  for (;;) {
    try {
      // a write that blocks a thread could not be stopped, so a pipe is written as a socket is
      if ((await stat(path)).isFIFO())
        return new Socket({ fd: openSync(path, O_WRONLY | O_NONBLOCK), readable: false });
      // what was inherited shares its position in the file with the process that opened it
      if (inherited) return createWriteStream('', { fd: inherited, autoClose: false });
      return createWriteStream(path, { flags: 'a' });
    } catch (error) {
      // the pipe has no reader yet
      if (!hasErrorCode(error, 'ENXIO')) throw error;
      await systemClock.sleep(pipePauseMs, signal);
    }
  }
}
