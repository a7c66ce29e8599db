import { join } from 'node:path';
import type { WarehouseConfig } from '../config/config.ts';
import { PostledgerError } from '../core/errors.ts';
import { type ColumnFormat, columnFormats, isFormat } from '../languages/number-format.ts';
import { placeholder } from '../languages/phrases.ts';
import { Database, type QueryColumn } from '../warehouse/database.ts';
import { type EngineLimits, engineSettings } from '../warehouse/engine-limits.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { migrate } from '../warehouse/schema.ts';
import { QueryError } from '../warehouse/warehouse-errors.ts';
import { openWarehouse } from '../warehouse/warehouse.ts';
import type { SectionDefinition } from './definition-schema.ts';
import { yamlFaults } from './definition-file.ts';
import { factsTable, withConnection } from './open-report.ts';
import { type ReportDefinition, factsFile, groupsFile, viewsFile } from './report-catalog.ts';
import { type ReportFault, afterText } from './report-errors.ts';
import { allPosts, resolveSetValues, type ReportParameters } from './report-parameters.ts';
import { type ReportConfig, type ReportSession, prepareSession } from './report-session.ts';
import { queryFault } from './section-query.ts';
import { declaredColumn, defaultFormat, sectionFaults, titleOf } from './section-table.ts';

/** The result of checking a report against the warehouse. */
export interface CheckedReport {
  readonly name: string;
  /**
   * The reason why the report was checked against an empty warehouse instead of the configured one. Null if
   * that one could be read.
   */
  readonly fallbackReason: string | null;
  /** The number of the report's SQL files. */
  readonly queries: number;
  readonly sections: readonly CheckedSection[];
  /** All faults, ordered by file, line and column. */
  readonly faults: readonly ReportFault[];
}

interface CheckedSection {
  readonly name: string;
  /** The columns in the SQL's order. Empty if the database refuses the SQL. */
  readonly columns: readonly CheckedColumn[];
}

interface CheckedColumn {
  readonly name: string;
  /** The type as DuckDB writes it, for example `DECIMAL(38,3)`. */
  readonly type: string;
  readonly format: ColumnFormat;
  readonly title: string;
}

/** A report under check with the columns of its SQL files. */
interface CheckContext {
  readonly definition: ReportDefinition;
  /** The columns of each SQL file that the database accepts. */
  readonly columns: ReadonlyMap<string, readonly QueryColumn[]>;
}

/** Parameters that select no post. The check needs no rows, and there may be many. */
const noPosts: ReportParameters = { ...allPosts, scope: [] };

/**
 * Opens a session for checks. If the warehouse cannot be read, it has an empty one with the same schema.
 * @param limits the resource limits of the database
 */
export async function openCheck(
  config: ReportConfig,
  limits?: EngineLimits,
): Promise<ReportSession> {
  const { database, fallbackReason } = await openOrMake(config.warehouse, limits);
  return { ...(await prepareSession(database, config, noPosts)), fallbackReason };
}

async function openOrMake(warehouse: WarehouseConfig, limits: EngineLimits | undefined) {
  try {
    return { database: await openWarehouse(warehouse, { limits }), fallbackReason: null };
  } catch (error) {
    if (!(error instanceof PostledgerError)) throw error;
    return { database: await openEmptyWarehouse(limits), fallbackReason: error.message };
  }
}

/** Makes a warehouse without rows in memory. */
export async function openEmptyWarehouse(limits?: EngineLimits): Promise<Database> {
  const settings = limits && engineSettings(limits);
  const database = await Database.open(':memory:', 'READ_WRITE', settings);
  if (limits) database.interruptOn(limits.signal);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Has the database prepare each SQL file with default parameters, and checks that report.yaml and the
 * sentences name only columns that exist. Only `_groups.sql` and `_views.sql` are run, on no rows.
 */
export async function checkReport(
  session: ReportSession,
  definition: ReportDefinition,
): Promise<CheckedReport> {
  const params = resolveSetValues(definition, {});
  const { columns, faults } = await withConnection(session, definition, params, (database) =>
    describeFiles(definition, params, database),
  );
  const context = { definition, columns };
  const found = [
    ...faults,
    ...definition.sections.flatMap((section) => {
      const given = columns.get(`${section.name}.sql`);
      if (given === undefined) return [];
      return sectionFaults(definition, section, given);
    }),
    ...[...columns.keys()].flatMap((file) => fileFaults(context, file)),
    ...(faults.length === 0 ? textFaults(context) : []),
  ];
  return {
    name: definition.name,
    fallbackReason: session.fallbackReason,
    queries: definition.sql.size,
    sections: definition.sections.map((section) => sectionOf(context, section)),
    faults: found.sort(byLocation),
  };
}

function byLocation(a: ReportFault, b: ReportFault): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

async function describeFiles(definition: ReportDefinition, params: Parameters, database: Database) {
  const columns = new Map<string, readonly QueryColumn[]>();
  const faults: ReportFault[] = [];
  const shared: string[] = [groupsFile, viewsFile, factsFile];
  const files = [...definition.sql].filter(([file]) => !shared.includes(file));
  const attempt = async (file: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      faults.push(queryFault({ definition, file }, error));
    }
  };
  for (const file of [groupsFile, viewsFile]) {
    await attempt(file, () => database.define(definition.sql.get(file) ?? '', params));
  }
  const facts = definition.sql.get(factsFile);
  if (facts !== undefined && faults.length === 0) {
    await attempt(factsFile, async () => {
      columns.set(factsFile, await database.describe(facts, params));
      await database.define(`create or replace temp table ${factsTable} as ${facts}`, params);
    });
  }
  // files that read a view are not at fault if the view could not be created
  if (faults.length > 0) return { columns, faults };
  for (const [file, sql] of files) {
    await attempt(file, async () => columns.set(file, await database.describe(sql, params)));
  }
  return { columns, faults };
}

