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
  /** It is sent as a bearer token, and is never shown. */
  readonly token: string | null;
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
  state: 'kept' | 'pending' | 'delivered';
}

interface EventSenderOptions {
  /** The receiver; null keeps events without sending them. */
  readonly webhook: WebhookAddress | null;
  /** The machine's clock. */
  readonly clock: Clock;
  readonly log: Log;
}

const timeoutMs = 10_000;

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
    if (webhook) this.#tryInTurn(delivery, webhook);
    return delivery;
  }

  /** Tries all pending deliveries again. */
  async flush(): Promise<void> {
    const { webhook } = this.#options;
    if (webhook) for (const delivery of this.deliveries) this.#tryInTurn(delivery, webhook);
    await this.#lastAttempt;
  }

  /** Stops everything at once. Pending deliveries are lost. */
  close(): void {
    this.#closing.abort();
  }

  /** Attempts wait for each other, so that events arrive in order. */
  #tryInTurn(delivery: Delivery, webhook: WebhookAddress): void {
    this.#lastAttempt = this.#lastAttempt.then(() => this.#try(delivery, webhook));
  }

  async #try(delivery: Delivery, webhook: WebhookAddress): Promise<void> {
    const { clock, log } = this.#options;
    const { event, attempts } = delivery;
    if (delivery.state !== 'pending' || this.#closing.signal.aborted) return;
    const at = clock.now().toISOString();
    const outcome = await this.#post(webhook, event);
    attempts.push({ at, ...outcome });
    const fields = { type: terminalLine(event.type), url: this.webhookUrl, ...outcome };
    if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) {
      delivery.state = 'delivered';
      log.info(fields, 'event delivered');
    } else log.warn(fields, 'event not delivered');
  }

  /** Posts the event once, without following redirects. Never throws: a failure is an outcome. */
  async #post({ url, token }: WebhookAddress, event: SandboxEvent): Promise<AttemptOutcome> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': `postledger-sandbox/${packageVersion}`,
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(event),
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]),
      });
      await response.body?.cancel();
      return { status: response.status };
    } catch (error) {
      // the message of a failed fetch is always "fetch failed"
      return { error: errorMessage((error as Error).cause ?? error) };
    }
  }
}

function withoutQuery({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
