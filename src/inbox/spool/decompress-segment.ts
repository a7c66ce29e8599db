import { createGunzip } from 'node:zlib';
import { errorMessage } from '../../core/errors.ts';

/** So much is lost at most before the place of the damage. */
const chunkBytes = 1 << 12;

/**
 * Decompresses a segment. What stands before a damaged place is had all the same: each of its lines is held
 * against its own key.
 */
export async function decompressSegment(
  file: Buffer,
): Promise<{ data: Buffer; problem: string | null }> {
  const chunks: Buffer[] = [];
  const stream = createGunzip({ chunkSize: chunkBytes });
  stream.end(file);
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return { data: Buffer.concat(chunks), problem: null };
  } catch (error) {
    return {
      data: Buffer.concat(chunks),
      problem: `what follows cannot be decompressed: ${errorMessage(error)}`,
    };
  }
}
