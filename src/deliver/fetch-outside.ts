import { basicLogin, openWayOut } from '../core/way-out.ts';

const requestMs = 15_000;
const maxBytes = 1_000_000;

/** Sends a small request. It follows no redirects, since the request may contain a secret. */
export async function fetchOutside(
  url: string,
  init: {
    readonly method: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | URLSearchParams;
  },
) {
  const { request } = await import('undici');
  const login = basicLogin(new URL(url));
  const dispatcher = await openWayOut(new URL(url), { connectMs: requestMs, maxBytes });
  try {
    const { body, headers, method } = init;
    const form =
      body instanceof URLSearchParams
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : undefined;
    const answer = await request(url, {
      method: method as 'GET' | 'POST',
      headers: { ...(login !== null && { authorization: login }), ...form, ...headers },
      ...(body !== undefined && { body: String(body) }),
      dispatcher,
      signal: AbortSignal.timeout(requestMs),
    });
    const { statusCode: status } = answer;
    return { ok: status >= 200 && status < 300, status, text: await answer.body.text() };
  } finally {
    await dispatcher.destroy();
  }
}
