import { dirname } from 'node:path';
import type { Database } from '../warehouse/database.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { readByGroups } from './grouped-sql.ts';
import {
  type ReportDefinition,
  builtInReports,
  factsFile,
  groupsFile,
  ledBy,
  pricedBy,
  readSharedFile,
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
  written: ReportDefinition,
  set: Readonly<Record<string, string>>,
  work: (report: OpenReport) => Promise<Result>,
): Promise<Result> {
  const params = resolveSetValues(written, set);
  const priced = await pricedBy(written, session.listedPrices);
  const definition = await ledBy(priced, await leadingFigure(session, written));
  return withConnection(session, definition, params, async (database) => {
    // a lake reads its catalog's snapshot once for each transaction
    await database.run('begin transaction');
    const report = { session, database, definition, params, kept: new Map<string, string>() };
    for (const file of [groupsFile, viewsFile]) await defineFile({ ...report, file });
    if (definition.sql.has(factsFile)) await keepRowsAs(factsTable, { ...report, file: factsFile });
    return work(report);
  });
}

/** A row of sql/report/known_figures.sql. */
interface KnownFigure {
  readonly figure: string;
  readonly posts: number | bigint;
  readonly videos: number | bigint;
  /** The number of the posts, or of the videos, that have the figure. */
  readonly known: number | bigint;
  readonly known_of_videos: number | bigint;
}

/**
 * Returns the figure that the whole document leads with: one that chooses its figure has the first of the scorecard that at
 * least half of the period's posts have, else the first that any has. Any other leads with its own, and where no post has
 * that does likewise, from its own figure on.
 */
async function leadingFigure(
  session: ReportSession,
  { figure, groups, covers, chooses_figure: isChosen }: ReportDefinition,
): Promise<string | null> {
  if (figure === null || groups !== null) return figure;
  const ofVideos = covers === 'videos';
  const rows = await session.tables.query<KnownFigure>('report/known_figures');
  const figures = new Map(
    rows.map((row) => [
      row.figure,
      ofVideos
        ? { posts: Number(row.videos), known: Number(row.known_of_videos) }
        : { posts: Number(row.posts), known: Number(row.known) },
    ]),
  );
  const knownOf = (name: string) => figures.get(name) ?? { posts: 0, known: 0 };
  if (knownOf(figure).posts === 0 || (!isChosen && knownOf(figure).known > 0)) return figure;
  const names = Object.keys((await readSharedFile()).figures);
  const own = names.indexOf(figure);
  // that there are posts says something only where nothing is known of them
  const order = [...names.slice(own), ...names.slice(0, own)].filter((name) => name !== 'posts');
  const hasHalf = (name: string) => 2 * knownOf(name).known >= knownOf(name).posts;
  return order.find(hasHalf) ?? order.find((name) => knownOf(name).known > 0) ?? 'posts';
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
    await database.run('set variable _leading = $value', { value: definition.leading });
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
