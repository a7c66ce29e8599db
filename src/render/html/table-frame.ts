import type { Cell, ReportSection } from '../../report/report-document.ts';
import { maxTextCharacters } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import type { NullNotes, RowsLook } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';
import type { RowGroup } from './post-folds.ts';

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
  readonly total: (cells: readonly Cell[]) => Markup | null;
}

export interface TableParts {
  readonly classes: readonly string[];
  readonly heads: readonly Markup[];
  readonly groups: readonly RowGroup[];
  readonly row: (index: number) => Markup;
  /** Set when the first column is a rank; the line of folded rows then starts in the second. */
  readonly hasRank: boolean;
  readonly foot: Markup | null;
  readonly notes: NullNotes;
}

/**
 * A table that scrolls by itself, with a search field when it has many rows. The script unfolds, sorts and searches its
 * rows; without it, and on paper, the line of folded rows names the files that have them.
 */
export function frameMarkup(
  section: ReportSection,
  parts: TableParts,
  context: PageContext,
): Markup {
  const { classes, heads, groups, foot, notes } = parts;
  const bodies = bodiesMarkup(parts);
  const drawn = groups.map((group) => {
    const [line, body] = [lineMarkup(group, parts, context), bodies.get(group) ?? null];
    return group.isOnScreenOnly === true ? markup`${body}${line}` : markup`${line}${body}`;
  });
  const isList = section === context.posts?.list;
  return markup`${section.rows.length >= minSearchedRows && findMarkup(section, context)}<div class="scroll"${isList && markup` data-list`} role="region" tabindex="0" aria-label="${cleanAttribute(context.say('Table: {title:text}', { title: section.title }))}"><table class="${classes.join(' ')}">
<caption class="spoken">${section.title}</caption>
<thead><tr>${heads}</tr></thead>
${drawn}${foot}</table></div>
${notes.explanations()}`;
}

/** The search field, which only the script shows. */
function findMarkup(section: ReportSection, { say }: PageContext): Markup {
  const { title } = section;
  const limit =
    hasCutText(section) &&
    markup` <span>${say('in the first {n:count} characters of each text', { n: maxTextCharacters })}</span>`;
  return markup`<p class="find" hidden><label>${say('Find')} <span class="spoken">${say('in {title:text}', { title })}</span> <input type="search" autocomplete="off"></label>${limit} <output></output></p>
`;
}

function hasCutText({ columns, rows }: ReportSection): boolean {
  return columns.some(({ name, format, isInHtml }, index) => {
    const isText = isInHtml ? format === 'text' || format === 'longtext' : name === 'commentary';
    return isText && rows.some((row) => String(row[index] ?? '').length > maxTextCharacters);
  });
}

const looks: readonly RowsLook[] = ['', 'screen', 'folded'];

/** The rows of each group. Those that all readers see take the first letters for their notes. */
function bodiesMarkup({ groups, row, notes }: TableParts): Map<RowGroup, Markup> {
  const lookOf = ({ summary, isOnScreenOnly = false }: RowGroup): RowsLook =>
    summary === null ? '' : isOnScreenOnly ? 'screen' : 'folded';
  const drawn = looks.flatMap((look) => {
    notes.begin(look);
    const own = groups.filter((group) => lookOf(group) === look && group.rows.length > 0);
    return own.map((group): [RowGroup, Markup] => [
      group,
      markup`<tbody${look !== '' && markup` class="${look}"`}>\n${group.rows.map(row)}</tbody>\n`,
    ]);
  });
  return new Map(drawn);
}

/** The line that stands for rows that are folded, or not printed. */
function lineMarkup(
  { summary, sums = [], isOnScreenOnly = false }: RowGroup,
  { heads, hasRank }: TableParts,
  { elsewhere, isPaper, say }: PageContext,
): Markup | null {
  if (summary === null) return null;
  const where =
    elsewhere === null ? say('not on this page') : say('in {files:text}', { files: elsewhere });
  const width = heads.length - sums.length - (hasRank ? 1 : 0);
  return markup`<tbody class="gap${isOnScreenOnly && ' paper'}"><tr>${hasRank && markup`<td></td>`}<td colspan="${width}">${summary}${!isPaper && markup`<span class="elsewhere">: ${where}</span>`}</td>${sums.map((sum) => markup`<td class="sum">${sum}</td>`)}</tr></tbody>\n`;
}
