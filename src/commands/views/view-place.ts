import pc from 'picocolors';
import type { FormatterOptions } from '../../core/number-format.ts';

/** Where a view will be read, and when. */
export interface ViewPlace extends Pick<FormatterOptions, 'timezone' | 'locale'> {
  /** Columns to fill; null where the output is no terminal: then nothing is wrapped. */
  readonly width: number | null;
  readonly hasColor: boolean;
  readonly now: Date;
}

/** What stands for a value that is not there. */
export const nothing = '–';

export function colorsOf({ hasColor }: ViewPlace) {
  return pc.createColors(hasColor);
}

/** The place that is left to the right of an indent. */
export function indented(place: ViewPlace, columns: number): ViewPlace {
  return place.width === null ? place : { ...place, width: Math.max(1, place.width - columns) };
}

export function indentLines(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(columns) + line));
}
