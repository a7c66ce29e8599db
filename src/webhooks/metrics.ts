import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const prefix = 'postledger_webhook_';
const storeSecondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The metrics of the receiver, for Prometheus. */
export class ReceiverMetrics {
  readonly registry = new Registry();
  readonly requests = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests answered, by status.',
    labelNames: ['status'],
    registers: [this.registry],
  });
  readonly events = new Counter({
    name: `${prefix}events_total`,
    help: 'POST requests to /webhooks by outcome: stored, duplicate or refused.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly storeSeconds = new Histogram({
    name: `${prefix}store_seconds`,
    help: 'Time to put an event on disk.',
    buckets: storeSecondsBuckets,
    registers: [this.registry],
  });
  readonly lastEventAt = new Gauge({
    name: `${prefix}last_event_timestamp_seconds`,
    help: 'When the last event was stored; 0 before the first.',
    registers: [this.registry],
  });
  readonly failing = new Gauge({
    name: `${prefix}failing`,
    help: '1 after an event could not be stored, until the next one is.',
    registers: [this.registry],
  });

  constructor() {
    for (const outcome of ['stored', 'duplicate', 'refused']) this.events.inc({ outcome }, 0);
    collectDefaultMetrics({ register: this.registry, prefix: 'postledger_' });
    // gauges with the names of counters; those by type, without `_total`, have the same figures
    for (const what of ['handles', 'requests', 'resources'])
      this.registry.removeSingleMetric(`postledger_nodejs_active_${what}_total`);
  }
}
