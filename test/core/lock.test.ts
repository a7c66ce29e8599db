import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { BusyError, InterruptedError } from '../../src/core/errors.ts';
import { acquireLock, isLockHeld, readLockHolder } from '../../src/core/lock.ts';
import { readOwnIdentity } from '../../src/core/process-identity.ts';
import { builtUrl } from '../support/built-module.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const options = { purpose: 'testing', waitMs: 0, clock: systemClock };
const isLinux = process.platform === 'linux';

async function lockPath(): Promise<string> {
  return join(await temporaryFolder(), 'locks', 'warehouse.lock');
}

/** A lock file as if another process had written it, `ageMs` ago. */
async function forgeLock(path: string, changes: object, ageMs = 0): Promise<void> {
  const own = await readOwnIdentity();
  const since = '2026-01-15T05:15:00.000Z';
  const holder = { nonce: 'forged', ...own, purpose: 'running job daily', since, ...changes };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(holder));
  await ageFile(path, ageMs);
}

async function ageFile(path: string, ageMs: number): Promise<void> {
  const then = new Date(Date.now() - ageMs);
  await utimes(path, then, then);
}

/** The program of a process that takes the lock as soon as its input says so (or ends), and lives on. */
function holderProgram(path: string): string[] {
  const program = `
    import { systemClock as clock } from '${builtUrl('core/clock.js')}';
    import { acquireLock } from '${builtUrl('core/lock.js')}';
    console.log('ready');
    for await (const go of process.stdin) break;
    const options = { purpose: 'running job daily', waitMs: 0, clock };
    console.log(await acquireLock(${JSON.stringify(path)}, options).then(() => 'held', String));
    setInterval(() => undefined, 60_000);
  `;
  return ['--input-type=module', '-e', program];
}

interface Child {
  process: ChildProcess;
  nextLine: () => Promise<string>;
}

function start(command: string, args: string[]): Child {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { process: child, nextLine: async () => String((await lines.next()).value) };
}

async function takeTurn(child: Child): Promise<string> {
  child.process.stdin?.write('go\n');
  return child.nextLine();
}

describe('a lock', () => {
  it('is held until it is released, and leaves nothing behind', async () => {
    const path = await lockPath();
    const lock = await acquireLock(path, options);
    expect(await isLockHeld(path)).toBe(true);
    await lock.release();
    await lock.release();
    expect(await isLockHeld(path)).toBe(false);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it('tells a second taker who holds it, what for, since when, and how to wait', async () => {
    const path = await lockPath();
    const clock = new ManualClock('2026-01-15T05:15:00Z');
    await acquireLock(path, { purpose: 'running job daily', waitMs: 0, clock });
    const error = await acquireLock(path, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BusyError);
    expect(error).toMatchObject({
      exitCode: 4,
      message:
        `${path} is in use: process ${process.pid} on ${hostname()} holds it (running job daily, ` +
        'since 2026-01-15T05:15:00.000Z); try again when it is done, or let --wait <seconds> wait for it',
    });
  });

  it('comes to a taker that waits as soon as it is released', async () => {
    const path = await lockPath();
    const first = await acquireLock(path, options);
    const second = acquireLock(path, { ...options, waitMs: 60_000 });
    await first.release();
    expect((await second).path).toBe(path);
  });

  it('is refused when the time to wait is over', async () => {
    const path = await lockPath();
    const clock = new ManualClock();
    await acquireLock(path, options);
    const outcome = acquireLock(path, { ...options, waitMs: 3_000, clock }).catch(String);
    const startMs = clock.monotonicMs();
    await passTime(clock, outcome);
    expect(await outcome).toContain('is in use, after waiting 3 s: process');
    expect(clock.monotonicMs() - startMs).toBe(3_000);
  });

  it('is waited for no longer once the signal aborts', async () => {
    const path = await lockPath();
    const stop = new AbortController();
    await acquireLock(path, options);
    const waiting = acquireLock(path, { ...options, waitMs: 60_000, signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow(InterruptedError);
    expect(await readdir(dirname(path))).toEqual(['warehouse.lock']);
  });

  it("is not removed by a release that comes after someone else's taking", async () => {
    const path = await lockPath();
    const lock = await acquireLock(path, options);
    await forgeLock(path, { nonce: 'another' });
    await lock.release();
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ nonce: 'another' });
  });

  it('says whether it is still held: not once it is released, removed or taken by someone else', async () => {
    const path = await lockPath();
    const lock = await acquireLock(path, options);
    expect(await lock.isHeld()).toBe(true);
    await forgeLock(path, { nonce: 'another' });
    expect(await lock.isHeld()).toBe(false);
    await rm(path);
    expect(await lock.isHeld()).toBe(false);
    const next = await acquireLock(path, options);
    expect([await lock.isHeld(), await next.isHeld()]).toEqual([false, true]);
    await next.release();
    expect(await next.isHeld()).toBe(false);
  });

  it('is held by one of many takers in one process', async () => {
    const path = await lockPath();
    const takers = Array.from({ length: 20 }, () => acquireLock(path, options));
    const outcomes = await Promise.allSettled(takers);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a lock whose holder cannot be alive', () => {
  it.runIf(isLinux)('is taken when its pid belongs to a later process', async () => {
    const path = await lockPath();
    await forgeLock(path, { startTime: '1' });
    await acquireLock(path, options);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ purpose: 'testing' });
    expect(await readdir(dirname(path))).toEqual(['warehouse.lock']);
  });

  it('is taken when no process has its pid', async () => {
    const path = await lockPath();
    await forgeLock(path, { pid: 2 ** 30 });
    expect(await isLockHeld(path)).toBe(false);
    await acquireLock(path, options);
  });

  it('is taken after a reboot', async () => {
    const path = await lockPath();
    await forgeLock(path, { bootId: 'an-earlier-boot' }, Date.now() - Date.parse('2020-01-01'));
    await acquireLock(path, options);
  });

  it('is taken although an earlier taker was killed while it removed it', async () => {
    const path = await lockPath();
    await forgeLock(path, { pid: 2 ** 30, nonce: 'first' });
    await forgeLock(`${path}.first`, { pid: 2 ** 30, nonce: 'second' });
    await forgeLock(`${path}.third.tmp`, { pid: 2 ** 30, nonce: 'third' });
    await acquireLock(path, options);
    expect(await readdir(dirname(path))).toEqual(['warehouse.lock']);
  });

  it('leaves nothing of takers that were killed, not even on a full disk, to the next one', async () => {
    const path = await lockPath();
    const old = `${path}.0123456789abcdef.tmp`;
    await forgeLock(`${path}.${'a'.repeat(16)}.tmp`, { pid: 2 ** 30 });
    await forgeLock(`${path}.${'b'.repeat(16)}.tmp`, {});
    const empty = [old, `${path}.fedcba9876543210.tmp`, `${path}.notes`];
    for (const file of empty) await writeFile(file, '');
    await ageFile(old, 61_000);
    await ageFile(`${path}.notes`, 61_000);
    await acquireLock(path, options);
    expect((await readdir(dirname(path))).toSorted()).toEqual([
      'warehouse.lock',
      `warehouse.lock.${'b'.repeat(16)}.tmp`,
      'warehouse.lock.fedcba9876543210.tmp',
      'warehouse.lock.notes',
    ]);
  });

  it('is left to a live taker that is removing it', async () => {
    const path = await lockPath();
    await forgeLock(path, { pid: 2 ** 30, nonce: 'dead' });
    await forgeLock(`${path}.dead`, {});
    await expect(acquireLock(path, options)).rejects.toThrow(BusyError);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ nonce: 'dead' });
  });
});

