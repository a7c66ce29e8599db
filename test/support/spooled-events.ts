import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../src/core/durable-folder.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import { archiveSegments } from '../../src/archive/archive-segments.ts';
import { readEvent, type EventText } from '../../src/inbox/events/read-event.ts';
import { keysOf } from '../../src/inbox/spool/key-file.ts';
import { inboxFolder } from '../../src/inbox/spool/layout.ts';
import { readSegment } from '../../src/inbox/spool/read-segment.ts';
import { recordLine } from '../../src/inbox/spool/record-line.ts';
import { listArchivedSegments, listSegments, type Segment } from '../../src/inbox/spool/segment.ts';
import { Spool, type SpoolOptions } from '../../src/inbox/spool/spool.ts';

export const receivedAt = new Date('2026-01-15T12:00:01.500Z');

/** The event number `id`, with a text of `length` characters. */
export function eventOf(id: number, length = 0): EventText {
  const data = `{"id":${id},"big":9007199254740993,"text":"${'x'.repeat(length)}"}`;
  return readEvent(
    Buffer.from(`{"type":"post.created","data":${data},"createdAt":"2026-01-15T12:00:00Z"}`),
  );
}

export function eventsOf(first: number, count: number): EventText[] {
  return Array.from({ length: count }, (_, index) => eventOf(first + index));
}

export function openSpool(dataDir: string, options: Partial<SpoolOptions> = {}): Promise<Spool> {
  return Spool.open({ dataDir, clock: systemClock, log: silentLog, ...options });
}

/** Writes a segment as it might lie in the inbox. */
export async function writeSegment(
  dataDir: string,
  name: string,
  content: Buffer | readonly EventText[],
): Promise<Segment> {
  const data = Buffer.isBuffer(content) ? content : linesOf(content);
  const path = join(inboxFolder(dataDir), name);
  await makeFolder(inboxFolder(dataDir));
  await writeFile(path, data);
  return { name, path, isSealed: name.endsWith('.ndjson'), bytes: data.length };
}

export function linesOf(events: readonly EventText[]): Buffer {
  return Buffer.concat(events.map((event) => recordLine(event, receivedAt, 'http')));
}

export function keysOfEvents(events: readonly EventText[]): string[] {
  return events.map((event) => event.eventKey);
}

/** The keys of the events in segments, in order, one for each line. */
export async function keysIn(segments: readonly Segment[]): Promise<string[]> {
  const keys: string[] = [];
  for (const segment of segments) {
    const content = await readSegment(segment);
    keys.push(...(content?.events ?? []).map((event) => event.eventKey));
  }
  return keys;
}

/** The keys of all events in the inbox and the archive. */
export async function allKeys(dataDir: string): Promise<string[]> {
  const segments = [...(await listSegments(dataDir)), ...(await listArchivedSegments(dataDir))];
  return keysIn(segments);
}

/** Archives segments as a load does that has read them. @returns how many were moved */
export async function archiveRead(dataDir: string, segments: readonly Segment[]): Promise<number> {
  const read = [];
  for (const segment of segments) {
    const content = await readSegment(segment);
    if (content) read.push({ ...segment, keys: keysOf(content.events) });
  }
  return archiveSegments(dataDir, read, { clock: systemClock, waitMs: 10_000 });
}

export async function namesInInbox(dataDir: string): Promise<string[]> {
  return (await readdir(inboxFolder(dataDir))).sort();
}

export async function readText(segment: Segment): Promise<string> {
  return readFile(segment.path, 'utf8');
}
