import { rename, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readEvent } from '../../../src/inbox/events/read-event.ts';
import { inboxFolder } from '../../../src/inbox/spool/layout.ts';
import { readSegment } from '../../../src/inbox/spool/read-segment.ts';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import {
  eventOf,
  eventsOf,
  keysOfEvents,
  linesOf,
  writeSegment,
} from '../../support/spooled-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const sealed = '20260115T120001.500Z-1-aa-000001.ndjson';
const open = sealed.replace('.ndjson', '.open');

test('gives events back to the letter', async () => {
  const dataDir = await temporaryFolder();
  const event = readEvent(
    Buffer.from(
      '{"type":"t","data":{"id":12345678901234567890,"rate":1.50,"text":"\\u00e9 é\u2028\\ud800\\n\\/"},"createdAt":"2026-01-15T12:00:00+01:00"}',
    ),
  );
  const segment = await writeSegment(dataDir, sealed, [event]);
  const { eventKey, payload } = event;
  expect(await readSegment(segment)).toEqual({
    events: [{ eventKey, receivedAt: '2026-01-15T12:00:01.500Z', via: 'http', payload }],
    damages: [],
    bytes: segment.bytes,
  });
});

test('says so when the inbox is a file, and does not take it for an empty one', async () => {
  const dataDir = await temporaryFolder();
  await writeFile(inboxFolder(dataDir), 'in the way');
  await expect(listSegments(dataDir)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('lists segments by name, and nothing else that lies in the inbox', async () => {
  const dataDir = await temporaryFolder();
  expect(await listSegments(dataDir)).toEqual([]);
  const second = await writeSegment(dataDir, open.replace('T12', 'T13'), eventsOf(1, 2));
  const first = await writeSegment(dataDir, sealed, eventsOf(3, 1));
  await writeSegment(dataDir, 'keys.bin', Buffer.alloc(32));
  await writeSegment(dataDir, `${sealed}.0b5f.tmp`, eventsOf(4, 1));
  await writeSegment(dataDir, 'notes.ndjson', eventsOf(5, 1));
  expect(await listSegments(dataDir)).toEqual([first, second]);
});

describe('a segment whose last write was cut off', () => {
  const events = eventsOf(1, 3);
  const whole = linesOf(events);
  const lineEnds = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);

  it('has all whole lines, at whatever byte it was cut', async () => {
    const dataDir = await temporaryFolder();
    for (let bytes = 0; bytes <= whole.length; bytes += 1) {
      const segment = await writeSegment(dataDir, open, whole.subarray(0, bytes));
      const content = await readSegment(segment);
      const count = lineEnds.filter((end) => end <= bytes).length;
      expect(content?.events.map(({ eventKey }) => eventKey)).toEqual(
        keysOfEvents(events.slice(0, count)),
      );
      expect(content?.damages).toEqual([]);
    }
  });

  it('is damaged there when it is sealed, since then it was whole once', async () => {
    const dataDir = await temporaryFolder();
    const segment = await writeSegment(dataDir, sealed, whole.subarray(0, (lineEnds[1] ?? 0) + 20));
    const content = await readSegment(segment);
    expect(content?.events).toHaveLength(2);
    expect(content?.damages).toEqual([
      {
        segment: sealed,
        line: 3,
        text: '{"version":1,"event_',
        reason: 'it is not a record of an event',
      },
    ]);
  });

  it('has no event in a tail of zeros, as a power cut leaves it', async () => {
    const dataDir = await temporaryFolder();
    const zeros = Buffer.alloc(4096);
    const segment = await writeSegment(dataDir, open, Buffer.concat([whole, zeros]));
    expect(await readSegment(segment)).toMatchObject({ events: { length: 3 }, damages: [] });
  });

  it('loses no neighbour of a line that was glued to another', async () => {
    const dataDir = await temporaryFolder();
    const line = linesOf([eventOf(4)]);
    const glued = Buffer.concat([whole, line.subarray(0, 70), line, linesOf([eventOf(5)])]);
    const content = await readSegment(await writeSegment(dataDir, sealed, glued));
    expect(content?.events.map(({ eventKey }) => eventKey)).toEqual(
      keysOfEvents([...events, eventOf(5)]),
    );
    expect(content?.damages.map((damage) => damage.line)).toEqual([4]);
  });
});

test('reads a segment that was sealed since it was listed, and says when one was moved', async () => {
  const dataDir = await temporaryFolder();
  const segment = await writeSegment(dataDir, open, eventsOf(1, 2));
  const sealedPath = segment.path.replace('.open', '.ndjson');
  await rename(segment.path, sealedPath);
  expect(await readSegment(segment)).toMatchObject({ events: { length: 2 } });
  await rename(sealedPath, `${sealedPath}.away`);
  expect(await readSegment(segment)).toBeNull();
});

test('finds by its key whatever a flipped bit made of an event', async () => {
  const dataDir = await temporaryFolder();
  const events = eventsOf(1, 3);
  const whole = linesOf(events);
  const times = /"received_at":"[^"]*","via":"[^"]*"/g;
  const isTime = (at: number) =>
    [...whole.toString('latin1').matchAll(times)].some(
      ({ index, 0: text }) => at >= index && at < index + text.length,
    );
  const places = fc.nat(whole.length - 1).filter((at) => !isTime(at));
  await fc.assert(
    fc.asyncProperty(places, fc.nat(7), async (at, bit) => {
      const data = Buffer.from(whole);
      data[at] = (data[at] ?? 0) ^ (1 << bit);
      const content = await readSegment(await writeSegment(dataDir, sealed, data));
      const keys = (content?.events ?? []).map(({ eventKey }) => eventKey);
      const hit = whole.subarray(0, at).filter((byte) => byte === 0x0a).length;
      // a line feed that is lost takes the next line with it
      const lost = whole[at] === 0x0a && hit < 2 ? [hit, hit + 1] : [hit];
      expect(keys).toEqual(keysOfEvents(events.filter((_, index) => !lost.includes(index))));
      expect(content?.damages.length).toBeGreaterThan(0);
    }),
    { numRuns: 1_000 },
  );
});
