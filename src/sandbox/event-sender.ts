import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../core/clock.ts';
import { errorMessage } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { packageVersion } from '../core/package-version.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { randomFor, sample } from './made-up/random.ts';

/** An event as it is sent. Its type is one of the API's, or any other that a test wants. */
export interface SandboxEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The receiver of events. */
export interface WebhookAddress {
  readonly url: URL;
  /** The token is sent as a bearer token unless `tokenHeader` is given, and is never shown. */
  readonly token: string | null;
  /** The header that carries the bare token instead of `authorization`. */
  readonly tokenHeader?: string | null;
  /** A secret `whsec_…` with which deliveries are signed as Standard Webhooks specifies. It is never shown. */
  readonly signingSecret?: string | null;
}

/** The status of the answer to one attempt, or the reason why there was none. */
type AttemptOutcome = { readonly status: number } | { readonly error: string };

/** One copy of an event on its way to the receiver. */
export interface Delivery {
  readonly id: number;
  readonly event: SandboxEvent;
  /** The header `webhook-id`, which is the same for all copies of an event and for every attempt. */
  readonly messageId: string;
  /** The number of the copy. The first is 0; later ones are sent on purpose. */
  readonly copy: number;
  /** `at` is the machine's time, not the sandbox's. */
  readonly attempts: ({ readonly at: string } & AttemptOutcome)[];
  /** The state is `kept` when there is no webhook URL to send the event to. */
  state: 'kept' | 'pending' | 'delivered' | 'failed';
  isHeld: boolean;
}

/** The settings for all later deliveries, which test how a receiver copes. */
interface DeliverySettings {
  /** The number of further copies of each event. */
  readonly duplicates: number;
  /** Collects events for two seconds and sends them in another order. */
  readonly reorder: boolean;
  /** Sends nothing while it is true. */
  readonly hold: boolean;
}

interface EventSenderOptions {
  readonly seed: number;
  /** The receiver; null keeps events without sending them. */
  readonly webhook: WebhookAddress | null;
  /** The machine's clock: pauses and time-outs are real ones, whatever time it is in the sandbox. */
  readonly clock: Clock;
  readonly log: Log;
}

const collectingMs = 2_000;
const timeoutMs = 10_000;
/** The pauses after failed attempts. One more attempt follows the last pause. */
const pausesMs = [1_000, 5_000, 30_000, 120_000, 600_000] as const;

/** Sends the sandbox's events to a webhook one after another, and records the outcome of each. */
export class EventSender {
  /** The address without its query, which may hold a secret; null when events are only kept. */
  readonly webhookUrl: string | null;
  /** All deliveries in the order of their events. */
  readonly deliveries: Delivery[] = [];
  readonly #options: EventSenderOptions;
  readonly #closing = new AbortController();
  /** Emits the id of a delivery after each attempt. */
  readonly #tried = new EventEmitter().setMaxListeners(0);
  readonly #underWay = new Set<Delivery>();
  #settings: DeliverySettings = { duplicates: 0, reorder: false, hold: false };
  #waiting: Delivery[] = [];
  /** Ends the pauses of all deliveries under way. */
  #pausesEnd = new AbortController();
  #collecting: AbortController | null = null;
  #lastAttempt: Promise<void> = Promise.resolve();
  #batches = 0;
  #messages = 0;

  constructor(options: EventSenderOptions) {
    this.#options = options;
    this.webhookUrl = options.webhook && withoutQuery(options.webhook.url);
  }

  get settings(): DeliverySettings {
    return this.#settings;
  }

  /** Queues the event, and its duplicates after it. */
  send(event: SandboxEvent): readonly Delivery[] {
    const { duplicates, hold, reorder } = this.#settings;
    const isSent = this.#options.webhook !== null;
    this.#options.log.info({ type: terminalLine(event.type) }, 'event');
    const messageId = this.#nextMessageId(event);
    const copies = Array.from({ length: duplicates + 1 }, (_, copy): Delivery => {
      const id = this.deliveries.length + copy + 1;
      const state = isSent ? 'pending' : 'kept';
      return { id, event, messageId, copy, attempts: [], state, isHeld: isSent };
    });
    this.deliveries.push(...copies);
    if (isSent) this.#waiting.push(...copies);
    if (!hold && reorder) void this.#collect();
    else if (!hold) this.#release(false);
    return copies;
  }

