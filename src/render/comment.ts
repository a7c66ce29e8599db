import MarkdownIt, { type Token } from 'markdown-it';
import { cleanText, safeLink } from './html/plain-text.ts';

/** CommonMark with tables and bare addresses. HTML is text, and only http and https addresses become links. */
const parser = new MarkdownIt({ linkify: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
parser.validateLink = (url) => safeLink(url) !== null;
parser.normalizeLink = (url) => url;
// nothing is loaded into a page
parser.renderer.rules['image'] = (tokens, index) =>
  parser.utils.escapeHtml(tokens[index]?.content ?? '');

/** The width that a line has room for at least, before an editor breaks it. */
const leastWidth = 60;

parser.renderer.rules['softbreak'] = (tokens, index) =>
  isEndedLine(tokens, index) ? '<br>' : '\n';

/** A line that had room for the next word was ended on purpose, as in a signature; others are one paragraph. */
function isEndedLine(tokens: readonly Token[], index: number): boolean {
  const isBreak = ({ type }: Token) => type === 'softbreak' || type === 'hardbreak';
  const textOf = (line: readonly Token[]) => line.map(({ content }) => content).join('');
  const before = textOf(tokens.slice(tokens.slice(0, index).findLastIndex(isBreak) + 1, index));
  const [next = ''] = textOf(tokens.slice(index + 1))
    .trim()
    .split(/\s/);
  return before.length + 1 + next.length <= leastWidth;
}

type Fill = (text: string) => string;

/** The blocks of a text, whose highest heading has the level 2, as those below a page's title have. */
function parseMarkdown(markdown: string): Token[] {
  const tokens = parser.parse(cleanLines(markdown), {});
  const highest = Math.min(...tokens.flatMap((token) => headingLevel(token) ?? []));
  for (const token of tokens) {
    const level = headingLevel(token);
    if (level !== null) token.tag = `h${Math.min(6, level - highest + 2)}`;
  }
  return tokens;
}

function cleanLines(text: string): string {
  return cleanText(text.replaceAll(/\r\n?/g, '\n'));
}

function headingLevel({ type, tag }: Token): number | null {
  return type.startsWith('heading_') ? Number(tag.slice(1)) : null;
}

/**
 * Markdown as escaped HTML.
 * @param fill fills in the placeholders of each text, after Markdown was recognized, so that no value is taken for it
 * @param styles the style of elements by tag, for mail, which has no style sheet
 */
export function markdownHtml(
  markdown: string,
  fill: Fill,
  styles: Readonly<Record<string, string>>,
): string {
  const tokens = parseMarkdown(markdown);
  for (const token of tokens.flatMap((each) => [each, ...(each.children ?? [])])) {
    token.info = '';
    if (token.type === 'link_open') {
      const address = safeLink(fill(hrefOf(token)));
      token.attrs = address === null ? null : [['href', address]];
    } else if (token.tag === 'th' || token.tag === 'td') token.attrs = null;
    if (token.type !== 'inline') token.content = cleanText(fill(token.content));
    const style = token.nesting === -1 ? undefined : styles[token.tag];
    if (style !== undefined) token.attrSet('style', style);
  }
  return parser.renderer.render(tokens, parser.options, {});
}

function hrefOf(link: Token): string {
  return String(link.attrGet('href') ?? '');
}

/** The text of a comment without HTML comments and without headings that nothing follows. Null if nothing is left. */
export function readComment(source: string): string | null {
  const text = cleanLines(source).replaceAll(/<!--[^]*?(?:-->|$)/g, '');
  const blocks = parser.parse(text, {}).filter(({ level, nesting }) => level === 0 && nesting >= 0);
  const kept: Token[] = [];
  const empty = new Set<number>();
  for (const block of blocks.toReversed()) {
    const [next, level] = [kept.at(-1), headingLevel(block)];
    const isEmpty = level !== null && (next === undefined || (headingLevel(next) ?? 7) <= level);
    const [from = 0, to = 0] = block.map ?? [];
    if (isEmpty) for (let line = from; line < to; line += 1) empty.add(line);
    else kept.push(block);
  }
  const lines = text.split('\n').filter((_, line) => !empty.has(line));
  return kept.length === 0 ? null : lines.join('\n').trim();
}

/** The comment with the heading `title`, unless it begins with a heading of its own. */
export function headedComment(comment: string, title: string): string {
  const [first] = parser.parse(comment, {});
  return first?.type === 'heading_open' ? comment : `# ${title}\n\n${comment}`;
}

/** A line of a text without layout, in parts. */
export interface CommentLine {
  readonly isHeading: boolean;
  readonly runs: readonly CommentRun[];
}

interface CommentRun {
  readonly text: string;
  readonly isStrong?: boolean;
  readonly isEmphasized?: boolean;
}

/** A line for each heading, paragraph, item and row of a table, for formats without HTML. */
export function commentLines(markdown: string): CommentLine[] {
  const lines: CommentLine[] = [];
  const lists: (number | null)[] = [];
  let [mark, cells, isHeading]: [string, CommentRun[] | null, boolean] = ['', null, false];
  for (const token of parser.parse(markdown, {})) {
    const { type, content } = token;
    if (type === 'bullet_list_open') lists.push(null);
    else if (type === 'ordered_list_open') lists.push(Number(token.attrGet('start') ?? 1));
    else if (type.endsWith('_list_close')) lists.pop();
    else if (type === 'list_item_open') mark = itemMark(lists);
    else if (type === 'heading_open' || type === 'heading_close') isHeading = token.nesting === 1;
    else if (type === 'tr_open') cells = [];
    else if (type === 'tr_close') {
      lines.push({ isHeading, runs: cells ?? [] });
      cells = null;
    } else if (type === 'inline' && cells !== null)
      cells.push(...(cells.length > 0 ? [{ text: ' | ' }] : []), ...runsOf(token));
    else if (type === 'inline' || type === 'fence' || type === 'code_block') {
      const runs = type === 'inline' ? runsOf(token) : [{ text: content.trimEnd() }];
      lines.push({ isHeading, runs: mark === '' ? runs : [{ text: mark }, ...runs] });
      mark = '';
    }
  }
  return lines;
}

/** The sign of the next item of the innermost list, indented below that of the list around it. */
function itemMark(lists: (number | null)[]): string {
  const number = lists.at(-1) ?? null;
  if (number !== null) lists[lists.length - 1] = number + 1;
  return `${'    '.repeat(Math.max(0, lists.length - 1))}${number === null ? '•' : `${number}.`} `;
}

/** The texts of a block; the address of a link follows its text. */
function runsOf({ children }: Token): CommentRun[] {
  let [isStrong, isEmphasized, address] = [false, false, ''];
  const runs: CommentRun[] = [];
  const add = (text: string) => void runs.push({ text, isStrong, isEmphasized });
  for (const [index, token] of (children ?? []).entries()) {
    const { type, nesting, content, info } = token;
    if (type.startsWith('strong_')) isStrong = nesting === 1;
    else if (type.startsWith('em_')) isEmphasized = nesting === 1;
    else if (type === 'link_open') address = info === 'auto' ? '' : hrefOf(token);
    else if (type === 'link_close') add(address === '' ? '' : ` (${address})`);
    else if (type === 'softbreak') add(isEndedLine(children ?? [], index) ? '\n' : ' ');
    else add(type === 'hardbreak' ? '\n' : content);
  }
  return runs.filter(({ text }) => text !== '');
}
