import pc from 'picocolors';
import { stripTerminalControls, terminalLine } from '../core/terminal-text.ts';
import { fitTerminal, terminalWidth, wrapTerminal } from '../core/terminal-width.ts';
import { shortTime } from '../core/wording.ts';
import type { Paint, Terminal } from '../render/terminal-columns.ts';

/** A terminal whose reader's clocks are those of a timezone. */
export interface LocalTerminal extends Terminal {
  /** Its IANA name. */
  readonly timezone: string;
}

/** Shown for a value that is missing. */
export const nothing = '–';

export type Colors = ReturnType<typeof pc.createColors>;

export function colorsOf({ hasColor }: Pick<Terminal, 'hasColor'>): Colors {
  return pc.createColors(hasColor);
}

/** The part of a terminal to the right of an indent. */
export function indented<Some extends Terminal>(terminal: Some, columns: number): Some {
  const { width } = terminal;
  return width === null ? terminal : { ...terminal, width: Math.max(1, width - columns) };
}

export function indentLines(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(columns) + line));
}

/** A name from elsewhere, on one line. */
export function foreignName(text: string): string {
  return terminalLine(text) || nothing;
}

/** A post's title within a question: nothing in it can look like the rest of the question. */
export function quotedTitle({ title }: { readonly title: string }): string {
  return `"${fitTerminal(foreignName(title).replaceAll('"', "'"), 60)}"`;
}

/** An instant as the reader's clocks show it; nothing where there is none. */
export function localTime(
  iso: string | null | undefined,
  { timezone }: Pick<LocalTerminal, 'timezone'>,
): string {
  return iso === null || iso === undefined ? nothing : shortTime(iso, timezone);
}

/** A name and its value, which may come from elsewhere and may be in colour. */
export interface Field {
  readonly name: string;
  readonly text: string;
  readonly paint?: Paint;
}

const gap = 2;

/**
 * Names in a column, values beside them, further lines of a value below its first. Control characters are escaped. An
 * address is never wrapped, so that it can be copied or clicked.
 */
export function fieldLines(
  fields: readonly Field[],
  terminal: Terminal,
  nameWidth = gap + Math.max(0, ...fields.map(({ name }) => terminalWidth(name))),
): string[] {
  const { width } = indented(terminal, nameWidth);
  return fields.flatMap(({ name, text, paint = String }) =>
    wrapTerminal(stripTerminalControls(text), isAddress(text) ? null : width).map((line, index) => {
      const shown = index === 0 ? name : '';
      const padding = ' '.repeat(nameWidth - terminalWidth(shown));
      return (colorsOf(terminal).dim(shown) + padding + paint(line)).trimEnd();
    }),
  );
}

function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/iu.test(text);
}
