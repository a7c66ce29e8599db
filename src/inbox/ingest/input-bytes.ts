import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorMessage, hasErrorCode, UsageError } from '../../core/errors.ts';
import { getItWhole, IngestInputError } from './ingest-errors.ts';

/** Bytes of a text in UTF-8, without a byte order mark. */
export type InputBytes = AsyncIterable<Uint8Array>;

const chunkBytes = 1 << 18;
/** Enough to tell what kind of file it is. */
const headBytes = 4;

const marks = {
  utf8: Buffer.from([0xef, 0xbb, 0xbf]),
  utf16: [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])],
  gzip: Buffer.from([0x1f, 0x8b]),
};

/** @throws UsageError when there is no such file, or it cannot be opened */
export async function openFile(path: string, signal: AbortSignal): Promise<InputBytes> {
  const found = await stat(path).catch((error: unknown) => {
    const reason = hasErrorCode(error, 'ENOENT') ? 'does not exist' : errorMessage(error);
    throw new UsageError(
      `${path} cannot be read: it ${reason}; name a file of events, or - for standard input`,
      { cause: error },
    );
  });
  if (found.isDirectory()) throw new UsageError(`${path} is a folder; name a file of events`);
  return createReadStream(path, { highWaterMark: chunkBytes, signal });
}

/**
 * The text of a file as it is or compressed with gzip, which its first bytes tell.
 * @param name for messages
 * @throws IngestInputError while it is read: for UTF-16, a damaged archive, a disk that fails
 */
export async function* readText(source: InputBytes, name: string): InputBytes {
  try {
    const { head, rest } = await readHead(source);
    if (startsWith(head, marks.gzip)) yield* withoutMark(await readHead(gunzip(rest)), name);
    else yield* withoutMark({ head, rest }, name);
  } catch (error) {
    if (error instanceof IngestInputError) throw error;
    throw new IngestInputError(
      `${name} could be read in part only: ${errorMessage(error)}; ${getItWhole}`,
      { cause: error },
    );
  }
}

interface Begun {
  readonly head: Buffer;
  /** All of it, the head too. */
  readonly rest: InputBytes;
}

async function readHead(source: InputBytes): Promise<Begun> {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < headBytes) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, rest: after(head, iterator) };
}

async function* after(head: Buffer, iterator: AsyncIterator<Uint8Array>): InputBytes {
  yield head;
  yield* { [Symbol.asyncIterator]: () => iterator };
}

async function* withoutMark({ head, rest }: Begun, name: string): InputBytes {
  if (marks.utf16.some((mark) => startsWith(head, mark))) {
    throw new IngestInputError(`${name} is text in UTF-16; save it in UTF-8`);
  }
  let skip = startsWith(head, marks.utf8) ? marks.utf8.length : 0;
  for await (const chunk of rest) {
    yield chunk.subarray(skip);
    skip = 0;
  }
}

function gunzip(source: InputBytes): InputBytes {
  // the error comes out of the stream itself, too
  return pipeline(source, createGunzip({ chunkSize: chunkBytes }), () => undefined);
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}
