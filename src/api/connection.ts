import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import type { Clock } from '../core/clock.ts';
import { InterruptedError, UsageError } from '../core/errors.ts';
import type { Call } from './api-error.ts';
import { refusalError } from './refusal.ts';
import { acceptedEncodings, BodyLimitError, readBody } from './response-body.ts';
import { cutBody, responseTooLarge, timedOut, unreachable } from './transport-errors.ts';

export interface ConnectionOptions {
  readonly baseUrl: string;
  /** Kept open and used again; so many at most. */
  readonly connections: number;
  /** For one request, from its sending to the end of its body. */
  readonly timeoutMs: number;
  /** Of a body, before and after decompression. */
  readonly maxBytes: number;
  readonly userAgent: string;
  readonly clock: Clock;
}

/** A 2xx answer. */
export interface Answer {
  readonly status: number;
  /** After content-decoding, without a byte order mark and the key, otherwise as it came. */
  readonly body: Buffer;
}

export interface Sending {
  /** JSON; null for a request without a body. */
  readonly body: string | null;
  /** The API key. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Called when the request goes out, which may be long after connecting began. */
  readonly onDeparture: () => void;
}

/** One keep-alive pool to one service, through the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #dispatcher: Dispatcher;

  /** @throws UsageError when the environment names a proxy by something that is no URL */
  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#dispatcher = createDispatcher(options);
  }

  /**
   * Sends one request, once.
   * @throws ApiError for whatever is not a whole 2xx answer
   * @throws InterruptedError when the signal aborts first
   */
  async send(call: Call, sending: Sending): Promise<Answer> {
    const { signal } = sending;
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    // A timer of its own: composed and time-out signals may be collected before they fire (Node 20).
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

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #exchange(call: Call, sending: Sending, attempt: AbortSignal): Promise<Answer> {
    const { maxBytes, clock } = this.#options;
    const response = await this.#dispatch(call, sending, attempt);
    const { statusCode: status, headers } = response;
    const isSuccess = status >= 200 && status < 300;
    const body = await readBody(
      response.body,
      header(headers['content-encoding']) ?? '',
      maxBytes,
    ).catch((error: unknown) => {
      // a refusal is one whether or not its words arrive
      if (!isSuccess && !sending.signal.aborted) return Buffer.alloc(0);
      this.#checkStopped(call, status, sending.signal, attempt);
      if (error instanceof BodyLimitError) throw responseTooLarge(call, status, maxBytes);
      throw cutBody(call, status, error);
    });
    if (isSuccess) return { status, body: maskKeyInBody(body, sending.key) };
    const refusal = {
      status,
      text: body.toString('utf8'),
      retryAfter: header(headers['retry-after']),
      location: header(headers['location']) ?? '',
      // a service may quote the key that it refuses
      mask: (text: string) => maskKey(text, sending.key),
    };
    throw refusalError(call, refusal, clock.now());
  }

  async #dispatch(
    call: Call,
    sending: Sending,
    attempt: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { baseUrl, userAgent } = this.#options;
    const response = request(`${baseUrl}${call.path}`, {
      method: call.method,
      dispatcher: this.#dispatcher.compose(announceDeparture(sending.onDeparture)),
      signal: attempt,
      body: sending.body,
      headers: {
        authorization: `Bearer ${sending.key}`,
        accept: 'application/json',
        'accept-encoding': acceptedEncodings,
        'user-agent': userAgent,
        ...(sending.body === null ? {} : { 'content-type': 'application/json' }),
      },
    });
    try {
      // A request that still waits for its connection does not heed its signal.
      return await Promise.race([response, rejectOnAbort(attempt)]);
    } catch (error) {
      this.#checkStopped(call, null, sending.signal, attempt);
      throw unreachable(call, error);
    }
  }

  /** Reports why a request was aborted, where we did it. */
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

function createDispatcher({ connections, timeoutMs }: ConnectionOptions): Dispatcher {
  try {
    return new EnvHttpProxyAgent({
      connections,
      // Plain HTTP goes through a proxy as it does everywhere else; few allow a tunnel for it.
      proxyTunnel: false,
      // The time of a whole attempt is measured in one place, above.
      connect: { timeout: timeoutMs },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  } catch (error) {
    throw new UsageError(
      'HTTP_PROXY or HTTPS_PROXY is no URL; write it with its scheme, such as http://proxy.example:3128, or unset it',
      {
        cause: error,
      },
    );
  }
}

function announceDeparture(onDeparture: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        onDeparture();
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

/** Replaces the API key wherever a service quotes it. */
const mask = '[API key]';

/** Shorter ones occur in any text by chance, and no service issues them. */
const minLength = 8;

/** The text without the key. */
function maskKey(text: string, key: string): string {
  return key.length < minLength ? text : text.replaceAll(key, mask);
}

/** A body without the key, its other bytes as they are, also those that are no text. */
function maskKeyInBody(body: Buffer, key: string): Buffer {
  if (key.length < minLength || !body.includes(key)) return body;
  return Buffer.from(maskKey(body.toString('latin1'), key), 'latin1');
}
