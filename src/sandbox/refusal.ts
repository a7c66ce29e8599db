import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import { refusals } from '../api/schemas/refusals.ts';

/** A field's name to what is wrong with it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

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
  // a map, as a field can be called `constructor`
  const errors = new Map<string, string[]>();
  for (const issue of result.error.issues) {
    for (const name of fieldsOf(issue)) {
      errors.set(name, [...(errors.get(name) ?? []), issue.message]);
    }
  }
  throw badRequest(Object.fromEntries(errors));
}

/** The fields that an issue is about; `body` where it is about the whole. */
function fieldsOf(issue: z.core.$ZodIssue): string[] {
  const paths =
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key])
      : [issue.path];
  return paths.map((path) => path.join('.') || 'body');
}
