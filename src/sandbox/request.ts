import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
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

/** What a request says outside of its body. @throws HTTPException 400 when it does not fit */
export function readFields<Schema extends z.ZodObject>(
  context: Context,
  schema: Schema,
): z.output<Schema> {
  const repeated = Object.entries(context.req.queries()).filter(([, values]) => values.length > 1);
  if (repeated.length > 0) {
    const errors = repeated.map(([name]) => [name, ['given more than once']] as const);
    throw badRequest(Object.fromEntries(errors));
  }
  const fields = { ...context.req.query(), ...context.req.param() };
  const typed = Object.entries(fields).map(([name, text]) => {
    const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return [name, typedValue(text, field as z.core.$ZodType | undefined)] as const;
  });
  return validate(schema, Object.fromEntries(typed));
}

/** Everything is text in a URL: true and false where the schema takes them. */
function typedValue(text: string, schema: z.core.$ZodType | undefined): unknown {
  const isWord = text === 'true' || text === 'false';
  if (!isWord || !schema) return text;
  const value = text === 'true';
  return z.safeParse(schema, value).success ? value : text;
}

/** Of a control path, where a shell may leave the content-type to its tool. @throws HTTPException 400 */
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
