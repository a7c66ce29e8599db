import { UsageError } from '../core/errors.ts';
import type { Cell } from '../warehouse/cell.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { SectionDefinition } from './definition-schema.ts';
import type { ReportDefinition } from './report-catalog.ts';
import { resolveSetValues } from './report-parameters.ts';
import type { ReportSession } from './report-session.ts';
import { makeReportViews, runSectionQuery } from './section-query.ts';
import { declaredColumn } from './section-table.ts';

/** A cell of a report by its section, its column and the values that its row has in other columns. */
export interface CellPlace {
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
  /** The record's place among those of the response that could be loaded, from 0. */
  readonly place: number;
  readonly fetched_at: string;
}

/** A post behind a cell. */
interface ExplainedPost {
  readonly workspace: string;
  readonly profile: string;
  readonly linkedin_post_id: string;
  readonly url: string;
  readonly published_at: string | null;
  /** What it adds to each of the cell's figures. */
  readonly amounts: readonly Cell[];
  /** The first amount ÷ the sum of all. */
  readonly share: number | null;
  /** The reason why the cell leaves the post out; null if it is counted. */
  readonly left_out: string | null;
  readonly sources: readonly Source[];
}

export interface CellExplanation {
  readonly report: string;
  readonly section: string;
  readonly row: Readonly<Record<string, Cell>>;
  readonly column: string;
  readonly value: Cell;
  /**
   * What the cell is of the listed amounts: their sum; the ratio of two sums; a sum ÷ that of all posts; the figure of a
   * single post; or something else, which the section's SQL computes from the row's posts.
   */
  readonly made_as: 'sum' | 'ratio' | 'share' | 'post' | 'other';
  readonly figures: readonly { readonly name: string; readonly sum: Cell }[];
  /** What the ratio is multiplied by. */
  readonly times: number;
  /** The sum over all posts of the report, of which a share is a part. */
  readonly whole: Cell;
  readonly posts: readonly ExplainedPost[];
}

type Row = Readonly<Record<string, Cell>>;

interface FoundSection {
  readonly section: SectionDefinition;
  readonly names: readonly string[];
  /** The columns of numbers. */
  readonly figures: readonly string[];
  readonly rows: readonly Row[];
}

/** Which posts of a row a column is about, and the columns of explained_posts that it adds up. */
interface Figures {
  readonly population: 'shown' | 'previous' | 'removed';
  readonly first: string | null;
  readonly second: string | null;
  readonly isShare: boolean;
  readonly times: number;
}

/** Explains cells of one report. The session must not be used for anything else at the same time. */
export class CellExplainer {
  readonly #session: ReportSession;
  readonly #definition: ReportDefinition;
  readonly #set: Readonly<Record<string, string>>;
  readonly #sections = new Map<string, FoundSection>();
  #scope: string | null = null;
  #known: ReadonlySet<string> = new Set();

  constructor(
    session: ReportSession,
    definition: ReportDefinition,
    set: Readonly<Record<string, string>> = {},
  ) {
    this.#session = session;
    this.#definition = definition;
    this.#set = set;
  }

  /** @throws UsageError for a section, column or row that there is not, and for a choice of several rows */
  async explain(place: CellPlace): Promise<CellExplanation> {
    const found = await this.#section(place.section);
    const { section, names } = found;
    const column = columnOf(found, place.column);
    const row = rowOf(found, place.row);
    await this.#preparePosts(names.includes('videos') ? 'videos' : 'posts');
    const figures = this.#figuresOf(column, section);
    const value = row[column] ?? null;
    const posts = await this.#postsOf(keyOf(found, row), figures);
    const sums = await this.#sumsOf(posts.type, figures);
    const isOfPost = section.key.includes('linkedin_post_id');
    const made_as = isOfPost ? 'post' : madeAs(value, sums, figures);
    const shown = [figures.first, figures.second].filter((name) => name !== null);
    const total = typeof sums.first === 'bigint' ? Number(sums.first) : sums.first;
    return {
      report: this.#definition.name,
      section: section.name,
      row: Object.fromEntries(section.key.map((name) => [name, row[name] ?? null])),
      column,
      value,
      made_as,
      figures: isOfPost
        ? [{ name: column, sum: value }]
        : shown.map((name, at) => ({ name, sum: at === 0 ? sums.first : sums.second })),
      times: figures.times,
      whole: figures.isShare ? sums.whole : null,
      posts: posts.rows.map((post) => {
        const amounts = isOfPost
          ? [value]
          : [post.first_amount, post.second_amount].slice(0, shown.length);
        const isCounted = isOfPost || post.why === null;
        const [first] = amounts;
        return {
          workspace: String(post.workspace),
          profile: String(post.profile),
          linkedin_post_id: String(post.linkedin_post_id),
          url: String(post.url),
          published_at: post.published_at as string | null,
          amounts,
          share:
            isCounted && typeof total === 'number' && total !== 0 && isFigure(first)
              ? Number(first) / total
              : null,
          left_out: isCounted ? null : leftOut(String(post.why), figures),
          sources: posts.sources.filter(
            (source) =>
              source.workspace === post.workspace &&
              source.linkedin_post_id === post.linkedin_post_id,
          ),
        };
      }),
    };
  }

