import { Writable, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The content coding that this program asks for; every service has it. */
export const acceptedEncoding = 'gzip';

/** What Node can decode, for services and proxies that send a coding that was not asked for. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The body is larger than its reader allows. */
export class BodyLimitError extends Error {}

/** The body does not have the content coding that its header names, or has one that cannot be decoded. */
export class BodyCodingError extends Error {}

/**
 * Reads a whole body, decodes its content codings and drops a byte order mark. Neither the encoded nor the decoded
 * body is kept beyond `maxBytes`.
 * @param encoding the header: names of codings in the order in which they were applied
 * @throws BodyLimitError, BodyCodingError, or the error of the stream
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
  await pipeline([body, ...decodersOf(encoding), collector]).catch((error: unknown) => {
    throw isWrongCoding(error)
      ? new BodyCodingError(`the answer is not ${JSON.stringify(encoding)}, as its header says`)
      : error;
  });
  return withoutMark(Buffer.concat(chunks, bytes));
}

/** A body that ends too early has the code Z_BUF_ERROR: it was cut. */
function isWrongCoding(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'Z_DATA_ERROR' || (code.startsWith('ERR_') && code.includes('BROTLI'));
}

/** A byte order mark is not part of JSON and may be ignored (RFC 8259, section 8.1). */
function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(byteOrderMark) ? body.subarray(3) : body;
}

/** @throws BodyCodingError */
function decodersOf(encoding: string): Transform[] {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  return names
    .filter((name) => name !== '' && name !== 'identity')
    .reverse()
    .map((name) => {
      const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
      if (decoder) return decoder();
      throw new BodyCodingError(
        `the answer has the content coding ${JSON.stringify(name)}, and ${acceptedEncoding} was asked for`,
      );
    });
}
