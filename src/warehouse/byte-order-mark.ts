import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Writes the file again, behind a UTF-8 byte order mark, without holding it in memory. */
export async function putMarkFirst(path: string): Promise<void> {
  const marked = `${path}.${randomUUID()}.marked`;
  try {
    await pipeline(afterMark(path), createWriteStream(marked));
    await rename(marked, path);
  } finally {
    await rm(marked, { force: true });
  }
}

async function* afterMark(path: string): AsyncGenerator<Buffer> {
  yield Buffer.from('\ufeff');
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}
