import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { hasErrorCode } from '../core/errors.ts';

/** When a workspace's latest requests count. All times are milliseconds of the monotonic clock. */
export interface BudgetState {
  /** Of requests that were answered, or will not be. */
  settled: number[];
  /** Of requests that are under way, by the id of their slot: the latest time that they can get. */
  inFlight: Map<string, number>;
  /** Nothing is sent before. */
  blockedUntilMs: number;
}

/** Both clocks at one moment, and the boot that the monotonic one counts from. */
export interface Moment {
  readonly boot: string;
  readonly monotonicMs: number;
  readonly wallMs: number;
}

const fileSchema = z.strictObject({
  version: z.literal(1),
  boot: z.string(),
  monotonic_ms: z.number(),
  wall_ms: z.number(),
  blocked_until_ms: z.number(),
  settled: z.array(z.number()),
  in_flight: z.record(z.string(), z.number()),
});
type BudgetFile = z.infer<typeof fileSchema>;

/** What the file at `path` says, in the monotonic time of this boot; null when it is unreadable. */
export async function readBudget(path: string, now: Moment): Promise<BudgetState | null> {
  const text = await readText(path);
  if (text === null) return { settled: [], inFlight: new Map(), blockedUntilMs: 0 };
  const file = parse(text);
  if (file === null) return null;
  const shiftMs = bootShift(file, now);
  return {
    settled: file.settled.map((timeMs) => timeMs + shiftMs),
    inFlight: new Map(Object.entries(file.in_flight).map(([id, timeMs]) => [id, timeMs + shiftMs])),
    blockedUntilMs: file.blocked_until_ms + shiftMs,
  };
}

/** Call it under the budget's lock. Not synced: what a power cut takes is from an earlier boot by then. */
export async function writeBudget(path: string, state: BudgetState, now: Moment): Promise<void> {
  const file: BudgetFile = {
    version: 1,
    boot: now.boot,
    monotonic_ms: now.monotonicMs,
    wall_ms: now.wallMs,
    blocked_until_ms: state.blockedUntilMs,
    settled: state.settled,
    in_flight: Object.fromEntries(state.inFlight),
  };
  await writeFile(`${path}.tmp`, JSON.stringify(file), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

/**
 * Monotonic times of another boot mean nothing here, so the wall clock says how long ago the file was
 * written. A wall clock that went back counts as no time at all.
 */
function bootShift(file: BudgetFile, now: Moment): number {
  if (file.boot === now.boot && file.monotonic_ms <= now.monotonicMs) return 0;
  const elapsedMs = Math.max(0, now.wallMs - file.wall_ms);
  return now.monotonicMs - elapsedMs - file.monotonic_ms;
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function parse(text: string): BudgetFile | null {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