function sectionOf(
  { definition, columns }: CheckContext,
  section: SectionDefinition,
): CheckedSection {
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

/** The columns that files without columns of their own choice must have. */
const neededColumns: readonly [RegExp, readonly string[]][] = [
  [/^_basis\.sql$/, ['section', 'text']],
  [/^_(lede|coverage)\.sql$|\.(finding|notes)\.sql$/, ['text']],
  [/^_cards\.sql$/, ['label', 'format', 'value']],
  [/\.posts\.sql$/, ['workspace', 'linkedin_post_id']],
];

function fileFaults(context: CheckContext, file: string): ReportFault[] {
  const columns = context.columns.get(file) ?? [];
  const [, needed = []] = neededColumns.find(([pattern]) => pattern.test(file)) ?? [];
  const lacking = needed.filter((name) => !columns.some((column) => column.name === name));
  const message = `there is no column ${lacking.join(', nor ')}; it has ${namesOf(columns)}`;
  return [
    ...(lacking.length === 0 ? [] : [sqlFault(context.definition, file, null, message)]),
    ...(needed.includes('text') ? placeholderFaults(context, file, columns) : []),
  ];
}

/** Finds placeholders of a file that name a missing column or an unknown format. */
function placeholderFaults(
  { definition }: CheckContext,
  file: string,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const sql = definition.sql.get(file) ?? '';
  // a comment may contain an example of a placeholder
  const said = sql.replaceAll(/--.*/g, (comment) => ' '.repeat(comment.length));
  return placeholderProblems(said, columns).map(({ index, message }) =>
    sqlFault(definition, file, index, message),
  );
}

function placeholderProblems(said: string, columns: readonly Pick<QueryColumn, 'name'>[]) {
  return [...said.matchAll(placeholder)].flatMap(({ 0: written, 1: name, 2: format, index }) => {
    const isThere = columns.some((column) => column.name === name);
    const isKnown = format === undefined || format === 'phrase' || isFormat(format);
    if (isThere && isKnown) return [];
    const message = isThere
      ? `${written} has an unknown format; the formats are ${columnFormats.join(', ')}`
      : `${written} names a column that does not exist`;
    return [{ index, message }];
  });
}

/** Finds the same in the texts of report.yaml, which `_facts.sql` fills in. */
function textFaults({ definition, columns }: CheckContext): ReportFault[] {
  const facts = [...(columns.get(factsFile) ?? []), { name: 'rows' }];
  const problems = definition.sections.flatMap(({ index, basis, notes }) =>
    [
      { key: ['basis'], text: basis ?? '' },
      ...notes.map((text, at) => ({ key: ['notes', at], text })),
    ].flatMap(({ key, text }) =>
      placeholderProblems(text, facts).map(({ message }) => ({
        keyPath: ['sections', index, ...key],
        message,
      })),
    ),
  );
  return yamlFaults(definition, problems);
}

function namesOf(columns: readonly QueryColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/**
 * Builds a fault of an SQL file.
 * @param offset in UTF-16 units; null if it concerns the whole file
 */
function sqlFault(
  definition: ReportDefinition,
  file: string,
  offset: number | null,
  message: string,
): ReportFault {
  const path = join(definition.folder, file);
  const before = (definition.sql.get(file) ?? '').slice(0, offset ?? 0);
  const { line, column } = offset === null ? { line: null, column: null } : afterText(before);
  return { path, line, column, message };
}