  async #section(name: string): Promise<FoundSection> {
    const known = this.#sections.get(name);
    if (known) return known;
    const { sections } = this.#definition;
    const section = sections.find((one) => one.name === name);
    if (!section)
      throw new UsageError(
        `--section ${name}: ${this.#definition.name} has no such section; it has ${sections.map((one) => one.name).join(', ')}`,
      );
    const { database } = this.#session;
    await makeReportViews(database, this.#definition);
    const { columns, rows } = await runSectionQuery({
      database,
      definition: this.#definition,
      file: `${name}.sql`,
      params: resolveSetValues(this.#definition, this.#set),
    });
    const names = columns.map((one) => one.name);
    const found = {
      section,
      names,
      figures: columns
        .filter(({ type }) => /^(\w*INT(EGER)?|DOUBLE|DECIMAL\(.*\))$/.test(type))
        .map((one) => one.name),
      rows: rows.map((cells) =>
        Object.fromEntries(names.map((key, at) => [key, cells[at] ?? null])),
      ),
    };
    this.#sections.set(name, found);
    return found;
  }

  /** Sections that count `videos` are about these alone. */
  async #preparePosts(scope: 'videos' | 'posts'): Promise<void> {
    if (this.#scope === scope) return;
    const { database } = this.#session;
    await database.run(await readSql('explain/posts.sql'), { scope });
    const columns = await database.describe('from explained_posts');
    this.#known = new Set(columns.map(({ name }) => name));
    this.#scope = scope;
  }

  #figuresOf(column: string, section: SectionDefinition): Figures {
    const [, prefix = '', named = ''] = /^(previous_|removed_)?(.*)$/.exec(column) ?? [];
    const base = named === 'rate' ? 'engagement_rate' : named;
    const population =
      prefix === 'previous_' ? 'previous' : prefix === 'removed_' ? 'removed' : 'shown';
    const { calculation } = declaredColumn(base, section, this.#definition);
    const own = (name: string | undefined) =>
      name !== undefined && this.#known.has(name) ? name : null;
    if (calculation?.kind === 'ratio' && own(calculation.of) && own(calculation.to)) {
      const { of, to, times } = calculation;
      return { population, first: of, second: to, isShare: false, times };
    }
    const isShare = calculation?.kind === 'share';
    const isPart = isShare || calculation?.kind === 'change';
    const first = own(isPart ? calculation.of : base) ?? this.#namedIn(base);
    return { population, first, second: null, isShare, times: 1 };
  }

  /** The figure in the name of a column that is no figure of posts: a median of EMV lists the EMV of each post. */
  #namedIn(column: string): string | null {
    const named = [...this.#known].filter((name) => `_${column}_`.includes(`_${name}_`));
    return named.sort((a, b) => b.length - a.length)[0] ?? null;
  }

  async #postsOf(key: Row, { population, first, second }: Figures) {
    const { database } = this.#session;
    const sql = (await readSql('explain/cell.sql'))
      .replaceAll('first_figure', first ?? 'null')
      .replaceAll('second_figure', second ?? 'null');
    await database.run(sql, {
      population,
      figures: [first, second].filter((name) => name !== null).length,
      columns: Object.keys(key),
      values: Object.values(key).map((value) => String(value ?? '')),
    });
    const cells = await database.query(
      'from explained_cell order by why nulls first, first_amount desc nulls last, workspace, linkedin_post_id',
    );
    const names = cells.columns.map(({ name }) => name);
    const rows = cells.rows.map(
      (row) =>
        Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])) as Record<
          | 'workspace'
          | 'profile'
          | 'linkedin_post_id'
          | 'url'
          | 'published_at'
          | 'first_amount'
          | 'second_amount'
          | 'why',
          Cell
        >,
    );
    const sources = await database.queryObjects<Source>(await readSql('explain/sources.sql'), {
      figures: [first, second].filter((name) => name !== null),
    });
    return { rows, sources, type: cells.columns[names.indexOf('first_amount')]?.type ?? '' };
  }

  async #sumsOf(type: string, { first, times }: Figures) {
    if (first === null) return { first: null, second: null, ratio: null, whole: null };
    const sql = (await readSql('explain/sums.sql'))
      .replaceAll('sum_of(', type === 'DOUBLE' ? 'exact_sum(' : 'sum(')
      .replaceAll('first_figure', first);
    const [row] = await this.#session.database.queryObjects(sql, { times });
    return {
      first: row?.['first_sum'] ?? null,
      second: row?.['second_sum'] ?? null,
      ratio: row?.['ratio'] ?? null,
      whole: row?.['whole'] ?? null,
    };
  }
}

