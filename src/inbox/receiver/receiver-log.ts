import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { terminalLine } from '../../core/terminal-text.ts';
import type { StoreOutcome } from '../spool/group-queue.ts';
import { LineQuota } from './line-quota.ts';

export interface RefusedLine {
  /** Null where there was nobody left to answer. */
  readonly status: number | null;
  /** Null where nothing of the request could be read. */
  readonly method: string | null;
  /** Without its query. */
  readonly path: string | null;
  readonly address: string;
  /** Of the body, as far as they came or were announced. */
  readonly bytes: number;
  readonly reason: string;
}

const secondMs = 1_000;
const minuteMs = 60_000;
const longestText = 120;
/** Enough to find the event by: `webhooks list` takes the beginning of a key. */
const keyDigits = 12;

/** One line for each request, as long as a log can bear it; what others sent is made safe to print. */
export class ReceiverLog {
  readonly #log: Log;
  readonly #quotas: Record<StoreOutcome | 'refused' | 'heldBack', LineQuota>;
  readonly #closing = new AbortController();

  constructor(log: Log, clock: Clock, linesPerSecond: number) {
    const { signal } = this.#closing;
    const second = { clock, signal, lines: linesPerSecond, periodMs: secondMs };
    const minute = { clock, signal, lines: 0, periodMs: minuteMs };
    this.#log = log;
    this.#quotas = {
      stored: new LineQuota({
        ...second,
        sumUp: (more) => log.info({}, `${more} more events stored`),
      }),
      duplicate: new LineQuota({
        ...second,
        sumUp: (more) => log.info({}, `${more} more duplicates`),
      }),
      refused: new LineQuota({
        ...second,
        sumUp: (more) => log.warn({}, `${more} more requests refused`),
      }),
      heldBack: new LineQuota({
        ...minute,
        sumUp: (more) => log.warn({ status: 429 }, `${more} more failed authentications`),
      }),
    };
  }

  event(outcome: StoreOutcome, event: { readonly type: string; readonly eventKey: string }): void {
    if (!this.#quotas[outcome].take()) return;
    const fields = { type: safeText(event.type), key: event.eventKey.slice(0, keyDigits) };
    this.#log.info(fields, outcome === 'stored' ? 'event stored' : 'duplicate');
  }

  refused(line: RefusedLine): void {
    if (!this.#quotas.refused.take()) return;
    const { status, method, path, address, bytes, reason } = line;
    const place =
      method === null ? {} : { request: safeText(`${method} ${shownPath(path ?? '')}`) };
    this.#log.warn({ status, ...place, address, bytes, reason: safeText(reason) }, 'refused');
  }

  /** A failed authentication of an address that has had too many: summed up once a minute. */
  heldBack(): void {
    this.#quotas.heldBack.take();
  }

  /** A connection that the system could not give. */
  notTaken(error: Error): void {
    if (!this.#quotas.refused.take()) return;
    this.#log.warn({ reason: safeText(error.message) }, 'a connection could not be taken');
  }

  /** A bug of ours. */
  failed(error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.#log.error({ stack }, 'the receiver failed on a request; this is a bug in postledger');
  }

  /** Writes what is not summed up yet. */
  async close(): Promise<void> {
    this.#closing.abort();
    // the sums are written when their sleepers wake
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** An address that was put together wrongly may have a token in its path. */
function shownPath(path: string): string {
  return path.replaceAll(/[^/]{13,}/g, '…');
}

function safeText(text: string): string {
  const line = terminalLine(text.slice(0, longestText));
  return text.length > longestText ? `${line}…` : line;
}
