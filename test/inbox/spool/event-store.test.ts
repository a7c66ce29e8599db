import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../../src/core/clock.ts';
import { BusyError } from '../../../src/core/errors.ts';
import { readOwnIdentity } from '../../../src/core/process-identity.ts';
import { EventStore } from '../../../src/inbox/spool/event-store.ts';
import { receiverLockPath } from '../../../src/inbox/spool/layout.ts';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import { canMount } from '../../support/machine.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { compileSpool, spoolImports, startProgram } from '../../support/spool-process.ts';
import { allKeys, eventOf, keysOfEvents, receivedAt } from '../../support/spooled-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function openStore(dataDir: string, clock: Clock = new ManualClock()) {
  const lines: string[] = [];
  const keep = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log = {
    error: keep('error'),
    warn: keep('warn'),
    info: keep('info'),
    debug: keep('debug'),
  };
  const store = await EventStore.open({ dataDir, clock, log });
  onTestFinished(() => store.close());
  return { store, lines };
}

/** A lock file as if this process held it for somebody else. */
async function takeLockAway(dataDir: string): Promise<string> {
  const own = await readOwnIdentity();
  const since = '2026-01-15T12:00:00.000Z';
  const holder = JSON.stringify({ nonce: 'another', ...own, purpose: 'webhooks serve', since });
  await writeFile(receiverLockPath(dataDir), holder);
  return holder;
}

function isFailing({ state }: EventStore): boolean {
  return state.failing !== null;
}

