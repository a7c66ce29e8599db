import { join } from 'node:path';
import type { WarehouseConfig } from '../config/config.ts';
import { PostledgerError } from '../core/errors.ts';
import { type ColumnFormat, columnFormats, isFormat } from '../core/number-format.ts';
import { placeholder } from '../core/phrases.ts';
import { Database, type QueryColumn } from '../warehouse/database.ts';
import { type EngineLimits, engineSettings } from '../warehouse/engine-limits.ts';
import { migrate } from '../warehouse/schema.ts';
import { QueryError } from '../warehouse/warehouse-errors.ts';
import { openWarehouse } from '../warehouse/warehouse.ts';
import type { SectionDefinition } from './definition-schema.ts';
import type { ReportDefinition } from './report-catalog.ts';
import type { ReportFault } from './report-errors.ts';
import { allPosts, resolveSetValues, type ReportParameters } from './report-parameters.ts';
import { type ReportConfig, type ReportSession, prepareSession } from './report-session.ts';
import { placeAfter, queryFault } from './section-query.ts';
import { declaredColumn, defaultFormat, sectionFaults, titleOf } from './section-table.ts';

/** A report held against the warehouse. */
export interface CheckedReport {
  readonly name: string;
  /** Why an empty warehouse stood in for the configured one; null where that could be read. */
  readonly standIn: string | null;
  /** How many SQL files it has. */
  readonly queries: number;
  readonly sections: readonly CheckedSection[];
  /** All that were found, in the order of files and places. */
  readonly faults: readonly ReportFault[];
}

interface CheckedSection {
  readonly name: string;
  /** In the SQL's order; none where the database refuses it. */
  readonly columns: readonly CheckedColumn[];
}

interface CheckedColumn {
  readonly name: string;
  /** As DuckDB writes it, for example `DECIMAL(38,3)`. */
  readonly type: string;
  readonly format: ColumnFormat;
  readonly title: string;
}

/** A report under check, with what the warehouse says of its SQL. */
interface Checking {
  readonly definition: ReportDefinition;
  /** What each SQL file gives; those that the database refuses are left out. */
  readonly columns: ReadonlyMap<string, readonly QueryColumn[]>;
}

/** Its rows make no difference, and may be many. */
const noPosts: ReportParameters = { ...allPosts, scope: [] };

/**
 * Has the database prepare each SQL file, with parameters at their defaults, and looks for what report.yaml and
 * the sentences name among the columns that it would give. Only `_views.sql` is run, on no rows. Where the
 * warehouse cannot be read, an empty one of the same schema stands in.
 * @param limits what it may take of the machine
 */
export async function checkReport(
  config: ReportConfig,
  definition: ReportDefinition,
  limits?: EngineLimits,
): Promise<CheckedReport> {
  const standIn = await problemOf(config.warehouse);
  const session = await openSession(config, standIn !== null, limits);
  try {
    return { ...(await checkFiles(session, definition)), standIn };
  } finally {
    session.close();
  }
}

async function problemOf(warehouse: WarehouseConfig): Promise<string | null> {
  try {
    (await openWarehouse(warehouse)).close();
    return null;
  } catch (error) {
    if (error instanceof PostledgerError) return error.message;
    throw error;
  }
}

