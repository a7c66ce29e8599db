/** A stretch of SQL: `text` is a literal with its quotes, `name` a quoted name, `code` all that is not the rest. */
export interface SqlPart {
  readonly kind: 'code' | 'comment' | 'text' | 'name';
  /** The offset in UTF-16 units. */
  readonly start: number;
  readonly text: string;
}

const beyondAscii = String.raw`(?![\s\u200b\u2060])[^\0-\x7f]`;

/** Matches a character of a word. DuckDB takes all beyond ASCII for one but its spaces, two of which `\s` does not match. */
export const wordCharacter = String.raw`(?:\w|${beyondAscii})`;

/** Matches comments, of a block only the opening; texts; quoted names; and words, since an `e` or `$` within one opens nothing. */
const pattern = new RegExp(
  [
    String.raw`(?<comment>--[^\n]*|/\*)`,
    String.raw`(?<text>[eE]'(?:[^'\\]|\\[^]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$(?<tag>[A-Za-z_]\w*)?\$[^]*?(?:\$\k<tag>\$|$))`,
    String.raw`(?<name>"(?:[^"]|"")*(?:"|$))`,
    String.raw`(?:\w|${beyondAscii})(?:[\w$]+|${beyondAscii})*`,
  ].join('|'),
  'g',
);

/** A statement in parts, in their order and without gaps. What is opened and not closed goes to the end. */
export function sqlParts(sql: string): SqlPart[] {
  const parts: SqlPart[] = [];
  const marks = new RegExp(pattern);
  let codeStart = 0;
  const endCode = (end: number) => {
    if (codeStart < end)
      parts.push({ kind: 'code', start: codeStart, text: sql.slice(codeStart, end) });
  };
  for (let found = marks.exec(sql); found; found = marks.exec(sql)) {
    const { comment, text, name } = found.groups ?? {};
    const kind = comment ? 'comment' : text ? 'text' : name ? 'name' : null;
    if (kind === null) continue;
    if (comment === '/*') marks.lastIndex = blockCommentEnd(sql, found.index);
    endCode(found.index);
    codeStart = marks.lastIndex;
    parts.push({ kind, start: found.index, text: sql.slice(found.index, codeStart) });
  }
  endCode(sql.length);
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

/** Returns the statements of a script, without comments and empty ones. */
export function statementsOf(sql: string): string[] {
  const parts = sqlParts(sql).map(({ kind, text }) =>
    kind === 'code' ? text.split(';') : [kind === 'comment' ? ' ' : text],
  );
  const statements = [''];
  for (const [first = '', ...more] of parts) {
    statements.push((statements.pop() ?? '') + first, ...more);
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** They nest, as PostgreSQL's do. */
function blockCommentEnd(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}

/** Quotes a text as a SQL literal, for places where DuckDB takes no parameter. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
