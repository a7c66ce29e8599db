import { join } from 'node:path';

/** Returns the folder of the raw store. Every response and event is written there once, and never moved or changed. */
export function rawFolder(dataDir: string): string {
  return join(dataDir, 'raw');
}

/** Returns the folder of a run's responses from one workspace, by the UTC day on which the run started. */
export function runFolderPath(
  dataDir: string,
  { workspace, run_id, started_at }: { workspace: string; run_id: string; started_at: string },
): string {
  const day = new Date(started_at).toISOString().slice(0, 10);
  return join(rawFolder(dataDir), workspace, day, run_id);
}

export function lockFolder(dataDir: string): string {
  return join(dataDir, 'locks');
}

/** Returns the path of the lock that a process holds while it extracts from the workspace. */
export function extractLockPath(dataDir: string, workspace: string): string {
  return join(lockFolder(dataDir), `extract-${workspace}.lock`);
}

/**
 * Returns the folder of the locks of the job's runs on this machine. A run holds its lock from before its first
 * request until its last report is sent. A run whose lock exists but is not held has died.
 */
export function runLockFolder(dataDir: string, job: string): string {
  return join(lockFolder(dataDir), 'runs', job);
}

export function runLockPath(
  dataDir: string,
  { job, run_id }: { job: string; run_id: string },
): string {
  return join(runLockFolder(dataDir, job), `${run_id}.lock`);
}

/** Creates a run's id. Ids sort by start time. @param suffix a few random characters, `[0-9a-z]` */
export function createRunId(startedAt: Date, suffix: string): string {
  const stamp = startedAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${stamp}-${suffix}`;
}

/** Returns the time, in whole seconds, in the id of a run. */
export function startOfRun(runId: string): Date {
  return new Date(
    runId.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z'),
  );
}
