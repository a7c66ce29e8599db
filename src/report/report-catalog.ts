import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSystemError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import { sqlFolder } from '../warehouse/sql-file.ts';
import type * as DefinitionReader from './definition-file.ts';
import type {
  ColumnDefinition,
  DefinitionFile,
  SharedFile,
  TermDefinition,
} from './definition-schema.ts';
import { parsedYaml } from './parsed-yaml.ts';
import { ReportDefinitionError, type ReportFault } from './report-errors.ts';

/** A report's folder, read and checked as far as that goes without data. */
export interface ReportDefinition
  extends Pick<
    DefinitionFile,
    | 'title'
    | 'description'
    | 'covers'
    | 'compares'
    | 'parameters'
    | 'columns'
    | 'input'
    | 'sections'
  > {
  /** Of the built-in reports' columns, by name. */
  readonly sharedColumns: Readonly<Record<string, ColumnDefinition>>;
  readonly definitions: readonly TermDefinition[];
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** The text of its report.yaml. */
  readonly yaml: string;
  /** The texts of its SQL files by name, for example `by_month.finding.sql`. */
  readonly sql: ReadonlyMap<string, string>;
}

/** The reports that come with the program. */
export const builtInReports = join(dirname(sqlFolder), 'reports');

/** The folder of the user's own reports. @param configFolder the config file's folder */
export function userReports(configFolder: string): string {
  return join(configFolder, 'reports');
}

/** What the folders hold: reports that can be used, and what is wrong with the others. */
export interface ReportCatalog {
  /** By name, sorted. */
  readonly reports: ReadonlyMap<string, ReportDefinition>;
  /** By the absolute path of the report's folder. */
  readonly errors: ReadonlyMap<string, ReportDefinitionError>;
}

/**
 * Every report of the folders, by name, sorted. A folder that is missing holds none; what in it is no folder,
 * begins with a dot or underscore, or has neither SQL nor a report.yaml, is left alone.
 * @param folders the built-in one first; a name that an earlier folder has is refused
 * @throws ReportDefinitionError with every fault of every report
 */
export async function findReports(
  folders: readonly string[],
): Promise<ReadonlyMap<string, ReportDefinition>> {
  const { reports, errors } = await examineReports(folders);
  const faults = [...errors.values()].flatMap((error) => error.faults);
  if (faults.length > 0) throw new ReportDefinitionError(faults);
  return reports;
}

/** The same; a report that is broken does not affect the others. */
export async function examineReports(folders: readonly string[]): Promise<ReportCatalog> {
  const reports = new Map<string, ReportDefinition>();
  const errors = new Map<string, ReportDefinitionError>();
  for (const folder of await distinctFolders(folders)) {
    for (const name of await reportNames(folder)) {
      try {
        const earlier = reports.get(name);
        if (earlier) throw nameTaken(join(folder, name), earlier.folder);
        reports.set(name, await readReport(folder, name));
      } catch (error) {
        if (!(error instanceof ReportDefinitionError)) throw error;
        errors.set(join(folder, name), error);
      }
    }
  }
  return { reports: new Map([...reports].sort(([a], [b]) => (a < b ? -1 : 1))), errors };
}

/**
 * Looks at names alone, so that a job fails before it reads anything.
 * @throws ReportDefinitionError for each report of one's own that has the name of a built-in one
 */
export async function refuseTakenNames(configFolder: string): Promise<void> {
  const [builtIn, own] = await Promise.all(
    [builtInReports, userReports(configFolder)].map(async (folder) => ({
      folder: existsSync(folder) ? await realpath(folder) : folder,
      names: await reportNames(folder),
    })),
  );
  if (!builtIn || !own || builtIn.folder === own.folder) return;
  const faults = own.names
    .filter((name) => builtIn.names.includes(name))
    .flatMap((name) => nameTaken(join(own.folder, name), join(builtIn.folder, name)).faults);
  if (faults.length > 0) throw new ReportDefinitionError(faults);
}

function nameTaken(folder: string, earlier: string): ReportDefinitionError {
  return faultOf(folder, `${earlier} has this name already; rename yours`);
}

function faultOf(path: string, message: string): ReportDefinitionError {
  return new ReportDefinitionError([{ path, line: null, column: null, message }]);
}

/** The program's own folder is also the user's where jobs.yaml is in a checkout of it. */
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

/** One report's folder. @throws ReportDefinitionError with all its faults that show without data */
export async function readReport(parent: string, name: string): Promise<ReportDefinition> {
  const folder = join(parent, name);
  if (!/^[a-z0-9_-]+$/.test(name)) {
    throw faultOf(folder, "a report's name has only a-z, 0-9, _ and -; rename the folder");
  }
  const path = join(folder, 'report.yaml');
  if (!existsSync(path)) {
    throw faultOf(
      folder,
      `there is no report.yaml; write one, or move the folder out of ${parent}`,
    );
  }
  const yaml = await readReportFile(path);
  const file = await parsed<DefinitionFile>(yaml, ({ parseDefinition }) =>
    parseDefinition(yaml, path),
  );
  const sql = await readSqlFiles(folder);
  const faults = folderFaults(file, folder, new Set(sql.keys()));
  if (faults.length > 0) throw new ReportDefinitionError(faults);
  return { name, folder, yaml, sql, ...file, ...(await readShared(file, path)) };
}

