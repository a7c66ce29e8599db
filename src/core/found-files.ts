import { readFile, readdir } from 'node:fs/promises';
import { hasErrorCode } from './errors.ts';

/** Lists the sorted names in a folder that end in the suffix. There are none if there is no such folder. */
export async function namesIn(folder: string, suffix = ''): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(suffix)).sort();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

/** Returns the text of a file; null if there is no such file. */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
