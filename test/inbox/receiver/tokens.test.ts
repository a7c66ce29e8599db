import { describe, expect, it } from 'vitest';
import type { WebhooksConfig } from '../../../src/config/config.ts';
import { readAuthentication } from '../../../src/inbox/receiver/authentication.ts';
import {
  numberedEvent,
  parseAnswers,
  sendRaw,
  startTestReceiver,
  testSecret,
  testWebhooks,
} from '../../support/receiver.ts';

const old = 'old-token+/=';
const young = 'young-tökén';
const wrongOnes = Array.from({ length: 8 }, (_, n) => `token=${n}`).join('&');
const tokens = [testSecret(old), testSecret(young)];

async function startGuarded(webhooks: Partial<WebhooksConfig> = {}) {
  return startTestReceiver({
    webhooks: { tokens, tokenHeader: 'X-Hook-Token', ...webhooks },
    limits: { lingerMs: 50 },
  });
}

/** Sends an event with these header lines, and gives the status. */
async function statusWith(lines: readonly string[], target = '/webhooks', webhooks = {}) {
  const { port } = await startGuarded(webhooks);
  const event = numberedEvent(1);
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${event.length}`,
    ...lines,
  ].join('\r\n');
  const [answer] = parseAnswers(await sendRaw(port, `${head}\r\n\r\n${event}`));
  return answer;
}

describe('a right token', () => {
  it.each([
    ['in Authorization', [`Authorization: Bearer ${old}`], '/webhooks'],
    ['in Authorization, the scheme in any case', [`authorization: bEARER   ${old}`], '/webhooks'],
    ['that is the newer one, as bytes of UTF-8', [`Authorization: Bearer ${young}`], '/webhooks'],
    ['in the configured header', [`x-hook-token: ${old}`], '/webhooks'],
    ['in the configured header, with a scheme', [`X-Hook-Token: Bearer ${old}`], '/webhooks'],
    ['in the query', [], `/webhooks?a=b&token=${encodeURIComponent(old)}`],
    ['in the query, as it was pasted', [], `/webhooks?token=${old}`],
    ['beside a wrong one', ['Authorization: Bearer wrong', `X-Hook-Token: ${old}`], '/webhooks'],
    [
      'after a wrong one',
      ['Authorization: Bearer no', `Authorization: Bearer ${old}`],
      '/webhooks',
    ],
    ['in the query, beside a wrong header', ['X-Hook-Token: no'], `/webhooks?token=${old}`],
  ])('%s lets in', async (_, lines, target) => {
    expect(await statusWith(lines, target)).toMatchObject({ status: 202 });
  });
});

describe('anything else', () => {
  it.each([
    ['nothing', [], '/webhooks'],
    ['another', ['Authorization: Bearer another'], '/webhooks'],
    ['the beginning of one', [`Authorization: Bearer ${old.slice(0, -1)}`], '/webhooks'],
    ['one and more', [`Authorization: Bearer ${old}x`], '/webhooks'],
    ['another case', [`Authorization: Bearer ${old.toUpperCase()}`], '/webhooks'],
    ['no scheme', [`Authorization: ${old}`], '/webhooks'],
    ['another scheme', [`Authorization: Basic ${old}`], '/webhooks'],
    ['another header', [`X-Token: ${old}`], '/webhooks'],
    ['an empty one', ['Authorization: Bearer', 'X-Hook-Token:'], '/webhooks?token='],
    ['another parameter', [], `/webhooks?Token=${old}&tokens=${old}`],
    ['two tokens in one', [`X-Hook-Token: ${old}, ${old}`], '/webhooks'],
    ['one behind eight wrong ones', [], `/webhooks?${wrongOnes}&token=${old}`],
  ])('is refused: %s', async (_, lines, target) => {
    expect(await statusWith(lines, target)).toEqual({
      status: 401,
      headers: expect.objectContaining({ 'www-authenticate': 'Bearer' }) as unknown,
      body: { code: 'UNAUTHORIZED', message: 'Unauthorized' },
    });
  });

  it('is refused before a word about the body, which is not read', async () => {
    const { port, storedEvents } = await startGuarded();
    const head = 'POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n';
    const answers = await sendRaw(port, `${head}Content-Length: 99999999\r\n\r\n`);
    expect(parseAnswers(answers)).toMatchObject([
      { status: 401, headers: { connection: 'close' } },
    ]);
    expect(await storedEvents()).toEqual([]);
  });

  it('keeps the connection for a short body that nobody reads', async () => {
    const { port } = await startGuarded();
    const head = 'POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n';
    const answers = await sendRaw(port, `${head}\r\n{}${head}Connection: close\r\n\r\n{}`);
    expect(parseAnswers(answers).map(({ status }) => status)).toEqual([401, 401]);
  });

  it('shows no token in the log', async () => {
    const { port, lines } = await startGuarded();
    for (const target of ['/webhooks?token=query-secret', '/other?token=query-secret']) {
      await sendRaw(
        port,
        `POST ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer header-secret\r\nX-Hook-Token: own-secret\r\nConnection: close\r\n\r\n`,
      );
    }
    expect(lines).toMatchObject([
      { status: 401, request: 'POST /webhooks', reason: 'no right token' },
      { status: 404, request: 'POST /other' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/-secret/);
  });
});

describe('the host', () => {
  it.each([
    ['127.0.0.1'],
    ['127.8.9.1'],
    ['localhost'],
    ['LOCALHOST'],
    ['::1'],
    ['[::1]'],
    ['0:0:0:0:0:0:0:1'],
  ])('may be %s without authentication', (host) => {
    expect(readAuthentication(testWebhooks({ host }))).toEqual({ tokens: null, signatures: null });
  });

  it.each([
    ['0.0.0.0'],
    ['::'],
    ['10.0.0.1'],
    ['hooks.example.com'],
    ['localhost.example.com'],
    ['128.0.0.1'],
  ])('may not be %s without authentication', (host) => {
    expect(() => readAuthentication(testWebhooks({ host }))).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: `the receiver does not listen on ${host} without authentication, since everybody could send it events; set webhooks.token or webhooks.signing_secret in jobs.yaml, or listen on 127.0.0.1`,
      }) as Error,
    );
    const { tokens: found } = readAuthentication(testWebhooks({ host, tokens }));
    expect(found).not.toBeNull();
  });

  it('needs the tokens that are configured to be set', () => {
    const unset = testWebhooks({ tokens: [...tokens, testSecret('')] });
    expect(() => readAuthentication(unset)).toThrow(/TEST_SECRET is not set/);
  });

  it.each([['with its line end\n'], [' blank first'], ['a\u0000b'], ['a\tb']])(
    'refuses a token that no request can carry, and does not show it: %j',
    (token) => {
      const unsendable = testWebhooks({ tokens: [...tokens, testSecret(token)] });
      expect(() => readAuthentication(unsendable)).toThrow(
        expect.objectContaining({
          exitCode: 2,
          message:
            'jobs.yaml:1: webhooks: the environment variable TEST_SECRET holds a token that begins or ends with a blank, or has a control character in it such as a line feed, so that no request can carry it; set it without',
        }) as Error,
      );
    },
  );
});