/** What a YAML text says: as the build found it, where it is a built-in report's; else it is read. */
async function parsed<Said>(
  text: string,
  parse: (reader: typeof DefinitionReader) => Said,
): Promise<Said> {
  const known = parsedYaml.get(createHash('sha256').update(text).digest('hex'));
  return known === undefined ? parse(await import('./definition-file.ts')) : (known as Said);
}

/** The program's own, so it is read once. */
let shared: Promise<SharedFile> | null = null;

/** What a report takes from reports/shared.yaml. */
interface SharedDefinitions {
  /** By name; of those that the report has, what it says itself comes first. */
  readonly sharedColumns: Readonly<Record<string, ColumnDefinition>>;
  readonly definitions: readonly TermDefinition[];
}

/**
 * The columns and terms that a report shares with others.
 * @param path how errors name the report.yaml
 * @throws ReportDefinitionError for a term that is not shared
 */
async function readShared(file: DefinitionFile, path: string): Promise<SharedDefinitions> {
  shared ??= readFile(join(builtInReports, 'shared.yaml'), 'utf8').then((text) =>
    parsed<SharedFile>(text, ({ parseShared }) => parseShared(text)),
  );
  const { columns, definitions } = await shared;
  return {
    sharedColumns: file.shared_columns ? columnsFor(file, columns) : {},
    definitions: file.definitions.map((term) => {
      if (typeof term !== 'string') return term;
      const found = definitions.find((one) => one.term === term);
      if (found) return found;
      const known = definitions.map((one) => one.term).join(', ');
      const message = `definitions: ${term} is no shared term; give it a text, or use one of ${known}`;
      throw new ReportDefinitionError([{ path, line: null, column: null, message }]);
    }),
  };
}

/** Without the calculations that need an input, where the report has none. */
function columnsFor(
  { input }: DefinitionFile,
  columns: Readonly<Record<string, ColumnDefinition>>,
): Record<string, ColumnDefinition> {
  if (input !== null) return columns;
  return Object.fromEntries(
    Object.entries(columns).map(([name, { calculation, ...column }]) => {
      const needsInput = ['priced', 'recounted', 'as_given'].includes(calculation?.kind ?? '');
      return [name, needsInput || !calculation ? column : { ...column, calculation }];
    }),
  );
}

async function readSqlFiles(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((file) => readReportFile(join(folder, file))));
  return new Map(names.map((file, index) => [file, texts[index] ?? '']));
}

const maxFileBytes = 1_048_576;

/** Only a regular file, or a link to one: reading a device or a pipe may never end. */
async function readReportFile(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw faultOf(path, 'this is no regular file; replace it by one');
    if (found.size > maxFileBytes)
      throw faultOf(path, 'this is larger than 1 MiB, more than a report file may be; shorten it');
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw faultOf(path, `this cannot be read: ${problemText(error)}`);
  }
}

/** Files of a report that belong to no section. */
export const reportFiles = [
  '_views.sql',
  '_cards.sql',
  '_lede.sql',
  '_coverage.sql',
  '_basis.sql',
  '_total.sql',
] as const;

/**
 * What in a report's folder does not fit its report.yaml: each section has its SQL, and no file is there that
 * nothing reads, as a misspelled one would be.
 * @param sql names of the folder's SQL files
 */
function folderFaults(
  file: DefinitionFile,
  folder: string,
  sql: ReadonlySet<string>,
): ReportFault[] {
  const fault = (name: string, message: string): ReportFault => {
    return { path: join(folder, name), line: null, column: null, message };
  };
  const known = new Set<string>([...reportFiles, ...file.sections.flatMap(sectionFiles)]);
  const asksForTotals = file.sections.some((section) => section.total !== null);
  return [
    ...file.sections
      .filter(({ name }) => !sql.has(`${name}.sql`))
      .map(({ name }) => fault(`${name}.sql`, `missing: report.yaml has a section ${name}`)),
    ...[...sql]
      .filter((name) => !known.has(name))
      .map((name) => fault(name, 'belongs to no section of report.yaml; rename or remove it')),
    ...file.sections.flatMap(({ name, chart }) =>
      chart !== null && isMisdrawn(chart.rows, file)
        ? [
            fault(
              'report.yaml',
              `the chart of ${name} draws ${String(chart.rows)}, which is no section of layout data; write one`,
            ),
          ]
        : [],
    ),
    ...(asksForTotals && !sql.has('_total.sql')
      ? [fault('_total.sql', 'missing: report.yaml asks for totals')]
      : []),
  ];
}

function sectionFiles({ name }: { name: string }): string[] {
  return [`${name}.sql`, `${name}.finding.sql`, `${name}.notes.sql`];
}

function isMisdrawn(rows: string | null, { sections }: DefinitionFile): boolean {
  return rows !== null && !sections.some(({ name, layout }) => name === rows && layout === 'data');
}
