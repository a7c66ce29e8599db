import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import { sealOrphans } from '../../../src/inbox/spool/seal-orphans.ts';
import {
  allKeys,
  eventOf,
  eventsOf,
  keysOfEvents,
  linesOf,
  namesInInbox,
  openSpool,
  readText,
  receivedAt,
  writeSegment,
} from '../../support/spooled-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const orphan = '20260115T120001.500Z-1-aa-000001.open';
const sealed = '20260115T120001.500Z-1-aa-000001.ndjson';

test('cuts what a killed receiver left to its last whole line, and gives it its final name', async () => {
  const dataDir = await temporaryFolder();
  const whole = linesOf(eventsOf(1, 3));
  await writeSegment(
    dataDir,
    orphan,
    Buffer.concat([whole, whole.subarray(0, 50), Buffer.alloc(9)]),
  );
  await sealOrphans(dataDir);
  expect(await namesInInbox(dataDir)).toEqual([sealed]);
  expect(await Promise.all((await listSegments(dataDir)).map(readText))).toEqual([
    whole.toString(),
  ]);
});

test('removes one without a whole line, and does nothing without an inbox', async () => {
  const dataDir = await temporaryFolder();
  await sealOrphans(dataDir);
  await writeSegment(dataDir, orphan, linesOf(eventsOf(1, 1)).subarray(0, 100));
  await sealOrphans(dataDir);
  expect(await namesInInbox(dataDir)).toEqual([]);
});

test('leaves the segment of a living receiver alone', async () => {
  const dataDir = await temporaryFolder();
  const spool = await openSpool(dataDir);
  await spool.store(eventOf(1), receivedAt);
  await sealOrphans(dataDir);
  expect(await listSegments(dataDir)).toMatchObject([{ isSealed: false }]);
  await spool.store(eventOf(2), receivedAt);
  await spool.close();
  expect(await listSegments(dataDir)).toMatchObject([{ isSealed: true }]);
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(eventsOf(1, 2)));
});

test('does no harm when several seal at once, one of them a receiver that starts', async () => {
  const dataDir = await temporaryFolder();
  const events = eventsOf(1, 40);
  for (const [index, event] of events.entries()) {
    const name = orphan.replace('000001', String(index).padStart(6, '0'));
    await writeSegment(dataDir, name, Buffer.concat([linesOf([event]), Buffer.from('{"torn')]));
  }
  const work = [
    sealOrphans(dataDir),
    sealOrphans(dataDir),
    openSpool(dataDir),
    sealOrphans(dataDir),
  ];
  const spool = (await Promise.all(work)).find((each) => each !== undefined);
  expect(spool?.state.backlog).toMatchObject({ events: 40, segments: 40 });
  await spool?.close();
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(events));
});

test('replaces no other segment of that name, as there is after an older copy was restored', async () => {
  const dataDir = await temporaryFolder();
  await writeSegment(dataDir, sealed, eventsOf(1, 3));
  await writeSegment(dataDir, orphan, eventsOf(1, 1));
  await sealOrphans(dataDir);
  const segments = await listSegments(dataDir);
  expect(segments).toMatchObject([{ isSealed: true }, { isSealed: true }]);
  expect((await allKeys(dataDir)).toSorted()).toEqual(
    keysOfEvents([...eventsOf(1, 3), eventOf(1)]).toSorted(),
  );
  await writeSegment(dataDir, orphan, eventsOf(1, 3));
  await sealOrphans(dataDir);
  expect(await listSegments(dataDir)).toEqual(segments);
});

test('leaves files that are no segments as they are', async () => {
  const dataDir = await temporaryFolder();
  const { path } = await writeSegment(dataDir, 'notes.open', Buffer.from('mine'));
  await writeFile(`${path}.tmp`, 'torn');
  await sealOrphans(dataDir);
  expect(await namesInInbox(dataDir)).toEqual(['notes.open', 'notes.open.tmp']);
});
