import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { Document, Node, YAMLError } from 'yaml';

/** Keys of mappings and indexes of lists, from the top of the text. */
export type YamlPath = readonly (string | number)[];

interface YamlProblem {
  readonly path: YamlPath;
  /** A line number from 1; null if the path is not in the text. */
  readonly line: number | null;
  readonly message: string;
}

/** A text without quotes that a comment follows on its line. */
export interface CommentedText {
  readonly path: YamlPath;
  readonly text: string;
  /** The rest of the line behind the text: the blanks, `#` and the comment. */
  readonly rest: string;
}

/** The values of a YAML text, with their lines. */
export interface YamlSource {
  /** The value, with aliases and merge keys (`<<`) resolved; null if there are problems. */
  readonly value: unknown;
  /** Syntax errors and repeated keys. */
  readonly problems: readonly YamlProblem[];
  /** Returns the line of the path, or of its nearest ancestor in the text. */
  lineOf(path: YamlPath): number | null;
  /** Returns the texts without quotes of which a `#` most likely cut off the end. */
  cutTexts(): CommentedText[];
}

/** Parses YAML 1.2 with the core schema, whatever version the text declares, so that `no` and `2025-01-01` are text. */
export function parseYaml(given: string): YamlSource {
  const text = given.replace(/^\uFEFF/, '');
  const counter = new LineCounter();
  const document = documentOf(text, counter);
  const lineAt = (offset: number) => counter.linePos(offset).line;
  const lineOf = (path: YamlPath) => {
    const offset = offsetOf(document, path);
    return offset === null ? null : lineAt(offset);
  };
  const cutTexts = () => textsWithComments(document.contents, text, []).filter(isLikelyCut);
  const found = { lineOf, cutTexts };
  const problems = [...syntaxProblems(document, text, lineAt), ...aliasProblems(document, lineAt)];
  if (problems.length > 0) return { value: null, problems, ...found };
  return { ...plainValue(document), ...found };
}

function documentOf(text: string, lineCounter = new LineCounter()): Document.Parsed {
  return parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
    version: '1.2',
    schema: 'core',
  });
}

/** The maximum number of aliases; nested aliases can expand to more than fits into memory. */
const maxAliasCount = 10_000;

function plainValue(document: Document): Pick<YamlSource, 'value' | 'problems'> {
  try {
    const value: unknown = document.toJS({ maxAliasCount });
    // This throws for an alias that contains itself.
    JSON.stringify(value);
    return { value, problems: [] };
  } catch (error) {
    const reason =
      error instanceof ReferenceError ? 'too many aliases' : 'an invalid alias or merge';
    const message = `not valid YAML: ${reason}; does an alias contain itself?`;
    return { value: null, problems: [{ path: [], line: null, message }] };
  }
}

function syntaxProblems(
  written: Document.Parsed,
  text: string,
  lineAt: (offset: number) => number,
): YamlProblem[] {
  const lines = text.split(/\r?\n/);
  const byLine = new Map<number, YamlProblem>();
  const { document, hiding } = withoutHidingComments(written, text);
  for (const offset of hiding) {
    const line = lineAt(offset);
    const message =
      'not valid YAML: the # makes a comment of the rest of the line; put a text that contains # in quotes';
    byLine.set(line, { path: [], line, message });
  }
  let isBroken = false;
  for (const error of problemsIn(document)) {
    const line = lineAt(error.pos[0]);
    // After a syntax error, every further token is reported as unexpected.
    const isSequel = isBroken && error.message.includes('token in YAML stream');
    isBroken = true;
    if (isSequel || byLine.has(line)) continue;
    const message = `not valid YAML: ${syntaxMessage(error, text, lines[line - 1] ?? '')}`;
    byLine.set(line, { path: [], line, message });
  }
  return [...byLine.values()];
}

function problemsIn({ errors, warnings }: Document): YAMLError[] {
  return [...errors, ...warnings];
}

/**
 * Finds the comments behind a value without which YAML can read what follows them: they hide a bracket, or stand within a
 * text of several lines.
 * @returns the document as it is without them, and the offset of each
 */
function withoutHidingComments(
  document: Document.Parsed,
  text: string,
): { readonly document: Document.Parsed; readonly hiding: readonly number[] } {
  const end = firstProblem(document);
  const count = problemsIn(document).length;
  if (count === 0) return { document, hiding: [] };
  const before = commentsBehindValues(text).filter(({ offset }) => offset <= end);
  for (const { offset, comment } of before.toReversed()) {
    for (const shown of shownComments(comment)) {
      const changed = text.slice(0, offset) + shown + text.slice(offset + comment.length);
      const next = documentOf(changed);
      if (firstProblem(next) <= end || problemsIn(next).length >= count) continue;
      const rest = withoutHidingComments(next, changed);
      return { document: rest.document, hiding: [offset, ...rest.hiding] };
    }
  }
  return { document, hiding: [] };
}

