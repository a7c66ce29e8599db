import { join } from 'node:path';

/** The raw store: every response and every event as it came, written once and never moved or changed. */
export function rawFolder(dataDir: string): string {
  return join(dataDir, 'raw');
}

/** One workspace's responses of one run, by the UTC day on which the run started. */
export function runFolderPath(
  dataDir: string,
  { workspace, run_id, started_at }: { workspace: string; run_id: string; started_at: string },
): string {
  const day = new Date(started_at).toISOString().slice(0, 10);
  return join(rawFolder(dataDir), workspace, day, run_id);
}

/** Where the locks of `data_dir` are. */
export function lockFolder(dataDir: string): string {
  return join(dataDir, 'locks');
}

/** Held by whoever extracts for the workspace: no two processes ask it at a time. */
export function extractLockPath(dataDir: string, workspace: string): string {
  return join(lockFolder(dataDir), `extract-${workspace}.lock`);
}

/**
 * Of the job's runs on this machine, each of which holds its own from before its first request until its last report is sent:
 * a run whose lock nobody holds any more has died.
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

/** A run's id: sorts by start. @param suffix a few random characters, `[0-9a-z]` */
export function createRunId(startedAt: Date, suffix: string): string {
  const stamp = startedAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${stamp}-${suffix}`;
}
