import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';

/** The content coding that this program asks for and understands; every service has it. */
export const acceptedEncoding = 'gzip';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The body is larger than its reader allows. */
export class BodyLimitError extends Error {}

/**
 * Reads a whole body, decodes its content coding and drops a byte order mark. Neither the encoded nor the decoded
 * body is kept beyond `maxBytes`.
 * @throws BodyLimitError, or the error of the stream or the decoder
 */
export async function readBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collector = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      chunks.push(chunk);
      done(bytes > maxBytes ? new BodyLimitError() : null);
    },
  });
  await pipeline([body, ...decodersOf(encoding), collector]);
  return withoutMark(Buffer.concat(chunks, bytes));
}

/** A byte order mark is not part of JSON and may be ignored (RFC 8259, section 8.1). */
function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(byteOrderMark) ? body.subarray(3) : body;
}

function decodersOf(encoding: string): Gunzip[] {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return [];
  if (name === acceptedEncoding) return [createGunzip()];
  throw new Error(`content coding ${JSON.stringify(name)} was not asked for`);
}
