import { terminalLine } from '../core/terminal-text.ts';
import type { DataWarning } from '../load/data-warnings.ts';
import { describeWarnings } from '../load/data-warnings.ts';

/** What was loaded and looks odd, a line for each profile and kind. */
export function warningLines(warnings: readonly DataWarning[]): string[] {
  return describeWarnings(warnings).map(({ workspace, profile, text }) =>
    terminalLine(`Warning  ${workspace}/${profile}: ${text}`),
  );
}
