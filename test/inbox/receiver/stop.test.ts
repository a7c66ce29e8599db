import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../../src/inbox/receiver/limits.ts';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  numberedEvent,
  openRaw,
  parseAnswers,
  startTestReceiver,
  untilClosed,
} from '../../support/receiver.ts';

const event = numberedEvent(1);
const head = `POST /webhooks HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${event.length}\r\n\r\n`;

/** A request whose body is awaited. */
async function openRequest(port: number) {
  const socket = openRaw(port, head);
  const text = untilClosed(socket);
  await new Promise((resolve) => socket.once('data', resolve));
  return { socket, text };
}

describe('a receiver that stops', () => {
  it('answers what is in flight, takes no new connection, and seals what it has', async () => {
    const { port, post, close, dataDir, storedEvents } = await startTestReceiver();
    const { socket, text } = await openRequest(port);
    const closed = close();
    await expect(post(numberedEvent(2))).rejects.toThrow('fetch failed');
    socket.write(event);
    const [answer] = parseAnswers(await text);
    expect(answer).toMatchObject({ status: 202, headers: { connection: 'close' } });
    await closed;
    expect(await storedEvents()).toEqual([JSON.parse(event)]);
    expect((await listSegments(dataDir)).map(({ isSealed }) => isSealed)).toEqual([true]);
  });

  it('does not wait for senders that are connected and say nothing', async () => {
    const { port, post, close } = await startTestReceiver();
    await post(event);
    const silent = [openRaw(port, ''), openRaw(port, 'POST /webhooks HTTP/1.1\r\nHost:')];
    const ended = silent.map(untilClosed);
    await Promise.all(silent.map((socket) => new Promise((go) => socket.once('connect', go))));
    await close();
    await Promise.all(ended);
  });

  it('answers what was on its way on an idle connection, and closes it then', async () => {
    const limits = { stopGraceMs: 300 };
    const { port, close } = await startTestReceiver({ limits, clock: new ManualClock() });
    const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
    const socket = openRaw(port, health);
    const text = untilClosed(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = close();
    socket.write(health);
    const connections = parseAnswers(await text).map(({ headers }) => headers['connection']);
    expect(connections).toEqual(['keep-alive', 'close']);
    await closed;
  });

  it('closes idle connections after less than half a second', async () => {
    const clock = new ManualClock();
    const { stopGraceMs } = defaultLimits;
    expect(stopGraceMs).toBeLessThan(500);
    const { port, close } = await startTestReceiver({ limits: { stopGraceMs }, clock });
    const socket = openRaw(port, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    const text = untilClosed(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = close();
    await clock.advance(stopGraceMs);
    await closed;
    expect(parseAnswers(await text)).toHaveLength(1);
  });

  it('cuts what is in flight for longer than ten seconds', async () => {
    const clock = new ManualClock();
    const { port, close, storedEvents } = await startTestReceiver({ clock });
    const { text } = await openRequest(port);
    const closed = close();
    await clock.advance(10_000);
    await closed;
    expect(parseAnswers(await text)).toEqual([]);
    expect(await storedEvents()).toEqual([]);
  });
});
