import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { fieldErrorsOf, type FieldErrors } from '../api/schemas/error.ts';
import { refusals } from '../api/schemas/refusals.ts';

/** A refusal of the API, or one that it does not specify. */
interface Reason {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly message: string;
}

/** What any service says when it has failed itself; the specification says nothing about that. */
export const internalError: Reason = {
  status: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'Internal Server Error',
};

/** An answer in the API's error shape, to be thrown by whatever finds the reason. */
export function refusal({ status, code, message }: Reason, errors?: FieldErrors): HTTPException {
  const body = errors ? { code, message, data: { errors } } : { code, message };
  return new HTTPException(status, { message, res: Response.json(body, { status }) });
}

export function notFound(message: string): HTTPException {
  return refusal(refusals.notFound(message));
}

export function badRequest(errors: FieldErrors): HTTPException {
  return refusal(refusals.badRequest, errors);
}

/** @throws HTTPException 400 that names every field that does not fit */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
): z.output<Schema> {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  throw badRequest(fieldErrorsOf(result.error.issues));
}

/** The body of a control path: it has these fields and no other, and is refused in the API's words. */
export function controlBody<Shape extends z.core.$ZodShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `Unknown field, expected ${names}`
        : `Invalid object, expected one with ${names}`,
  });
}
