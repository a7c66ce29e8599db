import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { terminalLine } from '../../core/terminal-text.ts';
import { randomFor, sample } from '../made-up/random.ts';
import {
  createDeliveryLane,
  DeliveryRun,
  type Delivery,
  type DeliveryWays,
  type SandboxEvent,
} from './delivery.ts';
import {
  timeLimit,
  WebhookReceiver,
  type TimeLimit,
  type WebhookAddress,
} from './webhook-receiver.ts';

/** Standing settings: what a receiver has to cope with. */
interface DeliverySettings {
  /** How many more times each event is sent. */
  readonly duplicates: number;
  /** Collects events for two seconds and sends them in another order. */
  readonly reorder: boolean;
  /** Sends nothing until it is lifted. */
  readonly hold: boolean;
}

interface EventSenderParts {
  readonly seed: number;
  /** Where to; null keeps events without sending them. */
  readonly webhook: WebhookAddress | null;
  /** The machine's: pauses and time-outs are real ones, whatever time it is in the sandbox. */
  readonly clock: Clock;
  readonly log: Log;
}

const collectingMs = 2_000;
/** Of these, the oldest that are through are forgotten. */
const mostDeliveries = 10_000;

/** Sends the sandbox's events to a webhook, and remembers what became of each. */
export class EventSender {
  /** Without its query, which may hold a secret; null when events are only kept. */
  readonly webhookUrl: string | null;
  readonly #seed: number;
  readonly #ways: DeliveryWays | null;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #closing = new AbortController();
  readonly #runs = new Set<DeliveryRun>();
  #settings: DeliverySettings = { duplicates: 0, reorder: false, hold: false };
  #deliveries: Delivery[] = [];
  #waiting: Delivery[] = [];
  #collecting: TimeLimit | null = null;
  #lastId = 0;
  #batches = 0;
  #messages = 0;

  constructor({ seed, webhook, clock, log }: EventSenderParts) {
    this.#seed = seed;
    this.#clock = clock;
    this.#log = log;
    const closing = this.#closing.signal;
    const receiver = webhook && new WebhookReceiver(webhook, clock);
    const lane = createDeliveryLane(clock, closing);
    this.#ways = receiver && { receiver, lane, clock, log, closing };
    this.webhookUrl = receiver?.shownUrl ?? null;
  }

  get settings(): DeliverySettings {
    return this.#settings;
  }

  /** In the order in which the events came; of what is long through, the last ten thousand. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  /** Queues the event, and its duplicates after it. */
  send(event: SandboxEvent): readonly Delivery[] {
    const { duplicates, hold, reorder } = this.#settings;
    this.#log.info({ type: terminalLine(event.type) }, 'event');
    const messageId = this.#nextMessageId(event);
    const copies = Array.from({ length: duplicates + 1 }, (_, copy): Delivery => {
      this.#lastId += 1;
      const state = this.#ways ? 'pending' : 'kept';
      const isHeld = this.#ways !== null;
      return { id: this.#lastId, event, messageId, copy, attempts: [], state, isHeld };
    });
    for (const delivery of copies) this.#queue(delivery);
    if (!hold && reorder) this.#collect();
    else if (!hold) this.#release(false);
    return copies;
  }

  /** Changes what is given; what was held back goes as soon as nothing holds it any more. */
  configure(change: Partial<DeliverySettings>): void {
    const wasReordering = this.#settings.reorder;
    this.#settings = { ...this.#settings, ...change };
    if (!this.#settings.hold) this.#release(wasReordering || this.#settings.reorder);
  }

  /**
   * Sends now what is collected for another order or waits for its next try; what `hold` keeps stays.
   * Resolves when each was tried once.
   */
  async flush(): Promise<void> {
    if (!this.#settings.hold) this.#release(this.#settings.reorder);
    await Promise.all([...this.#runs].map((run) => run.hurry()));
  }

  /** Stops everything at once; what is still pending is lost. */
  close(): void {
    this.#closing.abort();
  }

  /** Follows from the seed, the event and how many came before it. */
  #nextMessageId(event: SandboxEvent): string {
    const number = (this.#messages += 1);
    const source = JSON.stringify([this.#seed, number, event]);
    return `msg_${createHash('sha256').update(source).digest('hex').slice(0, 24)}`;
  }

  #queue(delivery: Delivery): void {
    this.#deliveries.push(delivery);
    this.#forgetOldest();
    if (this.#ways) this.#waiting.push(delivery);
  }

  #forgetOldest(): void {
    if (this.#deliveries.length <= mostDeliveries) return;
    const oldest = this.#deliveries.findIndex(({ state }) => state !== 'pending');
    if (oldest !== -1) this.#deliveries.splice(oldest, 1);
  }

  #collect(): void {
    if (this.#collecting) return;
    this.#collecting = timeLimit(collectingMs, this.#clock, this.#closing.signal);
    this.#collecting.signal.addEventListener('abort', () => {
      this.#collecting = null;
      if (!this.#settings.hold) this.#release(true);
    });
  }

  #release(isReordered: boolean): void {
    this.#collecting?.lift();
    this.#collecting = null;
    const batch = this.#waiting;
    this.#waiting = [];
    const order = isReordered ? inAnotherOrder(batch, this.#seed, (this.#batches += 1)) : batch;
    for (const delivery of order) void this.#start(delivery);
  }

  async #start(delivery: Delivery): Promise<void> {
    delivery.isHeld = false;
    if (!this.#ways) return;
    const run = new DeliveryRun(delivery, this.#ways);
    this.#runs.add(run);
    await run.start();
    this.#runs.delete(run);
  }
}

/**
 * Which order follows from the seed. Copies of an event count as one: where there are two events, they
 * change places.
 */
function inAnotherOrder(batch: readonly Delivery[], seed: number, number: number): Delivery[] {
  const shuffled = sample(batch, batch.length, randomFor(seed, 'order of deliveries', number));
  const isSame = shuffled.every(({ event }, index) => event === batch[index]?.event);
  if (!isSame) return shuffled;
  const isFirst = ({ event }: Delivery) => event === batch[0]?.event;
  return [...shuffled.filter((delivery) => !isFirst(delivery)), ...shuffled.filter(isFirst)];
}
