import { terminalWidth, wrapTerminal } from '../../core/terminal-text.ts';
import { colorsOf, indented, type ViewPlace } from './view-place.ts';

/** A name and what stands beside it. */
export interface Field {
  readonly name: string;
  /** The lines of the value; it is harmless, and may be in colour. */
  readonly lines: (place: ViewPlace) => readonly string[];
}

const gap = 2;

/** Names in a column, values beside them, further lines of a value below its first. */
export function fieldLines(fields: readonly Field[], place: ViewPlace): string[] {
  const nameWidth = Math.max(0, ...fields.map(({ name }) => terminalWidth(name)));
  const valuePlace = indented(place, nameWidth + gap);
  return fields.flatMap(({ name, lines }) =>
    lines(valuePlace).map((line, index) => {
      const shown = colorsOf(place).dim(index === 0 ? name : '');
      const padding = nameWidth + gap - (index === 0 ? terminalWidth(name) : 0);
      return (shown + ' '.repeat(padding) + line).trimEnd();
    }),
  );
}

/** A field of words, wrapped. `text` has to be harmless. */
export function textField(name: string, text: string, paint: (line: string) => string = String) {
  return {
    name,
    lines: (place: ViewPlace) => wrapTerminal(text, place.width).map((line) => paint(line)),
  };
}

/** A field that is never wrapped, so that an address can be copied or clicked. */
export function addressField(name: string, address: string): Field {
  return { name, lines: () => [address] };
}
