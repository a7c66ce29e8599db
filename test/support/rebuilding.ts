import type { Config } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import {
  rebuildWarehouse,
  type RebuildOptions,
  type RebuildSummary,
} from '../../src/load/rebuild.ts';
import { checkRebuild, type RebuildCheck } from '../../src/load/rebuild-check.ts';
import { ManualClock } from './manual-clock.ts';

function optionsOf(config: Config, change: Partial<RebuildOptions>): RebuildOptions {
  return {
    config,
    clock: new ManualClock(),
    log: silentLog,
    progress: silentProgress,
    waitMs: 0,
    acceptsDamage: false,
    acceptsPruned: false,
    ...change,
  };
}

export function rebuild(
  config: Config,
  change: Partial<RebuildOptions> = {},
): Promise<RebuildSummary> {
  return rebuildWarehouse(optionsOf(config, change));
}

export function compareWithRebuilt(
  config: Config,
  change: Partial<RebuildOptions> = {},
): Promise<RebuildCheck> {
  return checkRebuild(optionsOf(config, change));
}
