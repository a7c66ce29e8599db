import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../core/clock.ts';
import { errorMessage } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { packageVersion } from '../core/package-version.ts';
import { terminalLine } from '../core/terminal-text.ts';

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

/** An event on its way to the receiver. */
export interface Delivery {
  readonly id: number;
  readonly event: SandboxEvent;
  /** `at` is the machine's time, not the sandbox's. */
  readonly attempts: ({ readonly at: string } & AttemptOutcome)[];
  /** The state is `kept` when there is no webhook URL to send the event to. */
  state: 'kept' | 'pending' | 'delivered' | 'failed';
}

interface EventSenderOptions {
  readonly seed: number;
  /** The receiver; null keeps events without sending them. */
  readonly webhook: WebhookAddress | null;
  /** The machine's clock: pauses and time-outs are real ones, whatever time it is in the sandbox. */
  readonly clock: Clock;
  readonly log: Log;
}

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
  #lastAttempt: Promise<void> = Promise.resolve();

  constructor(options: EventSenderOptions) {
    this.#options = options;
    this.webhookUrl = options.webhook && withoutQuery(options.webhook.url);
  }

  send(event: SandboxEvent): Delivery {
    const { webhook, log } = this.#options;
    log.info({ type: terminalLine(event.type) }, 'event');
    const id = this.deliveries.length + 1;
    const delivery: Delivery = { id, event, attempts: [], state: webhook ? 'pending' : 'kept' };
    this.deliveries.push(delivery);
    if (webhook) void this.#deliver(delivery, webhook);
    return delivery;
  }

  /** Tries all pending deliveries without a pause. */
  async flush(): Promise<void> {
    const { webhook } = this.#options;
    if (webhook) for (const delivery of this.deliveries) void this.#tryInTurn(delivery, webhook);
    await this.#lastAttempt;
  }

  /** Stops everything at once. Pending deliveries are lost. */
  close(): void {
    this.#closing.abort();
  }

  /** Tries a delivery until it succeeds, its attempts are used up, or the sandbox closes. */
  async #deliver(delivery: Delivery, webhook: WebhookAddress): Promise<void> {
    for (const pauseMs of [...pausesMs, 0]) {
      await this.#tryInTurn(delivery, webhook);
      if (delivery.state !== 'pending' || this.#closing.signal.aborted) return;
      await this.#options.clock.sleep(pauseMs, this.#closing.signal).catch(() => undefined);
    }
  }

  /** Attempts wait for each other, so that events arrive in order. */
  #tryInTurn(delivery: Delivery, webhook: WebhookAddress): Promise<void> {
    return (this.#lastAttempt = this.#lastAttempt.then(() => this.#try(delivery, webhook)));
  }

  async #try(delivery: Delivery, webhook: WebhookAddress): Promise<void> {
    const { clock, log } = this.#options;
    const { event, attempts } = delivery;
    if (delivery.state !== 'pending' || this.#closing.signal.aborted) return;
    const at = clock.now();
    const outcome = await this.#post(webhook, delivery, at);
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

  /** Posts the event once, without following redirects. Never throws: a failure is an outcome. */
  async #post(webhook: WebhookAddress, delivery: Delivery, at: Date): Promise<AttemptOutcome> {
    const body = JSON.stringify(delivery.event);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers: headersOf(webhook, this.#messageId(delivery), at, body),
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, late.signal]),
      });
      await response.body?.cancel();
      return { status: response.status };
    } catch (error) {
      if (late.signal.aborted) return { error: `no answer within ${timeoutMs / 1000} s` };
      // the message of a failed fetch is always "fetch failed"
      return { error: errorMessage((error as Error).cause ?? error) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Makes the header `webhook-id`, which is the same for every attempt, from the seed and the event. */
  #messageId({ id, event }: Delivery): string {
    const source = JSON.stringify([this.#options.seed, id, event]);
    return `msg_${createHash('sha256').update(source).digest('hex').slice(0, 24)}`;
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
  const isBare = tokenHeader !== null;
  return {
    'content-type': 'application/json',
    'user-agent': `postledger-sandbox/${packageVersion}`,
    ...(token !== null && { [tokenHeader ?? 'authorization']: isBare ? token : `Bearer ${token}` }),
    ...(signingSecret !== null && {
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(signingSecret).sign(messageId, at, body),
    }),
  };
}