/**
 * Returns the comment as text that YAML reads: without its first `#`, which a comment on the rest may follow, or without
 * more of them, or without colons too, which would make a mapping of it.
 */
function shownComments(comment: string): string[] {
  const parts = comment.split('#');
  const shown = parts
    .slice(1)
    .map((_, index) => [parts.slice(0, index + 2).join('_'), ...parts.slice(index + 2)].join('#'));
  return [...shown, comment.replace(/[#:]/g, '_')];
}

/** Returns the offset of the first problem, or infinity. */
function firstProblem(document: Document): number {
  return Math.min(...problemsIn(document).map(({ pos }) => pos[0]));
}

/** Lists the comments that follow something else on their line. */
function commentsBehindValues(
  text: string,
): { readonly offset: number; readonly comment: string }[] {
  const found: { offset: number; comment: string }[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    // these stand for what begins or ends here, and are not in the text
    if (/^[\u0002\u0018\u001F]$/.test(token)) continue;
    const isBehind = /\S/.test(text.slice(text.lastIndexOf('\n', offset) + 1, offset));
    if (token.startsWith('#') && isBehind) found.push({ offset, comment: token });
    offset += token.length;
  }
  return found;
}

/** @param node a value, whose own path is given */
function textsWithComments(node: Node | null, text: string, path: YamlPath): CommentedText[] {
  if (isMap<unknown, Node | null>(node))
    return node.items.flatMap(({ key, value }) =>
      isScalar(key) ? textsWithComments(value, text, [...path, String(key.value)]) : [],
    );
  if (isSeq<Node | null>(node))
    return node.items.flatMap((item, index) => textsWithComments(item, text, [...path, index]));
  if (!isScalar(node) || node.type !== 'PLAIN' || typeof node.value !== 'string') return [];
  const [rest = ''] = /^.*/.exec(text.slice(node.range?.[1])) ?? [];
  return /^[ \t]+#/.test(rest) ? [{ path, text: node.value, rest: rest.trimEnd() }] : [];
}

/**
 * Most comments are no part of the text before them: a blank follows their `#`, and they say something. A number, a
 * `#` at the beginning of a word, and the end of what the text left open belong to it.
 */
export function isLikelyCut({ text, rest }: Pick<CommentedText, 'text' | 'rest'>): boolean {
  if (!/^[ \t]+#/.test(rest)) return false;
  return (
    /^ #(?:[\p{L}\p{N}{$]|[ \t]*\p{N}+$)/u.test(rest) ||
    /[,;&+|–—]$/.test(text) ||
    ['()', '[]', '""', '“”', '„“', '«»'].some(
      ([open = '', close = '']) => isOpen(text, open, close) && rest.includes(close),
    )
  );
}

/** True if the text lacks the end of a bracket or of a quotation. */
function isOpen(text: string, open: string, close: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  return open === close ? count(open) % 2 === 1 : count(open) > count(close);
}

/** Drops the part of a message after a colon, which may quote the file's text and so a secret. */
function syntaxMessage({ code, message, pos }: YAMLError, text: string, line: string): string {
  const start = line.search(/[{[,]/);
  if (start >= 0 && line.includes('${', start + 1)) {
    return 'put ${…} in quotes where it is between { } or [ ]';
  }
  if (code === 'MULTIPLE_DOCS')
    return 'a second document begins here (---); a file holds one config';
  if (code === 'DUPLICATE_KEY')
    return `the key ${/[^\s:]*/.exec(text.slice(pos[0]))?.[0] ?? ''} is repeated`;
  return message.replace(/: .*/s, '');
}

function aliasProblems(document: Document, lineAt: (offset: number) => number): YamlProblem[] {
  const problems: YamlProblem[] = [];
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document)) return;
      const line = lineAt(alias.range?.[0] ?? 0);
      const message = 'not valid YAML: an alias (*) without an anchor (&) before it';
      problems.push({ path: [], line, message });
    },
  });
  return problems;
}

function offsetOf(document: Document, path: YamlPath): number | null {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? null) : null;
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    let found: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === segment);
      found = pair?.key;
      node = pair?.value;
    } else if (isSeq(node)) {
      found = node.items[Number(segment)];
      node = found;
    }
    if (!isNode(found)) break;
    offset = found.range?.[0] ?? offset;
  }
  return offset;
}
