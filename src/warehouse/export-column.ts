import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type DuckDBStructType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import type { TypedColumn } from './database.ts';
import { quoteText } from './sql-text.ts';

export interface CsvColumnOptions {
  /** Text that a spreadsheet would take for a formula gets a leading apostrophe. */
  readonly guard: boolean;
  /** The IANA zone by whose clocks times are written, with their offset. UTC unless given. */
  readonly timezone?: string;
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
 * list or another nested value is its JSON; a double has 15 significant digits. Infinite numbers, and days and times outside the years 1 to 9999, are empty, and null in nested values.
 * @param timezone IANA
 */
export function csvColumn(
  { name, type }: TypedColumn,
  { guard, timezone = 'UTC' }: CsvColumnOptions,
): string {
  const text = csvText(quoteName(name), type, timezone);
  if (!guard) return `${text} as ${quoteName(name)}`;
  const header = new RegExp(formulaPattern, 'u').test(name) ? `'${name}` : name;
  return `${isNumber(String(type)) ? text : guarded(text)} as ${quoteName(header)}`;
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

function csvText(column: string, type: DuckDBType, timezone: string): string {
  const shown = finite(column, type, (value, of) => readable(value, of, timezone));
  return isNested(String(type)) ? `${builtIn}to_json(${shown})::varchar` : shown;
}

/**
 * SQL of a value in which infinite numbers are null, and days and times outside the years 1 to 9999, also within lists,
 * structs and the values of maps.
 * @param print SQL of a value that is kept
 */
function finite(value: string, type: DuckDBType, print: Print = (kept) => kept): string {
  const nested = { value, type, print };
  const { typeId } = type;
  if (typeId === DuckDBTypeId.LIST || typeId === DuckDBTypeId.ARRAY)
    return finiteItems(nested, type.valueType);
  if (typeId === DuckDBTypeId.STRUCT) return finiteMembers(nested, type);
  if (typeId === DuckDBTypeId.MAP) return finiteEntries(nested, type.valueType);
  if (!/^(DOUBLE|FLOAT|DATE|TIMESTAMP.*)$/.test(String(type))) return value;
  return `case when ${isKept(value, type)} then ${print(value, type)} end`;
}

type Print = (value: string, type: DuckDBType) => string;

interface Nested {
  readonly value: string;
  readonly type: DuckDBType;
  readonly print: Print;
}

function finiteItems({ value, type, print }: Nested, of: DuckDBType): string {
  const item = `item${String(type).length}`;
  const shown = finite(item, of, print);
  return shown === item ? value : `${builtIn}list_transform(${value}, lambda ${item}: ${shown})`;
}

function finiteMembers({ value, print }: Nested, type: DuckDBStructType): string {
  const members = type.entryNames.map((name) => {
    const given = `${builtIn}struct_extract(${value}, ${quoteText(name)})`;
    return { name, given, shown: finite(given, type.typeForEntry(name), print) };
  });
  if (members.every(({ name, given, shown }) => name === '' || shown === given)) return value;
  const packed = members.map(({ name, shown }) => `${quoteName(name)} := ${shown}`).join(', ');
  return `case when ${value} is not null then ${builtIn}struct_pack(${packed}) end`;
}

function finiteEntries({ value, type, print }: Nested, of: DuckDBType): string {
  const entry = `entry${String(type).length}`;
  const given = `${builtIn}struct_extract(${entry}, 'value')`;
  const shown = finite(given, of, print);
  if (shown === given) return value;
  const pair = `${builtIn}struct_pack(k := ${builtIn}struct_extract(${entry}, 'key'), v := ${shown})`;
  const entries = `${builtIn}list_transform(${builtIn}map_entries(${value}), lambda ${entry}: ${pair})`;
  return `${builtIn}map_from_entries(${entries})`;
}

/** SQL that is true of a finite number, and of a day or a time in the years 1 to 9999. */
function isKept(value: string, type: DuckDBType): string {
  const name = String(type);
  if (!/^(DATE|TIMESTAMP|TIMESTAMP WITH TIME ZONE)$/.test(name))
    return `${builtIn}isfinite(${value})`;
  return `${value} >= '0001-01-01'::${name} and ${value} < '10000-01-01'::${name}`;
}

/**
 * SQL of a double with 15 significant digits, as many as it always holds: 13178.888 rather than 13178.887999999999; of a
 * time as ISO 8601; of anything else as it is.
 */
function readable(value: string, { typeId }: DuckDBType, timezone: string): string {
  if (typeId === DuckDBTypeId.DOUBLE) return `${builtIn}printf('%.15g', ${value})::double`;
  if (typeId === DuckDBTypeId.TIMESTAMP_TZ) return zonedText(value, timezone);
  return typeId === DuckDBTypeId.TIMESTAMP ? isoText(value, "''") : value;
}

/**
 * Parquet has no 128-bit integers, and readers differ on the narrow and the unsigned ones. All are BIGINT, or text when
 * one of them is too large for that. Infinite numbers, days and times are null.
 */
export function parquetColumn({ name, type }: TypedColumn, isBeyondBigint: boolean): string {
  const column = quoteName(name);
  if (!integerType.test(String(type))) return `${finite(column, type)} as ${column}`;
  return `${column}::${integersAs(type, isBeyondBigint ? 'varchar' : 'bigint')} as ${column}`;
}

const integerType = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)(?=(\[\d*\])*$)/;

function integersAs(type: DuckDBType, other: 'varchar' | 'bigint'): string {
  return String(type).replace(integerType, other);
}

/** True for integers that BIGINT may not hold, and lists of them. */
export function isHuge({ type }: TypedColumn): boolean {
  return /^(UBIGINT|U?HUGEINT)(\[\d*\])*$/.test(String(type));
}

/** SQL of an aggregate that is true when a column has a value too large for BIGINT. */
export function isBeyondBigint({ name, type }: TypedColumn): string {
  const column = quoteName(name);
  const asBigint = `try_cast(${column} as ${integersAs(type, 'bigint')})`;
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

/** Asks for the clock of the zone once: DuckDB does most with a time with a zone by its calendar, which is slow. */
function zonedText(column: string, timezone: string): string {
  const clock = (micros: string) => `${builtIn}make_timestamp(${micros})`;
  const instant = `${builtIn}epoch_us(${column})`;
  if (timezone === 'UTC') return isoText(clock(instant), "'Z'");
  const local = `${builtIn}timezone(${quoteText(timezone)}, ${column})`;
  const offset = `${builtIn}subtract(${builtIn}epoch_us(${local}), ${instant})`;
  const sign = `case when ${offset} < 0 then '-' else '+' end`;
  const hours = `${builtIn}strftime(${clock(`${builtIn}abs(${offset})`)}, '%H:%M')`;
  return isoText(local, `${builtIn}concat(${sign}, ${hours})`);
}

/** SQL of a time with three digits of a second, or six where it has microseconds. @param zone SQL of the offset */
function isoText(column: string, zone: string): string {
  const text = (second: string) => `${builtIn}strftime(${column}, '%Y-%m-%dT%H:%M:%${second}')`;
  const isWhole = `${builtIn}mod(${builtIn}epoch_us(${column}), 1000) = 0`;
  return `${builtIn}concat(case when ${isWhole} then ${text('S.%g')} else ${text('S.%f')} end, ${zone})`;
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
