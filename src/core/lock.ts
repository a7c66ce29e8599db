import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  readFile,
  readdir,
  readlink,
  rename,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ensureFolder, linkFile } from './atomic-file.ts';
import type { Clock } from './clock.ts';
import { BusyError, hasErrorCode, isSystemError } from './errors.ts';

/** A lock that this process holds until it releases it or ends. */
export interface Lock {
  readonly path: string;
  /** Releases the lock. It may be called twice, and never removes a lock that another process holds by then. */
  release(): Promise<void>;
  /** Leaves the file as a killed process does: it blocks nobody, and shows that the work has not ended. */
  abandon(): Promise<void>;
}

export interface LockOptions {
  /** The holder's work, for the messages of processes that have to wait: `running job daily`. */
  purpose: string;
  /** The time to wait for a live holder; with 0, `acquireLock` fails at once. */
  waitMs: number;
  /** Advice for a process that cannot get the lock. The default is to wait with `--wait`. */
  remedy?: string;
  /** True if no other process can take a lock of this random name: it needs no hard links. */
  isOwnName?: boolean;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

/** Does the work under the lock at `path`, see {@link acquireLock}. */
export async function withLock<T>(
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await acquireLock(path, options);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** The content of a lock file: its holder and purpose. */
const holderSchema = z.object({
  nonce: z.string(),
  pid: z.int(),
  /** Distinguishes a process from a later one with the same pid; null without /proc. */
  startTime: z.string().nullable(),
  host: z.string(),
  /** The namespace in which the pid is valid; null if the system has none. */
  pidNamespace: z.string().nullable(),
  purpose: z.string(),
  since: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

const heartbeatMs = 5_000;
/** A holder whose process cannot be seen from here counts as dead after this time without a heartbeat. */
const staleAfterMs = 60_000;
const firstPauseMs = 2;
const maxPauseMs = 250;
const defaultRemedy = 'try again when it is done, or wait for it with --wait <seconds>';

/** The locks beside which this process has removed what killed processes left. */
const tidied = new Set<string>();

/**
 * Creates the lock file at `path`, and missing folders. The lock ends with its process: a killed process, or one
 * before a reboot, blocks nobody. A process that cannot be seen from here (on another host or in another container
 * with the same folder) is live while it keeps the file's modification time fresh.
 * @throws BusyError when a live process holds it for longer than `waitMs`
 * @throws InterruptedError when the signal aborts while waiting
 */
export async function acquireLock(path: string, options: LockOptions): Promise<Lock> {
  const { clock, waitMs, signal } = options;
  let deadline = clock.monotonicMs() + waitMs;
  const watch = new HeartbeatWatch(clock);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    const outcome = await tryLock(path, options, clock, watch);
    if ('release' in outcome) {
      if (!tidied.has(path)) await removeRemains(path, options);
      tidied.add(path);
      return outcome;
    }
    deadline = Math.max(deadline, watch.untilMs);
    const leftMs = deadline - clock.monotonicMs();
    if (leftMs <= 0) throw busyError(path, outcome, options);
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
  }
}

/** Returns the live holder of the lock at `path`, or null. It may change at any moment. */
export async function readLockHolder(path: string): Promise<Holder | null> {
  const holder = await readLock(path);
  return holder === 'stale' ? null : holder;
}

/** Watches a lock whose heartbeats have times ahead of this machine's clock, which say nothing: only whether they move counts. */
class HeartbeatWatch {
  readonly #clock: Clock;
  #seenMs: number | null = null;
  #sinceMs = 0;
  /** When a lock that has not moved since it was first seen is known to be dead, by the monotonic clock; else 0. */
  untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isDead(modifiedMs: number): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (modifiedMs !== this.#seenMs) {
      this.untilMs = this.#seenMs === null ? nowMs + staleAfterMs : 0;
      this.#sinceMs = nowMs;
    }
    this.#seenMs = modifiedMs;
    return nowMs - this.#sinceMs >= staleAfterMs;
  }
}

/** Makes one attempt without waiting, and returns the lock or its current holder. */
async function tryLock(
  path: string,
  { purpose, isOwnName = false }: Pick<LockOptions, 'purpose' | 'isOwnName'>,
  clock: Clock,
  watch?: HeartbeatWatch,
): Promise<Lock | Holder> {
  const nonce = randomBytes(8).toString('hex');
  const since = clock.now().toISOString();
  const holder: Holder = { nonce, ...(await describeThisProcess()), purpose, since };
  while (!(await createFile(path, holder, isOwnName ? rename : linkFile))) {
    const found = await readLock(path, watch);
    if (found === null) continue;
    if (found !== 'stale') return found;
    // A second lock guards the removal of a dead holder's file, so that the next holder's file is not removed.
    const removal = await tryLock(`${path}.stale`, { purpose }, clock);
    if (!('release' in removal)) return removal;
    try {
      if ((await readLock(path, watch)) === 'stale') await removeFile(path);
    } finally {
      await removal.release();
    }
  }
  return hold(path, nonce);
}

/**
 * Creates the file whole or not at all, so that a kill leaves none without a holder. Returns false if it exists.
 * @param attempts those that are left when other processes remove the draft or the folder meanwhile
 */
async function createFile(
  path: string,
  holder: Holder,
  publish: (draft: string, path: string) => Promise<void>,
  attempts = 10,
): Promise<boolean> {
  const draft = `${path}.${holder.nonce}`;
  try {
    await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
    await publish(draft, path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    if (!hasErrorCode(error, 'ENOENT') || attempts === 1) throw error;
    // the folder is missing, or another process took the unfinished draft for that of a dead one
    await ensureFolder(dirname(path));
    return await createFile(path, holder, publish, attempts - 1);
  } finally {
    await removeFile(draft);
  }
}

/** Removes what processes that were killed while they took a lock left in its folder. The caller holds the lock. */
async function removeRemains(path: string, options: LockOptions): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    const isDraft = /\.lock(?:\.stale)*\.[0-9a-f]{16}$/.test(name);
    if (isDraft) await removeDeadLock(join(folder, name));
  }
  const guard = `${path}.stale`;
  if (!existsSync(guard)) return;
  const taken = await tryLock(guard, options, options.clock);
  if ('release' in taken) await taken.release();
}

/** Removes a lock, or the draft of one, that no live process has. One of another user is left. */
export async function removeDeadLock(path: string): Promise<void> {
  try {
    if ((await readLock(path)) === 'stale') await removeFile(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
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
    if ((await readHolder(path))?.nonce === nonce) await work();
  };
  return {
    path,
    release: endWith(() => removeFile(path)),
    abandon: endWith(() => writeFile(path, '')),
  };
}

/** Returns the live holder, `stale` if the holder is dead, or null if there is no file. */
async function readLock(path: string, watch?: HeartbeatWatch): Promise<Holder | 'stale' | null> {
  try {
    const holder = parseHolder(await readFile(path, 'utf8'));
    const { mtimeMs } = await stat(path);
    return holder !== null && (await isLive(holder, mtimeMs, watch)) ? holder : 'stale';
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Returns the holder that the file names, dead or alive. */
async function readHolder(path: string): Promise<Holder | null> {
  return parseHolder(await readFile(path, 'utf8').catch(() => ''));
}

/** Removes the file, if it is there; `rm` would look at it several times first. */
async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  });
}

/** Returns null for a file that a power cut or {@link Lock.abandon} has left empty. */
function parseHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function isLive(
  holder: Holder,
  modifiedMs: number,
  watch: HeartbeatWatch | undefined,
): Promise<boolean> {
  const own = await describeThisProcess();
  if (own.host === holder.host && own.pidNamespace === holder.pidNamespace) {
    const startTime = await readStartTime(holder.pid);
    if (startTime !== null) return startTime === holder.startTime;
    if (!isRunning(holder.pid)) return false;
  }
  const ageMs = Date.now() - modifiedMs;
  return ageMs < -staleAfterMs && watch ? !watch.isDead(modifiedMs) : ageMs < staleAfterMs;
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

/**
 * Returns the start time in clock ticks since boot, field 22 of /proc/<pid>/stat. It is empty for a process that
 * has ended, and null if no process can be seen.
 */
async function readStartTime(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command's name precedes these fields in parentheses, and may contain parentheses and spaces itself.
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
  const { waitMs, remedy = defaultRemedy } = options;
  const { pid, host, purpose, since } = holder;
  const waited = waitMs > 0 ? `, after waiting ${Math.round(waitMs / 1000)} s` : '';
  const held = `process ${pid} on ${host} holds it (${purpose}, since ${since})`;
  return new BusyError(`${path} is in use${waited}: ${held}; ${remedy}`);
}