async function openSession(
  config: ReportConfig,
  isStandIn: boolean,
  limits: EngineLimits | undefined,
): Promise<ReportSession> {
  if (!isStandIn)
    return prepareSession(await openWarehouse(config.warehouse, { limits }), config, noPosts);
  const settings = limits && engineSettings(limits);
  const database = await Database.open(':memory:', 'READ_WRITE', settings);
  if (limits) database.interruptOn(limits.signal);
  try {
    await migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return prepareSession(database, config, noPosts);
}

async function checkFiles(
  session: ReportSession,
  definition: ReportDefinition,
): Promise<Omit<CheckedReport, 'standIn'>> {
  const { columns, faults } = await describeFiles(session, definition);
  const checking = { definition, columns };
  const found = [
    ...faults,
    ...definition.sections.flatMap((section) => {
      const given = columns.get(`${section.name}.sql`);
      return given === undefined ? [] : sectionFaults(definition, section, given);
    }),
    ...[...columns.keys()].flatMap((file) => fileFaults(checking, file)),
  ];
  return {
    name: definition.name,
    queries: definition.sql.size,
    sections: definition.sections.map((section) => sectionOf(checking, section)),
    faults: found.sort(byPlace),
  };
}

function byPlace(a: ReportFault, b: ReportFault): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

const viewsFile = '_views.sql';

async function describeFiles({ database }: ReportSession, definition: ReportDefinition) {
  const columns = new Map<string, readonly QueryColumn[]>();
  const faults: ReportFault[] = [];
  const params = resolveSetValues(definition, {});
  const views = definition.sql.get(viewsFile);
  const files = [...definition.sql].filter(([file]) => file !== viewsFile);
  const attempt = async (file: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      faults.push(queryFault({ definition, file }, error));
    }
  };
  if (views !== undefined) {
    await attempt(viewsFile, () => database.define(views));
  }
  // what reads a view that could not be made is not at fault itself
  if (faults.length > 0) return { columns, faults };
  for (const [file, sql] of files) {
    await attempt(file, async () => columns.set(file, await database.describe(sql, params)));
  }
  return { columns, faults };
}

function sectionOf({ definition, columns }: Checking, section: SectionDefinition): CheckedSection {
  const given = columns.get(`${section.name}.sql`) ?? [];
  return {
    name: section.name,
    columns: given.map(({ name, type }) => {
      const declared = declaredColumn(name, section, definition);
      const { format = defaultFormat(type), title = titleOf(name) } = declared;
      return { name, type, format, title };
    }),
  };
}

/** The columns that files of sentences and cards need. */
const neededColumns: readonly [RegExp, readonly string[]][] = [
  [/^_basis\.sql$/, ['section', 'text']],
  [/^_(lede|coverage)\.sql$|\.(finding|notes)\.sql$/, ['text']],
  [/^_cards\.sql$/, ['label', 'format', 'value']],
];

function fileFaults(checking: Checking, file: string): ReportFault[] {
  const columns = checking.columns.get(file) ?? [];
  const [, needed = []] = neededColumns.find(([pattern]) => pattern.test(file)) ?? [];
  const lacking = needed.filter((name) => !columns.some((column) => column.name === name));
  const told = `there is no column ${lacking.join(', nor ')}; it has ${namesOf(columns)}`;
  return [
    ...(lacking.length === 0 ? [] : [sqlFault(checking.definition, file, null, told)]),
    ...(needed.includes('text') ? placeholderFaults(checking, file, columns) : []),
  ];
}

/** Placeholders of a file that names no column of its rows, or no format. */
function placeholderFaults(
  checking: Checking,
  file: string,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const sql = checking.definition.sql.get(file) ?? '';
  // a comment may show how a placeholder is written
  const said = sql.replaceAll(/--.*/g, (comment) => ' '.repeat(comment.length));
  return [...said.matchAll(placeholder)].flatMap((match) => {
    const [written, name = '', format] = match;
    const isThere = columns.some((column) => column.name === name);
    const isKnown = format === undefined || format === 'phrase' || isFormat(format);
    if (isThere && isKnown) return [];
    const told = isThere
      ? `${written} has no known format; there is ${columnFormats.join(', ')}`
      : `${written} names a column that is not there`;
    return [sqlFault(checking.definition, file, match.index, told)];
  });
}

function namesOf(columns: readonly QueryColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** A fault of an SQL file. @param offset in UTF-16 units; null: of the whole file */
function sqlFault(
  definition: ReportDefinition,
  file: string,
  offset: number | null,
  message: string,
): ReportFault {
  const path = join(definition.folder, file);
  const before = (definition.sql.get(file) ?? '').slice(0, offset ?? 0);
  const { line, column } = offset === null ? { line: null, column: null } : placeAfter(before);
  return { path, line, column, message };
}
