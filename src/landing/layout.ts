import { join, relative, sep } from 'node:path';
import type { RunRecord } from './manifest.ts';

export function landingFolder(dataDir: string): string {
  return join(dataDir, 'landing');
}

/** Where a part lives from before its first request until it is loaded. */
export function partFolder(dataDir: string, workspace: string, runId: string): string {
  return join(landingFolder(dataDir), workspace, runId);
}

/** The folder of the part that a path in landing belongs to, or is. */
export function partFolderOf(dataDir: string, path: string): string {
  const root = landingFolder(dataDir);
  return join(root, ...relative(root, path).split(sep).slice(0, 2));
}

/** Where loaded parts and segments are kept for good: a folder that begins with `_` is no workspace's. */
export function archiveFolder(dataDir: string): string {
  return join(dataDir, 'archive');
}

/** Where a loaded part is kept for good, by the UTC day that its run started. */
export function archivedPartFolder(dataDir: string, record: RunRecord): string {
  const day = new Date(record.started_at).toISOString().slice(0, 10);
  return join(archiveFolder(dataDir), record.workspace, day, record.run_id);
}

/** Where damaged files go, under the names that they had in landing. */
export function quarantineFolder(dataDir: string): string {
  return join(dataDir, 'quarantine');
}

/** Where the locks of `data_dir` are. */
export function lockFolder(dataDir: string): string {
  return join(dataDir, 'locks');
}

/**
 * Held by whoever extracts for the workspace, from before its part is opened until `finish.json` is
 * written: a part without an end whose lock nobody holds was cut off.
 */
export function extractLockPath(dataDir: string, workspace: string): string {
  return join(lockFolder(dataDir), `extract-${workspace}.lock`);
}

/** A run's id: sorts by start. @param suffix a few random characters, `[0-9a-z]` */
export function createRunId(startedAt: Date, suffix: string): string {
  const stamp = startedAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${stamp}-${suffix}`;
}

/** The stem of a response's two files, for example `000001`. */
export function responseStem(seq: number): string {
  return String(seq).padStart(6, '0');
}

/** What a check of the response found, where it looked cut off. */
export function checkName(seq: number): string {
  return `${responseStem(seq)}.check.json`;
}

/** What stands in the place of a response's body that was pruned. */
export function prunedName(stem: string): string {
  return `${stem}.pruned.json`;
}
