import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Clock } from '../core/clock.ts';
import { errorMessage, InterruptedError, PostledgerError } from '../core/errors.ts';
import { EventNotStoredError, storeEvent } from '../store/event-store.ts';
import { InvalidEventError, maxEventBytes, readEventText, type EventText } from './event-text.ts';

/** A text of the input that is not an event. */
interface RejectedText {
  /** The line number, from 1. */
  readonly line: number;
  /** The position in the array, from 1; null if the input is not an array. */
  readonly element: number | null;
  readonly reason: string;
}

export interface IngestReport {
  readonly stored: number;
  /** The number of events that were stored before, or occur twice in the input. */
  readonly duplicate: number;
  /** The rejected texts, in the order of the input. */
  readonly rejected: readonly RejectedText[];
  /** True if the last line is cut off, that is, not JSON and without a line feed. */
  readonly isCutOff: boolean;
}

/** The input could not be read, or storing failed before its end. */
export class IngestError extends PostledgerError {
  readonly code = 'INGEST_FAILED';
  readonly recovery = 'fix-input';
}

interface IngestOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface InputText {
  readonly bytes: Buffer;
  readonly line: number;
  readonly element: number | null;
  /** False for a last line without its line feed. */
  readonly isEnded: boolean;
}

/** The number of events stored at the same time, so that the disk can sync them together. */
const groupSize = 32;
const lineFeed = 0x0a;
const remedy = 'ingest the same input again; events that are already stored count once';
/** The maximum size of an array, which is read as a whole. */
const maxArrayBytes = 64 * 1024 * 1024;
/** The number of rejected texts at which ingestion stops, since such an input is not a list of events. */
const maxRejected = 100_000;

/**
 * Stores every event of an input, which is one JSON object, an array of them, or one object per line (NDJSON), plain
 * or gzipped. Lines are streamed, so there may be any number of them. A text that is not an event is reported and
 * does not affect the others.
 * @throws IngestError with the number of stored events, for a damaged archive, for an array that is too large, or
 * when an event cannot be written
 * @throws InterruptedError with the number of stored events
 */
export async function ingestEvents(
  input: AsyncIterable<Uint8Array>,
  options: IngestOptions,
): Promise<IngestReport> {
  const counts = { stored: 0, duplicate: 0 };
  const rejected: RejectedText[] = [];
  let isCutOff = false;
  let group: EventText[] = [];
  const storeGroup = async () => {
    await storeAll(group, options, counts);
    group = [];
  };
  try {
    for await (const text of readTexts(unpack(input))) {
      const events = readOrReject(text, rejected);
      isCutOff = events.length === 0 && !text.isEnded && rejected.at(-1)?.reason === notJson;
      group.push(...events);
      if (group.length === groupSize) await storeGroup();
      if (rejected.length === maxRejected)
        throw new InputError(`${maxRejected} lines of the input are not events`);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    await storeGroup();
    throw new IngestError(`${error.message}; ${counts.stored} events before that are stored`, {
      cause: error,
    });
  }
  await storeGroup();
  return { ...counts, rejected, isCutOff };
}

const notJson = 'body: is not JSON';

class InputError extends Error {}

/** Yields the input, decompressed if it begins with the gzip magic number. */
async function* unpack(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunks = input[Symbol.asyncIterator]();
  const head = await readHead(chunks, 2);
  const whole = joined(head, chunks);
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* whole;
    return;
  }
  const source = Readable.from(whole);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new InputError(`the gzip archive cannot be read (${errorMessage(cause)})`, { cause });
  }
}

/** Reads at least `bytes` bytes, or fewer if the input ends. */
async function readHead(chunks: AsyncIterator<Uint8Array>, bytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < bytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    parts.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(parts);
}

async function* joined(head: Buffer, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
    yield Buffer.from(next.value);
}

