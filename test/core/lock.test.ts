import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { BusyError, InterruptedError } from '../../src/core/errors.ts';
import { acquireLock, readLockHolder } from '../../src/core/lock.ts';
import { builtUrl } from '../support/built-module.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const options = { purpose: 'testing', waitMs: 0, clock: systemClock };
const isLinux = process.platform === 'linux';

async function lockPath(): Promise<string> {
  return join(await temporaryFolder(), 'locks', 'warehouse.lock');
}

/** Writes a lock file as another process would have written it `ageMs` ago. */
async function forgeLock(path: string, changes: object, ageMs = 0): Promise<void> {
  const lock = await acquireLock(`${path}.model`, { ...options, purpose: 'running job daily' });
  const own = JSON.parse(await readFile(lock.path, 'utf8')) as object;
  await lock.release();
  const holder = { ...own, nonce: 'forged', ...changes };
  await writeFile(path, JSON.stringify(holder));
  await ageFile(path, ageMs);
}

async function ageFile(path: string, ageMs: number): Promise<void> {
  const then = new Date(Date.now() - ageMs);
  await utimes(path, then, then);
}

/** Returns a program that takes the lock once it gets input or its input ends, and then keeps running. */
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
    expect(await readLockHolder(path)).not.toBeNull();
    await lock.release();
    await lock.release();
    expect(await readLockHolder(path)).toBeNull();
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it('tells a second process who holds it, why, since when, and how to wait', async () => {
    const path = await lockPath();
    const clock = new ManualClock('2026-01-15T05:15:00Z');
    await acquireLock(path, { purpose: 'running job daily', waitMs: 0, clock });
    const error = await acquireLock(path, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BusyError);
    expect(error).toMatchObject({
      exitCode: 4,
      message:
        `${path} is in use: process ${process.pid} on ${hostname()} holds it (running job daily, ` +
        'since 2026-01-15T05:15:00.000Z); try again when it is done, or wait for it with --wait <seconds>',
    });
  });

  it('goes to a waiting process as soon as it is released', async () => {
    const path = await lockPath();
    const first = await acquireLock(path, options);
    const second = acquireLock(path, { ...options, waitMs: 60_000 });
    await first.release();
    expect((await second).path).toBe(path);
  });

  it('is refused once the time to wait is over', async () => {
    const path = await lockPath();
    const clock = new ManualClock();
    await acquireLock(path, options);
    const outcome = acquireLock(path, { ...options, waitMs: 3_000, clock }).catch(String);
    const startMs = clock.monotonicMs();
    await passTime(clock, outcome);
    expect(await outcome).toContain('is in use, after waiting 3 s: process');
    expect(clock.monotonicMs() - startMs).toBe(3_000);
  });

  it('is no longer waited for once the signal aborts', async () => {
    const path = await lockPath();
    const stop = new AbortController();
    await acquireLock(path, options);
    const waiting = acquireLock(path, { ...options, waitMs: 60_000, signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow(InterruptedError);
    expect(await readdir(dirname(path))).toEqual(['warehouse.lock']);
  });

  it('is held only once within one process', async () => {
    const path = await lockPath();
    const takers = Array.from({ length: 20 }, () => acquireLock(path, options));
    const outcomes = await Promise.allSettled(takers);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a lock whose holder cannot be alive', () => {
  it.runIf(isLinux).each([
    ['its pid belongs to a later process', { startTime: '1' }],
    ['no process has its pid', { pid: 2 ** 30 }],
  ])('is taken when %s', async (_, changes) => {
    const path = await lockPath();
    await forgeLock(path, changes);
    expect(await readLockHolder(path)).toBeNull();
    await acquireLock(path, options);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ purpose: 'testing' });
    expect(await readdir(dirname(path))).toEqual(['warehouse.lock']);
  });

  it('goes with the files of processes that were killed while they took it, and of no live one', async () => {
    const path = await lockPath();
    const draft = (digit: string) => `${path}.${digit.repeat(16)}`;
    await forgeLock(draft('a'), { pid: 2 ** 30 });
    await forgeLock(`${dirname(path)}/another.lock.stale.${'b'.repeat(16)}`, { pid: 2 ** 30 });
    await writeFile(draft('c'), '');
    await forgeLock(draft('d'), {});
    await forgeLock(`${path}.stale`, { pid: 2 ** 30 });
    const lock = await acquireLock(path, options);
    await lock.release();
    expect(await readdir(dirname(path))).toEqual([basename(draft('d'))]);
  });

  it('is left to a live process that is removing it', async () => {
    const path = await lockPath();
    await forgeLock(path, { pid: 2 ** 30, nonce: 'dead' });
    await forgeLock(`${path}.stale`, {});
    await expect(acquireLock(path, options)).rejects.toThrow(BusyError);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ nonce: 'dead' });
  });
});