const elsewhere = { host: 'another-host', bootId: 'another-boot', pidNamespace: 'pid:[1]' };
const otherContainer = { pidNamespace: 'pid:[1]' };

describe('a lock whose holder cannot be seen from here', () => {
  it.each([
    ['on another host', elsewhere],
    ['in another container', otherContainer],
  ])('is busy while its holder %s keeps it fresh', async (_, changes) => {
    const path = await lockPath();
    await forgeLock(path, changes, 50_000);
    await expect(acquireLock(path, options)).rejects.toThrow('(running job daily, since');
  });

  it.each([
    ['on another host', elsewhere],
    ['in another container', otherContainer],
  ])('is taken when its holder %s has been silent for a minute', async (_, changes) => {
    const path = await lockPath();
    await forgeLock(path, changes, 61_000);
    await acquireLock(path, options);
  });

  it('is judged by its age when its file is not ours to read', async () => {
    const path = await lockPath();
    await mkdir(dirname(path));
    await writeFile(path, '');
    await expect(acquireLock(path, options)).rejects.toThrow('its holder is unknown');
    await ageFile(path, 61_000);
    await acquireLock(path, options);
  });
});

describe('a lock whose last sign of life is from the future, since a clock was set back', () => {
  const dayMs = 86_400_000;

  it.each([
    ['of a holder elsewhere', elsewhere],
    ['of an earlier boot', { bootId: 'an-earlier-boot' }],
  ])(
    '%s is busy for a minute of silence, not for as long as the clock was set back',
    async (_, changes) => {
      const path = await lockPath();
      await forgeLock(path, changes, -dayMs);
      await expect(acquireLock(path, options)).rejects.toThrow(BusyError);
      const { mtimeMs } = await stat(path);
      expect(Date.now() - mtimeMs).toBeLessThan(dayMs / 2);
      await expect(acquireLock(path, options)).rejects.toThrow(BusyError);
      await ageFile(path, 61_000);
      await acquireLock(path, options);
    },
  );

  it('is busy as long as its holder gives further signs', async () => {
    const path = await lockPath();
    for (let sign = 0; sign < 3; sign += 1) {
      await forgeLock(path, elsewhere, -dayMs);
      await expect(acquireLock(path, options)).rejects.toThrow(BusyError);
    }
  });

  it('is not touched by whoever only asks whether it is held', async () => {
    const path = await lockPath();
    await forgeLock(path, elsewhere, -dayMs);
    const before = await stat(path);
    expect(await isLockHeld(path)).toBe(true);
    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs);
    expect(await readdir(dirname(path))).toEqual(['warehouse.lock']);
  });

  it('of a process that can be seen is free as soon as that is dead', async () => {
    const path = await lockPath();
    await forgeLock(path, { pid: 2 ** 30 }, -dayMs);
    await acquireLock(path, options);
  });
});

