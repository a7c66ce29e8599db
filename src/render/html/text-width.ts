import { graphemesOf } from '../../core/graphemes.ts';
import { shorten } from './plain-text.ts';

/** The size of all text in charts, in px at the drawn width. */
const chartTextSize = 13;
/** Bold text is this much wider. */
export const boldWidth = 1.08;
/** Names in charts never have room for more characters. */
const maxNameCharacters = 200;

/** Full-width scripts, and pictures. */
const wideCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef\p{Emoji_Presentation}]/u;

/** The approximate width of a figure or a short word in px, large enough for every font of the stack. */
export function textWidth(text: string): number {
  const widths = Array.from(text, (character): number => {
    if (/[.,:’' ]/u.test(character)) return 0.3;
    if (/[%mMW]/u.test(character)) return 0.9;
    if (/[fijltI]/u.test(character)) return 0.36;
    if (/[A-Zw]/u.test(character)) return 0.74;
    if (/[\p{Mn}\p{Cf}]/u.test(character)) return 0;
    return wideCharacter.test(character) ? 1.05 : 0.63;
  });
  return widths.reduce((sum, width) => sum + width, 0) * chartTextSize;
}

/** A name on one line, cut with `…` to at most this many px. */
export function cutToWidth(text: string, width: number): string {
  const line = shorten(text, maxNameCharacters);
  if (textWidth(line) <= width) return line;
  const left = width - textWidth('…');
  let used = 0;
  let count = 0;
  for (const { segment } of graphemesOf(line)) {
    used += textWidth(segment);
    if (used > left) break;
    count += 1;
  }
  return count === 0 ? '…' : shorten(line, count);
}

/** Rounds to a tenth of a px, which keeps the markup short. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
