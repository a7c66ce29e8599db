import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../core/errors.ts';
import type { Database, QueryResult } from '../warehouse/database.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { copyToCsv, copyToParquet } from '../warehouse/query-file.ts';
import { withoutEnd } from '../warehouse/sql-text.ts';
import { QueryError } from '../warehouse/warehouse-errors.ts';
import { yamlFaults } from './definition-file.ts';
import { type ReportDefinition, factsFile, groupsFile, viewsFile } from './report-catalog.ts';
import {
  ReportDefinitionError,
  type ReportFault,
  ReportQueryError,
  faultText,
} from './report-errors.ts';
import { resolveSetValues } from './report-parameters.ts';
import type { ReportSession } from './report-session.ts';

/** One of a report's SQL files and the database to run it on. */
export interface SectionQuery {
  readonly database: Database;
  readonly definition: ReportDefinition;
  /** For example `by_month.sql`. */
  readonly file: string;
  readonly params: Parameters;
}

export function pathOf({ definition, file }: Pick<SectionQuery, 'definition' | 'file'>): string {
  return join(definition.folder, file);
}

/**
 * Returns the text of the file.
 * @throws ReportDefinitionError if the report has no such file
 */
function sqlOf(query: Pick<SectionQuery, 'definition' | 'file'>): string {
  const text = query.definition.sql.get(query.file);
  if (text === undefined) throw new ReportDefinitionError(`${pathOf(query)} is missing`);
  return text;
}

/**
 * Describes what the database refused in a file, with its place.
 * @param before the number of bytes that preceded the file's text
 */
export function queryFault(
  query: Pick<SectionQuery, 'definition' | 'file'>,
  error: QueryError,
  before = 0,
): ReportFault {
  const { definition, file } = query;
  const [fault] = definition.made.has(file)
    ? madeFaults(definition, file, errorMessage(error))
    : [];
  if (fault) return fault;
  const place = error.position === null ? null : sqlPlace(sqlOf(query), error.position - before);
  const { line = null, column = null } = place ?? {};
  return { path: pathOf(query), line, column, message: errorMessage(error) };
}

/** Describes what the database refused in SQL that follows from a section of report.yaml, at that section. */
function madeFaults(definition: ReportDefinition, file: string, message: string): ReportFault[] {
  const section = definition.sections.find(({ name }) => file.startsWith(`${name}.`));
  const place = section === undefined ? ['sections'] : ['sections', section.place];
  return yamlFaults(definition, [{ place, message }]);
}

/**
 * Returns all rows of a file's query, or the first ones.
 * @throws ReportQueryError that names the file
 */
export async function runSectionQuery(
  query: SectionQuery,
  maxRows: number | null = null,
): Promise<QueryResult> {
  const before = maxRows === null ? '' : 'from (';
  const after = maxRows === null ? '' : `\n) limit ${maxRows}`;
  const { sql, params } = sourceOf(query);
  const select = () => query.database.select(`${before}${sql}${after}`, params);
  return withFileInErrors(query, select, before.length);
}

/** Returns the number of rows of a file's query. */
export async function countRows(query: SectionQuery): Promise<number> {
  const { sql, params } = sourceOf(query);
  const count = () => query.database.select(`select count(*) from (${sql}\n)`, params);
  const { rows } = await withFileInErrors(query, count);
  return Number(rows[0]?.[0]);
}

/** Makes a temporary table of the rows of a file's query. */
export async function makeSectionTable(table: string, query: SectionQuery): Promise<void> {
  const before = `create or replace temp table ${table} as `;
  const make = () => query.database.define(`${before}${sqlOf(query)}`, query.params);
  await withFileInErrors(query, make, before.length);
}

/** What a database contains of a report. */
interface MadeReport {
  readonly definition: ReportDefinition;
  /** The parameters of its tables. */
  readonly params: Parameters;
  /** The tables that have the rows of files. */
  readonly kept: Map<string, string>;
}

const madeReports = new WeakMap<Database, MadeReport>();

/** The table of the row of `_facts.sql`, which the report's other files may read. */
export const factsTable = 'report_facts';

/** Keeps the rows of a file's query in a table, so that a document and data files run it once. */
export async function keepRows(query: SectionQuery): Promise<void> {
  const { database, definition, params } = query;
  await makeReportViews(database, definition, params);
  await keepAs(keptTable(query.file), query);
}

async function keepAs(table: string, query: SectionQuery): Promise<void> {
  await requireSelect(query);
  await makeSectionTable(table, query);
  madeReports.get(query.database)?.kept.set(query.file, table);
}

/** Keeps rows that follow from those of a file's query in its place. @param select the SQL that gives them */
export async function keepInstead(query: SectionQuery, select: string): Promise<void> {
  const { database, file } = query;
  await database.define(`create or replace temp table ${keptTable(file)} as ${select}`);
  madeReports.get(database)?.kept.set(file, keptTable(file));
}

/** The text of a file becomes a part of a statement of ours. @throws ReportQueryError for anything but one SELECT */
function requireSelect(query: Omit<SectionQuery, 'params'>): Promise<void> {
  return withFileInErrors(query, () => query.database.requireSelect(sqlOf(query)));
}