describe('a store whose inbox another receiver has taken over', () => {
  it('takes no event, tells of it once, and goes on when that one has ended', async () => {
    const dataDir = await temporaryFolder();
    const clock = new ManualClock();
    const { store, lines } = await openStore(dataDir, clock);
    expect(await store.store(eventOf(1), receivedAt)).toBe('stored');
    const holder = await takeLockAway(dataDir);
    while (!store.state.failing?.error.includes('is in use')) await clock.advance(1_000);
    expect(await listSegments(dataDir)).toMatchObject([{ isSealed: true }]);
    const { since } = store.state.failing;
    expect(store.state).toEqual({
      queued: { events: 0, bytes: 0 },
      openSegmentBytes: 0,
      backlog: { events: 0, bytes: 0, segments: 0 },
      knownEvents: 0,
      failing: {
        since,
        code: 'BUSY',
        isTriedByEvents: false,
        error: expect.stringMatching(
          /receiver\.lock is in use: process \d+ on .* holds it \(webhooks serve, since .*data_dir$/,
        ) as string,
      },
    });
    await expect(store.store(eventOf(2), receivedAt)).rejects.toMatchObject({
      code: 'SPOOL_UNAVAILABLE',
      message: expect.stringMatching(
        /inbox takes no events \(.*receiver\.lock is in use.*\); the receiver then goes on by itself$/,
      ) as string,
    });
    await clock.advance(5_000);
    expect(lines.map((line) => line.split(' {')[0])).toEqual(['error events cannot be stored']);
    expect(lines[0]).toContain('receiver.lock was lost');
    expect(await readFile(receiverLockPath(dataDir), 'utf8')).toBe(holder);

    await rm(receiverLockPath(dataDir));
    while (isFailing(store)) await clock.advance(1_000);
    expect(await store.store(eventOf(1), receivedAt)).toBe('duplicate');
    expect(await store.store(eventOf(2), receivedAt)).toBe('stored');
    expect(lines[1]).toMatch(/^info events are stored again /);
    await store.close();
    expect(await allKeys(dataDir)).toEqual(keysOfEvents([eventOf(1), eventOf(2)]));
  });

  it("leaves that one's lock alone when it is closed", async () => {
    const dataDir = await temporaryFolder();
    const { store } = await openStore(dataDir);
    const holder = await takeLockAway(dataDir);
    await store.close();
    expect(await readFile(receiverLockPath(dataDir), 'utf8')).toBe(holder);
  });
});

it('takes its lock again when somebody removed it', async () => {
  const dataDir = await temporaryFolder();
  const clock = new ManualClock();
  const { store, lines } = await openStore(dataDir, clock);
  await rm(join(dataDir, 'locks'), { recursive: true });
  while (lines.length < 2) await clock.advance(1_000);
  expect(await store.store(eventOf(1), receivedAt)).toBe('stored');
  await expect(openStore(dataDir)).rejects.toThrow(BusyError);
});

it('is not opened where the disk is not the reason', async () => {
  const dataDir = await temporaryFolder();
  await writeFile(join(dataDir, 'inbox'), 'in the way');
  await expect(openStore(dataDir)).rejects.toThrow('EEXIST');
});

/** Does what it is told on standard input, a line a command, and answers each with a line. */
function obedient(folder: string, dataDir: string): string {
  const storeUrl = pathToFileURL(join(folder, 'src', 'inbox', 'spool', 'event-store.js')).href;
  return `${spoolImports(folder)}
    const { createInterface } = await import('node:readline');
    const { appendFileSync, readdirSync, rmSync } = await import('node:fs');
    const { EventStore } = await import('${storeUrl}');
    const dataDir = ${JSON.stringify(dataDir)};
    const lines = [];
    const keep = (fields, message) => lines.push(message);
    const log = { error: keep, warn: keep, info: keep, debug: keep };
    let wake;
    let noteSleep = () => undefined;
    const sleep = () => new Promise((resolve) => noteSleep(wake = resolve));
    const untilAsleep = () => new Promise((resolve) => (noteSleep = resolve));
    const manual = { ...clock, sleep };
    let store;
    const fill = (bytes) => {
      try {
        for (;;) appendFileSync(dataDir + '/filler', Buffer.alloc(bytes));
      } catch (error) {
        return error.code;
      }
    };
    const answers = {
      fill: () => [4096, 1].map(fill).join(),
      free: () => rmSync(dataDir + '/filler'),
      open: async () => (store = await EventStore.open({ dataDir, clock: manual, log })) && 'open',
      tick: () => [untilAsleep(), wake()][0].then(() => 'done'),
      store: (id) => store.store(eventOf(Number(id)), receivedAt).catch(({ code }) => code),
      failing: () => store.state.failing?.code ?? 'no',
      lines: () => lines.join(),
      locks: () => readdirSync(dataDir + '/locks').join(),
      keys: () => allKeys(dataDir),
    };
    for await (const line of createInterface(process.stdin)) {
      const [command, argument] = line.split(' ');
      writeSync(1, String((await answers[command](argument)) ?? 'done') + '\\n');
    }`;
}

it.skipIf(!canMount)(
  'opens on a full disk, takes no event, and goes on by itself when there is room (wants a tmpfs of its own)',
  async () => {
    const dataDir = await temporaryFolder();
    const mount = `mount -t tmpfs -o size=80k none ${dataDir} && exec "$@"`;
    const wrapper = ['unshare', '-Urm', 'sh', '-c', mount, 'sh'];
    const child = startProgram(obedient(await compileSpool(), dataDir), wrapper);
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const tell = async (command: string) => {
      child.stdin.write(`${command}\n`);
      return String((await answers.next()).value);
    };
    expect(await tell('fill')).toBe('ENOSPC,ENOSPC');
    expect(await tell('open')).toBe('open');
    for (const id of [1, 2]) {
      expect(await tell(`store ${id}`)).toBe('SPOOL_UNAVAILABLE');
      expect([await tell('failing'), await tell('locks')]).toEqual(['ENOSPC', '']);
      await tell('tick');
    }
    expect(await tell('lines')).toBe('events cannot be stored');

    await tell('free');
    do await tell('tick');
    while ((await tell('failing')) !== 'no');
    expect([await tell('store 1'), await tell('store 1')]).toEqual(['stored', 'duplicate']);
    expect(await tell('keys')).toBe(keysOfEvents([eventOf(1)]).join());
    expect(await tell('locks')).toBe('receiver.lock');
    expect(await tell('lines')).toBe('events cannot be stored,events are stored again');
  },
);
