import { join } from 'node:path';
import type { Cell, Formatter, Precision } from '../languages/number-format.ts';
import type { Language } from '../languages/phrases.ts';
import type { SectionDefinition } from './definition-schema.ts';
import type { OpenReport } from './open-report.ts';
import { type ReportDefinition, factsFile, viewsFile } from './report-catalog.ts';
import {
  type DataSection,
  type ReportSection,
  type ReportTable,
  chartTable,
} from './report-document.ts';
import type { ReportSession } from './report-session.ts';
import { pairsOf, type PrintedFigures } from './precision.ts';
import { RowPosts } from './row-posts.ts';
import type { QueryResult } from '../warehouse/database.ts';
import { type SectionQuery, countRows, keepRows, runSectionQuery } from './section-query.ts';
import { fittedCell, sectionLed, sectionTable } from './section-table.ts';
import { fillSentence, fillText, readSentenceRows, readSentences } from './sentences.ts';

/** The parts of a document that only some formats need. */
export interface DocumentContents {
  /** The posts behind each row, which only pages show. */
  readonly rowPosts: boolean;
  /**
   * The most rows that any format takes of a section that lists posts. Data files get all from the database, and mails
   * do not show them: `fewRows` is enough for both.
   */
  readonly listRows: number;
  /** True if data files of the same rows follow, so that the other sections' rows are kept. */
  readonly keepsRows?: boolean;
  /** False for a document of data files, which have the rows themselves: it has no sections and no cards. */
  readonly sections?: boolean;
  /** The decimals that its reader finds in the documents beside it. By default the document has those that it needs. */
  readonly precision?: Precision | undefined;
}

/** The number of rows of a list that is enough to tell none, one and many apart. */
export const fewRows = 2;

/** A report that is being built. */
export interface Build {
  readonly report: OpenReport;
  readonly session: ReportSession;
  readonly definition: ReportDefinition;
  readonly language: Language;
  readonly formatter: Formatter;
  readonly contents: DocumentContents;
  /** Returns the query of one of the report's files. Null if the report has no such file. */
  readonly query: (file: string) => SectionQuery | null;
}

export async function buildSections(
  build: Build,
  definitions: readonly SectionDefinition[],
): Promise<DataSection[]> {
  const bases = new Map([
    ...(await sentencesBySection(build, '_basis.made.sql')),
    ...(await sentencesBySection(build, '_basis.sql')),
  ]);
  const totals = await readRow(build, '_total.sql');
  const facts = await readRow(build, factsFile);
  const { say } = build.formatter;
  const path = join(build.definition.folder, 'report.yaml');
  // common traits of posts are no finding while some posts are not known
  const isOfReadings = build.definition.covers === 'readings';
  const isSure = build.session.isComplete || isOfReadings;
  const findings = await sentencesBySection(build, '_findings.made.sql');
  const madeNotes = await sentencesBySection(build, '_notes.made.sql');
  const { overYear } = build.session;
  const posts = build.contents.rowPosts ? await RowPosts.start(build.report) : null;
  const sections: DataSection[] = [];
  for (const declared of definitions) {
    const { section, result, rowCount, table, isLeftOut } = await readSection(build, declared);
    const rowPosts = posts && !isLeftOut ? await posts.find(section, result) : null;
    const own = build.query(`${section.name}.finding.sql`);
    const isReadable = own === null || isOfReadings || !readsUnreadable(build, own.file);
    const found = own ? await readSentences(own, build.formatter) : findings.get(section.name);
    const rows = new Map([...facts, ['rows', rowCount ?? result.rows.length]]);
    const filledIn = (text: string) => fillText(text, rows, build.formatter, path);
    const notes = [
      ...section.notes.flatMap((note) => filledIn(note) ?? []),
      ...(await sentences(build, `${section.name}.notes.sql`)),
      ...(madeNotes.get(section.name) ?? []),
    ];
    sections.push({
      ...table,
      ...(rowCount !== null && { rowCount }),
      name: section.name,
      title: say(section.title, section.words),
      finding: isSure && isReadable ? (found?.[0] ?? null) : null,
      description: say(section.description, {
        ...section.words,
        over: '',
        ...(section.grain === 'over year' && overYear),
        figure: section.figure,
      }),
      basis:
        (section.basis === null ? bases.get(section.name)?.[0] : filledIn(section.basis)) ?? null,
      layout: section.layout,
      isAppendix: section.appendix || section.layout === 'data',
      empty: section.empty && say(section.empty),
      key: section.key,
      sortedBy: section.sorted_by,
      total: totalOf(table, section.total && say(section.total), totals),
      chart: section.chart,
      notes,
      ...(rowPosts && { rowPosts }),
      ...(isLeftOut && { isLeftOut }),
      ...(isOfOne(section, result) && { isLeftOut: true, isOfOne: true }),
    });
  }
  return sections.map((section) =>
    saysNothing(section, sections)
      ? { ...section, isLeftOut: true, chart: null, finding: null }
      : section,
  );
}

