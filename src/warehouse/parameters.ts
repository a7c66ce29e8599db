import { QueryError } from './warehouse-errors.ts';
import { quoteText, sqlParts, wordCharacter } from './sql-text.ts';

/**
 * Written with its own type: text VARCHAR, whole numbers BIGINT, other numbers DOUBLE, Date TIMESTAMPTZ, arrays VARCHAR[]. Days are text and cast in the SQL (`$from::date`).
 */
type Parameter = string | number | boolean | Date | readonly string[] | null;

/** Parameters by name, without the `$`. A statement takes those that it names and ignores the others. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** SQL in which each parameter has become a literal. */
export interface ValuedSql {
  readonly text: string;
  /** Converts a position in the text to that in the SQL with parameters, both in bytes of UTF-8. */
  readonly positionBefore: (position: number) => number;
}

const parameter = new RegExp(String.raw`(?<!${wordCharacter}|\$)\$([A-Za-z_]\w*)`, 'g');

/**
 * Writes values into SQL as literals. A statement with parameters is planned twice by DuckDB: when it is prepared, and
 * again when their values, and so their types, are known.
 * @throws QueryError for a parameter without a value
 */
export function withValues(sql: string, params: Parameters): ValuedSql {
  const pieces: { readonly sql: string; readonly text: string }[] = [];
  let end = 0;
  for (const part of sql.includes('$') ? sqlParts(sql) : []) {
    if (part.kind !== 'code') continue;
    for (const { 0: found, 1: name = '', index } of part.text.matchAll(parameter)) {
      const start = part.start + index;
      const before = sql.slice(end, start);
      pieces.push({ sql: before, text: before }, { sql: found, text: literalOf(name, params) });
      end = start + found.length;
    }
  }
  const rest = sql.slice(end);
  pieces.push({ sql: rest, text: rest });
  const positionBefore = (position: number) => {
    let [left, before] = [position, 0];
    for (const { sql: given, text } of pieces) {
      const length = Buffer.byteLength(text);
      if (left < length) return before + (given === text ? left : 0);
      left -= length;
      before += Buffer.byteLength(given);
    }
    return before;
  };
  return { text: pieces.map(({ text }) => text).join(''), positionBefore };
}

function literalOf(name: string, params: Parameters): string {
  const value = params[name];
  if (value === undefined) throw new QueryError(`the parameter $${name} has no value`);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `${textLiteral(value)}::varchar`;
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? `(${value})::bigint` : `'${value}'::double`;
  if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`;
  // DuckDB takes six times as long to read a list of 10,000 literals
  const wellFormed = value.map((text) => Buffer.from(text).toString());
  return `${quoteText(JSON.stringify(wellFormed))}::json::varchar[]`;
}

/** DuckDB takes a zero byte for the end of a statement. */
function textLiteral(text: string): string {
  const parts = text.split('\0').map(quoteText);
  return parts.length === 1 ? quoteText(text) : `(${parts.join(' || chr(0) || ')})`;
}
