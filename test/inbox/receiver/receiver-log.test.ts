import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../src/inbox/events/read-event.ts';
import { LineQuota } from '../../../src/inbox/receiver/line-quota.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { numberedEvent, startTestReceiver } from '../../support/receiver.ts';

function startQuota(lines: number) {
  const clock = new ManualClock();
  const closing = new AbortController();
  const sums: number[] = [];
  const sumUp = (more: number) => sums.push(more);
  const quota = new LineQuota({ clock, lines, periodMs: 1_000, sumUp, signal: closing.signal });
  const take = (count: number) => Array.from({ length: count }, () => quota.take());
  return { clock, closing, sums, take };
}

describe('a quota of lines', () => {
  it('lets so many through in a second, sums the rest up at its end, and begins anew', async () => {
    const { clock, sums, take } = startQuota(2);
    expect(take(5)).toEqual([true, true, false, false, false]);
    await clock.advance(999);
    expect(take(1)).toEqual([false]);
    expect(sums).toEqual([]);
    await clock.advance(1);
    expect(sums).toEqual([4]);
    expect(take(3)).toEqual([true, true, false]);
    await clock.advance(1_000);
    expect(sums).toEqual([4, 1]);
  });

  it('says nothing where nothing was left out', async () => {
    const { clock, sums, take } = startQuota(2);
    take(2);
    await clock.advance(5_000);
    expect(sums).toEqual([]);
    expect(clock.sleepers).toBe(0);
  });

  it('sums up at once when it ends', async () => {
    const { clock, closing, sums, take } = startQuota(0);
    take(3);
    closing.abort();
    await clock.advance(0);
    expect(sums).toEqual([3]);
  });
});

describe('the log of a receiver', () => {
  it('has a line for each event, with its type made safe and the beginning of its key', async () => {
    const { post, lines } = await startTestReceiver();
    const event = JSON.stringify({
      type: `\u001b[31mred\u202e\n${'x'.repeat(300)}`,
      data: { secret: 'private' },
      createdAt: '2026-11-21T10:00:00Z',
    });
    const key = readEvent(Buffer.from(event)).eventKey.slice(0, 12);
    await post(event);
    await post(event);
    const type = `\u241b[31mred\ufffd ${'x'.repeat(110)}…`;
    expect(lines).toEqual([
      { level: 30, type, key, msg: 'event stored' },
      { level: 30, type, key, msg: 'duplicate' },
    ]);
  });

  it('sums up what is too much for a second: of stored, of refused and of duplicates', async () => {
    const clock = new ManualClock();
    const limits = { logLinesPerSecond: 2 };
    const { post, lines } = await startTestReceiver({ clock, limits });
    for (const n of [1, 2, 3, 4, 5]) await post(numberedEvent(n));
    for (const n of [1, 2, 3]) await post(numberedEvent(n));
    for (const body of ['', '{', '[', '}']) await post(body);
    await clock.advance(1_000);
    const messages = lines.map(({ msg }) => msg);
    const count = (message: string) => messages.filter((msg) => msg === message).length;
    expect([count('event stored'), count('duplicate'), count('refused')]).toEqual([2, 2, 2]);
    expect(messages.slice(6)).toEqual([
      '3 more events stored',
      '1 more duplicates',
      '2 more requests refused',
    ]);
  });

  it('loses no sum when the receiver stops', async () => {
    const { post, lines, close } = await startTestReceiver({ limits: { logLinesPerSecond: 0 } });
    for (const n of [1, 2]) await post(numberedEvent(n));
    await close();
    expect(lines.map(({ msg }) => msg)).toEqual(['2 more events stored']);
  });
});
