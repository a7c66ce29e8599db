import { wrapRanges, type TextRange } from '../../core/terminal-text.ts';
import { colorsOf, type ViewPlace } from './view-place.ts';

interface MentioningText {
  readonly text: string;
  readonly mentions: readonly TextRange[];
}

/**
 * `@[Display Name](userId)`: the name may hold brackets and parentheses and ends at the first `](…)`
 * whose middle can be an identifier; what does not come to such an end is no mention.
 */
const mention = /@\[((?:(?!@\[)[^\n])+?)\]\([^\s()[\]]+\)/gu;

/** The lines of a message in which mentions stand as `@Display Name`, highlighted. It has to be harmless. */
export function mentioningLines(message: string, place: ViewPlace): string[] {
  const { text, mentions } = readMentions(message);
  return wrapRanges(text, place.width).map((line) => highlight(text, line, mentions, place));
}

function readMentions(message: string): MentioningText {
  let text = '';
  let read = 0;
  const mentions: TextRange[] = [];
  for (const { 0: whole, 1: name = '', index } of message.matchAll(mention)) {
    if (name.trim() === '') continue;
    text += message.slice(read, index);
    const start = text.length;
    text += `@${name.trim()}`;
    mentions.push({ start, end: text.length });
    read = index + whole.length;
  }
  return { text: text + message.slice(read), mentions };
}

function highlight(
  text: string,
  line: TextRange,
  mentions: readonly TextRange[],
  place: ViewPlace,
): string {
  const { cyan } = colorsOf(place);
  let shown = '';
  let at = line.start;
  for (const mentioned of mentions) {
    const start = Math.max(mentioned.start, at);
    const end = Math.min(mentioned.end, line.end);
    if (start >= end) continue;
    shown += text.slice(at, start) + cyan(text.slice(start, end));
    at = end;
  }
  return shown + text.slice(at, line.end);
}
