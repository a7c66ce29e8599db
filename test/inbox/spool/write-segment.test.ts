import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock as clock } from '../../../src/core/clock.ts';
import { BusyError } from '../../../src/core/errors.ts';
import { inboxFolder } from '../../../src/inbox/spool/layout.ts';
import { readSegment } from '../../../src/inbox/spool/read-segment.ts';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import { SegmentWriter } from '../../../src/inbox/spool/write-segment.ts';
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

test('adds each event once, in a sealed segment', async () => {
  const dataDir = await temporaryFolder();
  const writer = await SegmentWriter.open(dataDir, clock);
  const events = [...eventsOf(1, 3), eventOf(2)];
  expect(await writer.add(events, receivedAt)).toEqual({ stored: 3, duplicates: 1 });
  expect(await writer.add(eventsOf(3, 2), receivedAt)).toEqual({ stored: 1, duplicates: 1 });
  expect(await writer.add(eventsOf(1, 4), receivedAt)).toEqual({ stored: 0, duplicates: 4 });
  await writer.close();
  const segments = await listSegments(dataDir);
  expect(segments).toMatchObject([{ isSealed: true }, { isSealed: true }]);
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(eventsOf(1, 4)));
  const [first] = (await Promise.all(segments.map(readSegment))).flatMap(
    (content) => content?.events ?? [],
  );
  expect(first).toEqual({
    eventKey: eventOf(1).eventKey,
    receivedAt: '2026-01-15T12:00:01.500Z',
    via: 'ingest',
    payload: eventOf(1).payload,
  });
});

test('knows what a running receiver has on disk, and what is in the archive', async () => {
  const dataDir = await temporaryFolder();
  await writeSegment(dataDir, '20260115T120001.500Z-1-aa-000001.ndjson', eventsOf(1, 1));
  await archiveRead(dataDir, await listSegments(dataDir));
  const spool = await openSpool(dataDir);
  await spool.store(eventOf(2), receivedAt);
  const writer = await SegmentWriter.open(dataDir, clock);
  expect(await writer.add(eventsOf(1, 3), receivedAt)).toEqual({ stored: 1, duplicates: 2 });
  await spool.store(eventOf(4), receivedAt);
  expect(await writer.add(eventsOf(3, 3), receivedAt)).toEqual({ stored: 1, duplicates: 2 });
  expect(await spool.store(eventOf(5), receivedAt)).toBe('duplicate');
  await writer.close();
  await spool.close();
  expect((await allKeys(dataDir)).toSorted()).toEqual(keysOfEvents(eventsOf(1, 5)).toSorted());
});

test('splits what is more than a segment takes', async () => {
  const dataDir = await temporaryFolder();
  const writer = await SegmentWriter.open(dataDir, clock);
  const events = Array.from({ length: 10 }, (_, id) => eventOf(id, 1_000_000));
  expect(await writer.add(events, receivedAt)).toEqual({ stored: 10, duplicates: 0 });
  await writer.close();
  const segments = await listSegments(dataDir);
  expect(segments.map(({ bytes }) => Math.round(bytes / 1_000_000))).toEqual([8, 2]);
  expect(await allKeys(dataDir)).toEqual(keysOfEvents(events));
});

test('lets one writer at a time have the inbox, and says who has it', async () => {
  const dataDir = await temporaryFolder();
  const writer = await SegmentWriter.open(dataDir, clock);
  const refused = SegmentWriter.open(dataDir, clock);
  await expect(refused).rejects.toThrow(BusyError);
  await expect(refused).rejects.toThrow(`process ${process.pid} on`);
  await writer.close();
  await (await SegmentWriter.open(dataDir, clock)).close();
});

test('removes what a killed writer left half written, and nothing else', async () => {
  const dataDir = await temporaryFolder();
  const { path } = await writeSegment(
    dataDir,
    '20260115T120001.500Z-1-aa-000001.ndjson',
    eventsOf(1, 1),
  );
  await writeFile(`${path}.6f1c0000-0000-4000-8000-000000000000.tmp`, 'torn');
  await writeFile(join(inboxFolder(dataDir), 'notes.tmp'), 'mine');
  await (await SegmentWriter.open(dataDir, clock)).close();
  expect(await namesInInbox(dataDir)).toEqual([
    '20260115T120001.500Z-1-aa-000001.ndjson',
    'notes.tmp',
  ]);
});

test('says what to do when the inbox takes nothing, and then does it', async () => {
  const dataDir = await temporaryFolder();
  const writer = await SegmentWriter.open(dataDir, clock);
  await rm(inboxFolder(dataDir), { recursive: true });
  await writeFile(inboxFolder(dataDir), 'in the way');
  await expect(writer.add(eventsOf(1, 1), receivedAt)).rejects.toMatchObject({
    code: 'SPOOL_UNAVAILABLE',
    message: expect.stringMatching(
      /inbox takes no events \(ENOTDIR: .*\); make room or repair the disk, and add them again$/,
    ) as string,
  });
  await rm(inboxFolder(dataDir));
  expect(await writer.add(eventsOf(1, 1), receivedAt)).toEqual({ stored: 1, duplicates: 0 });
  await writer.close();
});
