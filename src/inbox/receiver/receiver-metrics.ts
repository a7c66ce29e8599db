import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Clock } from '../../core/clock.ts';
import type { StoreOutcome } from '../spool/group-queue.ts';

const prefix = 'postledger_';

/** From a fast disk's sync to the longest that a sender waits. */
const storeSecondsBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];
const groupEventsBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** Read anew for each scrape. */
export interface Gauges {
  readonly queued: { readonly events: number; readonly bytes: number };
  readonly backlog: { readonly events: number; readonly bytes: number; readonly segments: number };
  readonly isFailing: boolean;
  /** Null where the system does not tell. */
  readonly diskFreeBytes: number | null;
}

/** What the receiver counts, in the text format of Prometheus. */
export class ReceiverMetrics {
  readonly #registry = new Registry();
  readonly #clock: Clock;
  readonly #requests = new Counter({
    name: `${prefix}webhook_requests_total`,
    help: 'Requests answered, by status.',
    labelNames: ['status'],
    registers: [this.#registry],
  });
  readonly #events = new Counter({
    name: `${prefix}webhook_events_total`,
    help: 'What became of what was sent to /webhooks: stored, duplicate or refused.',
    labelNames: ['outcome'],
    registers: [this.#registry],
  });
  readonly #refusedConnections = new Counter({
    name: `${prefix}webhook_refused_connections_total`,
    help: 'Connections closed for the sake of others.',
    registers: [this.#registry],
  });
  readonly #storeSeconds = new Histogram({
    name: `${prefix}webhook_store_seconds`,
    help: 'From an event that is whole to its being on disk.',
    buckets: storeSecondsBuckets,
    registers: [this.#registry],
  });
  readonly #groupEvents = new Histogram({
    name: `${prefix}webhook_group_events`,
    help: 'Events that were written to disk together.',
    buckets: groupEventsBuckets,
    registers: [this.#registry],
  });
  readonly #lastEventAt = new Gauge({
    name: `${prefix}webhook_last_event_timestamp_seconds`,
    help: 'When the last event was stored; 0 before the first.',
    registers: [this.#registry],
  });

  #storedNow = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    for (const outcome of ['stored', 'duplicate', 'refused']) this.#events.inc({ outcome }, 0);
  }

  answered(status: number): void {
    this.#requests.inc({ status });
  }

  refused(): void {
    this.#events.inc({ outcome: 'refused' });
  }

  connectionRefused(): void {
    this.#refusedConnections.inc();
  }

  event(outcome: StoreOutcome, storeMs: number): void {
    this.#events.inc({ outcome });
    this.#storeSeconds.observe(storeMs / 1000);
    if (outcome !== 'stored') return;
    this.#lastEventAt.set(this.#clock.now().getTime() / 1000);
    this.#countInGroup();
  }

  /** Events of one group are on disk at one moment, so they are told of in one turn of the event loop. */
  #countInGroup(): void {
    this.#storedNow += 1;
    if (this.#storedNow > 1) return;
    setImmediate(() => {
      this.#groupEvents.observe(this.#storedNow);
      this.#storedNow = 0;
    });
  }

  /** Adds what is read at each scrape: the gauges, and figures of this process. */
  observe(readGauges: () => Promise<Gauges>): void {
    const reading = sharedReading(readGauges);
    for (const [name, help, valueOf] of gaugeTable) {
      const gauge: Gauge = new Gauge({
        name: `${prefix}${name}`,
        help,
        registers: [this.#registry],
        collect: async () => {
          const value = valueOf(await reading());
          if (value === null) gauge.reset();
          else gauge.set(value);
        },
      });
    }
    collectDefaultMetrics({ register: this.#registry, prefix });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text of a scrape. */
  expose(): Promise<string> {
    return this.#registry.metrics();
  }
}

const gaugeTable: readonly (readonly [string, string, (gauges: Gauges) => number | null])[] = [
  ['webhook_queue_events', 'Events that wait to be written.', (gauges) => gauges.queued.events],
  ['webhook_queue_bytes', 'Bytes that wait to be written.', (gauges) => gauges.queued.bytes],
  ['inbox_backlog_events', 'Events that no load has taken in.', (gauges) => gauges.backlog.events],
  ['inbox_backlog_bytes', 'Bytes that no load has taken in.', (gauges) => gauges.backlog.bytes],
  ['inbox_backlog_segments', 'Files of the backlog.', (gauges) => gauges.backlog.segments],
  ['inbox_failing', '1 while events cannot be stored.', (gauges) => Number(gauges.isFailing)],
  ['inbox_disk_free_bytes', "Free on the inbox's disk.", (gauges) => gauges.diskFreeBytes],
];

/** One reading for all gauges of a scrape: they are collected at once. */
function sharedReading<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<Value> | null = null;
  return () => {
    current ??= read().finally(() => {
      current = null;
    });
    return current;
  };
}
