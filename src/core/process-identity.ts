import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { hasErrorCode } from './errors.ts';

/** What tells one process from every other one, also from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, field 22 of /proc/<pid>/stat; null where there is no /proc. */
  readonly startTime: string | null;
  /** Null where the system gives none. */
  readonly bootId: string | null;
  /** Pids mean something within one namespace only; null where there are no namespaces. */
  readonly pidNamespace: string | null;
  readonly host: string;
}

/** `unseen`: it cannot be told from here, for example in another container or on another host. */
export type Liveness = 'alive' | 'dead' | 'rebooted' | 'unseen';

let ownIdentity: Promise<ProcessIdentity> | undefined;

export function readOwnIdentity(): Promise<ProcessIdentity> {
  ownIdentity ??= describeThisProcess();
  return ownIdentity;
}

/**
 * Whether the process that `other` describes still runs, judged from this one. `rebooted`: it ran on a
 * machine of this name, before its last start.
 */
export async function judgeLiveness(other: ProcessIdentity): Promise<Liveness> {
  const own = await readOwnIdentity();
  if (own.bootId !== other.bootId) return own.host === other.host ? 'rebooted' : 'unseen';
  if (own.bootId === null) return own.host === other.host ? judgeByKill(other.pid) : 'unseen';
  if (own.pidNamespace !== other.pidNamespace) return 'unseen';
  const process = await readProcess(other.pid);
  // A /proc that hides other users' processes looks the same as a process that is gone.
  if (process === null) return judgeByKill(other.pid);
  const isOver = process.state === 'Z' || process.state === 'X';
  return isOver || process.startTime !== other.startTime ? 'dead' : 'alive';
}

async function describeThisProcess(): Promise<ProcessIdentity> {
  const self = await readProcess(process.pid);
  return {
    pid: process.pid,
    startTime: self?.startTime ?? null,
    bootId: await readBootId(),
    pidNamespace: await readlink('/proc/self/ns/pid').catch(() => null),
    host: hostname(),
  };
}

async function readBootId(): Promise<string | null> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return null;
  }
}

async function readProcess(pid: number): Promise<{ state: string; startTime: string } | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command's name comes before, in brackets, and may itself hold brackets and blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
  } catch {
    return null;
  }
}

/** A pid that answers may be another process by now, so that only its absence is proof. */
function judgeByKill(pid: number): Liveness {
  try {
    process.kill(pid, 0);
    return 'unseen';
  } catch (error) {
    return hasErrorCode(error, 'ESRCH') ? 'dead' : 'unseen';
  }
}
