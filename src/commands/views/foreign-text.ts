import { stripTerminalControls, terminalLine } from '../../core/terminal-text.ts';
import { nothing } from './view-place.ts';

/** What somebody wrote over several lines, harmless, with tabs of a width that is known. */
export function foreignText(text: string): string {
  return stripTerminalControls(text).replaceAll('\t', '  ').trimEnd();
}

/** What somebody wrote as a name, on one line. */
export function foreignName(text: string): string {
  return terminalLine(text) || nothing;
}

export function personName(person: { readonly firstName: string; readonly lastName: string }) {
  return foreignName(`${person.firstName.trim()} ${person.lastName.trim()}`);
}
