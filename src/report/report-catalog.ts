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
  SectionDefinition,
  SharedFile,
  TermDefinition,
} from './definition-schema.ts';
import { writeOut } from './written-out.ts';
import { ReportDefinitionError, type ReportFault } from './report-errors.ts';

/** A report's folder, read and checked as far as possible without data. */
export interface ReportDefinition extends Omit<
  DefinitionFile,
  'description' | 'sections' | 'definitions'
> {
  readonly sections: readonly SectionDefinition[];
  /** The columns that the report shares with the built-in reports, by name. */
  readonly sharedColumns: Readonly<Record<string, ColumnDefinition>>;
  readonly definitions: readonly TermDefinition[];
  readonly name: string;
  readonly description: string;
  /** The absolute path. */
  readonly folder: string;
  /** The text of report.yaml. */
  readonly yaml: string;
  /** The texts of the SQL files by name, for example `by_month.finding.sql`, and the SQL that follows from dimensions. */
  readonly sql: ReadonlyMap<string, string>;
  /** The names of the SQL that follows, of which there are no files. */
  readonly made: ReadonlySet<string>;
  /** The sections as report.yaml has them. */
  readonly written: DefinitionFile['sections'];
  /** The figure that the document leads with: `figure`, unless the data decide otherwise. */
  readonly leading: string | null;
}

/** The reports that come with the program. */
export const builtInReports = join(dirname(sqlFolder), 'reports');

/**
 * Returns the folder of the user's own reports.
 * @param configFolder the config file's folder
 */
export function userReports(configFolder: string): string {
  return join(configFolder, 'reports');
}

/** The content of report folders: usable reports, and the faults of the others. */
export interface ReportCatalog {
  /** The usable reports: the one that is first, the others by name, and last the internal ones. */
  readonly reports: ReadonlyMap<string, ReportDefinition>;
  /** The faults by the absolute path of the report's folder. */
  readonly errors: ReadonlyMap<string, ReportDefinitionError>;
}

/**
 * Reads every report of the folders, sorted by name. A missing folder counts as empty. Entries are ignored
 * that are no folder, begin with a dot or underscore, or have neither SQL nor a report.yaml.
 * @param folders the built-in folder first; a name that an earlier folder has is refused
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

/** Does the same, but a broken report does not affect the others. */
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
  const sorted = [...reports].sort(
    ([, a], [, b]) => orderInLists(a) - orderInLists(b) || (a.name < b.name ? -1 : 1),
  );
  return { reports: new Map(sorted), errors };
}

function orderInLists({ first, internal }: ReportDefinition): number {
  if (first) return 0;
  return internal ? 2 : 1;
}

/**
 * Checks names only, so that a job fails before it reads anything.
 * @throws ReportDefinitionError for each user report that has the name of a built-in one
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

/** Removes duplicates: in a checkout of the program, its own folder is also the user's. */
async function distinctFolders(folders: readonly string[]): Promise<Set<string>> {
  const present = folders.filter((folder) => existsSync(folder));
  return new Set(await Promise.all(present.map((folder) => realpath(folder))));
}

/**
 * Returns the sorted names of the folders' reports without reading them, so that broken reports are included.
 */
export async function listReportNames(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map(reportNames));
  return [...new Set(names.flat())].sort();
}

/** Reads the names of the sections of the folders' reports. A broken report has none, and is not in it. */
export async function readSectionNames(
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { reports } = await examineReports(folders);
  return new Map(
    [...reports].map(([name, { sections }]) => [name, sections.map((section) => section.name)]),
  );
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

/**
 * Returns true for a folder with SQL or a report.yaml. Any other folder is something else, such as an output
 * folder.
 */
async function looksLikeReport(folder: string): Promise<boolean> {
  const files = await readdir(folder);
  return files.some((file) => file === 'report.yaml' || file.endsWith('.sql'));
}

/**
 * Reads one report's folder.
 * @throws ReportDefinitionError with all faults that are visible without data
 */
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
  const shared = await readSharedFile();
  const { sections, sql: made, problems } = writeOut(file, shared);
  if (problems.length > 0) {
    const { yamlFaults } = await import('./definition-file.ts');
    throw new ReportDefinitionError(yamlFaults({ folder, yaml }, problems));
  }
  const own = await readSqlFiles(folder);
  const sql = new Map([...made, ...own]);
  const faults = folderFaults({ ...file, sections }, folder, new Set(sql.keys()), own);
  if (faults.length > 0) throw new ReportDefinitionError(faults);
  const followed = new Set([...made.keys()].filter((key) => !own.has(key)));
  const used = sharedBy(file, shared, path);
  const { title, description = title } = file;
  const leads = { written: file.sections, leading: file.figure };
  return {
    name,
    folder,
    yaml,
    ...file,
    description,
    sections,
    sql,
    made: followed,
    ...leads,
    ...used,
  };
}

/** Returns the definition as it is where the document leads with another figure than the report's own. */
export async function ledBy(
  definition: ReportDefinition,
  leading: string | null,
): Promise<ReportDefinition> {
  if (leading === definition.leading) return definition;
  return writtenAgain(definition, leading);
}

/** Writes the sections by a dimension out again. */
async function writtenAgain(
  definition: ReportDefinition,
  leading: string | null,
): Promise<ReportDefinition> {
  const { written, made } = definition;
  const out = writeOut({ ...definition, sections: written }, await readSharedFile(), leading);
  const sections = out.sections.filter(({ name }) =>
    definition.sections.some((section) => section.name === name),
  );
  const sql = [...definition.sql].map(([file, text]): [string, string] => [
    file,
    (made.has(file) ? out.sql.get(file) : undefined) ?? text,
  ]);
  return { ...definition, sections, sql: new Map(sql), leading };
}

