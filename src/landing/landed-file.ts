import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorMessage, hasErrorCode, isSystemError } from '../core/errors.ts';
import { DamagedFileError, UnreadableFileError } from './landing-errors.ts';

/**
 * The bytes of a landed file.
 * @param files all that belongs to it, told of where it is damaged
 * @throws UnreadableFileError when the machine does not give them, or the file is gone
 * @throws DamagedFileError when a folder stands in its place
 */
export async function readLandedFile(path: string, files: readonly string[]): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasErrorCode(error, 'EISDIR'))
      throw new DamagedFileError(`${path} is a folder`, files, { cause: error });
    throw isSystemError(error) ? new UnreadableFileError(path, error) : error;
  }
}

/**
 * A landed JSON file. What the machine refuses says nothing of what was written: only bytes that were read, and are
 * not those of such a record, are damage.
 * @throws UnreadableFileError
 * @throws DamagedFileError
 */
export async function readRecord<T>(
  path: string,
  schema: z.ZodType<T>,
  files: readonly string[],
): Promise<T> {
  const data = await readLandedFile(path, files);
  try {
    return schema.parse(JSON.parse(decodeText(data)));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : errorMessage(error);
    throw new DamagedFileError(`${path} is damaged: ${reason}`, files, { cause: error });
  }
}

/** @throws TypeError on what is no UTF-8 */
function decodeText(data: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
}
