import pc from 'picocolors';
import { terminalLine } from '../core/terminal-text.ts';
import { fitTerminal, terminalWidth, wrapTerminal } from '../core/terminal-width.ts';
import { shortTime } from '../core/wording.ts';

/** The place at which a view is read. */
export interface ViewPlace {
  /** The IANA name of the zone of its clocks. */
  readonly timezone: string;
  /** Columns to fill; null where the output is no terminal: then nothing is wrapped. */
  readonly width: number | null;
  readonly hasColor: boolean;
}

/** Shown for a value that is missing. */
export const nothing = '–';

export function colorsOf({ hasColor }: Pick<ViewPlace, 'hasColor'>) {
  return pc.createColors(hasColor);
}

/** The place that is left to the right of an indent. */
export function indented<Place extends Pick<ViewPlace, 'width'>>(
  place: Place,
  columns: number,
): Place {
  return place.width === null ? place : { ...place, width: Math.max(1, place.width - columns) };
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

/** An instant as the clocks of the place show it; nothing where there is none. */
export function localTime(
  iso: string | null | undefined,
  { timezone }: Pick<ViewPlace, 'timezone'>,
): string {
  return iso === null || iso === undefined ? nothing : shortTime(iso, timezone);
}

/** A name and its value, which is harmless and may be in colour. */
export interface Field {
  readonly name: string;
  readonly text: string;
  readonly paint?: (line: string) => string;
  /** True if the text is never wrapped, so that an address can be copied or clicked. */
  readonly isAddress?: boolean;
}

const gap = 2;

/** Names in a column, values beside them, further lines of a value below its first. */
export function fieldLines(
  fields: readonly Field[],
  place: Pick<ViewPlace, 'width' | 'hasColor'>,
): string[] {
  const nameWidth = Math.max(0, ...fields.map(({ name }) => terminalWidth(name))) + gap;
  const { width } = indented(place, nameWidth);
  return fields.flatMap(({ name, text, paint = String, isAddress = false }) =>
    wrapTerminal(text, isAddress ? null : width).map((line, index) => {
      const shown = index === 0 ? name : '';
      const padding = ' '.repeat(nameWidth - terminalWidth(shown));
      return (colorsOf(place).dim(shown) + padding + paint(line)).trimEnd();
    }),
  );
}