/** Yields the texts of the input that may be events. A text that is longer than an event may be is cut. */
async function* readTexts(input: AsyncIterable<Buffer>): AsyncGenerator<InputText> {
  const chunks = input[Symbol.asyncIterator]();
  const start = await readHead(chunks, maxEventBytes + 1);
  const isArray = /^\ufeff?\s*\[/.test(start.toString('utf8', 0, 1000));
  const limit = isArray ? maxArrayBytes : maxEventBytes;
  const head = Buffer.concat([start, await readHead(chunks, limit + 1 - start.length)]);
  if (head.length <= limit) {
    const texts = splitDocument(head);
    if (texts) {
      yield* texts;
      return;
    }
  } else if (isArray) {
    throw new InputError(
      `the input is an array of more than ${maxArrayBytes / 1024 / 1024} MiB, decompressed; write one event per line instead (jq -c '.[]')`,
    );
  }
  yield* splitLines(joined(head, chunks));
}

function readOrReject(
  { bytes, line, element }: InputText,
  rejected: RejectedText[],
): readonly EventText[] {
  const reason = bytes.length > maxEventBytes ? `body: has more than ${maxEventBytes} bytes` : null;
  try {
    if (reason === null) return [readEventText(bytes)];
    rejected.push({ line, element, reason });
  } catch (error) {
    if (!(error instanceof InvalidEventError)) throw error;
    rejected.push({ line, element, reason: error.message });
  }
  return [];
}

async function storeAll(
  events: readonly EventText[],
  { dataDir, clock, signal }: IngestOptions,
  counts: { stored: number; duplicate: number },
): Promise<void> {
  if (signal.aborted) {
    throw new InterruptedError(`stopped with ${counts.stored} events stored; ${remedy}`);
  }
  const receivedAt = clock.now();
  const outcomes = await Promise.allSettled(
    events.map((event) => storeEvent(dataDir, { ...event, receivedAt, via: 'ingest' })),
  );
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') counts[outcome.value] += 1;
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failure) return;
  const cause: unknown = failure.reason;
  if (!(cause instanceof EventNotStoredError)) throw cause;
  throw new IngestError(
    `stopped with ${counts.stored} events stored: ${cause.message}; then ${remedy}`,
    { cause },
  );
}

/** Returns the texts of a JSON document, or null if the input is not one. */
function splitDocument(bytes: Buffer): readonly InputText[] | null {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  try {
    const isArray = Array.isArray(JSON.parse(text));
    return isArray ? splitArray(text) : [{ bytes, line: 1, element: null, isEnded: true }];
  } catch {
    return null;
  }
}

/**
 * Returns the unchanged texts of an array's elements. Parsing and serialising them would lose digits of large
 * numbers.
 * @param text valid JSON of an array
 */
function splitArray(text: string): readonly InputText[] {
  const elements: InputText[] = [];
  let line = 1;
  let depth = 0;
  let start = 0;
  let startLine = 1;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},\n]/g)) {
    const isEnd = depth === 1 && (token === ',' || token === ']');
    if (isEnd && text.slice(start, index).trim() !== '') {
      const bytes = Buffer.from(text.slice(start, index).trim());
      elements.push({ bytes, line: startLine, element: elements.length + 1, isEnded: true });
    }
    if (token === '\n') line += 1;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    const isStart = depth === 1 && (token === ',' || token === '[');
    // Line feeds before an element do not belong to it.
    const isBlank = token === '\n' && text.slice(start, index).trim() === '';
    if (isStart || isBlank) [start, startLine] = [index + 1, line];
  }
  return elements;
}

/** Yields the lines that are not blank. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputText> {
  let parts: Buffer[] = [];
  let line = 1;
  const textOf = (isEnded: boolean): InputText[] => {
    const bytes = Buffer.concat(parts);
    parts = [];
    return bytes.some((byte) => byte > 0x20) ? [{ bytes, line, element: null, isEnded }] : [];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(parts, chunk.subarray(start, end));
      yield* textOf(true);
      line += 1;
      start = end + 1;
    }
    add(parts, chunk.subarray(start));
  }
  yield* textOf(false);
}

/** Adds a part of a line, but only as much as shows that the line is too long for an event. */
function add(parts: Buffer[], part: Buffer): void {
  const length = parts.reduce((sum, { length: bytes }) => sum + bytes, 0);
  if (length <= maxEventBytes) parts.push(part.subarray(0, maxEventBytes + 1 - length));
}
