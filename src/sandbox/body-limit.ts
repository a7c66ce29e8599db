import type { MiddlewareHandler } from 'hono';
import { badRequest } from './refusal.ts';

const mostBytes = 1024 * 1024;
/** A client that still sends sees no answer, so somewhat more is taken off its hands. */
const mostReadBytes = 64 * mostBytes;

/** Answers 400 to a body of more than 1 MiB, none of which is kept. */
export const limitBody: MiddlewareHandler = async (context, next) => {
  const { raw } = context.req;
  if (raw.body) {
    const body = await readBody(raw.body);
    if (body === null) {
      throw badRequest({ body: [`the body is larger than ${mostBytes} bytes`] });
    }
    context.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body });
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
