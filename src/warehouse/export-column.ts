interface Column {
  readonly name: string;
  readonly type: string;
}

/** The one place where a column's name becomes SQL. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * What a spreadsheet takes for a formula: `= + - @` and their full-width forms, also after what it does not
 * show (blanks of any script, controls, NUL, a byte order mark); and what begins with tab, CR or LF.
 */
const formulaPattern = String.raw`^[\p{Cc}\p{Z}\x{FEFF}]*[=+\-@＝＋－＠]|^[\t\r\n]`;

/**
 * A column as CSV has it. Whether to guard goes by type, never by value: -12.50 is a number.
 * Times are ISO 8601, by the clocks of `timezone` with their offset (`Z` in UTC) unless they have no zone; a
 * list of texts is `one, two`, any other nested value its JSON; a double that is no number is empty, as it is
 * null in JSON.
 * @param timezone IANA
 */
export function csvColumn({ name, type }: Column, guard: boolean, timezone = 'UTC'): string {
  const column = quoteName(name);
  const text = csvText(column, type, timezone);
  if (!guard || !isText(type)) return `${text} as ${column}`;
  return `case when regexp_matches(${text}, '${formulaPattern}') then '''' || ${text} else ${text} end as ${column}`;
}

function csvText(column: string, type: string, timezone: string): string {
  if (type === 'TIMESTAMP WITH TIME ZONE') return zonedText(column, timezone);
  if (type === 'TIMESTAMP') return isoText(column, "''");
  if (type === 'DOUBLE' || type === 'FLOAT')
    return `case when isfinite(${column}) then ${column} end`;
  if (type === 'VARCHAR[]') return `array_to_string(${column}, ', ')`;
  return isNested(type) ? `to_json(${column})::varchar` : column;
}

/** Parquet has no 128-bit integers: DuckDB would write sums as doubles. */
export function parquetColumn({ name, type }: Column): string {
  const column = quoteName(name);
  const lists = /^U?HUGEINT((?:\[\])*)$/.exec(type)?.[1];
  return lists === undefined ? column : `${column}::decimal(38, 0)${lists} as ${column}`;
}

function isText(type: string): boolean {
  return type === 'VARCHAR' || type === 'VARCHAR[]' || type === 'JSON' || type.startsWith('ENUM');
}

function isNested(type: string): boolean {
  return type.endsWith(']') || /^(STRUCT|MAP|UNION)\(/.test(type);
}

function zonedText(column: string, timezone: string): string {
  if (timezone === 'UTC') return isoText(column, "'Z'");
  const local = `timezone('${timezone.replaceAll("'", "''")}', ${column})`;
  const minutes = `date_diff('minute', timezone('UTC', ${column}), ${local})`;
  const sign = `if(${minutes} < 0, '-', '+')`;
  const twoDigits = (number: string) => `printf('%02d', (${number})::bigint)`;
  const [hour, minute] = [`abs(${minutes}) // 60`, `abs(${minutes}) % 60`].map(twoDigits);
  return isoText(local, `(${sign} || ${hour} || ':' || ${minute})`);
}

/** With as many decimals as it has: none, 3 or 6. @param zone SQL of what follows */
function isoText(column: string, zone: string): string {
  const micros = `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f')`;
  const text = `regexp_replace(${micros}, '(\\.000000|000)$', '') || ${zone}`;
  return `case when isfinite(${column}) then ${text} else ${column}::varchar end`;
}
