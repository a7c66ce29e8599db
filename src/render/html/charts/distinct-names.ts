import { cutToWidth, textWidth } from '../text-width.ts';

/** Graphemes of a name's end that tell it from others, as a year does. */
const endLength = 9;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Names on one line, each cut to its width in px: at the end, or in the middle where that makes two alike. */
export function distinctNames(names: readonly string[], widths: readonly number[]): string[] {
  const cut = names.map((name, index) => cutToWidth(name, widths[index] ?? 0));
  return cut.map((text, index) => {
    const name = names[index] ?? '';
    const hasTwin = cut.some((other, place) => other === text && names[place] !== name);
    return hasTwin ? cutInMiddle(name, widths[index] ?? 0) : text;
  });
}

function cutInMiddle(name: string, width: number): string {
  const letters = Array.from(graphemes.segment(name), ({ segment }) => segment);
  const end = letters.slice(-endLength).join('').trim();
  const start = cutToWidth(name, width - textWidth(` ${end}`));
  return `${start} ${end}`;
}
