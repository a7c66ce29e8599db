import { link, open, readdir, unlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from './clock.ts';
import { ensureFolder } from './ensure-folder.ts';
import { BusyError, UsageError, hasErrorCode } from './errors.ts';
import {
  createHolder,
  ignoreMissing,
  readHolder,
  readStanding,
  type Holder,
  type Standing,
} from './lock-holder.ts';

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

const temporaryName = /\.[0-9a-f]{16}\.tmp$/;
const heartbeatMs = 5_000;
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

/** Who holds the lock at `path`, if a live process does; it may change at any moment. */
export async function readLockHolder(path: string): Promise<Holder | null> {
  const standing = await readStanding(path);
  return standing?.isLive === true ? standing.holder : null;
}

/** One round, without waiting for anybody: the lock, or what stands in its way. */
async function tryLock(path: string, purpose: string, clock: Clock): Promise<Lock | Standing> {
  const holder = await createHolder(purpose, clock.now());
  const temporary = `${path}.${holder.nonce}.tmp`;
  try {
    await writeFile(temporary, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    // The file appears whole or not at all, so that no reader ever sees half an identity.
    while (!(await tryLink(temporary, path))) {
      const standing = await readStanding(path);
      if (standing === null) continue;
      // on a network disk the answer to a link that was made may be lost, and its repetition is refused
      if (standing.holder?.nonce === holder.nonce) break;
      if (standing.isAheadOf) await ignoreMissing(setSign(path, standing.isAheadOf));
      if (standing.isLive) return standing;
      const breaker = await tryBreak(path, standing, purpose, clock);
      if (breaker !== null) return breaker;
    }
  } catch (error) {
    await releaseOwn(path, holder.nonce).catch(() => undefined);
    throw error;
  } finally {
    await ignoreMissing(unlink(temporary));
  }
  return sweepUnder(hold(path, holder.nonce));
}

/**
 * A sign of life from the future would hold the lock until the clock has caught up with it. From `now` on the
 * holder's silence counts; one that lives gives another sign.
 */
async function setSign(path: string, now: Date): Promise<void> {
  await utimes(path, now, now);
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
    giveSign(path).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  return {
    path,
    isHeld: async () => (await readHolder(path))?.nonce === nonce,
    release: async () => {
      clearInterval(heartbeat);
      await releaseOwn(path, nonce);
    },
  };
}

/**
 * Writes what stands there already, so that the disk's own clock stamps it: those of hosts that share a disk may
 * differ by more than a silence.
 */
async function giveSign(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.write('{', 0);
  } finally {
    await handle.close();
  }
}

async function releaseOwn(path: string, nonce: string): Promise<void> {
  if ((await readHolder(path))?.nonce === nonce) await ignoreMissing(unlink(path));
}

function busyError(path: string, holder: Holder | null, options: LockOptions): BusyError {
  const { waitMs, remedy = waitForIt } = options;
  const held = holder
    ? `process ${holder.pid} on ${holder.host} holds it (${holder.purpose}, since ${holder.since})`
    : 'its holder is unknown';
  const waited = waitMs > 0 ? `, after waiting ${Math.round(waitMs / 1000)} s` : '';
  return new BusyError(`${path} is in use${waited}: ${held}; ${remedy}`);
}
