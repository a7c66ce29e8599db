import { readFile } from 'node:fs/promises';
import { errorMessage, hasErrorCode } from './errors.ts';

/** Reads a file of text in UTF-8. The error of any other file is for {@link textProblem}. */
export async function readText(path: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
}

/**
 * Says why a file could not be read as text, as a clause that follows its path.
 * @param remedy what to do if the file does not exist
 */
export function textProblem(
  error: unknown,
  remedy = 'write it, or correct its path in jobs.yaml',
): string {
  if (hasErrorCode(error, 'ENOENT')) return `does not exist; ${remedy}`;
  if (hasErrorCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA'))
    return 'is not text in UTF-8; save it in that encoding';
  return `cannot be read: ${errorMessage(error)}`;
}
