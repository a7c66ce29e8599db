import { dirname } from 'node:path';
import { archiveParts } from '../archive/archive-parts.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../core/log.ts';
import { quarantine } from '../landing/archive.ts';
import type { DamagedFileError } from '../landing/landing-errors.ts';
import type { LoadablePart } from './loadable-parts.ts';

export interface PutAwayOptions {
  readonly config: Pick<Config, 'dataDir'>;
  readonly log: Log;
}

/**
 * Sets damaged landed files aside, and tells of each. Those of parts that are still being written wait for the load
 * after their end.
 * @param parts what was loaded
 * @returns how many were set aside
 */
export async function setAside(
  { config, log }: PutAwayOptions,
  damages: readonly DamagedFileError[],
  parts: readonly LoadablePart[],
): Promise<number> {
  const running = parts.filter(({ state }) => state === 'running').map(({ part }) => part.folder);
  const due = damages.filter(({ files }) => !files.some((file) => running.includes(dirname(file))));
  for (const damage of due) {
    const files = await quarantine(config.dataDir, damage);
    log.warn({ files }, `${damage.message}; it was set aside, and will be asked for again`);
  }
  return due.length;
}

/** Archives parts whose runs have ended, and tells of those that the archive has already. @returns how many */
export async function archiveLoaded(
  { config, log }: PutAwayOptions,
  parts: readonly LoadablePart[],
): Promise<number> {
  const ended = parts.filter(({ state }) => state !== 'running').map(({ part }) => part);
  const { archived, conflicts } = await archiveParts(config.dataDir, ended);
  for (const { part, error } of conflicts) {
    log.warn({ run: part.record.run_id, workspace: part.record.workspace }, error.message);
  }
  return archived;
}
