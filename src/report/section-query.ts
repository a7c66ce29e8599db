import { join } from 'node:path';
import { errorMessage } from '../core/errors.ts';
import type { Cell } from '../warehouse/cell.ts';
import type { Database, QueryResult } from '../warehouse/database.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { QueryError } from '../warehouse/warehouse-errors.ts';
import type { ReportDefinition } from './report-catalog.ts';
import {
  ReportDefinitionError,
  type ReportFault,
  ReportQueryError,
  faultText,
} from './report-errors.ts';
import { resolveSetValues } from './report-parameters.ts';
import type { ReportSession } from './report-session.ts';

/** One of a report's SQL files, with what it is run on. */
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

/** @throws ReportDefinitionError when the report has no such file */
function textOf(query: Pick<SectionQuery, 'definition' | 'file'>): string {
  const text = query.definition.sql.get(query.file);
  if (text === undefined) throw new ReportDefinitionError(`${pathOf(query)} is missing`);
  return text;
}

/** What the database refused in a file, with its place there. */
export function queryFault(
  query: Pick<SectionQuery, 'definition' | 'file'>,
  error: QueryError,
): ReportFault {
  const place = error.position === null ? null : sqlPlace(textOf(query), error.position);
  const { line = null, column = null } = place ?? {};
  return { path: pathOf(query), line, column, message: errorMessage(error) };
}

/** All rows of a file's query; what no format can print is null. @throws ReportQueryError that names the file */
export async function runSectionQuery(query: SectionQuery): Promise<QueryResult> {
  const { columns, rows } = await namingFile(query, () =>
    query.database.select(textOf(query), query.params),
  );
  const types = columns.map(({ type }) => type);
  return { columns, rows: rows.map((row) => row.map((cell, at) => printable(cell, types[at]))) };
}

/** Null for a number that is not finite, alone or in a list, and for a day outside the years 0001 to 9999. */
function printable(cell: Cell, type = ''): Cell {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== 'string') return cell;
  if (type === 'DATE' || type.startsWith('TIMESTAMP'))
    return /^\d{4}-\d\d-\d\d(?!\d| \(BC\))/.test(cell) ? cell : null;
  return type === 'DOUBLE[]' ? cell.replaceAll(/"(?:NaN|-?Infinity)"/g, 'null') : cell;
}

/** Whose views a database has. */
const viewsMade = new WeakMap<Database, ReportDefinition>();

/**
 * What a report's sections share: its temporary views and tables, made before anything else of it is read. Those
 * of the report that was read last are there already; another's may have the same names.
 */
export async function makeReportViews(
  database: Database,
  definition: ReportDefinition,
): Promise<void> {
  const views = { definition, file: '_views.sql' };
  if (!definition.sql.has(views.file) || viewsMade.get(database) === definition) return;
  await namingFile(views, () => database.define(textOf(views)));
  viewsMade.set(database, definition);
}

/** @throws ReportQueryError that names the file, for what the database refuses in `work` */
async function namingFile<Result>(
  query: Pick<SectionQuery, 'definition' | 'file'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new ReportQueryError(faultText(queryFault(query, error)), { cause: error });
  }
}

/** A place in a text: line and column from 1, the column in UTF-16 units, as editors count. */
interface SqlPlace {
  readonly line: number;
  readonly column: number;
}

/** @param position bytes of the text's UTF-8 before the place, as DuckDB counts */
function sqlPlace(text: string, position: number): SqlPlace {
  return placeAfter(Buffer.from(text).subarray(0, position).toString());
}

/** Of what follows `before`. */
export function placeAfter(before: string): SqlPlace {
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

export interface SectionExport {
  readonly session: ReportSession;
  readonly definition: ReportDefinition;
  /** A section's name. */
  readonly section: string;
  /** The report's own parameters, as `--set` gives them. */
  readonly set?: Readonly<Record<string, string>>;
}

/** How people get CSV, unless they ask otherwise: guarded, without a byte order mark. */
export interface CsvOptions {
  /** A byte order mark first, by which some spreadsheets know UTF-8. */
  readonly bom: boolean;
  /** Texts as they are, also those that a spreadsheet would take for a formula. */
  readonly raw: boolean;
}

export const plainCsv: CsvOptions = { bom: false, raw: false };

/**
 * Writes a section's rows as CSV: the columns of its SQL in their order, text that a spreadsheet would take
 * for a formula with a leading apostrophe unless they are to stay raw. Whole or not at all.
 * @returns how many rows
 */
export async function exportCsv(
  section: SectionExport,
  path: string,
  { bom, raw }: CsvOptions = plainCsv,
): Promise<number> {
  const { database, sql, params, query } = await prepare(section);
  return namingFile(query, () =>
    database.copyToCsv(sql, path, {
      guard: !raw,
      bom,
      timezone: section.session.config.timezone,
      params,
    }),
  );
}

/** The same rows and columns as Parquet, texts as they are. @returns how many rows */
export async function exportParquet(section: SectionExport, path: string): Promise<number> {
  const { database, sql, params, query } = await prepare(section);
  return namingFile(query, () => database.copyToParquet(sql, path, params));
}

async function prepare({ session, definition, section, set = {} }: SectionExport) {
  const query = { definition, file: `${section}.sql` };
  await makeReportViews(session.database, definition);
  return {
    database: session.database,
    sql: textOf(query),
    params: resolveSetValues(definition, set),
    query,
  };
}
