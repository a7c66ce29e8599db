const requestMs = 15_000;
const maxBytes = 1_000_000;

interface OutsideAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a small request through the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name. It follows no
 * redirects, since the request may contain a secret.
 */
export async function fetchOutside(
  url: string,
  init: {
    readonly method: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | URLSearchParams;
  },
): Promise<OutsideAnswer> {
  const { EnvHttpProxyAgent, request } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({ maxResponseSize: maxBytes, proxyTunnel: false });
  try {
    const { body, headers, method } = init;
    const form =
      body instanceof URLSearchParams
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : undefined;
    const answer = await request(url, {
      method: method as 'GET' | 'POST',
      headers: { ...loginOf(url), ...form, ...headers },
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

/** The user and the password of an address, which undici leaves out. */
function loginOf(url: string): { readonly authorization?: string } {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return {};
  const login = [username, password].map(decodeURIComponent).join(':');
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}
