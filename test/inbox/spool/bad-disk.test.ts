import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { Log } from '../../../src/core/log.ts';
import { silentLog } from '../../../src/core/log.ts';
import { keysOf } from '../../../src/inbox/spool/key-file.ts';
import { archiveSegments } from '../../../src/archive/archive-segments.ts';
import { inboxFolder, keysPath, receiverLockPath } from '../../../src/inbox/spool/layout.ts';
import { readSegment } from '../../../src/inbox/spool/read-segment.ts';
import { sealOrphans } from '../../../src/inbox/spool/seal-orphans.ts';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import { SegmentWriter } from '../../../src/inbox/spool/write-segment.ts';
import { Gate, disturb, failure } from '../../support/bad-disk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  allKeys,
  archiveRead,
  eventOf,
  eventsOf,
  keysIn,
  keysOfEvents,
  linesOf,
  openSpool,
  receivedAt,
  writeSegment,
} from '../../support/spooled-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const foreign = '20260115T120001.500Z-9-bb-000001.ndjson';

/** What a load does that takes the receiver for dead. @returns the keys of what it loaded */
async function loadAsIfAlone(dataDir: string): Promise<string[]> {
  await rm(receiverLockPath(dataDir));
  await sealOrphans(dataDir);
  const segments = await listSegments(dataDir);
  for (const segment of segments) expect(await readSegment(segment)).toMatchObject({ damages: [] });
  const loaded = await keysIn(segments);
  await archiveRead(dataDir, segments);
  return loaded;
}

/** Lines of a log, each with its fields. */
function recordingLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const warn: Log['warn'] = (fields, message) => lines.push({ ...fields, message });
  return { log: { ...silentLog, warn }, lines };
}

/** Appends to the open segment, as the first part of a write does. */
async function writePart(dataDir: string, part: Buffer): Promise<void> {
  for (const { path, isSealed } of await listSegments(dataDir)) {
    if (!isSealed) await appendFile(path, part);
  }
}

describe('an event whose segment others seal and archive while it is written', () => {
  it.each([
    ['before a byte of it is written', 0],
    ['when a part of it is written', 100],
  ])('is not taken, but by its next try (%s)', async (_, bytes) => {
    const dataDir = await temporaryFolder();
    const spool = await openSpool(dataDir);
    await spool.store(eventOf(1), receivedAt);
    const gate = new Gate();
    const line = linesOf([eventOf(2)]);
    const restore = await disturb('write', async (go, data) => {
      if (!(data instanceof Buffer && data.equals(line))) return go();
      await writePart(dataDir, line.subarray(0, bytes));
      await gate.pass();
      return go();
    });
    const storing = spool.store(eventOf(2), receivedAt);
    await gate.reached;
    expect(await loadAsIfAlone(dataDir)).toEqual(keysOfEvents([eventOf(1)]));
    gate.release();
    await expect(storing).rejects.toMatchObject({
      code: 'SPOOL_UNAVAILABLE',
      message: expect.stringMatching(
        /\.open was sealed or removed by another process while events were written to it; send them again$/,
      ) as string,
    });
    restore();
    expect(await spool.store(eventOf(2), receivedAt)).toBe('stored');
    await spool.close();
    expect((await listSegments(dataDir)).map(({ isSealed }) => isSealed)).toEqual([true]);
    expect(await keysIn(await listSegments(dataDir))).toEqual(keysOfEvents([eventOf(2)]));
  });

  it('is not archived unread when it was written after the segment was read', async () => {
    const dataDir = await temporaryFolder();
    const segment = await writeSegment(dataDir, foreign, eventsOf(1, 1));
    const keys = keysOf((await readSegment(segment))?.events ?? []);
    await writeSegment(dataDir, foreign, eventsOf(1, 2));
    const patience = { clock: systemClock, waitMs: 0 };
    expect(await archiveSegments(dataDir, [{ ...segment, keys }], patience)).toBe(0);
    expect(await keysIn(await listSegments(dataDir))).toEqual(keysOfEvents(eventsOf(1, 2)));
  });
});

describe('what a failed write left in a segment', () => {
  it('is never taken for an event on disk, and goes as soon as the disk lets it', async () => {
    const dataDir = await temporaryFolder();
    const clock = new ManualClock();
    const spool = await openSpool(dataDir, { clock });
    await spool.store(eventOf(1), receivedAt);
    const syncAgain = await disturb('datasync', failure);
    const cutAgain = await disturb('truncate', failure);
    await expect(spool.store(eventOf(5), receivedAt)).rejects.toThrow('EIO');
    expect(await allKeys(dataDir)).toEqual(keysOfEvents([eventOf(1), eventOf(5)]));
    syncAgain();
    await clock.advance(2_000);
    expect(await spool.store(eventOf(6), receivedAt)).toBe('stored');
    expect(await spool.store(eventOf(5), receivedAt)).toBe('stored');
    cutAgain();
    while (!(await listSegments(dataDir))[0]?.isSealed) await clock.advance(1_000);
    expect(await allKeys(dataDir)).toEqual(keysOfEvents([eventOf(1), eventOf(6), eventOf(5)]));
    await spool.close();
    expect(await allKeys(dataDir)).toEqual(keysOfEvents([eventOf(1), eventOf(6), eventOf(5)]));
  });

  it('is no event for one that takes the same event from a file: it waits until that is settled', async () => {
    const dataDir = await temporaryFolder();
    const spool = await openSpool(dataDir);
    await spool.store(eventOf(1), receivedAt);
    const clock = new ManualClock();
    const writer = await SegmentWriter.open(dataDir, clock);
    const gate = new Gate();
    const restore = await disturb('datasync', async () => {
      await gate.pass();
      return failure();
    });
    const storing = spool.store(eventOf(5), receivedAt).catch((error: unknown) => error);
    await gate.reached;
    const adding = writer.add([eventOf(5)], receivedAt);
    await until(() => clock.sleepers > 0);
    gate.release();
    expect(await storing).toMatchObject({ code: 'SPOOL_UNAVAILABLE' });
    restore();
    await clock.advance(1_000);
    expect(await adding).toEqual({ stored: 1, duplicates: 0 });
    await writer.close();
    await spool.close();
    const kept = (await allKeys(dataDir)).toSorted();
    expect(kept).toEqual(keysOfEvents([eventOf(1), eventOf(5)]).toSorted());
  });
});

