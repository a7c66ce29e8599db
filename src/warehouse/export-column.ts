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
 * Times are ISO 8601, in UTC where they have a zone, just as JSON has them; a list of texts is `one, two`, any
 * other nested value its JSON; a double has 15 significant digits, and is empty where it is no number, as it is
 * null in JSON.
 */
export function csvColumn({ name, type }: Column, guard: boolean): string {
  const column = quoteName(name);
  const text = csvText(column, type);
  if (!guard || !isText(type)) return `${text} as ${column}`;
  return `case when regexp_matches(${text}, '${formulaPattern}') then '''' || ${text} else ${text} end as ${column}`;
}

function csvText(column: string, type: string): string {
  if (type === 'TIMESTAMP WITH TIME ZONE') return isoText(column, 'Z');
  if (type === 'TIMESTAMP') return isoText(column, '');
  if (type === 'DOUBLE') return `case when isfinite(${column}) then ${readable(column)} end`;
  if (type === 'FLOAT') return `case when isfinite(${column}) then ${column} end`;
  if (type === 'DOUBLE[]')
    return `to_json(list_transform(${column}, lambda x: ${readable('x')}))::varchar`;
  if (type === 'VARCHAR[]') return `array_to_string(${column}, ', ')`;
  return isNested(type) ? `to_json(${column})::varchar` : column;
}

/** 15 significant digits, as many as a double always holds: 13178.888 rather than 13178.887999999999. */
function readable(double: string): string {
  return `printf('%.15g', ${double})::double`;
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

/** With as many decimals as it has: none, 3 or 6. */
function isoText(column: string, zone: string): string {
  const micros = `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%f')`;
  const text = `regexp_replace(${micros}, '(\\.000000|000)$', '') || '${zone}'`;
  return `case when isfinite(${column}) then ${text} else ${column}::varchar end`;
}
