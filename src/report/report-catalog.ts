import { existsSync } from 'node:fs';
import { readFile, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sqlFolder } from '../warehouse/sql-file.ts';
import { parseDefinition } from './definition-file.ts';
import { namePattern } from './chart-schema.ts';
import type { DefinitionFile } from './definition-schema.ts';
import { ReportDefinitionError } from './report-errors.ts';

/** A report's folder, read and checked as far as that goes without data. */
export interface ReportDefinition
  extends Pick<
    DefinitionFile,
    | 'title'
    | 'description'
    | 'covers'
    | 'parameters'
    | 'columns'
    | 'input'
    | 'sections'
    | 'definitions'
  > {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** The texts of its SQL files by name, for example `by_month.finding.sql`. */
  readonly sql: ReadonlyMap<string, string>;
}

/** The reports that come with the program. */
export const builtInReports = join(dirname(sqlFolder), 'reports');

/** The folder of the user's own reports. @param configFolder the config file's folder */
export function userReports(configFolder: string): string {
  return join(configFolder, 'reports');
}

/**
 * Every report of the folders, by name, sorted. A folder that is missing holds none; what in it is no folder,
 * begins with a dot or underscore, or has neither SQL nor a report.yaml, is left alone.
 * @param folders the built-in one first; a name that an earlier folder has is refused
 * @throws ReportDefinitionError
 */
export async function findReports(
  folders: readonly string[],
): Promise<ReadonlyMap<string, ReportDefinition>> {
  const reports = new Map<string, ReportDefinition>();
  for (const folder of await distinctFolders(folders)) {
    for (const name of await reportNames(folder)) {
      const earlier = reports.get(name);
      if (earlier) {
        throw new ReportDefinitionError(
          `${join(folder, name)}: ${earlier.folder} has this name already; rename yours`,
        );
      }
      reports.set(name, await readReport(folder, name));
    }
  }
  return new Map([...reports].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The program's own folder is also the user's where jobs.yaml stands in a checkout of it. */
async function distinctFolders(folders: readonly string[]): Promise<Set<string>> {
  const present = folders.filter((folder) => existsSync(folder));
  return new Set(await Promise.all(present.map((folder) => realpath(folder))));
}

/** Names of the folders' reports, sorted, without reading them: a report that is broken has a name, too. */
export async function listReportNames(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map(reportNames));
  return [...new Set(names.flat())].sort();
}

async function reportNames(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && !/^[._]/.test(entry.name))
    .map((entry) => entry.name);
  const areReports = await Promise.all(names.map((name) => looksLikeReport(join(folder, name))));
  return names.filter((_, index) => areReports[index]).sort();
}

/** A folder without SQL and report.yaml is something else, such as what a report was written to. */
async function looksLikeReport(folder: string): Promise<boolean> {
  const files = await readdir(folder);
  return files.some((file) => file === 'report.yaml' || file.endsWith('.sql'));
}

async function readReport(parent: string, name: string): Promise<ReportDefinition> {
  const folder = join(parent, name);
  if (!namePattern.test(name)) {
    throw new ReportDefinitionError(
      `${folder}: a report's name has only a-z, 0-9, _ and -; rename the folder`,
    );
  }
  const path = join(folder, 'report.yaml');
  if (!existsSync(path)) {
    throw new ReportDefinitionError(
      `${folder}: there is no report.yaml; write one, or move the folder out of ${parent}`,
    );
  }
  const file = parseDefinition(await readFile(path, 'utf8'), path);
  const sql = await readSqlFiles(folder);
  checkFiles(file, folder, sql);
  return { name, folder, sql, ...file };
}

async function readSqlFiles(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((file) => readFile(join(folder, file), 'utf8')));
  return new Map(names.map((file, index) => [file, texts[index] ?? '']));
}

const reportFiles = [
  '_views.sql',
  '_cards.sql',
  '_lede.sql',
  '_coverage.sql',
  '_basis.sql',
  '_total.sql',
];

/** Each section has its SQL, and no file is there that nothing reads, as a misspelled one would be. */
function checkFiles(file: DefinitionFile, folder: string, sql: ReadonlyMap<string, string>): void {
  const sections = file.sections.map((section) => section.name);
  const missing = sections.find((section) => !sql.has(`${section}.sql`));
  if (missing !== undefined) {
    throw new ReportDefinitionError(
      `${join(folder, `${missing}.sql`)} is missing: report.yaml has a section ${missing}`,
    );
  }
  const known = new Set([
    ...reportFiles,
    ...sections.flatMap((section) => [
      `${section}.sql`,
      `${section}.finding.sql`,
      `${section}.notes.sql`,
    ]),
  ]);
  const stray = [...sql.keys()].find((name) => !known.has(name));
  if (stray !== undefined) {
    throw new ReportDefinitionError(
      `${join(folder, stray)} belongs to no section of report.yaml; rename or remove it`,
    );
  }
  const drawn = file.sections.find(({ chart }) => isMisdrawn(chart?.rows ?? null, file));
  if (drawn?.chart) {
    throw new ReportDefinitionError(
      `${join(folder, 'report.yaml')}: the chart of ${drawn.name} draws ${String(drawn.chart.rows)}, which is no section of layout data; write one`,
    );
  }
  if (file.sections.some((section) => section.total !== null) && !sql.has('_total.sql')) {
    throw new ReportDefinitionError(
      `${join(folder, '_total.sql')} is missing: report.yaml asks for totals`,
    );
  }
}

function isMisdrawn(rows: string | null, { sections }: DefinitionFile): boolean {
  return rows !== null && !sections.some(({ name, layout }) => name === rows && layout === 'data');
}
