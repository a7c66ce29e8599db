import { fieldErrorsOf, type FieldErrors } from '../api/schemas/error.ts';
import { webhookEventSchema } from '../api/schemas/events.ts';
import { lenient } from '../api/schemas/lenient-schema.ts';
import { PostledgerError } from '../core/errors.ts';
import { eventKey } from '../store/event-store.ts';

export const maxEventBytes = 1_048_576;
/** The maximum nesting; deeper values could exhaust the stack of recursive functions. */
const maxDepth = 100;

/** A text that is known to be an event. */
export interface EventText {
  readonly key: string;
  readonly type: string;
  /** The unchanged JSON text, without a byte order mark. */
  readonly bodyText: string;
}

/** The text that was sent is not an event. */
export class InvalidEventError extends PostledgerError {
  readonly code = 'EVENT_INVALID';
  readonly recovery = 'fix-input';
  /** Errors by field of the event; errors of the whole are under `body`. */
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors, options?: ErrorOptions) {
    const reasons = Object.entries(errors).map(([field, found]) => `${field}: ${found.join(', ')}`);
    super(reasons.join('; '), options);
    this.errors = errors;
  }
}

const eventSchema = lenient(webhookEventSchema, ['type', 'data', 'createdAt']);

/**
 * Reads an event: a JSON object in UTF-8 with `type`, `data` and `createdAt`. The load checks whether its content
 * fits its type, since a later version may know more types.
 * @throws InvalidEventError
 */
export function readEventText(bytes: Uint8Array): EventText {
  const bodyText = decode(bytes);
  const body = parseJson(bodyText);
  if (isNestedDeeper(body, maxDepth)) {
    throw new InvalidEventError({ body: [`is nested more than ${maxDepth} deep`] });
  }
  const outcome = eventSchema.safeParse(body);
  if (!outcome.success) throw new InvalidEventError(fieldErrorsOf(outcome.error.issues));
  return { key: keyOf(body), type: outcome.data.type ?? '', bodyText };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidEventError({ body: ['is not UTF-8'] }, { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The message of JSON.parse quotes the text, so it is not repeated here.
    throw new InvalidEventError({ body: ['is not JSON'] }, { cause });
  }
}

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}

function keyOf(body: unknown): string {
  try {
    return eventKey(body);
  } catch (cause) {
    throw new InvalidEventError({ body: ['has a number beyond the range of a double'] }, { cause });
  }
}
