import type { Clock } from '../../core/clock.ts';

const mostPieces = 25;

/** A body that comes in pieces with pauses between them, `totalMs` in all. */
export function drippingBody(
  bytes: Uint8Array,
  totalMs: number,
  clock: Clock,
): ReadableStream<Uint8Array> {
  const size = Math.ceil(bytes.length / mostPieces);
  const pauseMs = totalMs / Math.ceil(bytes.length / size);
  const left = new AbortController();
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + size));
      sent += size;
      await clock.sleep(pauseMs, left.signal);
      if (sent >= bytes.length) controller.close();
    },
    // the client has gone, or the sandbox closes
    cancel: () => left.abort(),
  });
}
