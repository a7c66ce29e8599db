import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { until } from '../../support/until.ts';
import { startWebhookEndpoint } from '../../support/webhook-endpoint.ts';
import { runSandbox } from '../running-sandbox.ts';

const token = 'a-token-that-nobody-may-see';
const noon = '2026-01-15T12:00:00.000Z';

async function runWithWebhook(options: Partial<SandboxOptions> = {}) {
  const endpoint = await startWebhookEndpoint();
  const webhook = { url: new URL(endpoint.url), token };
  return { endpoint, ...(await runSandbox({ webhook, ...options })) };
}

describe('POST /_sandbox/events', () => {
  it('sends an event as it is given, of any type and any shape', async () => {
    const { endpoint, control } = await runWithWebhook();
    const broken = {
      createdAt: 17,
      type: 'post.permanently_deleted',
      data: [null],
      more: { x: 1 },
    };
    expect(await control('/events', broken)).toEqual({
      status: 202,
      body: { event: broken, deliveries: [1] },
    });
    await control('/deliveries/flush', {});
    expect(endpoint.arrivals.map(({ body }) => JSON.parse(body) as unknown)).toEqual([broken]);
  });

  it.each([
    [[], { body: ['Invalid object, expected one with type, data'] }],
    [{ type: 7, data: {} }, { type: ['Invalid string'] }],
    [{ type: 'x' }, { data: ['Missing; any JSON value will do'] }],
  ])('refuses what is not an event: %j', async (wrong, errors) => {
    const { endpoint, control } = await runWithWebhook();
    expect(await control('/events', wrong)).toMatchObject({
      status: 400,
      body: { data: { errors } },
    });
    expect((await control('/deliveries')).body).toMatchObject({ deliveries: [] });
    expect(endpoint.arrivals).toEqual([]);
  });
});

describe('/_sandbox/deliveries', () => {
  it('lists every event with its outcome', async () => {
    const { endpoint, control, sandbox } = await runWithWebhook();
    endpoint.behave(503);
    const event = { type: 'test', data: { n: 0 }, createdAt: noon };
    await control('/events', event);
    await until(() => endpoint.arrivals.length === 1);
    await control('/deliveries/flush', {});
    endpoint.behave(204);
    const { body } = await control('/deliveries/flush', {});
    const [first, ...others] = (body as { deliveries: { attempts: unknown[] }[] }).deliveries;
    expect(body).toMatchObject({
      webhook_url: sandbox.describe().webhook_url,
      settings: { duplicates: 0, reorder: false, hold: false },
    });
    expect(first).toMatchObject({ id: 1, copy: 0, state: 'delivered', is_held: false, event });
    expect(first?.attempts[0]).toEqual({ at: noon, status: 503 });
    expect(first?.attempts.at(-1)).toEqual({ at: noon, status: 204 });
    expect(others).toEqual([]);
  });
});

describe('the control path', () => {
  it('refuses requests of web pages', async () => {
    const { sandbox, control } = await runWithWebhook();
    for (const path of ['clock', 'faults', 'events', 'deliveries', 'invites']) {
      const response = await fetch(new URL(`/_sandbox/${path}`, sandbox.url), {
        method: 'POST',
        headers: { origin: 'https://page.example' },
        body: JSON.stringify({ type: 'test', data: {}, email: 'a@example.com', level: 'hostile' }),
      });
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({
        code: 'FORBIDDEN',
        message: 'Web pages cannot control the sandbox; use a program',
      });
    }
    expect((await control('/deliveries')).body).toMatchObject({ deliveries: [] });
    expect(sandbox.describe().faults).toBe('none');
  });
});
