import type { Label } from '../../api/schemas/posts.ts';
import { fitTerminal, terminalWidth } from '../../core/terminal-text.ts';
import { contrast } from '../../render/html/contrast.ts';
import { foreignName } from './foreign-text.ts';
import type { ViewPlace } from './view-place.ts';

/** Below it text is hard to read on its ground (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

type TagLabel = Pick<Label, 'name' | 'color' | 'backgroundColor'>;

/** Labels side by side, as many to a line as fit. */
export function labelTagLines(labels: readonly TagLabel[], place: ViewPlace): string[] {
  const lines: string[][] = [];
  let used = Infinity;
  for (const label of labels) {
    const name = fitTerminal(foreignName(label.name), Math.max(1, (place.width ?? Infinity) - 2));
    const width = terminalWidth(name) + 2;
    if (used + 1 + width > (place.width ?? Number.MAX_VALUE)) {
      lines.push([]);
      used = -1;
    }
    lines.at(-1)?.push(drawTag(name, label, place));
    used += 1 + width;
  }
  return lines.map((tags) => tags.join(' '));
}

/** In the label's own colours where it has a ground, else in brackets; both are equally wide. */
function drawTag(name: string, label: TagLabel, { hasColor }: ViewPlace): string {
  const ground = hexColor(label.backgroundColor);
  if (!hasColor || ground === null) return `[${name}]`;
  const text = readableText(hexColor(label.color), ground);
  return `${colorCode(48, ground)}${colorCode(38, text)} ${name} \u001b[39;49m`;
}

function readableText(color: string | null, ground: string): string {
  if (color !== null && contrast(color, ground) >= leastContrast) return color;
  return contrast('#000000', ground) >= contrast('#ffffff', ground) ? '#000000' : '#ffffff';
}

/** `#rrggbb` of a colour in three or six hexadecimal digits; null for anything else. */
function hexColor(color: string): string | null {
  const digits = /^#?([\da-f]{6}|[\da-f]{3})$/iu.exec(color.trim())?.[1];
  if (digits === undefined) return null;
  return `#${digits.length === 6 ? digits : digits.replace(/./gu, '$&$&')}`;
}

/** The sequence that sets a 24-bit colour: 38 for text, 48 for its ground (ISO 8613-6). */
function colorCode(target: 38 | 48, color: string): string {
  const levels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  return `\u001b[${target};2;${levels.join(';')}m`;
}
