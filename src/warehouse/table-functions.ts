import { sqlParts, wordCharacter } from './sql-text.ts';

/**
 * The table functions that SQL of others may call: those that make rows of their arguments, or say what the database has.
 * All others can reach files, servers, settings or logs, or run a text as SQL.
 */
const allowed = new Set([
  'duckdb_columns',
  'duckdb_functions',
  'duckdb_keywords',
  'duckdb_tables',
  'duckdb_types',
  'duckdb_views',
  'generate_series',
  'histogram',
  'histogram_values',
  'icu_calendar_names',
  'json_each',
  'json_tree',
  'pg_timezone_names',
  'pragma_collations',
  'pragma_platform',
  'pragma_show',
  'pragma_table_info',
  'pragma_user_agent',
  'pragma_version',
  'range',
  'repeat',
  'repeat_row',
  'summary',
  'unnest',
  // these names belong to functions of other kinds as well
  'version',
]);

/** All that can stand after `from` with brackets, whatever extension it is of; a session's own macros are not internal. */
export const tableFunctionsQuery = `
  select distinct lower(function_name)
  from duckdb_functions()
  where function_type in ('table', 'table_macro', 'pragma') and internal`;

/** A name, quoted or not, and the bracket after it. */
const calls = new RegExp(
  String.raw`("(?:[^"]|"")*"|${wordCharacter}(?:${wordCharacter}|\$)*)[\s\u200b\u2060]*\(`,
  'g',
);

/**
 * The first table function that a text of others calls and may not.
 * @param known the names of all that there are, in lower case
 */
export function forbiddenFunction(sql: string, known: ReadonlySet<string>): string | null {
  const code = sqlParts(sql)
    .map(({ kind, text }) => {
      if (kind === 'text') return "''";
      return kind === 'comment' ? ' ' : text;
    })
    .join('');
  for (const [, called = ''] of code.matchAll(calls)) {
    const isQuoted = called.startsWith('"');
    const name = (isQuoted ? called.slice(1, -1).replaceAll('""', '"') : called).toLowerCase();
    if (known.has(name) && !allowed.has(name)) return name;
  }
  return null;
}
