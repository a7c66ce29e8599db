import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { badRequest } from './refusal.ts';

/** A path of the API's description as the router writes it: `/posts/{id}` is `/posts/:id`. */
export function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** What a request says outside of its body, with true and false where the schema takes them. */
export function readFields(context: Context, schema: z.ZodObject): Record<string, unknown> {
  const repeated = Object.entries(context.req.queries()).filter(([, values]) => values.length > 1);
  if (repeated.length > 0) {
    throw badRequest(
      Object.fromEntries(repeated.map(([name]) => [name, ['given more than once']])),
    );
  }
  const fields = { ...context.req.query(), ...context.req.param() };
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, typedValue(text, fieldOf(schema, name))]),
  );
}

/** Of an operation of the API. @throws HTTPException 400 when it is not JSON, or does not say so */
export async function readJsonBody(context: Context): Promise<unknown> {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    throw badRequest({ body: ['the content-type must be application/json'] });
  }
  return readJson(context);
}

/** Of a control path, where a shell may leave the content-type to its tool. @throws HTTPException 400 */
export async function readJson(context: Context): Promise<unknown> {
  try {
    return await context.req.json();
  } catch {
    throw badRequest({ body: ['the body is not JSON'] });
  }
}

function fieldOf(schema: z.ZodObject, name: string): z.core.$ZodType | undefined {
  return Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.core.$ZodType) : undefined;
}

/** Everything is text in a URL. */
function typedValue(text: string, schema: z.core.$ZodType | undefined): unknown {
  const isWord = text === 'true' || text === 'false';
  if (!isWord || !schema) return text;
  const value = text === 'true';
  return z.safeParse(schema, value).success ? value : text;
}

const mostBytes = 1024 * 1024;
/** A client that still sends sees no answer, so somewhat more is taken off its hands. */
const mostReadBytes = 64 * mostBytes;

interface BodyEnvironment {
  readonly Variables: { isBodyTooLarge: boolean };
}

/** Reads the body, for whoever comes next; of one of more than 1 MiB nothing is kept. */
export const takeBody: MiddlewareHandler<BodyEnvironment> = async (context, next) => {
  const { raw } = context.req;
  if (raw.body) {
    const body = await readBody(raw.body);
    context.set('isBodyTooLarge', body === null);
    context.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body });
  }
  await next();
};

/** Answers 400 where `takeBody` found more than it keeps. */
export const refuseLargeBody: MiddlewareHandler<BodyEnvironment> = async (context, next) => {
  if (context.get('isBodyTooLarge')) {
    throw badRequest({ body: [`the body is larger than ${mostBytes} bytes`] });
  }
  await next();
};

/** @returns null when there is too much */
async function readBody(stream: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
    if (bytes > mostReadBytes) break;
  }
  return bytes > mostBytes ? null : Buffer.concat(chunks);
}