it('takes an event from a file once more when the receiver that has it does not answer for it', async () => {
  const dataDir = await temporaryFolder();
  const spool = await openSpool(dataDir, { clock: new ManualClock() });
  await spool.store(eventOf(1), receivedAt);
  const clock = new ManualClock();
  const writer = await SegmentWriter.open(dataDir, clock);
  const adding = writer.add(eventsOf(1, 2), receivedAt);
  for (let isDone = false; !isDone; ) {
    await clock.advance(1_000);
    isDone = (await listSegments(dataDir)).length > 1;
  }
  expect(await adding).toEqual({ stored: 2, duplicates: 0 });
  // that segment is not waited for again
  expect(await writer.add(eventsOf(2, 2), receivedAt)).toEqual({ stored: 1, duplicates: 1 });
  await writer.close();
  await spool.close();
});

it('knows of an event that others stored only once their segment is there for good', async () => {
  const dataDir = await temporaryFolder();
  const clock = new ManualClock();
  const spool = await openSpool(dataDir, { clock });
  await writeSegment(dataDir, foreign, eventsOf(7, 1));
  const restore = await disturb('sync', failure);
  await expect(spool.store(eventOf(7), receivedAt)).rejects.toThrow('EIO');
  restore();
  await clock.advance(1_000);
  expect(await spool.store(eventOf(7), receivedAt)).toBe('duplicate');
  await spool.close();
});

it('counts an event that leaves the queue once, though its group fails after it', async () => {
  const dataDir = await temporaryFolder();
  const spool = await openSpool(dataDir);
  await spool.store(eventOf(1), receivedAt);
  await writeSegment(dataDir, foreign, eventsOf(7, 1));
  await disturb('datasync', failure);
  const stores = await Promise.allSettled([7, 8].map((id) => spool.store(eventOf(id), receivedAt)));
  expect(stores.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(spool.state.queued).toEqual({ events: 0, bytes: 0 });
  await spool.close();
});

describe('what cannot be read in the inbox', () => {
  it('costs nothing but the memory of its events, and is told of once', async () => {
    const dataDir = await temporaryFolder();
    const { log, lines } = recordingLog();
    const spool = await openSpool(dataDir, { log });
    await spool.store(eventOf(1), receivedAt);
    const segment = join(inboxFolder(dataDir), foreign);
    await mkdir(segment);
    await mkdir(keysPath(dataDir));
    expect(await spool.store(eventOf(2), receivedAt)).toBe('stored');
    await writeSegment(dataDir, foreign.replace('01.ndj', '02.ndj'), eventsOf(3, 1));
    expect(await spool.store(eventOf(3), receivedAt)).toBe('duplicate');
    expect(spool.state.failing).toBeNull();
    const message =
      'a file of the inbox cannot be read, repeats of its events are stored again; give this user the right to it, or move it away';
    const error = expect.stringContaining('EISDIR') as string;
    expect(lines).toEqual([
      { file: segment, error, message },
      { file: keysPath(dataDir), error, message },
    ]);
    await spool.close();
  });

  it('is no event: one that is damaged there can come again', async () => {
    const dataDir = await temporaryFolder();
    const damaged = linesOf(eventsOf(1, 2));
    damaged.write('7', damaged.indexOf('"id":1') + '"id":'.length);
    await writeSegment(dataDir, foreign, damaged);
    const spool = await openSpool(dataDir);
    expect(await spool.store(eventOf(1), receivedAt)).toBe('stored');
    expect(await spool.store(eventOf(2), receivedAt)).toBe('duplicate');
    await spool.close();
  });

  it('when it is the inbox as a whole, is seen to be over without an event', async () => {
    const dataDir = await temporaryFolder();
    const clock = new ManualClock();
    const spool = await openSpool(dataDir, { clock });
    const restore = await disturb('sync', failure);
    await writeSegment(dataDir, foreign, eventsOf(7, 1));
    const failing = () => spool.state.failing;
    while (failing() === null) await clock.advance(1_000);
    expect(failing()).toMatchObject({ code: 'EIO', isTriedByEvents: false });
    restore();
    while (failing() !== null) await clock.advance(1_000);
    expect(await spool.store(eventOf(7), receivedAt)).toBe('duplicate');
    await spool.close();
  });
});