type Sums = Readonly<Record<'first' | 'second' | 'ratio' | 'whole', Cell>>;

/** Adds up again what is listed: nothing is called the sum of its posts unless it is, to the last digit. */
function madeAs(
  value: Cell,
  sums: Sums,
  { first, second, isShare }: Figures,
): CellExplanation['made_as'] {
  if (first === null) return 'other';
  if (second !== null) return value === sums.ratio ? 'ratio' : 'other';
  if (isShare) {
    const share =
      sums.first === null || !Number(sums.whole) ? null : Number(sums.first) / Number(sums.whole);
    return value === share ? 'share' : 'other';
  }
  return value === sums.first || (value === 0 && sums.first === null) ? 'sum' : 'other';
}

function leftOut(why: string, { first, second }: Figures): string {
  if (why !== 'not known') return why;
  return `${[first, second].filter((name) => name !== null).join(' or ')} not known`;
}

function isFigure(cell: Cell | undefined): boolean {
  return typeof cell === 'number' || typeof cell === 'bigint';
}

/** The values by which the row's posts are found. Profiles go by their id, since two may have one name. */
function keyOf({ section, names }: FoundSection, row: Row): Row {
  const columns = new Set([
    ...section.key,
    ...names.filter((name) => name === 'workspace' || name === 'profile_id'),
  ]);
  if (columns.has('profile_id')) columns.delete('profile');
  return Object.fromEntries([...columns].map((name) => [name, row[name] ?? null]));
}

/**
 * The row that has all of the given values. A day or month may be cut short, as in 2026-03.
 * @throws UsageError if there is none, or if there are several
 */
function rowOf({ section, names, rows }: FoundSection, wanted: CellPlace['row']): Row {
  for (const name of Object.keys(wanted))
    if (!names.includes(name))
      throw new UsageError(
        `--row ${name}=…: ${section.name} has no column ${name}; its rows differ in ${section.key.join(', ') || 'nothing, it has one'}`,
      );
  const fits = (row: Row) =>
    Object.entries(wanted).every(([name, text]) => {
      const value = String(row[name] ?? '');
      return value === text || (/^\d{4}-\d\d$/.test(text) && value.startsWith(`${text}-`));
    });
  const found = rows.filter(fits);
  const [row] = found;
  if (row && found.length === 1) return row;
  const listed = (row ? found : rows).slice(0, 20).map((one) => `  ${rowFlags(section, one)}`);
  const more = (row ? found : rows).length - listed.length;
  const problem = row
    ? 'several rows fit; name one'
    : rows.length === 0
      ? 'it has no row for these filters'
      : 'no row fits; there are';
  throw new UsageError(
    [`${section.name}: ${problem}`, ...listed, ...(more > 0 ? [`  and ${more} more`] : [])].join(
      '\n',
    ),
  );
}

function rowFlags({ key }: SectionDefinition, row: Row): string {
  return key.map((name) => `--row ${name}=${quoted(String(row[name] ?? ''))}`).join(' ');
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function columnOf({ section, figures }: FoundSection, wanted: string | null): string {
  const { sorted_by: sorted, chart } = section;
  const drawn = chart && 'y' in chart ? chart.y : null;
  const column = wanted ?? sorted ?? drawn ?? figures[0];
  if (column !== undefined && figures.includes(column)) return column;
  throw new UsageError(
    `--column ${String(column)}: ${section.name} has no such figure; it has ${figures.join(', ')}`,
  );
}
