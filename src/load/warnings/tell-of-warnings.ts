import type { Log } from '../../core/log.ts';
import type { DataWarning } from './data-warnings.ts';
import { tellWarnings } from './warning-sentences.ts';

/**
 * Warns of what a load has brought and looks odd, one line for each profile and kind. Of answers that were cut off
 * the run that read them has told.
 */
export function tellOfWarnings(log: Log, warnings: readonly DataWarning[]): void {
  const untold = warnings.filter(({ kind }) => kind !== 'cut_off_answer');
  for (const { kind, workspace, profile, text } of tellWarnings(untold)) {
    log.warn(
      { workspace, profile, kind },
      `${text}; it was loaded as it came, since it may be true: docs/run.md says what to do`,
    );
  }
}
