import { gunzipSync } from 'node:zlib';
import type { Clock } from '../core/clock.ts';
import { errorMessage, InterruptedError, PostledgerError } from '../core/errors.ts';
import { EventNotStoredError, storeEvent } from '../store/event-store.ts';
import { InvalidEventError, maxEventBytes, readEventText, type EventText } from './event-text.ts';

/** What is not an event, and where in the input it is. */
interface RejectedText {
  /** From 1. */
  readonly line: number;
  /** Which of its array's elements it is, from 1; null where the input is no array. */
  readonly element: number | null;
  readonly reason: string;
}

export interface IngestReport {
  readonly stored: number;
  /** Stored before, or twice in the input. */
  readonly duplicate: number;
  /** In the input's order. */
  readonly rejected: readonly RejectedText[];
  /** Whether the last line is cut off: it is no JSON, and has no line feed. */
  readonly isCutOff: boolean;
}

/** The input could not be read, or storing came to an end before the input did. */
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
}

/** Stored at the same time, so that the disk can sync them together. */
const groupSize = 32;
const lineFeed = 0x0a;
const remedy = 'ingest the same input again, events that are stored count once';

/**
 * Stores every event of an input: one JSON object, an array of them, or one object a line (NDJSON); plain
 * or compressed with gzip. What is not an event is reported and does not affect the others.
 * @throws IngestError for a damaged archive, or when the disk takes no more, saying how much is stored
 * @throws InterruptedError which says how much is stored
 */
export async function ingestEvents(input: Buffer, options: IngestOptions): Promise<IngestReport> {
  const bytes = unpack(input);
  const counts = { stored: 0, duplicate: 0 };
  const rejected: RejectedText[] = [];
  const texts = splitDocument(bytes) ?? splitLines(bytes);
  for (let start = 0; start < texts.length; start += groupSize) {
    const events = texts
      .slice(start, start + groupSize)
      .flatMap((text) => readOrReject(text, rejected));
    await storeAll(events, options, counts);
  }
  const isCutOff = bytes.at(-1) !== lineFeed && rejected.at(-1)?.reason === notJson;
  return { ...counts, rejected, isCutOff };
}

const notJson = 'body: is not JSON';

function unpack(input: Buffer): Buffer {
  if (input[0] !== 0x1f || input[1] !== 0x8b) return input;
  try {
    return gunzipSync(input);
  } catch (cause) {
    throw new IngestError(
      `the gzip archive cannot be read (${errorMessage(cause)}); nothing of it is stored`,
      { cause },
    );
  }
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

/** The events of a JSON document; null where the input is none. */
function splitDocument(bytes: Buffer): readonly InputText[] | null {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  try {
    const isArray = Array.isArray(JSON.parse(text));
    return isArray ? splitArray(text) : [{ bytes, line: 1, element: null }];
  } catch {
    return null;
  }
}

/**
 * The texts of an array's elements as they are: values that are parsed and written again lose digits of large
 * numbers.
 * @param text JSON that is known to be an array
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
      elements.push({ bytes, line: startLine, element: elements.length + 1 });
    }
    if (token === '\n') line += 1;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    const isStart = depth === 1 && (token === ',' || token === '[');
    // line feeds before an element belong to none
    const isBlank = token === '\n' && text.slice(start, index).trim() === '';
    if (isStart || isBlank) [start, startLine] = [index + 1, line];
  }
  return elements;
}

/** Lines without blank ones. */
function splitLines(bytes: Buffer): readonly InputText[] {
  const lines: InputText[] = [];
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found === -1 ? bytes.length : found;
    const text = bytes.subarray(start, end);
    if (text.some((byte) => byte > 0x20)) lines.push({ bytes: text, line, element: null });
    start = end + 1;
  }
  return lines;
}
