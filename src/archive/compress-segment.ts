import { createHash, randomUUID, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { isCompressedName } from '../inbox/spool/segment-name.ts';
import { writeAll } from '../inbox/spool/write-all.ts';

type Chunks = AsyncIterable<Buffer>;

/** Bytes on their way, of however large a file. */
class Passing {
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  async *pass(source: Chunks): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.#add(chunk);
      yield chunk;
    }
  }

  async end(source: Chunks): Promise<void> {
    for await (const chunk of source) this.#add(chunk);
  }

  /** Once all have passed. */
  digest(): MeasuredFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  #add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }
}

export interface MeasuredFile {
  readonly bytes: number;
  readonly sha256: string;
}

export interface MeasuredSegment {
  /** Its NDJSON. */
  readonly plain: MeasuredFile;
  /** The file that this is in, compressed or not. */
  readonly file: MeasuredFile;
}

export interface CompressedSegment extends MeasuredSegment {
  /** Beside the place where it belongs, synced. */
  readonly temporary: string;
}

/** What a kill leaves of a segment that was being compressed. */
export const unfinishedSegment = /\.ndjson\.gz\.[0-9a-f-]+\.tmp$/;

/** Compresses a segment's file to a temporary name beside `target`, in little memory. */
export async function compressSegment(path: string, target: string): Promise<CompressedSegment> {
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      const measured = await compressTo(handle, path);
      await handle.sync();
      return { temporary, ...measured };
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The NDJSON of an archived segment, and the file that it is in, in little memory. */
export async function measureSegment(path: string): Promise<MeasuredSegment> {
  if (!isCompressedName(path)) {
    const measured = await measureFile(path);
    return { plain: measured, file: measured };
  }
  const [plain, file] = [new Passing(), new Passing()];
  await pipeline(
    createReadStream(path),
    (data: Chunks) => file.pass(data),
    createGunzip(),
    (data: Chunks) => plain.end(data),
  );
  return { plain: plain.digest(), file: file.digest() };
}

export async function measureFile(path: string): Promise<MeasuredFile> {
  const file = new Passing();
  await pipeline(createReadStream(path), (data: Chunks) => file.end(data));
  return file.digest();
}

async function compressTo(handle: FileHandle, path: string): Promise<MeasuredSegment> {
  const [plain, file] = [new Passing(), new Passing()];
  await pipeline(
    createReadStream(path),
    (data: Chunks) => plain.pass(data),
    createGzip(),
    (data: Chunks) => file.pass(data),
    (data: Chunks) => writeChunks(handle, data),
  );
  return { plain: plain.digest(), file: file.digest() };
}

async function writeChunks(handle: FileHandle, source: Chunks): Promise<void> {
  let position = 0;
  for await (const chunk of source) {
    await writeAll(handle, chunk, position);
    position += chunk.length;
  }
}
