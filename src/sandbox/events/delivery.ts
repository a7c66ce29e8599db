import { EventEmitter, once } from 'node:events';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { terminalLine } from '../../core/terminal-text.ts';
import { timeLimit, type TryOutcome, type WebhookReceiver } from './webhook-receiver.ts';

/** An event as it is sent: of a type that the API documents, or whatever a test wants instead. */
export interface SandboxEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One copy of an event on its way to the receiver. */
export interface Delivery {
  readonly id: number;
  readonly event: SandboxEvent;
  /** `webhook-id`: of the event, the same for its copies and for every try. */
  readonly messageId: string;
  /** 0, and 1 and up for what is sent again on purpose. */
  readonly copy: number;
  /** `at` is the machine's time, not the sandbox's. */
  readonly attempts: ({ readonly at: string } & TryOutcome)[];
  /** `kept`: there is no webhook URL to send it to. */
  state: 'kept' | 'pending' | 'delivered' | 'failed';
  isHeld: boolean;
}

/** What all deliveries share. */
export interface DeliveryWays {
  readonly receiver: WebhookReceiver;
  readonly lane: DeliveryLane;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AbortSignal;
}

/** Pauses after the tries that fail; after the last of them comes one more try. */
const pausesMs = [1_000, 5_000, 30_000, 120_000, 600_000] as const;
/** A try waits this long for the answer to the one before it. */
const longestWaitMs = 1_000;

/** @param work must not reject */
export type DeliveryLane = (work: () => Promise<void>) => Promise<void>;

/**
 * Starts tries one after another, so that they arrive in order; a receiver that hangs holds the next
 * one up for a second, no longer.
 */
export function createDeliveryLane(clock: Clock, closing: AbortSignal): DeliveryLane {
  let last: Promise<unknown> = Promise.resolve();
  const waitFor = async (done: Promise<void>) => {
    if (closing.aborted) return;
    const limit = timeLimit(longestWaitMs, clock, closing);
    await Promise.race([done, once(limit.signal, 'abort')]);
    limit.lift();
  };
  return (work) => {
    const done = last.then(work);
    last = last.then(() => waitFor(done));
    return done;
  };
}

/** A delivery under way: it is tried, waits, and is tried again until it is through. */
export class DeliveryRun {
  readonly #delivery: Delivery;
  readonly #ways: DeliveryWays;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #pause: AbortController | null = null;

  constructor(delivery: Delivery, ways: DeliveryWays) {
    this.#delivery = delivery;
    this.#ways = ways;
  }

  /** Ends when the delivery is through, or the sandbox closes. */
  async start(): Promise<void> {
    const { lane, closing } = this.#ways;
    while (this.#isPending() && !closing.aborted) {
      await lane(() => this.#try());
      this.#events.emit('tried');
      if (this.#isPending()) await this.#wait();
    }
    this.#events.emit('tried');
  }

  /** Ends a pause; resolves once the delivery was tried, or the sandbox closes. */
  async hurry(): Promise<void> {
    const tried = once(this.#events, 'tried');
    this.#pause?.abort();
    await tried;
  }

  #isPending(): boolean {
    return this.#delivery.state === 'pending';
  }

  /** How long to wait before the next try; undefined when there is none. */
  get #pauseMs(): number | undefined {
    return pausesMs[this.#delivery.attempts.length - 1];
  }

  async #try(): Promise<void> {
    const { receiver, clock, closing } = this.#ways;
    const { messageId, event, attempts } = this.#delivery;
    const at = clock.now();
    const outcome = await receiver.post({ messageId, at, body: JSON.stringify(event) }, closing);
    if (closing.aborted) return;
    attempts.push({ at: at.toISOString(), ...outcome });
    const isAccepted = 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
    if (isAccepted) this.#delivery.state = 'delivered';
    else if (this.#pauseMs === undefined) this.#delivery.state = 'failed';
    this.#log(outcome);
  }

  /** Until the next try is due, or it is flushed, or the sandbox closes. */
  async #wait(): Promise<void> {
    const { clock, closing } = this.#ways;
    this.#pause = new AbortController();
    const { signal } = this.#pause;
    await clock.sleep(this.#pauseMs ?? 0, AbortSignal.any([signal, closing])).catch(
      // an interruption is a reason to go on, too: start() looks at what is next
      (error: unknown) => {
        if (!signal.aborted && !closing.aborted) throw error;
      },
    );
    this.#pause = null;
  }

  #log(outcome: TryOutcome): void {
    const { event, attempts, state } = this.#delivery;
    const { receiver, log } = this.#ways;
    const fields = {
      type: terminalLine(event.type),
      url: receiver.shownUrl,
      attempt: attempts.length,
      ...outcome,
    };
    if (state === 'delivered') log.info(fields, 'event delivered');
    else if (state === 'failed') log.error(fields, 'event given up');
    else log.warn({ ...fields, retry_in_ms: this.#pauseMs }, 'event not delivered yet');
  }
}
