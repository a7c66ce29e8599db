import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { systemClock as clock } from '../../../src/core/clock.ts';
import { KnownEvents } from '../../../src/inbox/spool/known-events.ts';
import { readSegment } from '../../../src/inbox/spool/read-segment.ts';
import { sealOrphans } from '../../../src/inbox/spool/seal-orphans.ts';
import { listArchivedSegments, listSegments } from '../../../src/inbox/spool/segment.ts';
import { SegmentWriter } from '../../../src/inbox/spool/write-segment.ts';
import { copyBeforeAll } from '../../support/copies-before-operations.ts';
import { compileSpool, spoolImports, startProgram } from '../../support/spool-process.ts';
import {
  allKeys,
  archiveRead,
  eventOf,
  eventsOf,
  keysIn,
  keysOfEvents,
  linesOf,
  namesInInbox,
  openSpool,
  receivedAt,
  writeSegment,
} from '../../support/spooled-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Stores events from 16 senders for as long as it lives, and says which of them it stored. */
function storing(folder: string, dataDir: string, firstId: number): string {
  return `${spoolImports(folder)}
    const spool = await openSpool(${JSON.stringify(dataDir)}, { segmentBytes: 20_000 });
    let id = ${firstId};
    const send = async () => {
      for (;;) {
        const own = id++;
        const outcome = await spool.store(eventOf(own, own % 5_000), receivedAt);
        writeSync(1, own + ' ' + outcome + '\\n');
      }
    };
    await Promise.all(Array.from({ length: 16 }, send));`;
}

test('a receiver that is killed while it stores has lost none of what it acknowledged', async () => {
  const folder = await compileSpool();
  const dataDir = await temporaryFolder();
  const acknowledged: number[] = [];
  const spread = 10_000;
  for (const [round, count] of [1, 20, 150, 400, 800].entries()) {
    const child = startProgram(storing(folder, dataDir, round * spread));
    let left = count;
    for await (const line of createInterface(child.stdout)) {
      const [id, outcome] = line.split(' ');
      expect(outcome).toBe('stored');
      acknowledged.push(Number(id));
      left -= 1;
      if (left === 0) child.kill('SIGKILL');
    }
    if (round === 2) await archiveRead(dataDir, await listSegments(dataDir));
    if (round === 3) await sealOrphans(dataDir);
  }
  const keys = await allKeys(dataDir);
  expect(new Set(keys).size).toBe(keys.length);
  const expected = acknowledged.map((id) => eventOf(id, id % 5_000));
  const stored = new Set(keys);
  expect(expected.filter(({ eventKey }) => !stored.has(eventKey))).toEqual([]);
  const spool = await openSpool(dataDir);
  const outcomes = expected.map((event) => spool.store(event, receivedAt));
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['duplicate']));
  await spool.close();
  for (const segment of await listSegments(dataDir)) {
    expect(await readSegment(segment)).toMatchObject({ damages: [] });
  }
});

/** Everything that happens to events: from an orphan, a receiver and a file to the archive. */
function wholeLife(dataDir: string): string {
  return `
    acknowledged.push(1);
    const dataDir = ${JSON.stringify(dataDir)};
    const spool = await openSpool(dataDir, { segmentBytes: 500 });
    for (const id of [2, 3]) {
      await spool.store(eventOf(id), receivedAt);
      acknowledged.push(id);
    }
    await spool.close();
    const writer = await SegmentWriter.open(dataDir, clock);
    await writer.add([eventOf(3), eventOf(4)], receivedAt);
    acknowledged.push(4);
    await writer.close();
    await archiveRead(dataDir, await listSegments(dataDir));`;
}

/** What the user does after a crash: the same again. */
async function liveAgain(dataDir: string): Promise<void> {
  const spool = await openSpool(dataDir);
  for (const event of eventsOf(2, 2)) await spool.store(event, receivedAt);
  await spool.close();
  const writer = await SegmentWriter.open(dataDir, clock);
  await writer.add(eventsOf(3, 2), receivedAt);
  await writer.close();
  await archiveRead(dataDir, await listSegments(dataDir));
}

test('a kill before any file operation loses nothing, and leaves nothing that the next start does not clear', async () => {
  const folder = await compileSpool();
  const dataDir = await temporaryFolder();
  const copies = await temporaryFolder();
  const orphan = Buffer.concat([linesOf([eventOf(1)]), linesOf([eventOf(9)]).subarray(0, 80)]);
  await writeSegment(dataDir, '20260115T120001.500Z-1-aa-000001.open', orphan);
  const program = [spoolImports(folder), copyBeforeAll(dataDir, copies), wholeLife(dataDir)];
  expect(await once(startProgram(program.join('')), 'close')).toEqual([0, null]);

  const names = await readdir(copies);
  // locks, recovery, two segments of a receiver, one of a file, keys and moves
  expect(names.length).toBeGreaterThan(60);
  for (const name of names) {
    const copy = join(copies, name, 'data');
    const ids = await readFile(join(copies, name, 'acknowledged.json'), 'utf8');
    const acknowledged = keysOfEvents((JSON.parse(ids) as number[]).map((id) => eventOf(id)));
    const kept = new Set(await allKeys(copy));
    expect([name, acknowledged.filter((key) => !kept.has(key))]).toEqual([name, []]);
    await liveAgain(copy);
    expect([name, await namesInInbox(copy)]).toEqual([name, ['keys.bin']]);
    const archived = new Set(await keysIn(await listArchivedSegments(copy)));
    expect([name, archived]).toEqual([name, new Set(keysOfEvents(eventsOf(1, 4)))]);
    expect((await KnownEvents.open(copy, clock)).size).toBe(4);
  }
});
