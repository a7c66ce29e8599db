import { join } from 'node:path';
import { errorMessage } from '../core/errors.ts';
import type { Database, QueryResult } from '../warehouse/database.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { withoutEnd } from '../warehouse/sql-text.ts';
import { QueryError } from '../warehouse/warehouse-errors.ts';
import { yamlFaults } from './definition-file.ts';
import type { ReportDefinition } from './report-catalog.ts';
import {
  ReportDefinitionError,
  type ReportFault,
  ReportQueryError,
  faultText,
  lineAndColumn,
} from './report-errors.ts';

/** One of a report's SQL files and the connection to run it on. */
export interface SectionQuery {
  readonly database: Database;
  readonly definition: ReportDefinition;
  /** For example `by_month.sql`. */
  readonly file: string;
  readonly params: Parameters;
  /** The tables that keep the rows of the report's files, by file. */
  readonly kept: Map<string, string>;
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
 * Describes what the database refused in a file, with its line and column.
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
  const found =
    error.position === null ? null : lineAndColumn(sqlOf(query), error.position - before);
  const { line = null, column = null } = found ?? {};
  return { path: pathOf(query), line, column, message: errorMessage(error) };
}

/** Describes what the database refused in SQL that follows from a section of report.yaml, at that section. */
function madeFaults(definition: ReportDefinition, file: string, message: string): ReportFault[] {
  const section = definition.sections.find(({ name }) => file.startsWith(`${name}.`));
  const keyPath = section === undefined ? ['sections'] : ['sections', section.index];
  return yamlFaults(definition, [{ keyPath, message }]);
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

/** Keeps the rows of a file's query in a table, so that a document and data files run it once. */
export async function keepRows(query: SectionQuery): Promise<void> {
  await keepRowsAs(keptTable(query.file), query);
}

export async function keepRowsAs(table: string, query: SectionQuery): Promise<void> {
  await requireSelect(query);
  await makeSectionTable(table, query);
  query.kept.set(query.file, table);
}

/** Keeps rows that follow from those of a file's query in its place. @param select the SQL that gives them */
export async function keepInstead(query: SectionQuery, select: string): Promise<void> {
  const { database, file, kept } = query;
  await database.define(`create or replace temp table ${keptTable(file)} as ${select}`);
  kept.set(file, keptTable(file));
}

/** The text of a file becomes a part of a statement of ours. @throws ReportQueryError for anything but one SELECT */
export function requireSelect(query: SectionQuery): Promise<void> {
  return withFileInErrors(query, () => query.database.requireSelect(sqlOf(query)));
}

function keptTable(file: string): string {
  return `"${file}"`;
}

/** Returns what gives the rows of a file's query: its text, or the table that keeps them. */
export function sourceOf(
  query: SectionQuery,
): Pick<SectionQuery, 'params'> & { readonly sql: string } {
  const { file, params, kept } = query;
  const table = kept.get(file);
  return table !== undefined
    ? { sql: `from ${table}`, params: {} }
    : { sql: withoutEnd(sqlOf(query)), params };
}

/** Makes what a file of `create or replace temp …` defines. */
export async function defineFile(query: SectionQuery): Promise<void> {
  if (!query.definition.sql.has(query.file)) return;
  await withFileInErrors(query, () => query.database.define(sqlOf(query), query.params));
}

/**
 * Runs `work` and names the file in its errors.
 * @throws ReportQueryError if the database refuses the SQL
 */
export async function withFileInErrors<Result>(
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
