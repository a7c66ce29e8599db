import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fieldErrorsOf } from '../../api/schemas/error.ts';
import { webhookEventSchema } from '../../api/schemas/events.ts';
import { readIsoTime } from '../../core/iso-time.ts';
import { shownValue } from '../../core/shown-value.ts';
import { readJsonObject } from './json-text.ts';
import { UnfitEventError } from './unfit-event-error.ts';

/** An event as it came, known to be one. */
export interface EventText {
  /** SHA-256 of its canonical JSON, lower-case hex: one for all copies of an event, however they are written. */
  readonly eventKey: string;
  readonly type: string;
  /** Its JSON on one line, numbers and escapes to the letter. */
  readonly payload: string;
}

const expectedTime = expected('an ISO 8601 time such as 2026-01-15T12:00:00Z');
/** Times are read more generously than the API's own: an event is not refused for how its sender writes them. */
const envelopeSchema = webhookEventSchema.extend({
  type: z.string(expected('text')).min(1, expected('text that is not empty')),
  data: z.looseObject({}, expected('an object')),
  createdAt: z.string(expectedTime).refine((written) => readIsoTime(written), expectedTime),
});
const byteOrderMark = '\ufeff';

/**
 * Reads an event from its bytes: UTF-8 JSON with what every event has. Whether it fits its type is not asked.
 * @throws UnfitEventError
 */
export function readEvent(body: Uint8Array): EventText {
  const { compact, canonical, members } = readJsonObject(decode(body));
  const type = readEnvelope(members);
  const eventKey = createHash('sha256').update(canonical).digest('hex');
  return { eventKey, type, payload: compact };
}

function decode(body: Uint8Array): string {
  if (!isUtf8(body)) throw new UnfitEventError({ body: ['is not UTF-8'] });
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** @returns the type */
function readEnvelope(members: ReadonlyMap<string, string>): string {
  const outcome = envelopeSchema.safeParse({
    type: valueOf(members.get('type')),
    data: valueOf(members.get('data')),
    createdAt: valueOf(members.get('createdAt')),
  });
  if (!outcome.success) throw new UnfitEventError(fieldErrorsOf(outcome.error.issues));
  return outcome.data.type;
}

/** What is wrong with a field, for the people who write senders. */
function expected(what: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? 'missing' : `expected ${what}, got ${shownValue(input)}`,
  };
}

/** Of objects and arrays only what they are: the envelope does not look inside. */
function valueOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (text.startsWith('{')) return {};
  return text.startsWith('[') ? [] : JSON.parse(text);
}