/**
 * Reads the figures that tables print beside each other, and the sums of those that list figures. Their rows are kept, so that
 * no SQL runs twice.
 * @param isCompared false: no table has changes
 */
export async function readTables(
  build: Omit<Build, 'contents'>,
  isCompared: boolean,
): Promise<PrintedFigures[]> {
  const { session, definition, language } = build;
  const names = { ...session, language };
  const totals = isCompared ? await readRow(build, '_total.sql') : new Map<string, Cell>();
  const tables: PrintedFigures[] = [];
  for (const section of sectionsAt(definition.sections, session)) {
    const query = build.query(`${section.name}.sql`);
    const isList = section.layout === 'figures';
    if (query === null || !(isList || (isCompared && section.layout === 'table'))) continue;
    await keepRows(query);
    const table = sectionTable(await runSectionQuery(query), section, query, names);
    const total = section.total === null ? null : totalOf(table, section.total, totals);
    const sums = table.rows.flatMap((row) =>
      row.flatMap((cell, at) =>
        isList && table.columns[at]?.format === 'money' && typeof cell === 'number' ? [cell] : [],
      ),
    );
    tables.push({ pairs: pairsOf(table, total?.cells ?? null), sums });
  }
  return tables;
}

/** Tells whether a file, or what it reads of the report's own views, names a figure that could not be read of some posts. */
function readsUnreadable({ session, definition }: Build, file: string): boolean {
  const { unreadableFigures: patterns } = session;
  if (patterns.length === 0) return false;
  const sqlOf = (name: string) => (definition.sql.get(name) ?? '').replace(/--.*/g, '');
  const read = textsRead(sqlOf(file), sqlOf(viewsFile)).join('\n');
  return patterns.some((pattern) => pattern.test(read));
}

/** Returns a text and the statements of a script that make what it names, or what these name. */
function textsRead(text: string, script: string): string[] {
  const waiting = script.split(/^(?=create or replace )/m);
  const texts = [text];
  for (const one of texts) {
    const words = new Set(one.toLowerCase().match(/\w+/g));
    const named = waiting.filter((statement) => words.has(madeBy(statement)));
    texts.push(...named.filter((statement) => !texts.includes(statement)));
  }
  return texts;
}

function madeBy(statement: string): string {
  return /^create or replace (?:temp )?(?:table|view|macro) (\w+)/.exec(statement)?.[1] ?? '';
}

/**
 * Tells whether all rows of a section that compares are of one profile, or whatever else it compares, or of the posts that
 * have no campaign, label or hashtag.
 */
function isOfOne({ several, key }: SectionDefinition, { columns, rows }: QueryResult): boolean {
  return columns.some(({ name }, at) => {
    const [one, ...others] = new Set(rows.map((row) => row[at]));
    const isOne = rows.length > 0 && others.length === 0;
    return isOne && (name === several || (key.includes(name) && one === '(none)'));
  });
}

/** The part of a heat map's cells that must have enough posts for a colour, or there is no map. */
const leastColored = 0.1;