  /** Changes the given settings. Events that were held back are sent as soon as no setting holds them. */
  configure(change: Partial<DeliverySettings>): void {
    const wasReordering = this.#settings.reorder;
    this.#settings = { ...this.#settings, ...change };
    if (!this.#settings.hold) this.#release(wasReordering || this.#settings.reorder);
  }

  /**
   * Sends at once the events that are collected for reordering or wait for their next attempt, but not those that `hold`
   * keeps. Resolves when each was tried once.
   */
  async flush(): Promise<void> {
    if (!this.#settings.hold) this.#release(this.#settings.reorder);
    const tried = [...this.#underWay].map(({ id }) => once(this.#tried, String(id)));
    this.#pausesEnd.abort();
    this.#pausesEnd = new AbortController();
    await Promise.all(tried);
  }

  /** Stops everything at once. Pending deliveries are lost. */
  close(): void {
    this.#closing.abort();
  }

  /** Makes an id from the seed, the event and the number of events before it. */
  #nextMessageId(event: SandboxEvent): string {
    this.#messages += 1;
    const source = JSON.stringify([this.#options.seed, this.#messages, event]);
    return `msg_${createHash('sha256').update(source).digest('hex').slice(0, 24)}`;
  }

  async #collect(): Promise<void> {
    if (this.#collecting) return;
    this.#collecting = new AbortController();
    if (await this.#hasPassed(collectingMs, this.#collecting.signal)) {
      this.#collecting = null;
      if (!this.#settings.hold) this.#release(true);
    }
  }

  #release(isReordered: boolean): void {
    this.#collecting?.abort();
    this.#collecting = null;
    const batch = this.#waiting;
    this.#waiting = [];
    const { seed } = this.#options;
    const order = isReordered ? inAnotherOrder(batch, seed, (this.#batches += 1)) : batch;
    for (const delivery of order) void this.#deliver(delivery);
  }

  /** Tries a delivery until it succeeds, its attempts are used up, or the sandbox closes. */
  async #deliver(delivery: Delivery): Promise<void> {
    const { webhook } = this.#options;
    delivery.isHeld = false;
    if (webhook === null) return;
    this.#underWay.add(delivery);
    for (const pauseMs of [...pausesMs, 0]) {
      // attempts wait for each other, so that events arrive in order
      await (this.#lastAttempt = this.#lastAttempt.then(() => this.#try(delivery, webhook)));
      this.#tried.emit(String(delivery.id));
      if (delivery.state !== 'pending' || this.#closing.signal.aborted) break;
      await this.#hasPassed(pauseMs, this.#pausesEnd.signal);
    }
    this.#underWay.delete(delivery);
    this.#tried.emit(String(delivery.id));
  }

  async #try(delivery: Delivery, webhook: WebhookAddress): Promise<void> {
    const { clock, log } = this.#options;
    const { event, attempts, messageId } = delivery;
    if (this.#closing.signal.aborted) return;
    const at = clock.now();
    const outcome = await this.#post(webhook, messageId, at, JSON.stringify(event));
    if (isAborted(this.#closing.signal)) return;
    const retryInMs = pausesMs[attempts.length];
    attempts.push({ at: at.toISOString(), ...outcome });
    const what = { type: terminalLine(event.type), url: this.webhookUrl };
    const fields = { ...what, attempt: attempts.length, ...outcome };
    if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) {
      delivery.state = 'delivered';
      log.info(fields, 'event delivered');
    } else if (retryInMs === undefined) {
      delivery.state = 'failed';
      log.error(fields, 'event not delivered');
    } else log.warn({ ...fields, retry_in_ms: retryInMs }, 'event not delivered yet');
  }

  /** Posts the body once, without following redirects. Never throws: a failure is an outcome. */
  async #post(
    webhook: WebhookAddress,
    messageId: string,
    at: Date,
    body: string,
  ): Promise<AttemptOutcome> {
    const answered = new AbortController();
    const late = new AbortController();
    void this.#hasPassed(timeoutMs, answered.signal).then((isLate) => isLate && late.abort());
    try {
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers: headersOf(webhook, messageId, at, body),
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, late.signal]),
      });
      await response.body?.cancel();
      return { status: response.status };
    } catch (error) {
      const isLate = late.signal.aborted;
      return { error: isLate ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error) };
    } finally {
      answered.abort();
    }
  }

  /** @returns false when the signal aborts first or the sandbox closes */
  async #hasPassed(ms: number, signal: AbortSignal): Promise<boolean> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    return this.#options.clock.sleep(ms, either).then(
      () => true,
      () => false,
    );
  }
}

/** Reads the flag in a function, since TypeScript assumes that a flag that was checked stays the same during a wait. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function withoutQuery({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** Signs with the time of the attempt, not of the event, so that an old event can still be delivered. */
function headersOf(
  { token, tokenHeader = null, signingSecret = null }: WebhookAddress,
  messageId: string,
  at: Date,
  body: string,
): Record<string, string> {
  const tokenFields: Record<string, string> =
    token === null
      ? {}
      : tokenHeader === null
        ? { authorization: `Bearer ${token}` }
        : { [tokenHeader]: token };
  const signature = signingSecret !== null && {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(signingSecret).sign(messageId, at, body),
  };
  return {
    'content-type': 'application/json',
    'user-agent': `postledger-sandbox/${packageVersion}`,
    ...tokenFields,
    ...signature,
  };
}

/** Finds the reason of a failed fetch in its cause, since its message is always "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return errorMessage(cause) || code || 'the request failed';
}

/**
 * Shuffles a batch by the seed. Copies of an event count as one: two events always change places.
 */
function inAnotherOrder(batch: readonly Delivery[], seed: number, number: number): Delivery[] {
  const shuffled = sample(batch, batch.length, randomFor(seed, 'order of deliveries', number));
  const isSame = shuffled.every(({ event }, index) => event === batch[index]?.event);
  if (!isSame) return shuffled;
  const isFirst = ({ event }: Delivery) => event === batch[0]?.event;
  return [...shuffled.filter((delivery) => !isFirst(delivery)), ...shuffled.filter(isFirst)];
}
