import { mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { systemClock as clock } from '../../../src/core/clock.ts';
import { lockInbox, restoreKeys } from '../../../src/inbox/spool/key-file.ts';
import { KnownEvents } from '../../../src/inbox/spool/known-events.ts';
import { archivedEventsFolder, keysPath } from '../../../src/inbox/spool/layout.ts';
import { listArchivedSegments, listSegments } from '../../../src/inbox/spool/segment.ts';
import { KeyFileError } from '../../../src/inbox/spool/spool-errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  allKeys,
  archiveRead,
  eventOf,
  eventsOf,
  keysIn,
  keysOfEvents,
  linesOf,
  namesInInbox,
  writeSegment,
} from '../../support/spooled-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const nameOf = (seq: number) => `20260115T1200${10 + seq}.500Z-1-aa-00000${seq}.ndjson`;

async function keysOnFile(dataDir: string): Promise<string[]> {
  const data = await readFile(keysPath(dataDir));
  return Array.from({ length: data.length / 32 }, (_, index) =>
    data.subarray(index * 32, index * 32 + 32).toString('hex'),
  );
}

async function knows(dataDir: string, ids: readonly number[]): Promise<boolean[]> {
  const known = await KnownEvents.open(dataDir, clock);
  return ids.map((id) => known.has(eventOf(id).eventKey));
}

test('keeps the keys of sealed segments and moves them to a folder for their day', async () => {
  const dataDir = await temporaryFolder();
  const segments = [
    await writeSegment(dataDir, nameOf(1), eventsOf(1, 2)),
    await writeSegment(dataDir, nameOf(2).replace('0115', '0116'), eventsOf(3, 1)),
    await writeSegment(dataDir, nameOf(3).replace('.ndjson', '.open'), eventsOf(4, 1)),
  ];
  expect(await archiveRead(dataDir, segments)).toBe(2);
  expect(await namesInInbox(dataDir)).toEqual([nameOf(3).replace('.ndjson', '.open'), 'keys.bin']);
  const archived = await listArchivedSegments(dataDir);
  expect(archived.map(({ path }) => relative(archivedEventsFolder(dataDir), path))).toEqual([
    join('2026-01-15', `${nameOf(1)}.gz`),
    join('2026-01-16', `${nameOf(2).replace('0115', '0116')}.gz`),
  ]);
  expect(await keysIn(archived)).toEqual(keysOfEvents(eventsOf(1, 3)));
  expect(await keysOnFile(dataDir)).toEqual(keysOfEvents(eventsOf(1, 3)));
});

test('leaves out what somebody else has moved', async () => {
  const dataDir = await temporaryFolder();
  const segments = [
    await writeSegment(dataDir, nameOf(1), eventsOf(1, 1)),
    await writeSegment(dataDir, nameOf(2), eventsOf(2, 1)),
  ];
  const counts = await Promise.all([
    archiveRead(dataDir, segments),
    archiveRead(dataDir, segments),
  ]);
  expect(counts.toSorted()).toEqual([0, 2]);
  expect(await keysOnFile(dataDir)).toEqual(keysOfEvents(eventsOf(1, 2)));
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(eventsOf(1, 2)));
});

test('keeps no key of a damaged line, so that its event can come again', async () => {
  const dataDir = await temporaryFolder();
  const data = linesOf(eventsOf(1, 3));
  // a digit of the first event's id
  data[data.indexOf('"id":1') + 5] = 0x37;
  const segment = await writeSegment(dataDir, nameOf(1), data);
  await archiveRead(dataDir, [segment]);
  expect(await keysOnFile(dataDir)).toEqual(keysOfEvents(eventsOf(2, 2)));
  expect(await knows(dataDir, [1, 2, 3])).toEqual([false, true, true]);
});

test('overwrites no other segment that the archive has under the name', async () => {
  const dataDir = await temporaryFolder();
  for (const ids of [1, 1, 2]) {
    const segment = await writeSegment(dataDir, nameOf(1), eventsOf(ids, 1));
    await archiveRead(dataDir, [segment]);
  }
  const archived = await listArchivedSegments(dataDir);
  expect(archived.map(({ name }) => name.slice(0, 20))).toEqual(
    Array.from({ length: 2 }, () => '20260115T120011.500Z'),
  );
  expect((await keysIn(archived)).toSorted()).toEqual(keysOfEvents(eventsOf(1, 2)).toSorted());
});

