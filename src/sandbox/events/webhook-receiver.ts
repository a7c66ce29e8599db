import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../core/clock.ts';
import { errorMessage } from '../../core/errors.ts';
import { packageVersion } from '../../core/package-version.ts';

/** Where events go. */
export interface WebhookAddress {
  readonly url: URL;
  /** Sent as a bearer token, unless `tokenHeader` is given; shown nowhere. */
  readonly token: string | null;
  /** The header that carries the bare token instead of `authorization`. */
  readonly tokenHeader?: string | null;
  /** `whsec_…`: deliveries are signed as Standard Webhooks says. Shown nowhere. */
  readonly signingSecret?: string | null;
}

/** What came of one try: the status of the answer, or why there was none. */
export type TryOutcome = { readonly status: number } | { readonly error: string };

/** One try to deliver a message. */
interface WebhookMessage {
  /** The same for every try of one message. */
  readonly messageId: string;
  /** When it is sent, by the machine's clock: receivers refuse times that are minutes off. */
  readonly at: Date;
  readonly body: string;
}

const timeoutMs = 10_000;

/** The receiver of the events at the other end, which may be slow, broken or away. */
export class WebhookReceiver {
  /** The address without its query, which may hold a secret. */
  readonly shownUrl: string;
  readonly #address: WebhookAddress;
  readonly #clock: Clock;

  constructor(address: WebhookAddress, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
    const { origin, pathname, search } = address.url;
    this.shownUrl = `${origin}${pathname}${search === '' ? '' : '?…'}`;
  }

  /** Sends the event once; it follows no redirect. Never throws: what goes wrong is an outcome. */
  async post(message: WebhookMessage, signal: AbortSignal): Promise<TryOutcome> {
    const limit = timeLimit(timeoutMs, this.#clock, signal);
    try {
      const response = await fetch(this.#address.url, {
        method: 'POST',
        headers: this.#headers(message),
        body: message.body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit.signal]),
      });
      await response.body?.cancel();
      return { status: response.status };
    } catch (error) {
      const isLate = limit.signal.aborted;
      return { error: isLate ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error) };
    } finally {
      limit.lift();
    }
  }

  #headers(message: WebhookMessage): Record<string, string> {
    const { signingSecret = null } = this.#address;
    return {
      'content-type': 'application/json',
      'user-agent': `postledger-sandbox/${packageVersion}`,
      ...this.#tokenHeaders(),
      ...(signingSecret === null ? {} : signatureHeaders(signingSecret, message)),
    };
  }

  #tokenHeaders(): Record<string, string> {
    const { token, tokenHeader = null } = this.#address;
    if (token === null) return {};
    return tokenHeader === null ? { authorization: `Bearer ${token}` } : { [tokenHeader]: token };
  }
}

/** fetch says "fetch failed" of everything, and has the reason in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return errorMessage(cause) || code || 'the request failed';
}

/**
 * The headers of Standard Webhooks 1.0.0 (standardwebhooks.com). The time is of the try, not of the
 * event, so that an event that is hours old can still be delivered.
 */
function signatureHeaders(secret: string, { messageId, at, body }: WebhookMessage) {
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(messageId, at, body),
  };
}

export interface TimeLimit {
  /** Aborts after the time, unless that is lifted or the parent's signal aborts first. */
  readonly signal: AbortSignal;
  lift(): void;
}

export function timeLimit(ms: number, clock: Clock, parent: AbortSignal): TimeLimit {
  const lifted = new AbortController();
  const over = new AbortController();
  clock.sleep(ms, AbortSignal.any([lifted.signal, parent])).then(
    () => over.abort(),
    () => lifted.abort(),
  );
  return { signal: over.signal, lift: () => lifted.abort() };
}
