import { randomBytes } from 'node:crypto';
import { link, readFile, readdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { systemClock, type Clock } from './clock.ts';
import { ensureFolder } from './ensure-folder.ts';
import { BusyError, UsageError, hasErrorCode } from './errors.ts';
import { judgeLiveness, readOwnIdentity } from './process-identity.ts';

/** Held by this process until it is released, or the process ends in whatever way. */
export interface Lock {
  readonly path: string;
  /**
   * Whether it is still this one. A holder that others cannot see, and that was stopped for longer than a
   * minute, may have lost it to one of them; so has every holder whose file was removed.
   */
  isHeld(): Promise<boolean>;
  /** May be called twice. Never removes a lock that someone else holds by now. */
  release(): Promise<void>;
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

const holderSchema = z.object({
  nonce: z.string(),
  pid: z.int(),
  startTime: z.string().nullable(),
  bootId: z.string().nullable(),
  pidNamespace: z.string().nullable(),
  host: z.string(),
  purpose: z.string(),
  since: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

/** What stands at a lock's path. A holder of null is a file that this program did not write. */
interface Standing {
  holder: Holder | null;
  isLive: boolean;
}

const temporaryName = /\.[0-9a-f]{16}\.tmp$/;
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
    const outcome = await tryLock(path, options.purpose, clock);
    if ('release' in outcome) return outcome;
    const leftMs = deadline - clock.monotonicMs();
    if (leftMs <= 0) throw busyError(path, outcome.holder, options);
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
  }
}

/** Whether a live process holds the lock at `path`; it may change at any moment. */
export async function isLockHeld(path: string): Promise<boolean> {
  return (await readStanding(path))?.isLive ?? false;
}

/** One round, without waiting for anybody: the lock, or what stands in its way. */
async function tryLock(path: string, purpose: string, clock: Clock): Promise<Lock | Standing> {
  const nonce = randomBytes(8).toString('hex');
  const since = clock.now().toISOString();
  const temporary = `${path}.${nonce}.tmp`;
  const holder: Holder = { nonce, ...(await readOwnIdentity()), purpose, since };
  try {
    await writeFile(temporary, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    // The file appears whole or not at all, so that no reader ever sees half an identity.
    while (!(await tryLink(temporary, path))) {
      const standing = await readStanding(path);
      if (standing === null) continue;
      if (standing.isLive) return standing;
      const breaker = await tryBreak(path, standing, purpose, clock);
      if (breaker !== null) return breaker;
    }
  } finally {
    await ignoreMissing(unlink(temporary));
  }
  return sweepUnder(hold(path, nonce));
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].some((code) => hasErrorCode(error, code))) throw error;
    throw new UsageError(
      `${dirname(to)}: this file system has no hard links, which locks need; keep data_dir and the warehouse on another`,
      { cause: error },
    );
  }
}

/**
 * Removes a dead holder's file under a lock that is named after that very holder: of many takers one
 * removes it, and none can remove the fresh lock that follows. Null when it is out of the way, else what
 * stands in the way of removing it.
 */
async function tryBreak(
  path: string,
  dead: Standing,
  purpose: string,
  clock: Clock,
): Promise<Standing | null> {
  const nonce = dead.holder?.nonce ?? 'unreadable';
  const outcome = await tryLock(`${path}.${nonce}`, purpose, clock);
  if (!('release' in outcome)) return outcome;
  try {
    const now = await readStanding(path);
    if (now && !now.isLive && now.holder?.nonce === dead.holder?.nonce) await unlink(path);
  } finally {
    await outcome.release();
  }
  return null;
}

/** Clears what killed takers left beside the lock. Only its holder may: nobody needs those files now. */
async function sweepUnder(lock: Lock): Promise<Lock> {
  try {
    await sweep(lock.path);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function sweep(path: string): Promise<void> {
  const names = await readdir(dirname(path));
  for (const name of names.filter((entry) => entry.startsWith(`${basename(path)}.`))) {
    const file = join(dirname(path), name);
    const standing = await readStanding(file);
    if (standing === null || standing.isLive) continue;
    // on a full disk killed takers leave empty files
    const isOurs = standing.holder !== null || temporaryName.test(name);
    if (isOurs) await ignoreMissing(unlink(file));
  }
}

function hold(path: string, nonce: string): Lock {
  const heartbeat = setInterval(() => {
    const now = systemClock.now();
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  return {
    path,
    isHeld: async () => (await readHolder(path))?.nonce === nonce,
    release: async () => {
      clearInterval(heartbeat);
      const standing = await readHolder(path);
      if (standing?.nonce === nonce) await ignoreMissing(unlink(path));
    },
  };
}

async function readStanding(path: string): Promise<Standing | null> {
  const holder = await readHolder(path);
  const modifiedMs = await readModifiedMs(path);
  if (modifiedMs === null) return null;
  return { holder, isLive: await isHolderLive(holder, modifiedMs) };
}

/** Null when there is no such file, or nothing in it that this program wrote. */
async function readHolder(path: string): Promise<Holder | null> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const isForeign = error instanceof SyntaxError || error instanceof z.ZodError;
    if (isForeign || hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function readModifiedMs(path: string): Promise<number | null> {
  return (await ignoreMissing(stat(path)))?.mtimeMs ?? null;
}

async function isHolderLive(holder: Holder | null, modifiedMs: number): Promise<boolean> {
  const liveness = holder ? await judgeLiveness(holder) : 'rebooted';
  if (liveness === 'alive') return true;
  if (liveness === 'dead') return false;
  // The operating system stamps files, so its clock judges them, whatever clock the caller has.
  const nowMs = systemClock.now().getTime();
  if (liveness === 'rebooted' && modifiedMs < nowMs - uptime() * 1000) return false;
  return nowMs - modifiedMs < silentAfterMs;
}

function busyError(path: string, holder: Holder | null, options: LockOptions): BusyError {
  const { waitMs, remedy = waitForIt } = options;
  const held = holder
    ? `process ${holder.pid} on ${holder.host} holds it (${holder.purpose}, since ${holder.since})`
    : 'its holder is unknown';
  const waited = waitMs > 0 ? `, after waiting ${Math.round(waitMs / 1000)} s` : '';
  return new BusyError(`${path} is in use${waited}: ${held}; ${remedy}`);
}

async function ignoreMissing<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
