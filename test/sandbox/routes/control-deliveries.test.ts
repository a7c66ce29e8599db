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

const unknownField = 'Unknown field, expected duplicates, reorder, hold';

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

  it('dates an event that has no date by its own clock', async () => {
    const { control } = await runWithWebhook();
    await control('/clock', { advance_days: 10 });
    expect((await control('/events', { type: 'campaign.renamed', data: {} })).body).toMatchObject({
      event: { type: 'campaign.renamed', data: {}, createdAt: '2026-01-25T12:00:00.000Z' },
    });
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

  it('delivers the events of the workspace', async () => {
    const { endpoint, control, examples } = await runWithWebhook();
    const id = (await examples()).posts.Posted[0] ?? '';
    await control(`/posts/${id}/delete`, {});
    await control('/invites', { email: 'ada@example.com' });
    await control('/deliveries/flush', {});
    expect(endpoint.arrivals.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { type: 'post.permanently_deleted', createdAt: noon, data: { post: { id } } },
      { type: 'invite.created', data: { invite: { email: 'ada@example.com' } } },
    ]);
  });

  it('holds, repeats and reorders events, one setting at a time', async () => {
    const { endpoint, control } = await runWithWebhook();
    await control('/deliveries', { hold: true });
    await control('/deliveries', { duplicates: 1 });
    await control('/deliveries', { reorder: true });
    for (const n of [0, 1]) await control('/events', { type: 'test', data: { n } });
    await control('/deliveries/flush', {});
    expect(endpoint.arrivals).toEqual([]);
    expect((await control('/deliveries')).body).toMatchObject({
      settings: { duplicates: 1, reorder: true, hold: true },
      deliveries: Array.from({ length: 4 }, () => ({ state: 'pending', is_held: true })),
    });
    await control('/deliveries', { hold: false });
    await control('/deliveries/flush', {});
    expect(endpoint.numbers().toSorted()).toEqual([0, 0, 1, 1]);
    expect(endpoint.numbers()).not.toEqual([0, 0, 1, 1]);
  });

  it.each([
    [{ duplicates: 6 }, { duplicates: ['Invalid number, expected a whole one from 0 to 5'] }],
    [{ hold: 'yes' }, { hold: ['Invalid boolean, expected true or false'] }],
    [{ webhook_url: 'http://elsewhere.example/' }, { webhook_url: [unknownField] }],
    [{ token: 'x' }, { token: [unknownField] }],
  ])('refuses %j, since the receiver is set only at the start', async (wrong, errors) => {
    const { control, sandbox } = await runWithWebhook();
    expect(await control('/deliveries', wrong)).toMatchObject({
      status: 400,
      body: { data: { errors } },
    });
    expect((await control('/deliveries')).body).toMatchObject({
      webhook_url: sandbox.describe().webhook_url,
    });
  });

  it('never shows the token in an answer', async () => {
    const { control, endpoint } = await runWithWebhook();
    await control('/events', { type: 'test', data: {} });
    await control('/deliveries/flush', {});
    expect(endpoint.arrivals[0]?.headers.authorization).toBe(`Bearer ${token}`);
    const answers = await Promise.all([control(''), control('/deliveries'), control('/faults')]);
    expect(JSON.stringify(answers)).not.toContain(token);
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
