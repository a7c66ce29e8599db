import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../src/core/clock.ts';
import { createLog, silentLog } from '../../src/core/log.ts';
import { packageVersion } from '../../src/core/package-version.ts';
import { EventSender, type SandboxEvent } from '../../src/sandbox/event-sender.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { startWebhookEndpoint } from '../support/webhook-endpoint.ts';

const token = 'a-token-that-nobody-may-see';

function numberedEvent(n: number) {
  return { type: 'test.numbered', data: { n }, createdAt: '2026-01-15T12:00:00.000Z' };
}

async function startSending(options: Partial<ConstructorParameters<typeof EventSender>[0]> = {}) {
  const endpoint = await startWebhookEndpoint();
  const clock = new ManualClock();
  const webhook = { url: new URL(endpoint.url), token };
  const sender = new EventSender({ seed: 1, webhook, clock, log: silentLog, ...options });
  onTestFinished(() => sender.close());
  const sendNumbers = (count: number) => {
    for (let n = 0; n < count; n += 1) sender.send(numberedEvent(n));
  };
  const states = () => sender.deliveries.map(({ state }) => state);
  const attemptsOf = (index: number) => sender.deliveries[index]?.attempts ?? [];
  return { endpoint, clock, sender, sendNumbers, states, attemptsOf };
}

describe('a delivery', () => {
  it('is the event as JSON, posted with the token, by a named sender', async () => {
    const { endpoint, sender, states, attemptsOf } = await startSending();
    sender.send(numberedEvent(7));
    await until(() => states()[0] === 'delivered');
    expect(endpoint.arrivals).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        headers: {
          'content-type': 'application/json',
          'user-agent': `postledger-sandbox/${packageVersion}`,
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(numberedEvent(7)),
      },
    ]);
    expect(attemptsOf(0)).toEqual([{ at: '2026-01-15T12:00:00.000Z', status: 204 }]);
  });

  it('is tried again after 1 s, 5 s, 30 s, 2 min and 10 min, and then marked as failed', async () => {
    const { endpoint, clock, sendNumbers, states, attemptsOf } = await startSending();
    endpoint.behave(500);
    sendNumbers(1);
    for (const [index, seconds] of [1, 5, 30, 120, 600].entries()) {
      await until(() => attemptsOf(0).length === index + 1);
      expect(states()).toEqual(['pending']);
      await clock.advance(seconds * 1000);
    }
    await until(() => states()[0] === 'failed');
    expect(attemptsOf(0)).toEqual([
      { at: '2026-01-15T12:00:00.000Z', status: 500 },
      { at: '2026-01-15T12:00:01.000Z', status: 500 },
      { at: '2026-01-15T12:00:06.000Z', status: 500 },
      { at: '2026-01-15T12:00:36.000Z', status: 500 },
      { at: '2026-01-15T12:02:36.000Z', status: 500 },
      { at: '2026-01-15T12:12:36.000Z', status: 500 },
    ]);
    expect(endpoint.arrivals).toHaveLength(6);
  });
});

