import { UsageError } from '../core/errors.ts';
import type { DatabaseValue } from '../warehouse/cell.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { SectionDefinition } from '../report/definition-schema.ts';
import { type OpenReport, withReport } from '../report/open-report.ts';
import type { ReportDefinition } from '../report/report-catalog.ts';
import type { ReportSession } from '../report/report-session.ts';
import { keyColumns, postScope } from '../report/row-posts.ts';
import { makeSectionTable, runSectionQuery } from '../report/section-query.ts';
import { columnIn, type ReportColumn } from '../report/report-document.ts';
import { columnHead, declaredColumn } from '../report/section-table.ts';

/** A cell of a report by its section, its column and values of its row. */
export interface CellReference {
  readonly section: string;
  /** Null for the one that the section is sorted by or draws, or else its first figure. */
  readonly column: string | null;
  readonly row: Readonly<Record<string, string>>;
}

/** The record that gave the value of a metric, in the response `seq` of a run. */
export interface Source {
  readonly workspace: string;
  readonly linkedin_post_id: string;
  readonly metric: string;
  readonly run_id: string;
  readonly seq: number;
  /** The index of the record among those of the response that could be loaded. The JSON of `explain` has it by this name. */
  readonly place: number;
  readonly fetched_at: string;
}

/** A row of sql/explain/cell.sql. */
interface ExplainedPost {
  readonly workspace: string;
  readonly linkedin_post_id: string;
  readonly profile: string;
  readonly url: string | null;
  readonly published_at: string | null;
  /** What the post adds to the cell's figures. */
  readonly first_amount: DatabaseValue;
  readonly second_amount: DatabaseValue;
  /** The first amount ÷ the sum of all; null where the cell does not count the post. */
  readonly share: number | null;
  /** The reason why the cell does not count the post; null if it does. */
  readonly left_out: string | null;
}

export type CellExplanation = Awaited<ReturnType<CellExplainer['explain']>>;

export type ExplainedColumn = Pick<ReportColumn, 'title' | 'format'>;

type ExplainedRow = Readonly<Record<string, DatabaseValue>>;

interface FoundSection {
  readonly section: SectionDefinition;
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** The columns of numbers. */
  readonly figures: readonly string[];
  readonly rows: readonly ExplainedRow[];
}

/** Which posts of a row a column is about, and the columns of explained_rows that it adds up. */
interface Figures {
  readonly population: 'shown' | 'previous' | 'removed';
  /** None, one, or the two of a ratio. */
  readonly names: readonly string[];
  readonly isShare: boolean;
  readonly times: number;
}

const noFigures: Figures = { population: 'shown', names: [], isShare: false, times: 1 };

/** A value in a file of figures. */
export interface GivenValue {
  readonly line: number | bigint;
  readonly profile: string | null;
  /** A day or a month. */
  readonly day: string;
  readonly value: number | null;
}

/** Explains cells of one report. */
export class CellExplainer {
  readonly #report: OpenReport;
  readonly #sections = new Map<string, FoundSection>();

  private constructor(report: OpenReport) {
    this.#report = report;
  }

  /** @param set the values of the report's own parameters, from `--set` */
  static async with<Result>(
    session: ReportSession,
    definition: ReportDefinition,
    set: Readonly<Record<string, string>>,
    work: (explainer: CellExplainer) => Promise<Result>,
  ): Promise<Result> {
    await makeExplainedPosts(session);
    return withReport(session, definition, set, (report) => work(new CellExplainer(report)));
  }

  /** @throws UsageError for a section, column or row that there is not, and for a choice of several rows */
  async explain(reference: CellReference) {
    const found =
      this.#sections.get(reference.section) ?? (await this.#readSection(reference.section));
    const { section } = found;
    const column = columnOf(found, reference.column);
    const row = rowOf(found, reference.row);
    const known = await this.#preparePosts(found);
    const given = await this.#givenOf(row);
    const isGiven = given.length > 0;
    const figures = isGiven ? noFigures : this.#figuresOf(column, section, known);
    const posts = await this.#postsOf(keyOf(found, row), figures);
    const sums = await this.#sumsOf(figures);
    const value = row[column] ?? null;
    const isOfPost = section.key.includes('linkedin_post_id');
    return {
      report: this.#report.definition.name,
      section: section.name,
      /** The row's values of the section's key columns. */
      row: Object.fromEntries(section.key.map((name) => [name, row[name] ?? null])),
      column,
      /** The titles of the report and the section, and what the report calls each column and how it prints its values. */
      titles: [this.#report.definition.title, section.title],
      columns: Object.fromEntries(
        [...section.key, column, ...figures.names].map((name) => [
          name,
          this.#columnOf(name, found, row),
        ]),
      ),
      value,
      made_as: isGiven
        ? ('given' as const)
        : isOfPost
          ? ('post' as const)
          : madeAs(value, sums, figures),
      /** The values of a figure that the API does not give, in their file. */
      given,
      figures: figures.names.map((name, at) => ({
        name,
        sum: at === 0 ? sums.first : sums.second,
      })),
      /** What the ratio is multiplied by. */
      times: figures.times,
      whole: figures.isShare ? sums.whole : null,
      posts: isGiven ? [] : posts,
    };
  }

  /** Lists all values of the row's figure that stand in a file of figures. */
  async #givenOf({ figure }: ExplainedRow): Promise<GivenValue[]> {
    if (typeof figure !== 'string') return [];
    const { session, database } = this.#report;
    await session.tables.make(['own_figures']);
    return database.queryObjects<GivenValue>(
      'select line, profile, coalesce(day::varchar, left(month::varchar, 7)) as day, value from own_figures where figure = $figure order by line',
      { figure },
    );
  }