describe('signs of life', () => {
  it('are given by writing what stands there, so that the disk stamps them, and end with the release', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const path = await lockPath();
    const lock = await acquireLock(path, options);
    const text = await readFile(path, 'utf8');
    await ageFile(path, 50_000);
    const old = (await stat(path)).mtimeMs;
    vi.advanceTimersByTime(5_000);
    while ((await stat(path)).mtimeMs === old) await systemClock.sleep(1);
    expect(await readFile(path, 'utf8')).toBe(text);
    await lock.release();
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** As a network disk does it: the link is made, and the answer that comes says otherwise. */
function loseAnswersOfLinks(code: string): void {
  const { link } = fs.promises;
  const restore = () => {
    fs.promises.link = link;
    syncBuiltinESMExports();
  };
  fs.promises.link = async (...names) => {
    await link(...names);
    restore();
    throw Object.assign(new Error(`${code}: link`), { code, syscall: 'link' });
  };
  syncBuiltinESMExports();
  onTestFinished(restore);
}

describe('a link whose answer is lost', () => {
  it('and whose repetition was refused has taken the lock all the same', async () => {
    const path = await lockPath();
    loseAnswersOfLinks('EEXIST');
    const lock = await acquireLock(path, options);
    expect(await lock.isHeld()).toBe(true);
    await lock.release();
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it('for another reason leaves no lock that this process would hold for ever', async () => {
    const path = await lockPath();
    loseAnswersOfLinks('EIO');
    await expect(acquireLock(path, options)).rejects.toThrow('EIO: link');
    expect(await readdir(dirname(path))).toEqual([]);
    await acquireLock(path, options);
  });
});

describe('who holds a lock', () => {
  it('is known to whoever asks, while that process lives', async () => {
    const path = await lockPath();
    expect(await readLockHolder(path)).toBeNull();
    const lock = await acquireLock(path, options);
    expect(await readLockHolder(path)).toMatchObject({ pid: process.pid, purpose: 'testing' });
    await lock.release();
    await forgeLock(path, { pid: 2 ** 30 });
    expect(await readLockHolder(path)).toBeNull();
  });
});

describe.runIf(isLinux)('a lock held by another process', () => {
  it('stays with it while it is stopped, however long that is', async () => {
    const path = await lockPath();
    const child = start(process.execPath, holderProgram(path));
    expect(await child.nextLine()).toBe('ready');
    expect(await takeTurn(child)).toBe('held');
    child.process.kill('SIGSTOP');
    await ageFile(path, 3_600_000);
    await expect(acquireLock(path, options)).rejects.toThrow('(running job daily, since');
    child.process.kill('SIGKILL');
    await once(child.process, 'exit');
    await acquireLock(path, options);
  });

  it('is free at once when that process is killed', async () => {
    const path = await lockPath();
    const child = start(process.execPath, holderProgram(path));
    expect(await child.nextLine()).toBe('ready');
    expect(await takeTurn(child)).toBe('held');
    await expect(acquireLock(path, options)).rejects.toThrow(
      `process ${child.process.pid ?? 0} on`,
    );
    child.process.kill('SIGKILL');
    await once(child.process, 'exit');
    await acquireLock(path, options);
  });

  it('is free when that process is a zombie that nobody reaps', async () => {
    const path = await lockPath();
    // The shell becomes a program that never waits for its children, as the first process of some containers.
    const script = '"$@" & exec sleep 60';
    const args = ['-c', script, 'sh', process.execPath, ...holderProgram(path)];
    const parent = start('sh', args);
    expect([await parent.nextLine(), await parent.nextLine()]).toEqual(['ready', 'held']);
    const { pid } = JSON.parse(await readFile(path, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await untilZombie(pid);
    await acquireLock(path, options);
  });

  it('is won by exactly one of many processes that race for a stale one', async () => {
    const path = await lockPath();
    await forgeLock(path, { startTime: '1' });
    const program = holderProgram(path);
    const racers = Array.from({ length: 6 }, () => start(process.execPath, program));
    await Promise.all(racers.map(({ nextLine }) => nextLine()));
    const lines = await Promise.all(racers.map(takeTurn));
    expect(lines.filter((line) => line === 'held')).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('BusyError'))).toHaveLength(5);
    expect(await readdir(dirname(path))).toEqual(['warehouse.lock']);
  });
});

async function untilZombie(pid: number): Promise<void> {
  while (!(await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z '))
    await systemClock.sleep(1);
}

async function passTime(clock: ManualClock, outcome: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  void outcome.finally(() => over.abort());
  while (!over.signal.aborted) {
    if (clock.sleepers > 0) await clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
