import { dirname } from 'node:path';
import type { Database } from '../warehouse/database.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { readByGroups } from './grouped-sql.ts';
import {
  type ReportDefinition,
  builtInReports,
  factsFile,
  groupsFile,
  viewsFile,
} from './report-catalog.ts';
import { resolveSetValues } from './report-parameters.ts';
import type { ReportSession } from './report-session.ts';
import { type SectionQuery, defineFile, keepRowsAs } from './section-query.ts';
import { readsOf } from './session-tables.ts';

/** A report whose tables are made: temporary ones of a connection, which is closed after the report. */
export interface OpenReport extends Omit<SectionQuery, 'file'> {
  readonly session: ReportSession;
}

/** The table of the row of `_facts.sql`, which the report's other files may read. */
export const factsTable = 'report_facts';

/**
 * Makes the views and tables that a report's sections share, and does `work` with them.
 * @param set the values of the report's own parameters, from `--set`
 * @throws ReportQueryError, UsageError
 */
export async function withReport<Result>(
  session: ReportSession,
  definition: ReportDefinition,
  set: Readonly<Record<string, string>>,
  work: (report: OpenReport) => Promise<Result>,
): Promise<Result> {
  const params = resolveSetValues(definition, set);
  return withConnection(session, definition, params, async (database) => {
    // a lake reads its catalog's snapshot once for each transaction
    await database.run('begin transaction');
    const report = { session, database, definition, params, kept: new Map<string, string>() };
    for (const file of [groupsFile, viewsFile]) await defineFile({ ...report, file });
    if (definition.sql.has(factsFile)) await keepRowsAs(factsTable, { ...report, file: factsFile });
    return work(report);
  });
}

/**
 * Connects to the session for one report.
 * @param params the report's own; views read them as `getvariable('name')`, since only statements that run at once have `$name`
 */
export async function withConnection<Result>(
  session: ReportSession,
  definition: ReportDefinition,
  params: Parameters,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  await session.tables.make(tablesRead(definition));
  const database = await session.tables.connect();
  try {
    for (const [name, value] of Object.entries(params))
      await database.run(`set variable ${name} = $value`, { value });
    return await work(database);
  } finally {
    database.close();
  }
}

/** Returns what a report's SQL reads of the session. A user's file need not say it, so any word in it may be a name. */
function tablesRead({ folder, sql, made }: ReportDefinition): string[] {
  const files = [...sql].filter(([file]) => !made.has(file)).map(([, text]) => text);
  const isBuiltIn = dirname(folder) === builtInReports;
  const named = files.flatMap((text) =>
    isBuiltIn ? readsOf(text) : (text.toLowerCase().match(/\w+/g) ?? []),
  );
  return [...named, ...(made.size > 0 ? readByGroups : [])];
}