describe('the file of keys', () => {
  it('is read up to a torn key, which the next appender cuts off', async () => {
    const dataDir = await temporaryFolder();
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(1), eventsOf(1, 2))]);
    for (let bytes = 33; bytes < 64; bytes += 1) {
      await truncate(keysPath(dataDir), bytes);
      expect(await knows(dataDir, [1, 2])).toEqual([true, false]);
    }
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(2), eventsOf(3, 1))]);
    expect(await keysOnFile(dataDir)).toEqual(keysOfEvents([eventOf(1), eventOf(3)]));
  });

  it('is made anew from the archive when it is lost, whoever comes first', async () => {
    const dataDir = await temporaryFolder();
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(1), eventsOf(1, 2))]);
    await rm(keysPath(dataDir));
    expect(await knows(dataDir, [1, 2, 3])).toEqual([true, true, false]);
    expect(await keysOnFile(dataDir)).toEqual(keysOfEvents(eventsOf(1, 2)));
    await rm(keysPath(dataDir));
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(2), eventsOf(3, 1))]);
    expect(await keysOnFile(dataDir)).toEqual(keysOfEvents(eventsOf(1, 3)));
  });

  it('is made anew without anybody waiting for the archive to be read, and with what comes meanwhile', async () => {
    const dataDir = await temporaryFolder();
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(1), eventsOf(1, 2))]);
    const more = await writeSegment(dataDir, nameOf(2), eventsOf(3, 1));
    await rm(keysPath(dataDir));
    const lock = await lockInbox(dataDir, { clock, waitMs: 0 });
    const manual = new ManualClock();
    const restoring = restoreKeys(dataDir, { clock: manual, waitMs: 60_000 });
    await until(() => manual.sleepers > 0);
    // it has read the archive by now, and waits for the lock
    const day = join(archivedEventsFolder(dataDir), '2026-01-15');
    await rename(more.path, join(day, more.name));
    await lock.release();
    await manual.advance(1_000);
    await restoring;
    expect((await keysOnFile(dataDir)).toSorted()).toEqual(keysOfEvents(eventsOf(1, 3)).toSorted());
  });

  it.each([0, 31])('is made anew just so when it has %i bytes, not one key', async (bytes) => {
    const dataDir = await temporaryFolder();
    await writeSegment(dataDir, nameOf(1), []);
    await writeFile(keysPath(dataDir), Buffer.alloc(bytes));
    expect(await knows(dataDir, [1])).toEqual([false]);
    expect((await readFile(keysPath(dataDir))).length).toBe(bytes);
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(1), eventsOf(1, 2))]);
    await writeFile(keysPath(dataDir), Buffer.alloc(bytes));
    expect(await knows(dataDir, [1, 2, 3])).toEqual([true, true, false]);
    expect(await keysOnFile(dataDir)).toEqual(keysOfEvents(eventsOf(1, 2)));
    await writeFile(keysPath(dataDir), Buffer.alloc(bytes));
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(2), eventsOf(3, 1))]);
    expect(await keysOnFile(dataDir)).toEqual(keysOfEvents(eventsOf(1, 3)));
  });

  it('is named with its remedy when a folder stands in its place, which then works', async () => {
    const dataDir = await temporaryFolder();
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(1), eventsOf(1, 2))]);
    const told: Error[] = [];
    const known = await KnownEvents.open(dataDir, clock, (_, error) => told.push(error));
    await rm(keysPath(dataDir));
    await mkdir(keysPath(dataDir));
    const path = keysPath(dataDir);
    const message = (reason: string) =>
      `${path} cannot be read (${reason}); remove it: it is made anew from the archive`;
    const more = await writeSegment(dataDir, nameOf(2), eventsOf(3, 1));
    // who has read it before goes on with what it knows
    await known.refresh();
    expect(known.has(eventOf(2).eventKey)).toBe(true);
    const errors = [
      ...told,
      await knows(dataDir, [1]).catch((error: unknown) => error),
      await archiveRead(dataDir, [more]).catch((error: unknown) => error),
    ];
    expect(errors.map((error) => error instanceof KeyFileError)).toEqual([true, true, true]);
    expect(errors.map(String)).toEqual([
      `KeyFileError: ${message('EISDIR: illegal operation on a directory, read')}`,
      ...Array.from({ length: 2 }, () => `KeyFileError: ${message('it is no file')}`),
    ]);
    await rm(path, { recursive: true });
    expect(await knows(dataDir, [1, 2, 3])).toEqual([true, true, true]);
    expect(await keysOnFile(dataDir)).toEqual(keysOfEvents(eventsOf(1, 2)));
  });

  it('is read on by one that has read it before, and anew when it is another file', async () => {
    const dataDir = await temporaryFolder();
    const known = await KnownEvents.open(dataDir, clock);
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(1), eventsOf(1, 2))]);
    await known.refresh();
    expect([known.size, known.has(eventOf(2).eventKey)]).toEqual([2, true]);
    await archiveRead(dataDir, [await writeSegment(dataDir, nameOf(2), eventsOf(3, 1))]);
    await known.refresh();
    expect([known.size, known.has(eventOf(3).eventKey)]).toEqual([3, true]);
    const other = Buffer.from(keysOfEvents(eventsOf(4, 1)).join(''), 'hex');
    await rm(keysPath(dataDir));
    await writeFile(keysPath(dataDir), other);
    await known.refresh();
    expect([known.size, known.has(eventOf(4).eventKey)]).toEqual([4, true]);
    expect(await listSegments(dataDir)).toEqual([]);
  });
});
