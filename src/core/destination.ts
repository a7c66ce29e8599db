import { constants, createReadStream, createWriteStream, existsSync, open } from 'node:fs';
import { readlink, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { systemClock } from './clock.ts';
import { exitCodes, hasErrorCode, InterruptedError, PostledgerError } from './errors.ts';

/** What a path leads to, which need not be there yet. */
interface Destination {
  /** The path without links. */
  readonly path: string;
  /** True for a device, a pipe or an open file such as /dev/stdout: it is written to, and nothing takes its place. */
  readonly isStream: boolean;
}

/** A link leads into a folder that is missing. */
class LinkError extends PostledgerError {
  readonly code = 'LINK';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
}

/** Matches the folder of a process's open files, to which /dev/fd and /dev/stdout lead. */
const openFiles = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/fd$/;

/**
 * Follows the links of a path, also those whose target is not there yet.
 * @throws LinkError when the folder of a link's target is missing, as on a disk that is not mounted
 */
export async function destinationOf(path: string): Promise<Destination> {
  const parent = dirname(path);
  if (parent === path) return { path, isStream: false };
  const { path: folder } = await destinationOf(parent);
  const place = join(folder, basename(path));
  const found = await statOf(place);
  const isSpecial = found !== null && !found.isFile() && !found.isDirectory();
  if (openFiles.test(folder) || isSpecial) return { path: place, isStream: true };
  const link = await readlink(place).catch(() => null);
  if (link === null) return { path: place, isStream: false };
  const target = resolve(folder, link);
  if (found === null && (await statOf(dirname(target))) === null) {
    throw new LinkError(
      `${place} is a link to ${target}, whose folder is missing; mount its disk, or correct the link`,
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
  if ((await stat(path)).isFIFO()) {
    // a write that blocks a thread could not be stopped, so a pipe is written as a socket is
    return new Socket({ fd: await openPipe(path, signal), readable: false });
  }
  // what was inherited shares its place in the file with the process that opened it
  const inherited = /^(.*)\/(\d+)$/.exec(path);
  return inherited?.[1] === `/proc/${process.pid}/fd`
    ? createWriteStream('', { fd: Number(inherited[2]), autoClose: false })
    : createWriteStream(path, { flags: 'a' });
}

const openFile = promisify(open);
const pipePauseMs = 100;

/** Waits until the pipe has a reader. */
async function openPipe(path: string, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    try {
      return await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (!hasErrorCode(error, 'ENXIO')) throw error;
      await systemClock.sleep(pipePauseMs, signal);
    }
  }
}
