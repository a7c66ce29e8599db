import type { LocalTerminal } from '../../src/commands/view.ts';

/** Clears the screen, turns the direction of text, goes back to the line's start, and beeps. */
export const hostileText = '\u001b[2J\u202eevil\r\u0007\u009b31m';

export function terminal(changes: Partial<LocalTerminal> = {}): LocalTerminal {
  return {
    width: 80,
    hasColor: false,
    timezone: 'Europe/Berlin',
    ...changes,
  };
}
