import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, type Gunzip } from 'node:zlib';

/** The content codings that this program asks for and understands. */
export const acceptedEncodings = 'gzip, deflate, br';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The body is larger than its reader allows. */
export class BodyLimitError extends Error {}

/**
 * Reads a whole body, decodes its content codings and drops a byte order mark. Neither the encoded nor the decoded
 * body is kept beyond `maxBytes`.
 * @throws BodyLimitError, or the error of the stream or the decoder
 */
export async function readBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
): Promise<Buffer> {
  const decoders = contentDecoders(encoding);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collector = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      chunks.push(chunk);
      done(bytes > maxBytes ? new BodyLimitError() : null);
    },
  });
  await pipeline([body, ...decoders, collector]);
  return withoutMark(Buffer.concat(chunks, bytes));
}

/** A byte order mark is not part of JSON and may be ignored (RFC 8259, section 8.1). */
function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(byteOrderMark) ? body.subarray(3) : body;
}

/** Codings are listed in the order in which they were applied (RFC 9110, section 8.4). */
function contentDecoders(encoding: string): Gunzip[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return names
    .filter((name) => name !== '' && name !== 'identity')
    .reverse()
    .map(contentDecoder);
}

function contentDecoder(name: string): Gunzip {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'deflate') return createInflate();
  if (name === 'br') return createBrotliDecompress();
  throw new Error(`content coding ${JSON.stringify(name)} was not asked for`);
}
