/** A stretch of SQL: `text` is a literal with its quotes, `name` a quoted name, `code` all that is not the rest. */
export interface SqlPart {
  readonly kind: 'code' | 'comment' | 'text' | 'name';
  /** The offset in UTF-16 units. */
  readonly start: number;
  readonly text: string;
}

/** The openings of parts that are no code, with the pattern of the whole part. */
const openings: readonly [SqlPart['kind'], RegExp][] = [
  ['comment', /--[^\n]*/y],
  ['text', /[eE]'(?:[^'\\]|\\[^]|'')*(?:'|$)/y],
  ['text', /'(?:[^']|'')*(?:'|$)/y],
  ['name', /"(?:[^"]|"")*(?:"|$)/y],
  ['text', /\$([a-z_]\w*)?\$[^]*?(?:\$\1\$|$(?![^]))/iy],
];

/** A statement in parts, in their order and without gaps. What is opened and not closed goes to the end. */
export function sqlParts(sql: string): SqlPart[] {
  const parts: SqlPart[] = [];
  let codeStart = 0;
  let at = 0;
  while (at < sql.length) {
    const found = partAt(sql, at);
    if (found === null) {
      at += wordEnd(sql, at);
      continue;
    }
    if (codeStart < at) parts.push(codeOf(sql, codeStart, at));
    parts.push(found);
    at = found.start + found.text.length;
    codeStart = at;
  }
  if (codeStart < at) parts.push(codeOf(sql, codeStart, at));
  return parts;
}

/** A statement as it can be put into another one's brackets: without what ends it, and comments after that. */
export function withoutEnd(sql: string): string {
  for (const { kind, start, text } of sqlParts(sql).reverse()) {
    const said = kind === 'code' ? text.replace(/[;\s]+$/, '') : text;
    if (kind !== 'comment' && said !== '') return sql.slice(0, start + said.length);
  }
  return '';
}

function codeOf(sql: string, start: number, end: number): SqlPart {
  return { kind: 'code', start, text: sql.slice(start, end) };
}

function partAt(sql: string, at: number): SqlPart | null {
  if (sql.startsWith('/*', at)) return blockComment(sql, at);
  for (const [kind, pattern] of openings) {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    if (text !== undefined) return { kind, start: at, text };
  }
  return null;
}

/** They nest, as PostgreSQL's do. */
function blockComment(sql: string, start: number): SqlPart {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return { kind: 'comment', start, text: sql.slice(start, mark.lastIndex) };
  }
  return { kind: 'comment', start, text: sql.slice(start) };
}

/** Finds the end of the word that begins there: an `e` or `$` within a word opens nothing. */
function wordEnd(sql: string, at: number): number {
  const word = /[\p{L}\p{N}_][\p{L}\p{N}_$]*/uy;
  word.lastIndex = at;
  return word.exec(sql)?.[0].length ?? 1;
}

/** Quotes a text as a SQL literal, for places where DuckDB takes no parameter. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
