import type { MiddlewareHandler } from 'hono';
import { badRequest } from './refusal.ts';

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
