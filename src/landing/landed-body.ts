import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { errorMessage } from '../core/errors.ts';
import { readLandedFile } from './landed-file.ts';
import type { LandedResponse } from './landed-part.ts';
import { DamagedFileError } from './landing-errors.ts';

const decompress = promisify(gunzip);

/**
 * A response's body, decompressed and as it was sent; empty where none was kept, or it was pruned.
 * @throws DamagedFileError when its length or SHA-256 is not the manifest's
 * @throws UnreadableFileError
 */
export async function readBody(response: LandedResponse): Promise<Buffer> {
  const { manifest, bodyPath, manifestPath } = response;
  if (!manifest.body || bodyPath === null) return Buffer.alloc(0);
  const files = [bodyPath, manifestPath];
  const body = await decompressBody(await readLandedFile(bodyPath, files), response, files);
  const sha256 = createHash('sha256').update(body).digest('hex');
  if (body.byteLength === manifest.body.bytes && sha256 === manifest.body.sha256) return body;
  throw new DamagedFileError(`${bodyPath} is not the body that its manifest tells of`, files);
}

async function decompressBody(
  data: Buffer,
  { manifest, bodyPath }: LandedResponse,
  files: string[],
): Promise<Buffer> {
  try {
    return await decompress(data, { maxOutputLength: (manifest.body?.bytes ?? 0) + 1 });
  } catch (error) {
    const reason = errorMessage(error);
    throw new DamagedFileError(`${bodyPath ?? ''} cannot be decompressed: ${reason}`, files, {
      cause: error,
    });
  }
}