  #columnOf(
    name: string,
    { section, names, types }: FoundSection,
    row: ExplainedRow,
  ): ExplainedColumn {
    const declared = declaredColumn(name, section, this.#report.definition);
    const type = types[names.indexOf(name)] ?? 'DOUBLE';
    const own = columnHead({ name, type }, declared, this.#report.session.language);
    const formatIndex = names.indexOf(declared.format_by ?? '');
    const cells = names.map((one) => row[one] ?? null);
    return formatIndex === -1 ? own : columnIn({ ...own, formatIndex }, cells);
  }

  async #readSection(name: string): Promise<FoundSection> {
    const { definition } = this.#report;
    const section = definition.sections.find((one) => one.name === name);
    if (!section) {
      const known = definition.sections.map((one) => one.name).join(', ');
      throw new UsageError(
        `--section ${name}: ${definition.name} has no such section; it has ${known}`,
      );
    }
    const result = await runSectionQuery({ ...this.#report, file: `${name}.sql` });
    const names = result.columns.map((column) => column.name);
    const types = result.columns.map((column) => column.type);
    const isFigure = /^(\w*INT(EGER)?|DOUBLE|DECIMAL\(.*\))$/;
    const found = {
      section,
      names,
      types,
      figures: names.filter((_, at) => isFigure.test(types[at] ?? '')),
      rows: result.rows.map((cells) =>
        Object.fromEntries(names.map((key, at) => [key, cells[at] ?? null])),
      ),
    };
    this.#sections.set(name, found);
    return found;
  }

  /** Makes explained_rows: the posts of the report, or those that `<section>.posts.sql` gives. @returns its columns */
  async #preparePosts({ section: { name, key }, names }: FoundSection): Promise<string[]> {
    const { database, definition } = this.#report;
    const file = `${name}.posts.sql`;
    const scope = postScope(names);
    if (!definition.sql.has(file))
      await database.run(
        'create or replace temp table explained_rows as from explained_posts where scope = $scope',
        { scope },
      );
    else {
      await makeSectionTable('explained_own', { ...this.#report, file });
      await database.run(await readSql('explain/own_rows.sql'), { scope, key });
    }
    return this.#columnsOf('explained_rows');
  }

  async #columnsOf(table: string): Promise<string[]> {
    const columns = await this.#report.database.describe(`from ${table}`);
    return columns.map(({ name }) => name);
  }

  #figuresOf(column: string, section: SectionDefinition, known: readonly string[]): Figures {
    const [, prefix, named = ''] = /^(previous|removed)?_?(.*)$/.exec(column) ?? [];
    const base = named === 'rate' ? 'engagement_rate' : named;
    const population = prefix === 'previous' || prefix === 'removed' ? prefix : 'shown';
    const { calculation } = declaredColumn(base, section, this.#report.definition);
    const isKnown = (name: string) => known.includes(name);
    if (calculation?.kind === 'ratio' && isKnown(calculation.of) && isKnown(calculation.to)) {
      const { of, to, times } = calculation;
      return { population, names: [of, to], isShare: false, times };
    }
    const isShare = calculation?.kind === 'share';
    const wanted = isShare || calculation?.kind === 'change' ? calculation.of : base;
    // a column that is no figure of posts, such as a median of EMV, lists the figure in its name
    const within = known.filter((name) => `_${wanted}_`.includes(`_${name}_`));
    const name = isKnown(wanted) ? wanted : within.sort((a, b) => b.length - a.length)[0];
    return { population, names: name === undefined ? [] : [name], isShare, times: 1 };
  }

  async #postsOf(key: ExplainedRow, { population, names }: Figures) {
    const { database } = this.#report;
    const [first = 'null', second = 'null'] = names;
    const sql = (await readSql('explain/cell.sql'))
      .replaceAll('first_figure', first)
      .replaceAll('second_figure', second);
    const columns = Object.keys(key);
    const values = Object.values(key).map((value) => String(value ?? ''));
    await database.run(sql, { population, figures: names.length, columns, values });
    const posts = await database.queryObjects<ExplainedPost>(await readSql('explain/listed.sql'));
    const sources = await database.queryObjects<Source>(await readSql('explain/sources.sql'), {
      figures: names,
    });
    const sourcesByPost = new Map<string, Source[]>();
    for (const source of sources)
      sourcesByPost.set(idOf(source), [...(sourcesByPost.get(idOf(source)) ?? []), source]);
    return posts.map((post) => ({ ...post, sources: sourcesByPost.get(idOf(post)) ?? [] }));
  }

  async #sumsOf({ names: [first], times }: Figures): Promise<Sums> {
    const { database } = this.#report;
    const [amount] = await database.describe('select first_amount from explained_cell');
    const sql = (await readSql('explain/sums.sql'))
      .replaceAll('sum_of(', amount?.type === 'DOUBLE' ? 'exact_sum(' : 'sum(')
      .replaceAll('first_figure', first ?? 'null::bigint');
    const [sums] = await database.queryObjects<Sums>(sql, { times });
    return sums ?? { first: null, second: null, ratio: null, whole: null };
  }
}

