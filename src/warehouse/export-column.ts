import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

interface Column {
  readonly name: string;
  readonly type: string;
}

export interface CsvColumnOptions {
  /** Text that a spreadsheet would take for a formula gets a leading apostrophe. */
  readonly guard: boolean;
  /** The IANA zone by whose clocks times are written, with their offset. UTC unless given. */
  readonly timezone?: string;
  /** Lists of texts are written as JSON, as all other lists are. */
  readonly jsonLists?: boolean;
}

/** The one place where a column's name becomes SQL. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Matches what a spreadsheet takes for a formula: `= + - @` and their full-width forms, also after characters that it
 * does not show (blanks of any script, controls, NUL, a byte order mark); and what begins with tab, CR or LF. Written so
 * that DuckDB and JavaScript read it alike.
 */
const formulaPattern = '^[\\p{Cc}\\p{Z}\ufeff]*[=+\\-@＝＋－＠]|^[\\t\\r\\n]';

/**
 * A column as CSV has it, its name included. Whether to guard goes by type, never by value: -12.50 is a number.
 * Times are ISO 8601, by the clocks of `timezone` with their offset (`Z` in UTC) unless they have no zone; a
 * list of texts is `one, two` unless `jsonLists` is set, any other nested value its JSON; a double has 15
 * significant digits. Infinite numbers, days and times are empty, and null in a list.
 * @param timezone IANA
 */
export function csvColumn(
  { name, type }: Column,
  { guard, timezone = 'UTC', jsonLists = false }: CsvColumnOptions,
): string {
  const column = quoteName(name);
  const text =
    type === 'VARCHAR[]' && !jsonLists
      ? `${builtIn}array_to_string(${column}, ', ')`
      : csvText(column, type, timezone);
  if (!guard) return `${text} as ${quoteName(name)}`;
  const header = new RegExp(formulaPattern, 'u').test(name) ? `'${name}` : name;
  return `${isNumber(type) ? text : guarded(text)} as ${quoteName(header)}`;
}

function guarded(value: string): string {
  const text = `(${value})::varchar`;
  const isFormula = `${builtIn}regexp_matches(${text}, '${formulaPattern}')`;
  return `case when ${isFormula} then ${builtIn}concat('''', ${text}) else ${text} end`;
}

/**
 * The schema of DuckDB's own functions. A macro of a report may have the name of any of them, of `||` too, and is
 * preferred where the name stands alone.
 */
const builtIn = 'system.main.';

function csvText(column: string, type: string, timezone: string): string {
  if (type === 'TIMESTAMP WITH TIME ZONE') return zonedText(column, timezone);
  if (type === 'TIMESTAMP') return isoText(column, "''");
  const shown = finite(column, type, (value, of) => (of === 'DOUBLE' ? readable(value) : value));
  return isNested(type) ? `${builtIn}to_json(${shown})::varchar` : shown;
}

/**
 * SQL of a value in which infinite numbers, days and times are null, also within lists.
 * @param print SQL of a value that is finite
 */
function finite(
  value: string,
  type: string,
  print: (plain: string, type: string) => string = String,
): string {
  const list = /^(.*)\[\d*\]$/.exec(type);
  if (list) {
    const item = `item${type.length}`;
    const shown = finite(item, list[1] ?? '', print);
    return shown === item ? value : `${builtIn}list_transform(${value}, lambda ${item}: ${shown})`;
  }
  if (!/^(DOUBLE|FLOAT|DATE|TIMESTAMP.*)$/.test(type)) return value;
  return `case when ${builtIn}isfinite(${value}) then ${print(value, type)} end`;
}

/** 15 significant digits, as many as a double always holds: 13178.888 rather than 13178.887999999999. */
function readable(double: string): string {
  return `${builtIn}printf('%.15g', ${double})::double`;
}

/**
 * Parquet has no 128-bit integers: DuckDB would write sums as doubles. They are BIGINT, or text when one of them is
 * too large for that. Infinite numbers, days and times are null.
 */
export function parquetColumn({ name, type }: Column, isBeyondBigint: boolean): string {
  const column = quoteName(name);
  if (!isHuge(type)) return `${finite(column, type)} as ${column}`;
  return `${column}::${type.replace(hugeType, isBeyondBigint ? 'varchar' : 'bigint')} as ${column}`;
}

const hugeType = /^U?HUGEINT(?=(\[\d*\])*$)/;

/** True for integers of 128 bits and lists of them. */
export function isHuge(type: string): boolean {
  return hugeType.test(type);
}

/** SQL of an aggregate that is true when a column has a value too large for BIGINT. */
export function isBeyondBigint({ name, type }: Column): string {
  const column = quoteName(name);
  const asBigint = `try_cast(${column} as ${type.replace(hugeType, 'bigint')})`;
  return `${builtIn}bool_or(${asBigint} is distinct from ${column})`;
}

function isNumber(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|BIGNUM|DECIMAL\(\d+,\d+\)|FLOAT|DOUBLE)$/.test(
    type,
  );
}

function isNested(type: string): boolean {
  return type.endsWith(']') || /^(STRUCT|MAP|UNION)\(/.test(type);
}

function zonedText(column: string, timezone: string): string {
  if (timezone === 'UTC') return isoText(column, "'Z'");
  const local = `${builtIn}timezone('${timezone.replaceAll("'", "''")}', ${column})`;
  const minutes = `${builtIn}date_diff('minute', ${builtIn}timezone('UTC', ${column}), ${local})`;
  const sign = `case when ${minutes} < 0 then '-' else '+' end`;
  const twoDigits = (number: string) => `${builtIn}printf('%02d', (${number})::bigint)`;
  const absolute = `${builtIn}abs(${minutes})`;
  const hour = twoDigits(`${builtIn}divide(${absolute}, 60)`);
  const minute = twoDigits(`${builtIn}mod(${absolute}, 60)`);
  return isoText(local, `${builtIn}concat(${sign}, ${hour}, ':', ${minute})`);
}

/** SQL of a time with as many decimals as it has: none, 3 or 6. @param zone SQL of the offset */
function isoText(column: string, zone: string): string {
  const micros = `${builtIn}strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f')`;
  const text = `${builtIn}regexp_replace(${micros}, '(\\.000000|000)$', '')`;
  return `case when ${builtIn}isfinite(${column}) then ${builtIn}concat(${text}, ${zone}) end`;
}

/** Writes the file again, behind a UTF-8 byte order mark, without holding it in memory. */
export async function putMarkFirst(path: string): Promise<void> {
  const marked = `${path}.${randomUUID()}.marked`;
  try {
    await pipeline(afterMark(path), createWriteStream(marked));
    await rename(marked, path);
  } finally {
    await rm(marked, { force: true });
  }
}

async function* afterMark(path: string): AsyncGenerator<Buffer> {
  yield Buffer.from('\ufeff');
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}