describe('the sender of events', () => {
  it('sends as many further copies of each event as configured', async () => {
    const { endpoint, sender, sendNumbers } = await startSending();
    sender.configure({ duplicates: 2 });
    sendNumbers(2);
    await sender.flush();
    expect(endpoint.numbers()).toEqual([0, 0, 0, 1, 1, 1]);
    const copies = sender.deliveries.map(({ event, copy, state }) => [event['data'], copy, state]);
    expect(copies).toEqual(
      [0, 1].flatMap((n) => [0, 1, 2].map((copy) => [{ n }, copy, 'delivered'])),
    );
  });

  it('sends in another order, which is the same for the same seed', async () => {
    const orders = [];
    for (const seed of [1, 1, 2]) {
      const { endpoint, clock, sender, sendNumbers, states } = await startSending({ seed });
      sender.configure({ reorder: true });
      sendNumbers(10);
      await clock.advance(1_999);
      expect(endpoint.arrivals).toEqual([]);
      await clock.advance(1);
      await until(() => states().every((state) => state === 'delivered'));
      orders.push(endpoint.numbers());
    }
    const [first, again, other] = orders;
    const inOrder = Array.from({ length: 10 }, (_, n) => n);
    expect(first?.toSorted()).toEqual(inOrder);
    expect(first).not.toEqual(inOrder);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('keeps all events while they are held, and sends them in order when they are released', async () => {
    const { endpoint, sender, sendNumbers, states } = await startSending();
    sender.configure({ hold: true });
    sendNumbers(3);
    await sender.flush();
    expect(states()).toEqual(['pending', 'pending', 'pending']);
    expect(sender.deliveries.map(({ isHeld }) => isHeld)).toEqual([true, true, true]);
    expect(endpoint.arrivals).toEqual([]);
    sender.configure({ hold: false });
    await until(() => states().every((state) => state === 'delivered'));
    expect(endpoint.numbers()).toEqual([0, 1, 2]);
    expect(sender.deliveries.map(({ isHeld }) => isHeld)).toEqual([false, false, false]);
  });

  it('never shows the token and the query of the address', async () => {
    const lines: string[] = [];
    const log = createLog({
      level: 'debug',
      format: 'json',
      color: false,
      destination: { write: (line: string) => void lines.push(line) },
    });
    const endpoint = await startWebhookEndpoint();
    const webhook = { url: new URL(`${endpoint.url}?token=also-a-secret`), token };
    const { sender, sendNumbers, attemptsOf } = await startSending({ webhook, log });
    endpoint.behave(({ body }) => (body.includes('"n":0') ? 'reset' : 401));
    sendNumbers(2);
    await until(() => attemptsOf(1).length === 1);
    endpoint.behave(204);
    await sender.flush();
    expect(endpoint.arrivals[0]?.path).toBe('/hook?token=also-a-secret');
    const shown = JSON.stringify([lines, sender.deliveries, sender.webhookUrl, sender]);
    expect(lines).toHaveLength(6);
    expect(sender.webhookUrl).toBe(`${endpoint.url}?…`);
    expect(shown).not.toContain(token);
    expect(shown).not.toContain('also-a-secret');
  });
});

const signingSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const otherSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';

/** The time of the event is long before now, and has no influence on the signature's time. */
function eventOf(data: unknown): SandboxEvent {
  return { type: 'test', data, createdAt: '2019-01-15T12:00:00.000Z' };
}

async function startSigning(clock: Clock, seed = 1) {
  const endpoint = await startWebhookEndpoint();
  const webhook = { url: new URL(endpoint.url), token: null, signingSecret };
  const sender = new EventSender({ seed, webhook, clock, log: silentLog });
  onTestFinished(() => sender.close());
  const arrive = (count: number) => until(() => endpoint.arrivals.length === count);
  const idsOf = () => endpoint.arrivals.map(({ headers }) => headers['webhook-id']);
  return { endpoint, sender, arrive, idsOf };
}

describe('a signed delivery', () => {
  it('is verified by the reference library with its secret, and by no other', async () => {
    const { endpoint, sender, arrive } = await startSigning(systemClock);
    const events = [eventOf({ n: 1 }), eventOf({ text: 'Blåbærsyltetøy 🫐 \ud83d "quoted"' })];
    for (const event of events) sender.send(event);
    await arrive(2);
    for (const [index, { body, headers }] of endpoint.arrivals.entries()) {
      const given = headers as Record<string, string>;
      expect(new Webhook(signingSecret).verify(body, given)).toEqual(events[index]);
      expect(() => new Webhook(otherSecret).verify(body, given)).toThrow('No matching signature');
      expect(() => new Webhook(signingSecret).verify(`${body} `, given)).toThrow(
        'No matching signature',
      );
    }
  });

  it('keeps its id from attempt to attempt, and has the time of each attempt', async () => {
    const clock = new ManualClock();
    const { endpoint, sender, arrive, idsOf } = await startSigning(clock);
    endpoint.behave(500);
    const [delivery] = sender.send(eventOf({ n: 1 }));
    await until(() => delivery?.attempts.length === 1);
    await clock.advance(1000);
    await arrive(2);
    const [id] = idsOf();
    expect(id).toMatch(/^msg_[0-9a-f]{24}$/);
    expect(idsOf()).toEqual([id, id]);
    const start = Date.parse('2026-01-15T12:00:00Z') / 1000;
    expect(endpoint.arrivals.map(({ headers }) => headers['webhook-timestamp'])).toEqual([
      String(start),
      String(start + 1),
    ]);
  });
});
