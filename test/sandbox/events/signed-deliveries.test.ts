import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log.ts';
import type { SandboxEvent } from '../../../src/sandbox/events/delivery.ts';
import { EventSender } from '../../../src/sandbox/events/event-sender.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';
import { startWebhookEndpoint } from '../../support/webhook-endpoint.ts';

const signingSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const otherSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';

/** Long before now: what an event says of its own time has no part in the signature's. */
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

  it('keeps its id from try to try, and has the time of each try', async () => {
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

  it('has the id of its event: a copy has the same, another event of the same text has not', async () => {
    const { sender, arrive, idsOf } = await startSigning(systemClock);
    sender.configure({ duplicates: 1 });
    sender.send(eventOf({ n: 1 }));
    sender.send(eventOf({ n: 1 }));
    await arrive(4);
    const [one, , other] = idsOf();
    expect(idsOf()).toEqual([one, one, other, other]);
    expect(other).not.toBe(one);
  });

  it('has an id that follows from the seed', async () => {
    const idWith = async (seed: number) => {
      const { sender, arrive, idsOf } = await startSigning(systemClock, seed);
      sender.send(eventOf({ n: 1 }));
      await arrive(1);
      return idsOf()[0];
    };
    const [one, again, other] = [await idWith(7), await idWith(7), await idWith(8)];
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it('has none of these headers where there is no secret', async () => {
    const endpoint = await startWebhookEndpoint();
    const webhook = { url: new URL(endpoint.url), token: null };
    const sender = new EventSender({ seed: 1, webhook, clock: systemClock, log: silentLog });
    onTestFinished(() => sender.close());
    sender.send(eventOf({ n: 1 }));
    await until(() => endpoint.arrivals.length === 1);
    const names = Object.keys(endpoint.arrivals[0]?.headers ?? {});
    expect(names.filter((name) => name.startsWith('webhook-'))).toEqual([]);
  });
});