/**
 * Returns the definition as it is where price lists price more than impressions: what the workbook prices again has the counts of
 * all that is priced, and EMV for 1,000 impressions is not called a CPM.
 * @param prices what the lists price, by the names of price lists
 */
export async function pricedBy(
  definition: ReportDefinition,
  prices: readonly string[],
): Promise<ReportDefinition> {
  if (prices.every((name) => name === 'impressions')) return definition;
  const { definitions: terms, columns: shared } = await readSharedFile();
  const counts =
    definition.what_if.length === 0
      ? []
      : prices.filter((name) => !definition.shows.includes(name));
  const hidden = Object.fromEntries(counts.map((name) => [name, { html: false, primary: false }]));
  const renamed = (columns: Readonly<Record<string, ColumnDefinition>>) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => {
        const title = column.title === undefined ? undefined : shared[`priced_${name}`]?.title;
        return [name, { ...column, ...(title !== undefined && { title }) }];
      }),
    );
  const written = definition.written.map((section) => ({
    ...section,
    columns: renamed(section.columns),
  }));
  const changed = {
    ...definition,
    written,
    sections: definition.sections.map((section) => ({
      ...section,
      columns: renamed(section.columns),
    })),
    sharedColumns: renamed(definition.sharedColumns),
    columns: { ...hidden, ...renamed(definition.columns) },
    definitions: definition.definitions.map(({ term, text }) => {
      const priced = terms.find((each) => each.term === pricedTerms.get(term));
      return { term: term === 'EMV' ? term : (priced?.term ?? term), text: priced?.text ?? text };
    }),
    shows: [...definition.shows, ...counts],
  };
  return counts.length === 0 ? changed : writtenAgain(changed, definition.leading);
}

/** The shared definitions that take the place of others where price lists price more than impressions. */
const pricedTerms: ReadonlyMap<string, string> = new Map([
  ['EMV', 'EMV by a price list'],
  ['CPM used', 'EMV per 1,000 impressions'],
]);

/** Returns the content of a YAML text, which is parsed once; the build has already parsed the built-in reports. */
async function parsed<Said>(
  text: string,
  parse: (reader: typeof DefinitionReader) => Said,
): Promise<Said> {
  const { parsedYaml } = await import('./parsed-yaml.ts');
  const hash = createHash('sha256').update(text).digest('hex');
  const known = parsedYaml.get(hash) as Said | undefined;
  if (known !== undefined) return known;
  const content = parse(await import('./definition-file.ts'));
  parsedYaml.set(hash, content);
  return content;
}

let shared: Promise<SharedFile> | null = null;

/** Reads reports/shared.yaml, which belongs to the program, once. */
export function readSharedFile(): Promise<SharedFile> {
  return (shared ??= readFile(join(builtInReports, 'shared.yaml'), 'utf8').then((text) =>
    parsed<SharedFile>(text, ({ parseShared }) => parseShared(text)),
  ));
}

/**
 * Returns the columns, of which the report's own definitions take precedence, and the terms that a report shares with others.
 * @param path the path of report.yaml, as errors name it
 * @throws ReportDefinitionError for a term that is not shared
 */
function sharedBy(
  file: DefinitionFile,
  { columns, definitions }: SharedFile,
  path: string,
): Pick<ReportDefinition, 'sharedColumns' | 'definitions'> {
  return {
    sharedColumns: file.shared_columns || file.figure !== null ? columns : {},
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

async function readSqlFiles(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((file) => readReportFile(join(folder, file))));
  return new Map(names.map((file, index) => [file, texts[index] ?? '']));
}

const maxFileBytes = 1_048_576;

/** Accepts only a regular file or a link to one: reading a device or a pipe may never end. */
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

/** The tables that the sections by a dimension share. */
export const groupsFile = '_groups.sql';
/** The views and tables that the sections share. */
export const viewsFile = '_views.sql';
/** One row, the table `report_facts`: what the texts of report.yaml are filled from. */
export const factsFile = '_facts.sql';

/** The files of a report that belong to no section. */
export const reportFiles = [
  groupsFile,
  viewsFile,
  factsFile,
  '_cards.sql',
  '_lede.sql',
  '_coverage.sql',
  '_basis.sql',
  '_total.sql',
] as const;

/**
 * Returns the faults in a report's folder against its report.yaml. Each section must have its SQL, and each
 * file must be used, so that misspelled names are noticed.
 * @param sql the names of all SQL that the report has
 * @param own the folder's SQL files by name
 */
function folderFaults(
  file: Pick<ReportDefinition, 'sections' | 'what_if'>,
  folder: string,
  sql: ReadonlySet<string>,
  own: ReadonlyMap<string, string>,
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
    ...[...own.keys()]
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
    ...file.what_if
      .filter((name) => !file.sections.some((one) => one.name === name && one.total !== null))
      .map((name) =>
        fault('report.yaml', `what_if: ${name} is no section with a total; name one that is`),
      ),
    ...(asksForTotals && !sql.has('_total.sql')
      ? [fault('_total.sql', 'missing: report.yaml asks for totals')]
      : []),
  ];
}

function sectionFiles({ name }: { name: string }): string[] {
  return [`${name}.sql`, `${name}.finding.sql`, `${name}.notes.sql`, `${name}.posts.sql`];
}

function isMisdrawn(
  rows: string | null,
  { sections }: Pick<ReportDefinition, 'sections'>,
): boolean {
  return rows !== null && !sections.some(({ name, layout }) => name === rows && layout === 'data');
}
