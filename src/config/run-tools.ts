import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Progress } from '../core/progress.ts';
import type { Config } from './config.ts';

/** The tools that every stage of a run is given. */
export interface RunTools {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