/** Tells whether a section's heat map would have hardly any colour. */
function saysNothing(section: ReportSection, sections: readonly ReportSection[]): boolean {
  if (section.chart?.kind !== 'heatmap') return false;
  const { columns, rows } = chartTable(section, { sections });
  const { value, n, minimum } = section.chart;
  const [known, counted] = [value, n].map((own) => columns.findIndex(({ name }) => name === own));
  const colored = rows.filter(
    (row) => (row[known ?? -1] ?? null) !== null && Number(row[counted ?? -1]) >= minimum,
  );
  return colored.length < leastColored * rows.length || colored.length === 0;
}

/** Reads a section's rows, and what it is where its main figure is not known. */
async function readSection(
  { query, language, session, contents, definition }: Build,
  declared: SectionDefinition,
) {
  const found = query(`${declared.name}.sql`);
  if (found === null) throw new RangeError(`no SQL for the section ${declared.name}`);
  const { result, rowCount } = await readRows(found, declared, contents);
  const shown = sectionLed(declared, definition, result);
  const section = shown ?? declared;
  const table = sectionTable(result, section, found, { ...session, language });
  return { section, result, rowCount, table, isLeftOut: shown === null };
}

/** Reads a section's rows, as many as the formats take. A list of posts may not fit into memory. */
async function readRows(
  query: SectionQuery,
  { layout }: SectionDefinition,
  { listRows, keepsRows }: DocumentContents,
) {
  const isLong = layout === 'posts' || layout === 'data';
  if (keepsRows === true && !isLong && layout !== 'sentences') await keepRows(query);
  // a chart draws all of its data
  const isWhole = !isLong || listRows === Infinity || (layout === 'data' && listRows > fewRows);
  const result = await runSectionQuery(query, isWhole ? null : listRows);
  const isCut = !isWhole && result.rows.length === listRows;
  const count = isCut ? await countRows(query) : result.rows.length;
  return { result, rowCount: count > result.rows.length ? count : null };
}

/**
 * Returns the sections that a report has at the grain of time which fits its period. One by month stands behind the one
 * of that grain. A period of a month or two has sections about the 12 months up to its end, too.
 */
export function sectionsAt(
  sections: readonly SectionDefinition[],
  { fittingGrain, overYear }: Pick<ReportSession, 'fittingGrain' | 'overYear'>,
): SectionDefinition[] {
  const grains = [null, 'month', fittingGrain, ...(overYear === null ? [] : ['over year'])];
  return sections
    .filter(({ grain }) => grains.includes(grain))
    .map((section) => ({
      ...section,
      ...(section.grain === 'month' && fittingGrain !== 'month' && { appendix: true }),
    }));
}

/** Returns the sentences of a file on several sections, by its column `section`. */
async function sentencesBySection(
  build: Build,
  file: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const query = build.query(file);
  const said = new Map<string, string[]>();
  if (query === null) return said;
  for (const { sentence, values } of await readSentenceRows(query, build.formatter)) {
    const section = String(values.get('section'));
    said.set(section, [...(said.get(section) ?? []), ...(sentence === null ? [] : [sentence])]);
  }
  return said;
}

/** Returns the row of `_total.sql` or `_facts.sql`, by column. */
async function readRow(
  { query }: Pick<Build, 'query'>,
  file: string,
): Promise<ReadonlyMap<string, Cell>> {
  const found = query(file);
  if (found === null) return new Map();
  const { columns, rows } = await runSectionQuery(found);
  return new Map(columns.map(({ name }, index) => [name, rows[0]?.[index] ?? null]));
}

function totalOf(
  { columns, rows }: ReportTable,
  label: string | null,
  totals: ReadonlyMap<string, Cell>,
): ReportSection['total'] {
  if (label === null || rows.length === 0) return null;
  const cells = columns.map(({ name }, index) =>
    index === 0 ? label : fittedCell(totals.get(name) ?? null, columns[index]),
  );
  return { label, cells };
}

/** Returns the sentences of one of the report's files. Without the file there are none. */
export async function sentences(build: Build, file: string): Promise<string[]> {
  const query = build.query(file);
  return query === null ? [] : readSentences(query, build.formatter);
}

/** Fills in a sentence that the program itself reads. Null if it would contain an unknown value. */
export function filled(row: Readonly<Record<string, Cell>>, formatter: Formatter): string | null {
  return fillSentence(new Map(Object.entries(row)), formatter, 'sql/report');
}
