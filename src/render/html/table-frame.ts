import type { Cell, ReportSection } from '../../report/report-document.ts';
import { maxTextCharacters } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';

/** Shorter tables are read faster than searched. */
const minSearchedRows = 13;

/** A column as the page shows it: one of the section's, or a drawing of several. */
export interface TableColumn {
  readonly title: string;
  /** The order by which the script sorts the cells; null when it cannot sort them. */
  readonly sort: 'text' | 'number' | 'value' | null;
  readonly isText: boolean;
  /** Set for columns that narrow pages keep; they also keep the one that the rows are sorted by. */
  readonly isPrimary: boolean;
  /** Set for the column that the rows are sorted by, descending. */
  readonly isKey: boolean;
  /** Set for a drawing, which needs a gap to the figures on its left. */
  readonly isDrawn: boolean;
  /** The value of the cell; null for a drawing. */
  readonly read: (row: readonly Cell[]) => Cell;
  readonly cell: (row: readonly Cell[], index: number) => Markup;
  /** The value of `data-v` in columns whose printed form does not sort. */
  readonly value: (row: readonly Cell[]) => string | null;
  /** The total of the column; null when it has none. */
  readonly total: (cells: readonly Cell[]) => Markup | null;
}

/** Consecutive rows of a table: visible, or folded under a line that says what they are. */
export interface RowGroup {
  /** The line that the rows are folded under; null when they are visible. */
  readonly summary: string | null;
  /** The rows; empty when the line stands for rows that are not in the page. */
  readonly rows: readonly Markup[];
  /** The figures of the rows together, beside the line; null for a column that cannot be added up. */
  readonly sums?: readonly (Markup | null)[];
  /** Set when the rows are visible on screen, but only their summary is printed. */
  readonly isOnScreenOnly?: boolean;
}

export interface TableParts {
  readonly classes: readonly string[];
  readonly heads: readonly Markup[];
  readonly groups: readonly RowGroup[];
  /** Set when the first column is a rank; the line of folded rows then starts in the second. */
  readonly hasRank: boolean;
  /** Set when some text is cut on the page. */
  readonly isCut: boolean;
  readonly foot: Markup | null;
}

/**
 * A table that scrolls by itself, with a search field when it has many rows. The script unfolds, sorts and searches its
 * rows; without it, and on paper, the line of folded rows names the files that have them.
 */
export function frameMarkup(
  section: ReportSection,
  { classes, heads, groups, hasRank, isCut, foot }: TableParts,
  context: PageContext,
): Markup {
  const shape = { columns: heads.length, hasRank };
  const isList = section === context.posts?.list;
  return markup`${section.rows.length >= minSearchedRows && findMarkup(section.title, isCut, context)}<div class="scroll"${isList && markup` data-list`} role="region" tabindex="0" aria-label="${cleanAttribute(context.say('Table: {title:text}', { title: section.title }))}"><table class="${classes.join(' ')}">
<caption class="spoken">${section.title}</caption>
<thead><tr>${heads}</tr></thead>
${groups.map((group) => bodyMarkup(group, shape, context))}${foot}</table></div>
`;
}

/** The search field, which only the script shows. */
function findMarkup(title: string, isCut: boolean, { say }: PageContext): Markup {
  const limit =
    isCut &&
    markup` <span>${say('in the first {n:count} characters of each text', { n: maxTextCharacters })}</span>`;
  return markup`<p class="find" hidden><label>${say('Find')} <span class="spoken">${say('in {title:text}', { title })}</span> <input type="search" autocomplete="off"></label>${limit} <output></output></p>
`;
}

function bodyMarkup(
  group: RowGroup,
  { columns, hasRank }: { readonly columns: number; readonly hasRank: boolean },
  { elsewhere, isPaper, say }: PageContext,
): Markup {
  const { summary, rows, isOnScreenOnly = false } = group;
  const body = (look: string) =>
    markup`<tbody${look !== '' && markup` class="${look}"`}>\n${rows}</tbody>\n`;
  if (summary === null) return body('');
  const where =
    elsewhere === null ? say('not on this page') : say('in {files:text}', { files: elsewhere });
  const sums = group.sums ?? [];
  const width = columns - sums.length - (hasRank ? 1 : 0);
  const line = markup`<tbody class="gap${isOnScreenOnly && ' paper'}"><tr>${hasRank && markup`<td></td>`}<td colspan="${width}">${summary}${!isPaper && markup`<span class="elsewhere">: ${where}</span>`}</td>${sums.map((sum) => markup`<td class="sum">${sum}</td>`)}</tr></tbody>\n`;
  if (isOnScreenOnly) return markup`${body('screen')}${line}`;
  return markup`${line}${rows.length > 0 && body('folded')}`;
}