function keptTable(file: string): string {
  return `"${file}"`;
}

/** Returns what gives the rows of a file's query: its text, or the table that keeps them. */
function sourceOf(query: SectionQuery): Pick<SectionQuery, 'params'> & { readonly sql: string } {
  const { database, file, params } = query;
  const table = isMade(query) ? madeReports.get(database)?.kept.get(file) : undefined;
  return table !== undefined
    ? { sql: `from ${table}`, params: {} }
    : { sql: withoutEnd(sqlOf(query)), params };
}

/**
 * Creates the temporary views and tables that a report's sections share, before anything else of it is read.
 * Those of the last report with the same parameters exist already; those of another may have the same names and are replaced.
 */
export async function makeReportViews(
  database: Database,
  definition: ReportDefinition,
  params: Parameters,
): Promise<void> {
  if (isMade({ database, definition, params })) return;
  await setVariables(database, params);
  for (const file of [groupsFile, viewsFile])
    await defineFile({ database, definition, file, params });
  madeReports.set(database, { definition, params, kept: new Map() });
  const facts = { database, definition, file: factsFile, params };
  if (definition.sql.has(factsFile)) await keepAs(factsTable, facts);
}

/** Lets views read a report's parameters, as `getvariable('name')`: only statements that run at once have `$name`. */
export async function setVariables(database: Database, params: Parameters): Promise<void> {
  for (const [name, value] of Object.entries(params))
    await database.run(`set variable ${name} = $value`, { value });
}

function isMade({ database, definition, params }: Omit<SectionQuery, 'file'>): boolean {
  const made = madeReports.get(database);
  return made?.definition === definition && isDeepStrictEqual(made.params, params);
}

/** Does `work` for one report. The next one finds the session without its views and tables. */
export async function forOneReport<Result>(
  database: Database,
  { sql }: ReportDefinition,
  work: () => Promise<Result>,
): Promise<Result> {
  // what it reads of the session stays for the next one, and every document has the warnings
  await database.make([...sql.values(), 'report_warnings'].join('\n'));
  try {
    return await database.rehearse(work);
  } finally {
    madeReports.delete(database);
  }
}

async function defineFile(query: SectionQuery): Promise<void> {
  if (!query.definition.sql.has(query.file)) return;
  await withFileInErrors(query, () => query.database.define(sqlOf(query), query.params));
}

/**
 * Runs `work` and names the file in its errors.
 * @throws ReportQueryError if the database refuses the SQL
 */
async function withFileInErrors<Result>(
  query: Pick<SectionQuery, 'definition' | 'file'>,
  work: () => Promise<Result>,
  before = 0,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new ReportQueryError(faultText(queryFault(query, error, before)), { cause: error });
  }
}

/** A place in a text. Line and column count from 1, the column in UTF-16 units, as editors count. */
interface SqlPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Converts a byte position to line and column.
 * @param position the number of bytes of the text's UTF-8 before the place, as DuckDB counts
 */
export function sqlPlace(text: string, position: number): SqlPlace {
  return placeAfter(Buffer.from(text).subarray(0, position).toString());
}

/** Returns the place of the text that follows `before`. */
export function placeAfter(before: string): SqlPlace {
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

export interface SectionExport {
  readonly session: ReportSession;
  readonly definition: ReportDefinition;
  readonly section: string;
  /** The values of the report's own parameters, from `--set`. */
  readonly set?: Readonly<Record<string, string>>;
}

/** The options of CSV files. By default they are guarded against formulas and have no byte order mark. */
export interface CsvOptions {
  /** True to begin with a byte order mark, by which some spreadsheet programs recognize UTF-8. */
  readonly bom: boolean;
  /** True to leave texts as they are, even if a spreadsheet program would take them for a formula. */
  readonly raw: boolean;
}

export const plainCsv: CsvOptions = { bom: false, raw: false };

/**
 * Writes a section's rows as CSV. The columns have the order of the SQL. A text that a spreadsheet program
 * would take for a formula gets a leading apostrophe unless `raw` is set. The file is complete or absent.
 * @returns the number of rows
 */
export async function exportCsv(
  section: SectionExport,
  path: string,
  { bom, raw }: CsvOptions = plainCsv,
): Promise<number> {
  const query = await prepare(section);
  const { sql, params } = sourceOf(query);
  return withFileInErrors(query, () =>
    copyToCsv(query.database, sql, path, {
      guard: !raw,
      bom,
      timezone: section.session.config.timezone,
      params,
    }),
  );
}

/**
 * Writes the same rows and columns as Parquet, with unchanged texts.
 * @returns the number of rows
 */
export async function exportParquet(section: SectionExport, path: string): Promise<number> {
  const query = await prepare(section);
  const { sql, params } = sourceOf(query);
  return withFileInErrors(query, () => copyToParquet(query.database, sql, path, params));
}

async function prepare({
  session: { database },
  definition,
  section,
  set = {},
}: SectionExport): Promise<SectionQuery> {
  const params = resolveSetValues(definition, set);
  await makeReportViews(database, definition, params);
  const query = { database, definition, file: `${section}.sql`, params };
  await requireSelect(query);
  return query;
}
