import { randomBytes } from 'node:crypto';
import { readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { z } from 'zod';
import { systemClock } from './clock.ts';
import { hasErrorCode, isSystemError } from './errors.ts';
import { judgeLiveness, readOwnIdentity } from './process-identity.ts';

/** What a lock file holds: who has it, and what for. */
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
export type Holder = z.infer<typeof holderSchema>;

/** What stands at a lock's path. A holder of null is a file that this program did not write. */
export interface Standing {
  readonly holder: Holder | null;
  readonly isLive: boolean;
  /** What the time is, where its last sign of life is later than that: a clock was set back since. */
  readonly isAheadOf: Date | null;
}

/** Where the holder's process cannot be seen from here, silence for so long counts as its death. */
const silentAfterMs = 60_000;

/** A new holder, with a number that no other one has. */
export async function createHolder(purpose: string, since: Date): Promise<Holder> {
  const nonce = randomBytes(8).toString('hex');
  return { nonce, ...(await readOwnIdentity()), purpose, since: since.toISOString() };
}

/** Null when nothing stands there. */
export async function readStanding(path: string): Promise<Standing | null> {
  const holder = await readHolder(path);
  const modifiedMs = (await ignoreMissing(stat(path)))?.mtimeMs;
  if (modifiedMs === undefined) return null;
  return { holder, ...(await judge(path, holder, modifiedMs)) };
}

/** Null when there is no such file, or nothing in it that this program wrote. */
export async function readHolder(path: string): Promise<Holder | null> {
  try {
    const text = await ignoreMissing(readFile(path, 'utf8'));
    return text === null ? null : holderSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Null for a file that is gone; on a network disk another host may have removed it under our hands. */
export async function ignoreMissing<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ESTALE')) return null;
    throw error;
  }
}

async function judge(
  path: string,
  holder: Holder | null,
  modifiedMs: number,
): Promise<Omit<Standing, 'holder'>> {
  const liveness = holder ? await judgeLiveness(holder) : 'rebooted';
  if (liveness === 'alive') return { isLive: true, isAheadOf: null };
  if (liveness === 'dead') return { isLive: false, isAheadOf: null };
  if (liveness === 'rebooted' && modifiedMs < systemClock.now().getTime() - uptime() * 1000)
    return { isLive: false, isAheadOf: null };
  const now = await readDiskTime(path);
  const silenceMs = now.getTime() - modifiedMs;
  return {
    isLive: silenceMs < silentAfterMs,
    isAheadOf: silenceMs < -silentAfterMs ? now : null,
  };
}

/**
 * What the file's disk says the time is, which may be another host's: all who share it see the same. Where it lets
 * us write nothing, the time of this machine.
 */
async function readDiskTime(path: string): Promise<Date> {
  const trial = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await writeFile(trial, '', { flag: 'wx', mode: 0o600 });
    return (await stat(trial)).mtime;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return systemClock.now();
  } finally {
    await ignoreMissing(unlink(trial)).catch(() => null);
  }
}
