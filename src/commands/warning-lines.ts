import { terminalLine } from '../core/terminal-text.ts';
import type { DataWarning } from '../load/warnings/data-warnings.ts';
import { tellWarnings } from '../load/warnings/warning-sentences.ts';

/** What was loaded and looks odd, a line for each profile and kind. */
export function warningLines(warnings: readonly DataWarning[]): string[] {
  return tellWarnings(warnings).map(({ workspace, profile, text }) =>
    terminalLine(`Warning  ${workspace}/${profile}: ${text}`),
  );
}
