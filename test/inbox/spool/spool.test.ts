import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { BusyError } from '../../../src/core/errors.ts';
import type { EventText } from '../../../src/inbox/events/read-event.ts';
import { inboxFolder, receiverLockPath } from '../../../src/inbox/spool/layout.ts';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import { SpoolUnavailableError } from '../../../src/inbox/spool/spool-errors.ts';
import type { Spool } from '../../../src/inbox/spool/spool.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  allKeys,
  archiveRead,
  eventOf,
  eventsOf,
  keysOfEvents,
  namesInInbox,
  openSpool,
  receivedAt,
  writeSegment,
} from '../../support/spooled-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function storeAll(spool: Spool, events: readonly EventText[]): Promise<string[]> {
  return Promise.all(events.map((event) => spool.store(event, receivedAt)));
}

/** What became of each: its outcome, or the code of its error. */
async function outcomesOf(stores: readonly Promise<string>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(stores);
  return settled.map((each) =>
    each.status === 'fulfilled' ? each.value : (each.reason as { code?: unknown }).code,
  );
}

async function archiveAll(dataDir: string): Promise<void> {
  await archiveRead(dataDir, await listSegments(dataDir));
}

test('has an event on disk when it says so, while the segment is still open', async () => {
  const dataDir = await temporaryFolder();
  const spool = await openSpool(dataDir);
  expect(await spool.store(eventOf(1), receivedAt)).toBe('stored');
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(eventsOf(1, 1)));
  expect(await listSegments(dataDir)).toMatchObject([{ isSealed: false }]);
  await spool.close();
});

test('keeps events that come at once in their order, each of them once', async () => {
  const dataDir = await temporaryFolder();
  const spool = await openSpool(dataDir);
  const events = eventsOf(1, 300);
  const twice = events.flatMap((event) => [event, event]);
  const outcomes = await storeAll(spool, twice);
  expect(outcomes).toEqual(events.flatMap(() => ['stored', 'duplicate']));
  await spool.close();
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(events));
});

describe('a repeat', () => {
  it('is known after a restart, and after its event went to the archive', async () => {
    const dataDir = await temporaryFolder();
    const first = await openSpool(dataDir);
    await storeAll(first, eventsOf(1, 2));
    await first.close();
    const second = await openSpool(dataDir);
    expect(await storeAll(second, eventsOf(1, 3))).toEqual(['duplicate', 'duplicate', 'stored']);
    await archiveAll(dataDir);
    expect(await storeAll(second, eventsOf(1, 4))).toEqual([
      ...['duplicate', 'duplicate', 'duplicate', 'stored'],
    ]);
    await second.close();
    await archiveAll(dataDir);
    const third = await openSpool(dataDir);
    expect(await storeAll(third, eventsOf(4, 2))).toEqual(['duplicate', 'stored']);
    await third.close();
  });

  it('of an event that is being written waits until that one is on disk', async () => {
    const dataDir = await temporaryFolder();
    const spool = await openSpool(dataDir);
    const answers: string[] = [];
    const note = async (name: string) => {
      const outcome = await spool.store(eventOf(1), receivedAt);
      answers.push(`${name} ${outcome}, ${(await allKeys(dataDir)).length} on disk`);
    };
    const work = [note('first'), note('second')];
    expect(spool.state.queued).toMatchObject({ events: 1 });
    await Promise.all(work);
    expect(answers.toSorted()).toEqual(['first stored, 1 on disk', 'second duplicate, 1 on disk']);
    await spool.close();
  });

  it('of an event that another process stored is known before it is written', async () => {
    const dataDir = await temporaryFolder();
    const spool = await openSpool(dataDir);
    await spool.store(eventOf(1), receivedAt);
    await writeSegment(dataDir, '20260115T120001.500Z-9-bb-000001.ndjson', eventsOf(2, 2));
    expect(await storeAll(spool, eventsOf(1, 4))).toEqual([
      ...['duplicate', 'duplicate', 'duplicate', 'stored'],
    ]);
    await writeSegment(dataDir, '20260115T120001.500Z-9-bb-000002.ndjson', eventsOf(5, 1));
    await archiveAll(dataDir);
    expect(await storeAll(spool, eventsOf(5, 2))).toEqual(['duplicate', 'stored']);
    await spool.close();
  });
});

