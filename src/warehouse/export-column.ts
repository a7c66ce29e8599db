interface Column {
  readonly name: string;
  readonly type: string;
}

/** The one place where a column's name becomes SQL. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What a spreadsheet takes for a formula: `= + - @`, also full-width or after blanks; tab, CR, LF. */
const formulaPattern = String.raw`^[\s\x00]*[=+\-@＝＋－＠]|^[\t\r\n]`;

/**
 * A column as CSV has it. Whether to guard goes by type, never by value: -12.50 is a number.
 * Times are written as ISO 8601 in UTC, just as JSON has them; a list of texts as `one, two`.
 */
export function csvColumn({ name, type }: Column, guard: boolean): string {
  const column = quoteName(name);
  if (type === 'TIMESTAMP WITH TIME ZONE') return `${isoText(column)} as ${column}`;
  const text = type === 'VARCHAR[]' ? `array_to_string(${column}, ', ')` : column;
  if (!guard || !isText(type)) return `${text} as ${column}`;
  return `case when regexp_matches(${text}, '${formulaPattern}') then '''' || ${text} else ${text} end as ${column}`;
}

/** Parquet has no 128-bit integers: DuckDB would write sums as doubles. */
export function parquetColumn({ name, type }: Column): string {
  const column = quoteName(name);
  return type === 'HUGEINT' || type === 'UHUGEINT'
    ? `${column}::decimal(38, 0) as ${column}`
    : column;
}

function isText(type: string): boolean {
  return type === 'VARCHAR' || type === 'VARCHAR[]' || type === 'JSON' || type.startsWith('ENUM');
}

function isoText(column: string): string {
  const micros = `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f')`;
  return `regexp_replace(${micros}, '(\\.000000|000)$', '') || 'Z'`;
}
