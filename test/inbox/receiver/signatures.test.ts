import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import {
  SignatureCheck,
  signatureHeaderProblem,
} from '../../../src/inbox/receiver/signature-check.ts';
import { numberedEvent, openRaw, startTestReceiver, testSecret } from '../../support/receiver.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const body = Buffer.from(numberedEvent(1));
const minuteMs = 60_000;

type Headers = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

function signed(options: { with?: string; agoMs?: number; body?: Buffer } = {}): Headers {
  const at = new Date(systemClock.now().getTime() - (options.agoMs ?? 0));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(options.with ?? secret).sign(id, at, options.body ?? body),
  };
}

function problemOf(
  headers: Partial<Headers>,
  secrets = [secret],
  bytes: Buffer = body,
): string | null {
  const raw = Object.entries(headers).flatMap(([name, value]) => [name.toUpperCase(), value]);
  const check = new SignatureCheck(secrets.map(testSecret));
  return signatureHeaderProblem(raw, systemClock.now()) ?? check.problem(bytes, raw);
}

function without(name: keyof Headers): Partial<Headers> {
  return Object.fromEntries(Object.entries(signed()).filter(([key]) => key !== name));
}

function signature(headers = signed()): string {
  return headers['webhook-signature'].replace('v1,', '');
}

function signedAs(text: string): Headers {
  return { ...signed(), 'webhook-signature': text };
}

const none = 'no matching signature';