describe('a segment', () => {
  it('is sealed before it grows beyond its size, and an event that is larger has its own', async () => {
    const dataDir = await temporaryFolder();
    const spool = await openSpool(dataDir, { segmentBytes: 1_000 });
    for (const event of [...eventsOf(1, 5), eventOf(6, 5_000), eventOf(7)]) {
      await spool.store(event, receivedAt);
    }
    const segments = await listSegments(dataDir);
    expect(segments.map(({ isSealed }) => isSealed)).toEqual([true, true, true, false]);
    const [first, second, large] = segments.map(({ bytes }) => bytes);
    expect([first, second].every((bytes) => bytes !== undefined && bytes <= 1_000)).toBe(true);
    expect(large).toBeGreaterThan(5_000);
    await spool.close();
    expect(await allKeys(dataDir)).toEqual(
      keysOfEvents([...eventsOf(1, 5), eventOf(6, 5_000), eventOf(7)]),
    );
  });

  it('keeps its size when many events come at once', async () => {
    const dataDir = await temporaryFolder();
    const spool = await openSpool(dataDir, { segmentBytes: 2_000 });
    const events = eventsOf(1, 100);
    await storeAll(spool, events);
    await spool.close();
    const sizes = (await listSegments(dataDir)).map(({ bytes }) => bytes);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
    expect(sizes.length).toBeLessThan(20);
    expect(await allKeys(dataDir)).toEqual(keysOfEvents(events));
  });

  it('is sealed by its age, also when nothing more comes', async () => {
    const dataDir = await temporaryFolder();
    const manual = new ManualClock();
    const spool = await openSpool(dataDir, { clock: manual, segmentAgeMs: 5_000 });
    await spool.store(eventOf(1), receivedAt);
    while (!(await listSegments(dataDir))[0]?.isSealed) await manual.advance(1_000);
    expect(manual.now().getTime() - Date.parse('2026-01-15T12:00:00Z')).toBeGreaterThanOrEqual(
      5_000,
    );
    expect(await spool.store(eventOf(2), receivedAt)).toBe('stored');
    await spool.close();
    expect(await allKeys(dataDir)).toEqual(keysOfEvents(eventsOf(1, 2)));
  });

  it('is never made for nothing', async () => {
    const dataDir = await temporaryFolder();
    await (await openSpool(dataDir)).close();
    expect(await listSegments(dataDir)).toEqual([]);
  });
});

test('says what waits, as others take it away', async () => {
  const dataDir = await temporaryFolder();
  const manual = new ManualClock();
  const spool = await openSpool(dataDir, { clock: manual, segmentBytes: 1_000 });
  for (const event of eventsOf(1, 5)) await spool.store(event, receivedAt);
  const [sealed, open] = await listSegments(dataDir);
  const bytes = (sealed?.bytes ?? 0) + (open?.bytes ?? 0);
  expect(spool.state).toEqual({
    queued: { events: 0, bytes: 0 },
    openSegmentBytes: open?.bytes,
    backlog: { events: 5, bytes, segments: 2 },
    knownEvents: 5,
    failing: null,
  });
  await archiveAll(dataDir);
  while (spool.state.backlog.segments > 1) await manual.advance(1_000);
  expect(spool.state.backlog).toMatchObject({ bytes: open?.bytes, segments: 1 });
  await spool.close();
});

describe('two receivers on one folder', () => {
  it('are told apart by a lock: the second is refused, with who holds it', async () => {
    const dataDir = await temporaryFolder();
    const spool = await openSpool(dataDir);
    const refused = openSpool(dataDir);
    await expect(refused).rejects.toThrow(BusyError);
    await expect(refused).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(
        `^${receiverLockPath(dataDir)} is in use: process ${process.pid} on .* holds it \\(webhooks serve, since .*\\); stop it first, let --wait <seconds> wait for it, or give this one another data_dir$`,
      ) as string,
    });
    await spool.store(eventOf(1), receivedAt);
    await spool.close();
    const next = await openSpool(dataDir);
    expect(await next.store(eventOf(1), receivedAt)).toBe('duplicate');
    await next.close();
  });

  it('leave no lock behind when one cannot start', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(inboxFolder(dataDir), 'in the way');
    await expect(openSpool(dataDir)).rejects.toThrow('EEXIST');
    await rm(inboxFolder(dataDir));
    await (await openSpool(dataDir)).close();
  });
});

describe('an inbox that takes nothing', () => {
  it('fails events with their repeats, tries again after a second, and then goes on', async () => {
    const dataDir = await temporaryFolder();
    const manual = new ManualClock();
    const spool = await openSpool(dataDir, { clock: manual });
    await rename(inboxFolder(dataDir), `${inboxFolder(dataDir)}-away`);
    await writeFile(inboxFolder(dataDir), 'in the way');
    const stores = [eventOf(1), eventOf(1), eventOf(2)].map((event) =>
      spool.store(event, receivedAt),
    );
    expect(await outcomesOf(stores)).toEqual(Array.from({ length: 3 }, () => 'SPOOL_UNAVAILABLE'));
    await expect(stores[0]).rejects.toThrow(SpoolUnavailableError);
    await expect(stores[0]).rejects.toThrow(
      /inbox takes no events \(ENOTDIR: .*\); make room or repair the disk; the receiver then goes on by itself$/,
    );
    const since = manual.now();
    expect(spool.state).toMatchObject({ queued: { events: 0, bytes: 0 }, failing: { since } });

    await rm(inboxFolder(dataDir));
    await mkdir(inboxFolder(dataDir));
    expect(await outcomesOf([spool.store(eventOf(1), receivedAt)])).toEqual(['SPOOL_UNAVAILABLE']);
    await manual.advance(1_000);
    expect(await storeAll(spool, [eventOf(1), eventOf(1), eventOf(3)])).toEqual([
      ...['stored', 'duplicate', 'stored'],
    ]);
    expect(spool.state.failing).toBeNull();
    await spool.close();
    expect(await allKeys(dataDir)).toEqual(keysOfEvents([eventOf(1), eventOf(3)]));
  });

  it('goes on by itself after somebody removed it', async () => {
    const dataDir = await temporaryFolder();
    const spool = await openSpool(dataDir);
    await spool.store(eventOf(1), receivedAt);
    await rm(inboxFolder(dataDir), { recursive: true });
    expect(await spool.store(eventOf(2), receivedAt)).toBe('stored');
    expect(await allKeys(dataDir)).toEqual(keysOfEvents([eventOf(2)]));
    await spool.close();
    expect(await allKeys(dataDir)).toEqual(keysOfEvents([eventOf(2)]));
  });
});

