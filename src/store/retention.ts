import { randomUUID } from 'node:crypto';
import { rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeFolder, writeFileAtomic } from '../core/atomic-file.ts';
import { addDays, type Day } from '../core/calendar.ts';
import { hasErrorCode } from '../core/errors.ts';
import { readIfPresent } from '../core/found-files.ts';
import { rawFolder } from './layout.ts';
import { listRunNames, type RunName } from './run-folder.ts';

/*
 * `data/retention.json` says up to which day raw data were removed, so that what is missing since is told from what is
 * missing by mistake. It is written before anything is removed.
 */
const recordSchema = z.strictObject({
  version: z.literal(1),
  /** The runs of earlier UTC days were removed, as far as they were loaded; null if none ever were. */
  runs_before: z.iso.date().nullable(),
  /** The same for events, by the day on which they were received. */
  events_before: z.iso.date().nullable(),
  /** The runs and events of earlier days that the warehouse had then, and must still have. */
  runs: z.int().nonnegative().default(0),
  events: z.int().nonnegative().default(0),
});
export type RetentionRecord = Omit<z.infer<typeof recordSchema>, 'version'>;

export async function readRetention(dataDir: string): Promise<RetentionRecord> {
  const text = await readIfPresent(recordPath(dataDir));
  if (text === null) return { runs_before: null, events_before: null, runs: 0, events: 0 };
  return recordSchema.parse(JSON.parse(text));
}

/** Records up to which days raw data are removed. If a later day is on record, it stays. */
export async function recordRetention(dataDir: string, record: RetentionRecord): Promise<void> {
  const before = await readRetention(dataDir);
  const whole: z.infer<typeof recordSchema> = {
    version: 1,
    runs_before: laterOf(before.runs_before, record.runs_before),
    events_before: laterOf(before.events_before, record.events_before),
    runs: Math.max(before.runs, record.runs),
    events: Math.max(before.events, record.events),
  };
  await writeFileAtomic(recordPath(dataDir), `${JSON.stringify(whole, null, 2)}\n`);
}

/** Returns the day of the newest run in the raw store up to a day; null if there is none. */
export async function newestRunDay(dataDir: string, until: Day): Promise<Day | null> {
  let newest: Day | null = null;
  for await (const { day } of listRunNames(dataDir))
    if (day <= until && day > (newest ?? '')) newest = day;
  return newest;
}

/**
 * Returns true if the clock is to be believed that something is older than this many days: it is no further than that
 * past the newest run. A clock that is years ahead would otherwise remove everything.
 */
export function isClockLikely(newestRun: Day | null, days: number, today: Day): boolean {
  return newestRun !== null && addDays(newestRun, days) >= today;
}

function laterOf(a: Day | null, b: Day | null): Day | null {
  return (a ?? '') > (b ?? '') ? a : b;
}

function recordPath(dataDir: string): string {
  return join(dataDir, 'retention.json');
}

/** Removes a run folder, whole or not at all, and the folder of its day if that is empty then. */
export async function removeRun(
  dataDir: string,
  { workspace, day, runId }: RunName,
): Promise<void> {
  const path = join(rawFolder(dataDir), workspace, day, runId);
  await makeFolder(removedFolder(dataDir));
  await rename(path, join(removedFolder(dataDir), randomUUID()));
  await rmdir(dirname(path)).catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOTEMPTY')) throw error;
  });
}

/** Deletes the run folders that were removed, also those that a killed process had begun to delete. */
export async function emptyRemoved(dataDir: string): Promise<void> {
  await rm(removedFolder(dataDir), { recursive: true, force: true });
}

function removedFolder(dataDir: string): string {
  return join(dataDir, 'removed');
}
