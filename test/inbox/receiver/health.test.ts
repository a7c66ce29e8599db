import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DiskRoom } from '../../../src/inbox/receiver/disk-room.ts';
import { Health } from '../../../src/inbox/receiver/health.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { numberedEvent, startTestReceiver } from '../../support/receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const startedAt = '2026-01-15T12:00:00.000Z';

async function startWatched() {
  const clock = new ManualClock(startedAt);
  const receiver = await startTestReceiver({ clock });
  const health = async (method = 'GET') => {
    const response = await fetch(new URL('/health', receiver.url), { method });
    const text = await response.text();
    return {
      status: response.status,
      text,
      body: text === '' ? null : (JSON.parse(text) as object),
    };
  };
  return { ...receiver, clock, health };
}

/** Puts a file where the inbox is, so that nothing can be stored. */
async function breakInbox(dataDir: string): Promise<() => Promise<void>> {
  const inbox = join(dataDir, 'inbox');
  await rm(inbox, { recursive: true });
  await writeFile(inbox, 'in the way');
  return () => rm(inbox);
}

describe('health', () => {
  it('says ready, what waits to be loaded, and what the disk has left', async () => {
    const { health, post, clock } = await startWatched();
    const freeBytes: unknown = expect.any(Number);
    expect(await health()).toMatchObject({
      status: 200,
      body: {
        status: 'ready',
        queue: { events: 0, bytes: 0 },
        backlog: { events: 0, bytes: 0, segments: 0 },
        disk: { free_bytes: freeBytes },
        started_at: startedAt,
        last_event_at: null,
      },
    });
    await clock.advance(5_000);
    for (const n of [1, 2, 2]) await post(numberedEvent(n));
    const bytes: unknown = expect.any(Number);
    expect((await health()).body).toEqual({
      status: 'ready',
      queue: { events: 0, bytes: 0 },
      backlog: { events: 2, bytes, segments: 1 },
      disk: { free_bytes: freeBytes },
      started_at: startedAt,
      last_event_at: '2026-01-15T12:00:05.000Z',
    });
  });

  it('has no body for HEAD', async () => {
    const { health } = await startWatched();
    expect(await health('HEAD')).toEqual({ status: 200, text: '', body: null });
  });

  it('says failing while nothing can be stored, and ready again without an event', async () => {
    const { health, post, clock, dataDir, storedEvents, lines } = await startWatched();
    const repair = await breakInbox(dataDir);
    const refused = await post(numberedEvent(1));
    expect(refused.headers.get('retry-after')).toBe('5');
    expect([refused.status, await refused.json()]).toEqual([
      503,
      {
        code: 'SERVICE_UNAVAILABLE',
        message: 'Service Unavailable: the event was not stored, send it again',
      },
    ]);
    expect(lines.at(-1)).toMatchObject({ level: 40, status: 503 });

    const failing = await health();
    expect(failing).toMatchObject({
      status: 503,
      body: {
        status: 'failing',
        error: expect.stringMatching(/^events cannot be stored \(E[A-Z]+\)$/) as unknown,
        since: startedAt,
      },
    });
    expect(failing.text).not.toContain(dataDir);

    await repair();
    while ((await health()).status === 503) await clock.advance(1_000);
    expect(await health()).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect((await post(numberedEvent(1))).status).toBe(202);
    expect(await storedEvents()).toEqual([JSON.parse(numberedEvent(1))]);
  });

  it('says failing after an event that failed for what no trial shows, and asks for another one later', async () => {
    const clock = new ManualClock(startedAt);
    const failing = {
      ...{ since: clock.now(), error: 'EIO: i/o error, fdatasync', code: 'EIO' },
      isTriedByEvents: true,
    };
    const none = { events: 0, bytes: 0 };
    const state = {
      ...{ queued: none, backlog: { ...none, segments: 0 } },
      ...{ openSegmentBytes: 0, knownEvents: 0, failing },
    };
    const disk = new DiskRoom(await temporaryFolder(), 1_000, clock);
    const health = new Health({ store: { state }, disk, clock });
    health.eventFailed();
    await clock.advance(4_999);
    expect(await health.answer()).toMatchObject({ status: 503 });
    expect((await health.gauges()).isFailing).toBe(true);
    await clock.advance(1);
    expect(await health.answer()).toMatchObject({ status: 200 });
    health.eventFailed();
    const { status, body } = await health.answer();
    expect([status, JSON.parse(body)]).toMatchObject([
      503,
      { status: 'failing', error: 'events cannot be stored (EIO)', since: startedAt },
    ]);
  });

  it('stays ready beside files of the inbox that nobody can read, and stores on', async () => {
    const { health, post, dataDir, storedEvents, lines } = await startWatched();
    const stranger = join(dataDir, 'inbox', '20260115T110000.000Z-1-0000abcd-000001.ndjson');
    await mkdir(stranger);
    expect((await post(numberedEvent(1))).status).toBe(202);
    expect(await health()).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(lines.find(({ file }) => file === stranger)).toMatchObject({ level: 40 });
    await rm(stranger, { recursive: true });
    expect(await storedEvents()).toHaveLength(1);
  });

  it('says failing while another receiver has the inbox, though the disk is well', async () => {
    const { health, post, clock, dataDir } = await startWatched();
    const path = join(dataDir, 'locks', 'receiver.lock');
    const holder = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...holder, nonce: 'another' }));
    while ((await health()).status === 200) await clock.advance(1_000);
    expect((await health()).body).toMatchObject({
      status: 'failing',
      error: 'events cannot be stored (BUSY)',
    });
    expect((await post(numberedEvent(1))).status).toBe(503);
    await rm(path);
    while ((await health()).status === 503) await clock.advance(1_000);
    expect((await post(numberedEvent(1))).status).toBe(202);
  });
});