test('refuses events while the clock is beyond the times that a segment can hold', async () => {
  const dataDir = await temporaryFolder();
  const manual = new ManualClock('9999-12-31T23:59:59.999Z');
  const spool = await openSpool(dataDir, { clock: manual });
  expect(await spool.store(eventOf(1), manual.now())).toBe('stored');
  manual.jumpTo(new Date(manual.now().getTime() + 1));
  const refused = spool.store(eventOf(2), manual.now());
  await expect(refused).rejects.toThrow(SpoolUnavailableError);
  await expect(refused).rejects.toThrow(
    'the clock of this machine says +010000-01-01T00:00:00.000Z, and no event is stored under such a time: set the clock',
  );
  expect(spool.state.queued).toEqual({ events: 0, bytes: 0 });
  await spool.close();
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(eventsOf(1, 1)));
});

test('removes what a killed receiver left of trying the disk', async () => {
  const dataDir = await temporaryFolder();
  await writeSegment(dataDir, '.trial-4711', Buffer.alloc(10));
  await writeSegment(dataDir, '.trial-of-mine', Buffer.alloc(10));
  await (await openSpool(dataDir)).close();
  expect(await namesInInbox(dataDir)).toEqual(['.trial-of-mine']);
});

test('refuses events when too many bytes wait for the disk, and takes them again afterwards', async () => {
  const dataDir = await temporaryFolder();
  const spool = await openSpool(dataDir, { maxQueuedBytes: 10_000 });
  const stores = [eventOf(1, 9_900), eventOf(2), eventOf(1, 9_900)].map((event) =>
    spool.store(event, receivedAt),
  );
  await expect(stores[1]).rejects.toThrow(
    /takes no more events now: \d+ bytes wait for the disk, 10000 may; send again later$/,
  );
  expect(await outcomesOf(stores)).toEqual(['stored', 'SPOOL_UNAVAILABLE', 'duplicate']);
  expect(await spool.store(eventOf(2), receivedAt)).toBe('stored');
  await spool.close();
});

test('has all that it took on disk when it is closed, and takes no more', async () => {
  const dataDir = await temporaryFolder();
  const spool = await openSpool(dataDir);
  const events = eventsOf(1, 50);
  const stores = events.map((event) => spool.store(event, receivedAt));
  const closed = Promise.all([spool.close(), spool.close()]);
  const late = spool.store(eventOf(51), receivedAt);
  await expect(late).rejects.toThrow('takes no events any more: the receiver is stopping');
  await closed;
  expect(await listSegments(dataDir)).toMatchObject([{ isSealed: true }]);
  expect(new Set(await Promise.all(stores))).toEqual(new Set(['stored']));
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(events));
});

test('loses nothing to a drain that goes on beside it', async () => {
  const dataDir = await temporaryFolder();
  const spool = await openSpool(dataDir, { segmentBytes: 3_000 });
  const events = eventsOf(1, 600);
  let isStoring = true;
  const drain = async () => {
    while (isStoring) await archiveAll(dataDir);
  };
  const store = async (first: number) => {
    for (let index = first; index < events.length; index += 8) {
      const event = events[index] ?? eventOf(0);
      expect(await spool.store(event, receivedAt)).toBe('stored');
      expect(await spool.store(event, receivedAt)).toBe('duplicate');
    }
  };
  const draining = drain();
  await Promise.all(Array.from({ length: 8 }, (_, first) => store(first)));
  isStoring = false;
  await draining;
  await spool.close();
  await archiveAll(dataDir);
  expect(await listSegments(dataDir)).toEqual([]);
  expect((await allKeys(dataDir)).toSorted()).toEqual(keysOfEvents(events).toSorted());
  const next = await openSpool(dataDir);
  expect(new Set(await storeAll(next, events))).toEqual(new Set(['duplicate']));
  await next.close();
});
