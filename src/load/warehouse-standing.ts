import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../warehouse/database.ts';
import { tellOfLag } from './archive-lag.ts';
import { tellOfFormerWorkspaces } from './former-workspaces.ts';
import { tellOfFuture } from './future-runs.ts';
import type { LoadablePart } from './loadable-parts.ts';

interface Standing {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Warns of what no load can put right: runs that the warehouse lacks, readings of the future, workspaces that were
 * given another key. Once a run, before its own parts begin.
 */
export async function tellOfStanding(
  database: Database,
  parts: readonly LoadablePart[],
  { config, clock, log }: Standing,
): Promise<void> {
  if (parts.some(({ state }) => state === 'running')) return;
  await tellOfLag(database, config.dataDir, log);
  await tellOfFuture(database, clock.now(), log);
  await tellOfFormerWorkspaces(database, config, log);
}
