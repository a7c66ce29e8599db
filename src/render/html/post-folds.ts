import { greatest } from 'd3-array';
import type { Formatter } from '../../languages/number-format.ts';
import {
  type Cell,
  type ColumnFormat,
  isPostList,
  postKey,
  type ReportDocument,
  type ReportSection,
} from '../../report/report-document.ts';
import { figureOf } from '../document-head.ts';

/** The most rows of one table in a page; only other files have the rest. */
export const maxHeldRows = 1_000;

/** Rows of one body of the table; with a summary they are folded under it, or left out if none. */
interface PostGroup {
  readonly summary: string | null;
  readonly rows: readonly RankedRow[];
}

export interface RankedRow {
  readonly row: readonly Cell[];
  /** The rank by the figure that the rows are sorted by, from 1; null when the figure is unknown. */
  readonly rank: number | null;
}

const topRows = 8;
const bottomRows = 3;
/** Shorter tables are shown whole. */
const maxOpenRows = 25;

const addable: readonly ColumnFormat[] = ['count', 'money', 'money_exact', 'decimal'];

/**
 * Keeps the first and the last posts visible, and folds the others under a line that counts and sums them. Posts
 * without a figure are counted, and folded too. Rows keep the order of the section.
 */
export function foldPosts(section: ReportSection, formatter: Formatter): PostGroup[] {
  const ranked = rankRows(section);
  if (ranked.length <= maxOpenRows) return [shown(ranked)];
  const { say } = formatter;
  const fold = (rows: readonly RankedRow[], phrase: (n: number) => string): PostGroup => ({
    summary: summaryOf(rows, phrase(rows.length), section, formatter),
    rows,
  });
  const more = (n: number) => say('{n:count} {n|post|posts} more', { n });
  const between = (n: number) => say('{n:count} {n|post|posts} in between', { n });
  const withoutFigure = (n: number) => say('{n:count} {n|post|posts} without a figure', { n });
  const { rowCount = ranked.length } = section;
  if (rowCount > maxHeldRows) {
    const middle = fold(ranked.slice(topRows, maxHeldRows), more);
    const beyond = rowCount - maxHeldRows;
    return [shown(ranked.slice(0, topRows)), middle, { summary: more(beyond), rows: [] }];
  }
  const known = ranked.filter(({ rank }) => rank !== null);
  const unknown = ranked.filter(({ rank }) => rank === null);
  if (known.length === 0)
    return [shown(ranked.slice(0, topRows)), fold(ranked.slice(topRows), more)];
  const bottom = Math.max(topRows, known.length - bottomRows);
  return [
    shown(known.slice(0, topRows)),
    fold(known.slice(topRows, bottom), between),
    shown(known.slice(bottom)),
    fold(unknown, withoutFigure),
  ].filter(({ rows }) => rows.length > 0);
}

/** The list to which the rows of other tables unfold, and the place of each of its posts on the page, by its key. */
export interface PostPlaces {
  readonly list: ReportSection;
  readonly places: ReadonlyMap<string, number>;
}

/** The places of the posts in the longest list of the page; null when it has none. */
export function placePosts({ sections }: ReportDocument, formatter: Formatter): PostPlaces | null {
  const list = greatest(sections.filter(isPostList), ({ rows }) => rows.length);
  if (!list) return null;
  const [workspace, id] = ['workspace', 'linkedin_post_id'].map((wanted) =>
    list.columns.findIndex(({ name }) => name === wanted),
  );
  const drawn = foldPosts(list, formatter).flatMap(({ rows }) => rows);
  const keys = drawn.map(({ row }) => postKey(row[workspace ?? -1], row[id ?? -1]));
  return { list, places: new Map(keys.map((key, place) => [key, place])) };
}

function shown(rows: readonly RankedRow[]): PostGroup {
  return { summary: null, rows };
}

function summaryOf(
  rows: readonly RankedRow[],
  words: string,
  section: ReportSection,
  formatter: Formatter,
): string {
  const sum = sumWords(rows, section, formatter);
  return sum === null ? words : `${words}, ${sum}`;
}

/** Rows with their rank, which a column of that name gives when they are only some of many. */
function rankRows({ rows, columns, sortedBy }: ReportSection): RankedRow[] {
  const own = columns.findIndex(({ name }) => name === 'rank');
  if (own >= 0) return rows.map((row) => ({ row, rank: figureOf(row[own] ?? null) }));
  const index = columns.findIndex(({ name }) => name === sortedBy);
  let rank = 0;
  return rows.map((row) => {
    const isRanked = index >= 0 && (row[index] ?? null) !== null;
    if (isRanked) rank += 1;
    return { row, rank: isRanked ? rank : null };
  });
}

/** The sum of the figure that the rows are sorted by; null when it cannot be added up. */
function sumWords(
  rows: readonly RankedRow[],
  { columns, sortedBy }: ReportSection,
  formatter: Formatter,
): string | null {
  const index = columns.findIndex(({ name }) => name === sortedBy);
  const column = columns[index];
  const known = rows.flatMap(({ row }) => figureOf(row[index] ?? null) ?? []);
  if (!column || !addable.includes(column.format) || known.length === 0) return null;
  const sum = known.reduce((total, value) => total + value, 0);
  const format = column.format === 'money_exact' ? 'money' : column.format;
  return `${column.title} ${formatter.format(sum, format)}`;
}