describe('a lock whose holder cannot be seen from here', () => {
  it.each([
    ['on another host', { host: 'another-host' }],
    ['in another container', { pidNamespace: 'pid:[1]' }],
  ])(
    'is busy while its holder %s keeps it fresh, and taken when that has been silent for a minute',
    async (_, changes) => {
      const path = await lockPath();
      await forgeLock(path, changes, 50_000);
      await expect(acquireLock(path, options)).rejects.toThrow('(running job daily, since');
      await ageFile(path, 61_000);
      await acquireLock(path, options);
    },
  );

  it.each([
    ['taken once it has not moved for a minute, however little may be waited', false],
    ['busy while it moves', true],
  ])('whose clock is ahead is %s', async (_, moves) => {
    const path = await lockPath();
    const year = -365 * 86_400_000;
    await forgeLock(path, { host: 'another-host' }, year);
    const clock = new ManualClock();
    const outcome = acquireLock(path, { ...options, clock }).then(() => 'taken', String);
    let moved = 0;
    await passTime(clock, outcome, 500, async () => {
      if (moves) await ageFile(path, year - (moved += 1));
    });
    expect(await outcome).toContain(moves ? 'is in use' : 'taken');
  });

  it('is taken when a power cut has left its file empty', async () => {
    const path = await lockPath();
    await mkdir(dirname(path));
    await writeFile(path, '');
    await acquireLock(path, options);
  });
});

it('the heartbeat is renewed every five seconds until the release', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = await lockPath();
  const lock = await acquireLock(path, options);
  await ageFile(path, 50_000);
  const old = (await stat(path)).mtimeMs;
  vi.advanceTimersByTime(5_000);
  while ((await stat(path)).mtimeMs === old) await systemClock.sleep(1);
  await lock.release();
  expect(vi.getTimerCount()).toBe(0);
});

describe.runIf(isLinux)('a lock held by another process', () => {
  it('stays with it however long it is stopped', async () => {
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

  it('is free when that process is a zombie', async () => {
    const path = await lockPath();
    // The shell becomes a program that never waits for its children, like the first process of some containers.
    const script = '"$@" & exec sleep 60';
    const args = ['-c', script, 'sh', process.execPath, ...holderProgram(path)];
    const parent = start('sh', args);
    expect([await parent.nextLine(), await parent.nextLine()]).toEqual(['ready', 'held']);
    const { pid } = JSON.parse(await readFile(path, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await untilZombie(pid);
    await acquireLock(path, options);
  });

  it('is taken by exactly one of many processes that race for it once it is stale', async () => {
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

/** Lets time pass in steps until there is an outcome, and does something after each. */
async function passTime(
  clock: ManualClock,
  outcome: Promise<unknown>,
  stepMs = 1,
  afterStep = () => Promise.resolve(),
): Promise<void> {
  const over = new AbortController();
  void outcome.finally(() => over.abort());
  while (!over.signal.aborted) {
    if (clock.sleepers > 0) {
      await clock.advance(stepMs);
      await afterStep();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
