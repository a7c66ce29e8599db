import { greatest } from 'd3-array';
import type { Formatter } from '../../languages/number-format.ts';
import {
  isPostList,
  postKey,
  type ReportDocument,
  type ReportSection,
} from '../../report/report-document.ts';
import { figureOf } from '../document-head.ts';
import { isAdditive } from '../row-sums.ts';
import type { Markup } from './markup.ts';

/** The most rows of one table in a page; only other files have the rest. */
export const maxHeldRows = 1_000;

/** Consecutive rows of a table: visible, or folded under a line that says what they are. */
export interface RowGroup {
  /** The line that the rows are folded under; null when they are visible. */
  readonly summary: string | null;
  /** The indexes of the rows in the section; empty when the line stands for rows that are not in the page. */
  readonly rows: readonly number[];
  /** The figures of the rows together, beside the line; null for a column that cannot be added up. */
  readonly sums?: readonly (Markup | null)[];
  /** Set when the rows are visible on screen, but only their summary is printed. */
  readonly isOnScreenOnly?: boolean;
}

const topRows = 8;
const bottomRows = 3;
/** Shorter tables are shown whole. */
const maxOpenRows = 25;

/**
 * Keeps the first and the last posts visible, and folds the others under a line that counts and sums them. Posts
 * without a figure are counted, and folded too. Rows keep the order of the section.
 */
export function foldPosts(section: ReportSection, formatter: Formatter): RowGroup[] {
  const ranks = ranksOf(section);
  const indexes = [...ranks.keys()];
  if (indexes.length <= maxOpenRows) return [shown(indexes)];
  const { say } = formatter;
  const fold = (rows: readonly number[], phrase: (n: number) => string): RowGroup => {
    const sum = sumWords(rows, section, formatter);
    return { summary: [phrase(rows.length), ...sum].join(', '), rows };
  };
  const more = (n: number) => say('{n:count} {n|post|posts} more', { n });
  const between = (n: number) => say('{n:count} {n|post|posts} in between', { n });
  const withoutFigure = (n: number) => say('{n:count} {n|post|posts} without a figure', { n });
  const { rowCount = indexes.length } = section;
  if (rowCount > maxHeldRows) {
    const middle = fold(indexes.slice(topRows, maxHeldRows), more);
    const beyond = rowCount - maxHeldRows;
    return [shown(indexes.slice(0, topRows)), middle, { summary: more(beyond), rows: [] }];
  }
  const known = indexes.filter((index) => ranks[index] !== null);
  const unknown = indexes.filter((index) => ranks[index] === null);
  if (known.length === 0)
    return [shown(indexes.slice(0, topRows)), fold(indexes.slice(topRows), more)];
  const bottom = Math.max(topRows, known.length - bottomRows);
  return [
    shown(known.slice(0, topRows)),
    fold(known.slice(topRows, bottom), between),
    shown(known.slice(bottom)),
    fold(unknown, withoutFigure),
  ].filter(({ rows }) => rows.length > 0);
}

/** The list to which the rows of other tables unfold, and the position of each of its posts on the page, by its key. */
export interface PostPositions {
  readonly list: ReportSection;
  readonly positions: ReadonlyMap<string, number>;
}

/** The positions of the posts in the longest list of the page; null when it has none. */
export function findPosts(
  { sections }: ReportDocument,
  formatter: Formatter,
): PostPositions | null {
  const list = greatest(sections.filter(isPostList), ({ rows }) => rows.length);
  if (!list) return null;
  const [workspace, id] = ['workspace', 'linkedin_post_id'].map((wanted) =>
    list.columns.findIndex(({ name }) => name === wanted),
  );
  const drawn = foldPosts(list, formatter).flatMap(({ rows }) => rows);
  const keys = drawn.map((index) => {
    const row = list.rows[index] ?? [];
    return postKey(row[workspace ?? -1], row[id ?? -1]);
  });
  return { list, positions: new Map(keys.map((key, position) => [key, position])) };
}

function shown(rows: readonly number[]): RowGroup {
  return { summary: null, rows };
}

/**
 * The rank of each row by the figure that the rows are sorted by, from 1; null when the figure is unknown. A column of
 * that name gives it where the rows are only some of many.
 */
export function ranksOf({ rows, columns, sortedBy }: ReportSection): (number | null)[] {
  const own = columns.findIndex(({ name }) => name === 'rank');
  if (own >= 0) return rows.map((row) => figureOf(row[own] ?? null));
  const index = columns.findIndex(({ name }) => name === sortedBy);
  let rank = 0;
  return rows.map((row) => {
    if (index < 0 || (row[index] ?? null) === null) return null;
    rank += 1;
    return rank;
  });
}

/** The sum of the figure that the rows are sorted by; empty when it cannot be added up. */
function sumWords(
  rowIndexes: readonly number[],
  { rows, columns, sortedBy }: ReportSection,
  formatter: Formatter,
): string[] {
  const index = columns.findIndex(({ name }) => name === sortedBy);
  const column = columns[index];
  const known = rowIndexes.flatMap((row) => figureOf(rows[row]?.[index] ?? null) ?? []);
  if (!column || !isAdditive(column.format) || known.length === 0) return [];
  const sum = known.reduce((total, value) => total + value, 0);
  const format = column.format === 'money_exact' ? 'money' : column.format;
  return [`${column.title} ${formatter.format(sum, format)}`];
}
