import { EventEmitter, once } from 'node:events';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { terminalLine } from '../../core/terminal-text.ts';
import type { DeliveryLane } from './delivery-lane.ts';
import type { Delivery } from './delivery.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** What all deliveries share. */
export interface DeliveryWays {
  readonly receiver: WebhookReceiver;
  readonly lane: DeliveryLane;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AbortSignal;
}

/** A delivery under way: it is tried, waits, and is tried again until it is through. */
export class DeliveryRun {
  readonly delivery: Delivery;
  readonly #ways: DeliveryWays;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #body: string;
  #pause: AbortController | null = null;

  constructor(delivery: Delivery, ways: DeliveryWays) {
    this.delivery = delivery;
    this.#ways = ways;
    this.#body = JSON.stringify(delivery.event);
  }

  /** Ends when the delivery is through, or the sandbox closes. */
  async start(): Promise<void> {
    const { lane, closing } = this.#ways;
    while (this.delivery.isPending() && !closing.aborted) {
      await lane.run(() => this.#try());
      this.#events.emit('tried');
      if (this.delivery.isPending()) await this.#wait();
    }
    this.#events.emit('tried');
  }

  /** Ends a pause; resolves once the delivery was tried, or the sandbox closes. */
  async hurry(): Promise<void> {
    const tried = once(this.#events, 'tried');
    this.#pause?.abort();
    await tried;
  }

  async #try(): Promise<void> {
    const { receiver, clock, closing } = this.#ways;
    const at = clock.now();
    const { messageId } = this.delivery;
    const outcome = await receiver.post({ messageId, at, body: this.#body }, closing);
    if (closing.aborted) return;
    this.delivery.recordAttempt(at, outcome);
    this.#report(outcome);
  }

  /** Until the next try is due, or somebody hurries it, or the sandbox closes. */
  async #wait(): Promise<void> {
    const { clock, closing } = this.#ways;
    this.#pause = new AbortController();
    const { signal } = this.#pause;
    await clock.sleep(this.delivery.pauseMs ?? 0, AbortSignal.any([signal, closing])).catch(
      // an interruption is a reason to go on, too: start() looks at what is next
      (error: unknown) => {
        if (!signal.aborted && !closing.aborted) throw error;
      },
    );
    this.#pause = null;
  }

  #report(outcome: object): void {
    const { event, attempts, state, pauseMs } = this.delivery;
    const { receiver, log } = this.#ways;
    const fields = {
      type: terminalLine(event.type),
      url: receiver.shownUrl,
      attempt: attempts.length,
    };
    if (state === 'delivered') log.info({ ...fields, ...outcome }, 'event delivered');
    else if (pauseMs === null) log.error({ ...fields, ...outcome }, 'event given up');
    else log.warn({ ...fields, ...outcome, retry_in_ms: pauseMs }, 'event not delivered yet');
  }
}
