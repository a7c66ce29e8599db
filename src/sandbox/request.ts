import type { Context } from 'hono';
import { z } from 'zod';
import { badRequest } from './refusal.ts';

/** A path of the API's description as the router writes it: `/posts/{id}` is `/posts/:id`. */
export function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** What a request says outside of its body, with true and false where the schema takes them. */
export function readFields(context: Context, schema: z.ZodObject): Record<string, unknown> {
  const fields = { ...context.req.query(), ...context.req.param() };
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, typedValue(text, fieldOf(schema, name))]),
  );
}

/** @throws HTTPException 400 when it is not JSON */
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
