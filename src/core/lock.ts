import { randomBytes } from 'node:crypto';
import { link, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { ensureFolder } from './atomic-file.ts';
import type { Clock } from './clock.ts';
import { BusyError, hasErrorCode } from './errors.ts';

/** Held by this process until it is released, or the process ends in whatever way. */
export interface Lock {
  readonly path: string;
  /** May be called twice. Never removes a lock that someone else holds by now. */
  release(): Promise<void>;
  /** Leaves the file as a killed process does: it holds nothing back, and says that the work has not ended. */
  abandon(): Promise<void>;
}

export interface LockOptions {
  /** What the holder is doing, as the one that has to wait will read it: `running job daily`. */
  purpose: string;
  /** How long to wait for a live holder; 0 gives up at once. */
  waitMs: number;
  /** What the one that cannot have it may do; waiting with `--wait` unless it is something else. */
  remedy?: string;
  clock: Clock;
  signal?: AbortSignal;
}

/** What a lock file holds: who has it, and what for. */
const holderSchema = z.object({
  nonce: z.string(),
  pid: z.int(),
  /** Tells a process from a later one with the same pid; null where there is no /proc. */
  startTime: z.string().nullable(),
  host: z.string(),
  /** Pids mean something within one namespace only; null where there are none. */
  pidNamespace: z.string().nullable(),
  purpose: z.string(),
  since: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

const heartbeatMs = 5_000;
/** Where the holder's process cannot be seen from here, silence for so long counts as its death. */
const silentAfterMs = 60_000;
const firstPauseMs = 2;
const longestPauseMs = 250;
const waitForIt = 'try again when it is done, or let --wait <seconds> wait for it';

/**
 * Takes the lock file at `path`; missing folders are made. The lock dies with its process: one that was
 * killed, also by a reboot, holds nothing back. A process that cannot be seen from here (another host or
 * container on the same folder) is judged by the file's modification time, which its holder keeps fresh.
 * @throws BusyError when a live process holds it for longer than `waitMs`
 * @throws InterruptedError when the signal aborts while waiting
 */
export async function acquireLock(path: string, options: LockOptions): Promise<Lock> {
  const { clock, waitMs, signal } = options;
  await ensureFolder(dirname(path));
  const deadline = clock.monotonicMs() + waitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const outcome = await tryLock(path, options, clock);
    if ('release' in outcome) return outcome;
    const leftMs = deadline - clock.monotonicMs();
    if (leftMs <= 0) throw busyError(path, outcome, options);
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
  }
}

/** Who holds the lock at `path`, if a live process does; it may change at any moment. */
export async function readLockHolder(path: string): Promise<Holder | null> {
  const holder = await readLock(path);
  return holder === 'stale' ? null : holder;
}

/** One attempt, without waiting: the lock, or who holds the one that is in its way. */
async function tryLock(
  path: string,
  { purpose }: Pick<LockOptions, 'purpose'>,
  clock: Clock,
): Promise<Lock | Holder> {
  const nonce = randomBytes(8).toString('hex');
  const since = clock.now().toISOString();
  const holder: Holder = { nonce, ...(await describeThisProcess()), purpose, since };
  while (!(await createFile(path, holder))) {
    const found = await readLock(path);
    if (found === null) continue;
    if (found !== 'stale') return found;
    // A dead holder's file is removed under a lock of its own, so that the next holder's file is not removed.
    const removal = await tryLock(`${path}.stale`, { purpose }, clock);
    if (!('release' in removal)) return removal;
    try {
      if ((await readLock(path)) === 'stale') await rm(path, { force: true });
    } finally {
      await removal.release();
    }
  }
  return hold(path, nonce);
}

/** Whole or not at all, so that a kill leaves no lock without its holder. False when there is a file already. */
async function createFile(path: string, holder: Holder): Promise<boolean> {
  const draft = `${path}.${holder.nonce}`;
  try {
    await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function hold(path: string, nonce: string): Lock {
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  const endWith = (work: () => Promise<void>) => async () => {
    clearInterval(heartbeat);
    if ((await readLockHolder(path))?.nonce === nonce) await work();
  };
  return {
    path,
    release: endWith(() => rm(path, { force: true })),
    abandon: endWith(() => writeFile(path, '')),
  };
}

/** Who holds the lock; `stale` when nobody does any more, null when there is no file. */
async function readLock(path: string): Promise<Holder | 'stale' | null> {
  try {
    const holder = parseHolder(await readFile(path, 'utf8'));
    const { mtimeMs } = await stat(path);
    return holder !== null && (await isLive(holder, mtimeMs)) ? holder : 'stale';
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Null for a file that a power cut, or {@link Lock.abandon}, has left empty. */
function parseHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function isLive(holder: Holder, modifiedMs: number): Promise<boolean> {
  const own = await describeThisProcess();
  if (own.host === holder.host && own.pidNamespace === holder.pidNamespace) {
    const startTime = await readStartTime(holder.pid);
    if (startTime !== null) return startTime === holder.startTime;
    if (!isRunning(holder.pid)) return false;
  }
  return Date.now() - modifiedMs < silentAfterMs;
}

type ProcessIdentity = Pick<Holder, 'pid' | 'startTime' | 'host' | 'pidNamespace'>;

let thisProcess: Promise<ProcessIdentity> | undefined;

function describeThisProcess(): Promise<ProcessIdentity> {
  thisProcess ??= (async () => ({
    pid: process.pid,
    startTime: await readStartTime(process.pid),
    host: hostname(),
    pidNamespace: await readlink('/proc/self/ns/pid').catch(() => null),
  }))();
  return thisProcess;
}

/** Clock ticks since boot, field 22 of /proc/<pid>/stat; empty for a process that is over, null where none is seen. */
async function readStartTime(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command's name comes before, in brackets, and may itself hold brackets and blanks.
    const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return /[ZX]/.test(state) ? '' : (fields[18] ?? '');
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH');
  }
}

function busyError(path: string, holder: Holder, options: LockOptions): BusyError {
  const { waitMs, remedy = waitForIt } = options;
  const { pid, host, purpose, since } = holder;
  const waited = waitMs > 0 ? `, after waiting ${Math.round(waitMs / 1000)} s` : '';
  const held = `process ${pid} on ${host} holds it (${purpose}, since ${since})`;
  return new BusyError(`${path} is in use${waited}: ${held}; ${remedy}`);
}