type Sums = Readonly<Record<'first' | 'second' | 'ratio' | 'whole', DatabaseValue>>;

/** Makes explained_posts, of which the filters leave some out, on a connection whose posts no filter and period narrows. */
async function makeExplainedPosts({ tables }: ReportSession): Promise<void> {
  const database = await tables.connect();
  try {
    await tables.runOn(database, 'explain/unfiltered');
    await tables.runOn(database, 'report/candidates', { types: [], campaigns: [], labels: [] });
    await tables.runOn(database, 'explain/included');
    await tables.runOn(database, 'report/placed');
    await tables.runOn(database, 'explain/key_values');
    await tables.runOn(database, 'explain/posts');
  } finally {
    database.close();
  }
}

function idOf(post: Pick<Source, 'workspace' | 'linkedin_post_id'>): string {
  return JSON.stringify([post.workspace, post.linkedin_post_id]);
}

/**
 * What the cell is of the amounts: their sum; the ratio of two sums; a sum ÷ `whole`, that of all posts; or something else,
 * which the section's SQL computes. Nothing is called the sum of its posts unless it is, to the last digit.
 */
function madeAs(
  value: DatabaseValue,
  sums: Sums,
  { names, isShare }: Figures,
): 'sum' | 'ratio' | 'share' | 'other' {
  const share = Number(sums.whole) === 0 ? null : Number(sums.first) / Number(sums.whole);
  if (names.length === 2) return value === sums.ratio ? 'ratio' : 'other';
  if (isShare) return value === (sums.first === null ? null : share) ? 'share' : 'other';
  // a group without posts counts 0 of them
  const isSum = value === sums.first || (value === 0 && sums.first === null);
  return names.length === 1 && isSum ? 'sum' : 'other';
}

/** The values by which the row's posts are found. */
function keyOf({ section, names }: FoundSection, row: ExplainedRow): ExplainedRow {
  const columns = keyColumns(section.key, names);
  return Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));
}

/**
 * The row that has all of the given values. A day may be cut short to its month.
 * @throws UsageError if there is none, or if there are several
 */
function rowOf({ section, names, rows }: FoundSection, wanted: CellReference['row']): ExplainedRow {
  const { name, key } = section;
  const unknown = Object.keys(wanted).find((column) => !names.includes(column));
  if (unknown !== undefined)
    throw new UsageError(
      `--row ${unknown}=…: ${name} has no column ${unknown}; it has ${names.join(', ')}`,
    );
  const found = rows.filter((row) =>
    Object.entries(wanted).every(([column, text]) => {
      const value = String(row[column] ?? '');
      return value === text || (/^\d{4}-\d\d$/.test(text) && value.startsWith(`${text}-`));
    }),
  );
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (rows.length === 0) throw new UsageError(`${name} has no row; try other days or filters`);
  // an id alone says little to people
  const told = key.includes('profile_id') && names.includes('profile') ? [...key, 'profile'] : key;
  const listed = (only ? found : rows).map((row) => {
    const flags = told.map((column) => `--row ${column}=${quoted(String(row[column] ?? ''))}`);
    return `  ${flags.join(' ')}`;
  });
  const more = listed.length > maxListed ? [`  and ${listed.length - maxListed} more`] : [];
  const problem = only ? 'several rows fit; choose one of' : 'no row fits; there are';
  throw new UsageError([`${name}: ${problem}`, ...listed.slice(0, maxListed), ...more].join('\n'));
}

const maxListed = 20;

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** @throws UsageError for a column that has no numbers */
function columnOf({ section, figures }: FoundSection, wanted: string | null): string {
  const { name, sorted_by: sorted, chart } = section;
  const drawn = chart && 'y' in chart ? chart.y : null;
  const column = wanted ?? sorted ?? drawn ?? figures[0] ?? '';
  if (figures.includes(column)) return column;
  throw new UsageError(
    `--column ${column}: ${name} has no such figure; it has ${figures.join(', ')}`,
  );
}
