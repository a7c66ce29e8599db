import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { fieldErrorsOf, type FieldErrors } from '../api/schemas/error.ts';
import { refusals } from '../api/schemas/refusals.ts';

/** A refusal that the API specifies, or one of the sandbox's own. */
interface Reason {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly message: string;
}

/** The answer to a failure of the service itself, which the specification does not cover. */
export const internalError: Reason = {
  status: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'Internal Server Error',
};

/** Makes an answer in the API's error shape, for the caller to throw. */
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

/** A schema for the body of a control path. It takes these fields and no others, with the API's messages. */
export function controlBody<Shape extends z.core.$ZodShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `Unknown field, expected ${names}`
        : `Invalid object, expected one with ${names}`,
  });
}

/** Reads the path and query parameters of a request. @throws HTTPException 400 when they do not fit */
export function readFields<Schema extends z.ZodObject>(
  context: Context,
  schema: Schema,
): z.output<Schema> {
  const fields = { ...context.req.query(), ...context.req.param() };
  const typed = Object.entries(fields).map(([name, text]) => {
    const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return [name, typedValue(text, field as z.core.$ZodType | undefined)] as const;
  });
  return validate(schema, Object.fromEntries(typed));
}

/** Turns `true` and `false` into booleans where the schema takes these: in a URL everything is text. */
function typedValue(text: string, schema: z.core.$ZodType | undefined): unknown {
  const isWord = text === 'true' || text === 'false';
  if (!isWord || !schema) return text;
  const value = text === 'true';
  return z.safeParse(schema, value).success ? value : text;
}

/** Reads the JSON body of a control path, whatever its content-type, since `curl -d` sends another one. @throws HTTPException 400 */
export async function readJson(context: Context): Promise<unknown> {
  try {
    return await context.req.json();
  } catch {
    throw badRequest({ body: ['the body is not JSON'] });
  }
}

const mostBytes = 1024 * 1024;

export const limitBody = bodyLimit({
  maxSize: mostBytes,
  onError: () => {
    const errors = { body: [`the body is larger than ${mostBytes} bytes`] };
    const response = badRequest(errors).getResponse();
    // the rest of the body is still on its way
    response.headers.set('connection', 'close');
    return response;
  },
});
