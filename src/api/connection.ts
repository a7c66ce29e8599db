import type { Dispatcher } from 'undici';
import { addressBelow } from '../core/address.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError } from '../core/errors.ts';
import { retryAfterMs } from '../core/retry-after.ts';
import { openWayOut } from '../core/way-out.ts';
import type { AnswerHeaders } from './answer-proof.ts';
import type { Call } from './api-error.ts';
import { refusalError } from './refusal.ts';
import { acceptedEncoding, BodyCodingError, BodyLimitError, readBody } from './response-body.ts';
import {
  cutBody,
  responseTooLarge,
  timedOut,
  undecodable,
  unreachable,
} from './transport-errors.ts';

export interface ConnectionOptions {
  readonly baseUrl: string;
  /** The maximum number of connections that are kept open. */
  readonly connections: number;
  /** The time allowed for one request, from its sending to the end of the answer's body. */
  readonly timeoutMs: number;
  /** The limit for a body, both before and after decompression. */
  readonly maxBytes: number;
  readonly userAgent: string;
  readonly clock: Clock;
}

/** An answer whose status says that it is what was asked for. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The body after content decoding, without a byte order mark and the API key, and otherwise unchanged. */
  readonly body: Buffer;
}

export interface Sending {
  /** The JSON text; null for a request without a body. */
  readonly body: string | null;
  /** The API key. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Called when the request is sent, which may be long after connecting began. */
  readonly onSent: () => void;
}

/** A keep-alive pool to one service. */
export class Connection {
  readonly #options: ConnectionOptions;
  /** Null before the first request: a run that has nothing to read does not load the library. */
  #dispatcher: Promise<Dispatcher> | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Sends one request, once. What was asked for comes with 200 alone; a change may be answered by any 2xx.
   * @throws ApiError for anything but such an answer, complete
   * @throws InterruptedError when the signal aborts first
   * @throws UsageError when the environment names a proxy by something other than a URL
   */
  async send(call: Call, sending: Sending): Promise<Answer> {
    const { signal } = sending;
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    // A timer is used because Node 20 may collect composed and timeout signals before they fire.
    const timer = setTimeout(stop, this.#options.timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      return await this.#exchange(call, sending, attempt.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Aborts the requests in flight. */
  async close(): Promise<void> {
    const dispatcher = await this.#dispatcher?.catch(() => null);
    await dispatcher?.destroy();
  }

  async #exchange(call: Call, sending: Sending, attempt: AbortSignal): Promise<Answer> {
    const { maxBytes, clock } = this.#options;
    const response = await this.#dispatch(call, sending, attempt);
    const { statusCode: status, headers } = response;
    const isSuccess = status === 200 || (call.method !== 'GET' && status >= 200 && status < 300);
    const body = await readBody(
      response.body,
      header(headers['content-encoding']) ?? '',
      maxBytes,
    ).catch((error: unknown) => {
      // The status alone makes an answer a refusal, even if its body does not arrive.
      if (!isSuccess && !sending.signal.aborted) return Buffer.alloc(0);
      this.#checkStopped(call, status, sending.signal, attempt);
      if (error instanceof BodyLimitError) throw responseTooLarge(call, status, maxBytes);
      if (error instanceof BodyCodingError) throw undecodable(call, status, error.message);
      throw cutBody(call, status, error);
    });
    if (isSuccess) return { status, headers, body: maskKeyInBody(body, sending.key) };
    const refusal = {
      status,
      text: body.toString('utf8'),
      retryAfterMs: retryAfterMs(headers, clock.now()),
      location: header(headers['location']) ?? '',
      // A service may quote the key that it refuses.
      mask: (text: string) => maskKey(text, sending.key),
    };
    throw refusalError(call, refusal);
  }

  async #dispatch(
    call: Call,
    sending: Sending,
    attempt: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { baseUrl, connections, timeoutMs, userAgent } = this.#options;
    // The timer in `send` limits the whole attempt.
    this.#dispatcher ??= openWayOut(new URL(baseUrl), { connections, connectMs: timeoutMs });
    const dispatcher = await this.#dispatcher;
    const { request } = await import('undici');
    const response = request(addressBelow(baseUrl, call.path), {
      method: call.method,
      dispatcher: dispatcher.compose(reportSending(sending.onSent)),
      signal: attempt,
      body: sending.body,
      headers: {
        authorization: `Bearer ${sending.key}`,
        accept: 'application/json',
        'accept-encoding': acceptedEncoding,
        'user-agent': userAgent,
        ...(sending.body === null ? {} : { 'content-type': 'application/json' }),
      },
    });
    try {
      // undici ignores the signal while a request still waits for its connection.
      return await Promise.race([response, rejectOnAbort(attempt)]);
    } catch (error) {
      this.#checkStopped(call, null, sending.signal, attempt);
      throw unreachable(call, error);
    }
  }

  /** Throws the reason if this class or its caller aborted the request. */
  #checkStopped(
    call: Call,
    status: number | null,
    signal: AbortSignal,
    attempt: AbortSignal,
  ): void {
    if (signal.aborted) throw new InterruptedError(`stopped during ${call.method} ${call.path}`);
    if (attempt.aborted) throw timedOut(call, status, this.#options.timeoutMs);
  }
}

function reportSending(onSent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        onSent();
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (...head) => handler.onResponseStart?.(...head),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...error) => handler.onResponseError?.(...error),
    });
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new Error('aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

const keyMask = '[API key]';

/** Shorter keys are not masked: no service issues them, and they occur in any text by chance. */
const minKeyLength = 8;

function maskKey(text: string, key: string): string {
  return key.length < minKeyLength ? text : text.replaceAll(key, keyMask);
}

/** Masks the key and keeps all other bytes, including those that are not text. */
function maskKeyInBody(body: Buffer, key: string): Buffer {
  if (key.length < minKeyLength || !body.includes(key)) return body;
  return Buffer.from(maskKey(body.toString('latin1'), key), 'latin1');
}
