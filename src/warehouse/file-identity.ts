import { readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { hasErrorCode } from '../core/errors.ts';

/** Changes whenever the file is written or replaced, and is kept by a rename; null when there is none. */
export async function fileIdentity(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * The file itself where the path is a link, so that all that stands beside it has one place, and a rename does
 * not put a file in the link's place. A link may be there before its file.
 */
export async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  const target = await linkTarget(path);
  return target === null ? path : resolveLinks(target);
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    return resolve(dirname(path), await readlink(path));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'EINVAL')) return null;
    throw error;
  }
}