describe('a signature', () => {
  it.each([
    ['is right', signed(), [secret]],
    ['is right with a secret that has no prefix', signed(), [secret.replace('whsec_', '')]],
    ['is the new one of a rotation', signed(), [otherSecret, secret]],
    ['is the old one of a rotation', signed({ with: otherSecret }), [otherSecret, secret]],
    [
      'stands among others',
      signedAs(`v1,AAAA v2,BBBB v1a,CCCC v1,${signature()} v1,DDDD`),
      [secret],
    ],
    ['was made up to 5 minutes ago', signed({ agoMs: 4 * minuteMs }), [secret]],
    ['is by a clock that is up to 5 minutes ahead', signed({ agoMs: -4 * minuteMs }), [secret]],
  ])('%s', (_, headers, secrets) => {
    expect(problemOf(headers, secrets)).toBeNull();
  });

  it.each([
    ['has no id', without('webhook-id'), 'webhook-id is missing'],
    ['has no time', without('webhook-timestamp'), 'webhook-timestamp is missing'],
    ['is not there', without('webhook-signature'), 'webhook-signature is missing'],
    ['has an empty id', { ...signed(), 'webhook-id': '' }, 'webhook-id is missing'],
    ['is empty', signedAs(''), 'webhook-signature is missing'],
    ['was made long ago', signed({ agoMs: 6 * minuteMs }), 'webhook-timestamp is too old'],
    ['is of the future', signed({ agoMs: -6 * minuteMs }), 'webhook-timestamp is too far ahead'],
    ['is wrong', signedAs(`v1,${randomBytes(32).toString('base64')}`), none],
    ['is half of one', signedAs(`v1,${signature().slice(0, 20)}`), none],
    ['is nothing but a version', signedAs('v1,'), none],
    ['has no version', signedAs(signature()), none],
    ['has another version', signedAs(`v2,${signature()}`), none],
    ['is with another secret', signed({ with: otherSecret }), none],
    ['is of another body', signed({ body: Buffer.from('{}') }), none],
    ['is of another id', { ...signed(), 'webhook-id': 'msg_other' }, none],
    ['has a time that is no number', timed('soon'), 'webhook-timestamp is no number'],
    ['has a time that begins as one', timed(`${now()} `), 'webhook-timestamp is no number'],
    ['has a time with an exponent', timed(`${now()}e0`), 'webhook-timestamp is no number'],
    ['has a time below zero', timed('-1'), 'webhook-timestamp is no number'],
    ['has a time without end', timed('9'.repeat(400)), 'webhook-timestamp is no number'],
    [
      'is behind twenty others',
      signedAs(`${'v1,A '.repeat(20)}v1,${signature()}`),
      'too many signatures',
    ],
  ])('is refused when it %s', (_, headers, problem) => {
    expect(problemOf(headers)).toBe(problem);
  });

  it.each([['webhook-id'], ['webhook-timestamp'], ['webhook-signature']] as const)(
    'is refused when %s is there twice',
    (name) => {
      const headers = signed();
      const raw = Object.entries(headers).flat();
      const check = new SignatureCheck([testSecret(secret)]);
      expect(check.problem(body, [...raw, name, headers[name]])).toBe(`${name} is there twice`);
    },
  );

  it('does not hold for other bytes that read as the same text', () => {
    const bytes = Buffer.concat([body, Buffer.from([0xff])]);
    const text = Buffer.from(bytes.toString());
    const headers = signed({ body: text });
    expect(problemOf(headers, [secret], text)).toBeNull();
    expect(problemOf(headers, [secret], bytes)).toBe(none);
  });

  it('holds for whatever the reference signs, with any secret that it takes', () => {
    const parts = fc.record({
      key: fc.uint8Array({ minLength: 16, maxLength: 80 }),
      isPadded: fc.boolean(),
      text: fc.string({ unit: 'binary', maxLength: 200 }),
      messageId: fc.stringMatching(/^[!-~]{1,40}$/),
    });
    fc.assert(
      fc.property(parts, ({ key, isPadded, text, messageId }) => {
        const base64 = Buffer.from(key).toString('base64');
        const own = `whsec_${isPadded ? base64 : base64.replace(/=+$/, '')}`;
        const at = systemClock.now();
        const bytes = Buffer.from(text);
        const headers = {
          'webhook-id': messageId,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(own).sign(messageId, at, bytes),
        };
        expect(problemOf(headers, [secret, own], bytes)).toBeNull();
      }),
    );
  });

  it('never verifies with a flipped bit, in whatever part', () => {
    const headers = signed();
    const parts = [...Object.keys(headers), 'body'] as (keyof Headers | 'body')[];
    const flip = fc.record({
      part: fc.constantFrom(...parts),
      at: fc.nat(10_000),
      bit: fc.integer({ min: 0, max: 7 }),
    });
    fc.assert(
      fc.property(flip, ({ part, at, bit }) => {
        const bytes = part === 'body' ? Buffer.from(body) : Buffer.from(headers[part], 'latin1');
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        const isVerified =
          part === 'body'
            ? problemOf(headers, [secret], bytes) === null
            : problemOf({ ...headers, [part]: bytes.toString('latin1') }) === null;
        expect(isVerified).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a signing secret', () => {
  it.each([
    ['whsec_'],
    ['whsec_not base64!'],
    ['whsec_AAA'],
    ['whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ])('cannot be %s, which is told without it', (text) => {
    expect(() => new SignatureCheck([testSecret(secret), testSecret(text)])).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message:
          'jobs.yaml:1: webhooks: the environment variable TEST_SECRET holds no signing secret of Standard Webhooks; it is whsec_ and Base64, as the sender shows it',
      }) as Error,
    );
  });
});

describe('a signing secret that others may guess', () => {
  it.each([['mysecret'], ['whsec_AA=='], [`whsec_${Buffer.alloc(15, 7).toString('base64')}`]])(
    'is refused, without being shown: %s',
    (text) => {
      expect(() => new SignatureCheck([testSecret(text)])).toThrow(
        expect.objectContaining({
          exitCode: 2,
          message:
            'jobs.yaml:1: webhooks: the environment variable TEST_SECRET holds a signing secret of fewer than 16 bytes, which others may guess; it is whsec_ and the Base64 of 24 to 64 bytes, as the sender shows it',
        }) as Error,
      );
    },
  );
});

describe('a receiver with a signing secret', () => {
  it('answers 400 to what is rightly signed and no UTF-8', async () => {
    const { post, storedEvents } = await startTestReceiver({
      webhooks: { signingSecrets: [testSecret(secret)] },
    });
    const bytes = Buffer.concat([body, Buffer.from([0xff])]);
    const headers = signed();
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
    hmac.update(`${id}.${headers['webhook-timestamp']}.`).update(bytes);
    const right = { ...headers, 'webhook-signature': `v1,${hmac.digest('base64')}` };
    expect((await post(bytes, right)).status).toBe(400);
    expect((await post(bytes, headers)).status).toBe(401);
    expect(await storedEvents()).toEqual([]);
  });

  it('reads no body for headers that can be no signature, whatever it would hold', async () => {
    const signingSecrets = [testSecret(secret)];
    const { port } = await startTestReceiver({ webhooks: { signingSecrets } });
    const headers = Object.entries(signed({ agoMs: 6 * minuteMs }));
    const lines = ['Host: x', 'Content-Length: 1000000', 'Expect: 100-continue'];
    const signatureLines = headers.map(([name, value]) => `${name}: ${value}`);
    const head = ['POST /webhooks HTTP/1.1', ...lines, ...signatureLines].join('\r\n');
    const socket = openRaw(port, `${head}\r\n\r\n`);
    const answer = new Promise((resolve) => socket.once('data', resolve));
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('takes what is signed, and answers all else alike', async () => {
    const signingSecrets = [testSecret(secret)];
    const { post, lines, storedEvents } = await startTestReceiver({ webhooks: { signingSecrets } });
    const unauthorized = { code: 'UNAUTHORIZED', message: 'Unauthorized' };
    for (const headers of [{}, signed({ with: otherSecret }), signed({ agoMs: 6 * minuteMs })]) {
      const answer = await post(body, headers);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect([answer.status, await answer.json()]).toEqual([401, unauthorized]);
    }
    expect((await post(body, signed())).status).toBe(202);
    expect(lines.map(({ reason }) => reason)).toEqual([
      'webhook-id is missing',
      none,
      'webhook-timestamp is too old',
      undefined,
    ]);
    expect(await storedEvents()).toHaveLength(1);
  });

  it('wants a token too where both are configured', async () => {
    const webhooks = { tokens: [testSecret('right')], signingSecrets: [testSecret(secret)] };
    const { post } = await startTestReceiver({ webhooks });
    const right = { authorization: 'Bearer right' };
    expect((await post(body, right)).status).toBe(401);
    expect((await post(body, signed())).status).toBe(401);
    expect((await post(body, { ...signed(), authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post(body, { ...signed(), ...right })).status).toBe(202);
  });
});

function now(): string {
  return signed()['webhook-timestamp'];
}

function timed(timestamp: string): Headers {
  return { ...signed(), 'webhook-timestamp': timestamp };
}
