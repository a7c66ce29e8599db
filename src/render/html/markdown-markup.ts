import { markup, type Markup } from './markup.ts';
import { safeLink } from './plain-text.ts';

type Fill = (text: string) => string;

interface Block {
  readonly kind: 'paragraph' | 'list';
  /** A paragraph's lines, or a list's items. */
  readonly lines: readonly string[];
}

/**
 * Markdown as HTML: paragraphs, `**bold**`, `*italic*`, lists with `- `, line breaks after two spaces, and links to
 * http and https addresses. Everything else is text.
 * @param fill fills in the placeholders of each text, after Markdown was recognized, so that no value is taken for it
 */
export function markdownMarkup(markdown: string, fill: Fill): Markup[] {
  return markdown
    .split(/\r?\n[ \t]*\r?\n/)
    .flatMap(blocksOf)
    .map(({ kind, lines }) =>
      kind === 'paragraph'
        ? markup`<p style="margin:0 0 12px">${inline(lines.join('\n').trim(), fill)}</p>\n`
        : markup`<ul style="margin:0 0 12px;padding-left:20px">${lines.map((line) => markup`<li style="margin:0 0 4px">${inline(line.trim(), fill)}</li>\n`)}</ul>\n`,
    );
}

/** The paragraphs and lists of lines without an empty line between them. An indented line continues an item. */
function blocksOf(text: string): Block[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .reduce<Block[]>((blocks, line) => {
      const last = blocks.at(-1);
      const item = /^ {0,3}- +(.+)$/.exec(line)?.[1];
      const kind = item !== undefined ? 'list' : 'paragraph';
      if (last?.kind === kind)
        return [...blocks.slice(0, -1), { kind, lines: [...last.lines, item ?? line] }];
      if (last === undefined || item !== undefined || !/^\s/.test(line))
        return [...blocks, { kind, lines: [item ?? line] }];
      const items = [...last.lines.slice(0, -1), `${last.lines.at(-1) ?? ''}\n${line.trim()}`];
      return [...blocks.slice(0, -1), { kind: last.kind, lines: items }];
    }, []);
}

/** Bold, italic, a link or a line break, whichever comes first. Asterisks within words are text. */
const span =
  /\*\*(?<bold>\S(?:.*?\S)?)\*\*|(?<![\p{L}\p{N}*])\*(?<italic>[^\s*](?:[^*]*[^\s*])?)\*(?![\p{L}\p{N}*])|\[(?<label>[^\]]+)\]\((?<url>[^()\s]+)\)|(?<lineBreak> {2,}\n)/su;

function inline(text: string, fill: Fill): Markup {
  const found = span.exec(text);
  if (found === null) return markup`${fill(text)}`;
  const end = found.index + found[0].length;
  const { bold, italic, label = '', url } = found.groups ?? {};
  const rest = () => inline(text.slice(end), fill);
  const before = fill(text.slice(0, found.index));
  if (bold !== undefined) return markup`${before}<strong>${inline(bold, fill)}</strong>${rest()}`;
  if (italic !== undefined) return markup`${before}<em>${inline(italic, fill)}</em>${rest()}`;
  if (url === undefined) return markup`${before}<br>${rest()}`;
  const address = safeLink(fill(url));
  return address === null
    ? markup`${before}${fill(found[0])}${rest()}`
    : markup`${before}<a href="${address}">${inline(label, fill)}</a>${rest()}`;
}
