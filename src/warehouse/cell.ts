import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  JsonDuckDBValueConverter,
  type DuckDBValueConverter,
  type Json,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';

/**
 * A value of a row, exact. Integers of any width, sums included: number, beyond 2^53 bigint.
 * DECIMAL: number, or text where a number would lose digits. TIMESTAMPTZ: ISO 8601 in UTC ending in Z,
 * with three digits of a second, or six where it has microseconds. DATE: `YYYY-MM-DD`. Lists of text: array.
 * Anything else nested: its JSON as text, with integers beyond 2^53 and long decimals as strings.
 * Infinite numbers, what is not a number, and days and times outside the years 1 to 9999: null, within lists too.
 */
export type DatabaseValue = string | number | bigint | boolean | readonly string[] | null;

type Conversion = (value: DuckDBValue) => DatabaseValue;

/** Returns the conversion of values of a column of this type. */
export function cellConversion(type: DuckDBType): Conversion {
  const convert = conversionByType(type);
  return (value) => (value === null ? null : convert(value));
}

const nestedTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.UNION,
  DuckDBTypeId.VARIANT,
]);

function conversionByType(type: DuckDBType): Conversion {
  if (type.typeId === DuckDBTypeId.LIST) return (value) => textList(value) ?? jsonText(value, type);
  if (nestedTypes.has(type.typeId)) return (value) => jsonText(value, type);
  return scalarCell;
}

function scalarCell(value: DuckDBValue): Exclude<DatabaseValue, readonly string[]> {
  if (typeof value === 'bigint') return exactInteger(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof DuckDBTimestampTZValue) return isoTime(value.micros, 'Z');
  if (value instanceof DuckDBTimestampValue) return isoTime(value.micros, '');
  if (value instanceof DuckDBDecimalValue) return exactDecimal(value.toString());
  if (value instanceof DuckDBDateValue) return isoDay(value);
  return 'isFinite' in value && !value.isFinite ? null : String(value);
}

function exactInteger(value: bigint): number | bigint {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

/** Up to 15 significant digits survive a double; so does no more. */
function exactDecimal(text: string): number | string {
  const digits = text.replace(/^-?0*\.?0*|\.|-/g, '').length;
  return digits <= 15 ? Number(text) : text;
}

const firstMicros = BigInt(Date.parse('0001-01-01')) * 1000n;
const endMicros = BigInt(Date.UTC(10_000, 0, 1)) * 1000n;

/** DuckDB writes other years with more digits, or `(BC)` behind them. */
function isoDay(value: DuckDBDateValue): string | null {
  const text = String(value);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : null;
}

function isoTime(micros: bigint, suffix: string): string | null {
  if (micros < firstMicros || micros >= endMicros) return null;
  const submillis = ((micros % 1000n) + 1000n) % 1000n;
  const iso = new Date(Number((micros - submillis) / 1000n)).toISOString().slice(0, -1);
  const microseconds = submillis === 0n ? '' : String(submillis).padStart(3, '0');
  return `${iso}${microseconds}${suffix}`;
}

function textList(value: DuckDBValue): string[] | null {
  if (!(value instanceof DuckDBListValue)) return null;
  const items = value.items.filter((item) => typeof item === 'string');
  return items.length === value.items.length ? items : null;
}

function jsonText(value: DuckDBValue, type: DuckDBType): string {
  return JSON.stringify(jsonValue(value, type, jsonValue));
}

const jsonValue: DuckDBValueConverter<Json> = (value, type, convert) => {
  if (type.typeId === DuckDBTypeId.LIST || nestedTypes.has(type.typeId))
    return JsonDuckDBValueConverter(value, type, convert);
  const cell = scalarCell(value);
  return typeof cell === 'bigint' ? String(cell) : cell;
};
