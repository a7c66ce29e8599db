import { readFile } from 'node:fs/promises';
import { isSystemError, PostledgerError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';

/** A file of the raw store is missing, unreadable or changed. It is left where it is. */
export class DamagedFileError extends PostledgerError {
  readonly code = 'RAW_DAMAGED';
  readonly recovery = 'fix-input';
  readonly path: string;

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path} ${problem}; restore it from a backup`, options);
    this.path = path;
  }
}

/**
 * Reads a file of the raw store.
 * @throws DamagedFileError even if it is only unreadable: other files still load, and the next load tries again
 */
export async function readStoredFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new DamagedFileError(path, `cannot be read: ${problemText(error)}`, { cause: error });
  }
}
