import { z } from 'zod';
import { errorMessage } from '../core/errors.ts';
import { QueryError } from './warehouse-errors.ts';

/**
 * Has a session tell where in its SQL an error is, to the byte, also in scripts of several statements: the line
 * in DuckDB's own messages counts from the wrong statement there.
 */
export const locateErrors = 'set errors_as_json = true';

const locatedSchema = z.object({
  exception_type: z.string(),
  exception_message: z.string(),
  position: z.coerce.number().int().min(0).optional(),
});

/** What DuckDB threw, with its place where the session tells it. */
export function queryErrorOf(cause: unknown): QueryError {
  if (cause instanceof QueryError) return cause;
  const message = errorMessage(cause);
  const start = message.indexOf('{"exception_type"');
  const located = start === -1 ? null : readLocated(message.slice(start));
  if (located === null) return new QueryError(message, { cause });
  const { exception_type: kind, exception_message: text, position = null } = located;
  return new QueryError(`${kind} Error: ${text.trimEnd()}`, { cause, position });
}

function readLocated(text: string) {
  try {
    return locatedSchema.parse(JSON.parse(text));
  } catch {
    // a message that only looks like it is told as it came
    return null;
  }
}
