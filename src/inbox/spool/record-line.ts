import type { EventText } from '../events/read-event.ts';
import { readEvent } from '../events/read-event.ts';
import { UnfitEventError } from '../events/unfit-event-error.ts';
import { closeBrace, lineFeed } from '../json-bytes.ts';
import type { SpooledEvent } from './segment.ts';
import { stampOf } from './stamp.ts';

/** All that stands before the payload, which is last so that its text can be cut out as it is. */
const head =
  /^\{"version":1,"event_key":"([0-9a-f]{64})","received_at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","via":"(http|ingest)","payload":\{/;
/** Longer than any head. */
const headBytes = 256;

/** An event's line in a segment, the line feed included. @throws SpoolUnavailableError when the clock is far off */
export function recordLine(event: EventText, receivedAt: Date, via: SpooledEvent['via']): Buffer {
  const { eventKey, payload } = event;
  const receivedText = stampOf(receivedAt);
  return Buffer.from(
    `{"version":1,"event_key":"${eventKey}","received_at":"${receivedText}","via":"${via}","payload":${payload}}\n`,
  );
}

/** Lines without their line feeds. What stands after the last line feed is the tail. */
export function splitLines(data: Buffer): { lines: Buffer[]; tail: Buffer } {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = data.indexOf(lineFeed); end !== -1; end = data.indexOf(lineFeed, start)) {
    lines.push(data.subarray(start, end));
    start = end + 1;
  }
  return { lines, tail: data.subarray(start) };
}

/** What stands before a line's payload, which is neither read nor held against its key. */
export interface LineHead {
  readonly eventKey: string;
  readonly receivedAt: string;
  readonly payloadBytes: number;
}

/** Null for a line that is no record. */
export function headOfLine(line: Buffer): LineHead | null {
  const found = readHead(line);
  if (found === null) return null;
  const [text, eventKey = '', receivedAt = ''] = found;
  // without the braces of the payload's beginning and of the line's end
  return { eventKey, receivedAt, payloadBytes: line.length - text.length };
}

/** A line's event, or why it is none: what a disk made of a line does not have the key of its payload. */
export function readLine(line: Buffer): SpooledEvent | { readonly reason: string } {
  const found = readHead(line);
  const [text = '', eventKey = '', receivedAt = '', via] = found ?? [];
  if (found === null) return { reason: 'it is not a record of an event' };
  const payload = line.subarray(text.length - 1, -1);
  try {
    const event = readEvent(payload);
    if (event.eventKey !== eventKey) return { reason: 'its key is not the one of its payload' };
    return { eventKey, receivedAt, via: via === 'http' ? via : 'ingest', payload: event.payload };
  } catch (error) {
    if (!(error instanceof UnfitEventError)) throw error;
    return { reason: error.message };
  }
}

function readHead(line: Buffer): RegExpExecArray | null {
  if (line.at(-1) !== closeBrace) return null;
  return head.exec(line.toString('latin1', 0, headBytes));
}
