import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
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

const signingSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

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
  it('keeps its id from attempt to attempt, and has the time of each attempt', async () => {
    const clock = new ManualClock();
    const { endpoint, sender, arrive, idsOf } = await startSigning(clock);
    endpoint.behave(500);
    const delivery = sender.send(eventOf({ n: 1 }));
    await until(() => delivery.attempts.length === 1);
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
