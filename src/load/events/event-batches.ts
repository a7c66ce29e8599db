import type { EventCopy } from './judge-event.ts';

/** Payloads of one batch are about as large as this at most; one event alone may be larger. */
const batchBytes = 16 * 1024 * 1024;

/** Gathers events into batches that are merged together. */
export async function* batchEvents(
  sources: AsyncIterable<readonly EventCopy[]>,
): AsyncGenerator<EventCopy[]> {
  let batch: EventCopy[] = [];
  let bytes = 0;
  for await (const events of sources) {
    for (const event of events) {
      if (bytes > 0 && bytes + event.payload.length > batchBytes) {
        yield batch;
        batch = [];
        bytes = 0;
      }
      batch.push(event);
      bytes += event.payload.length;
    }
  }
  if (batch.length > 0) yield batch;
}
