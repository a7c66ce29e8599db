import type { Cell, ReportColumn, ReportSection } from '../../report/report-document.ts';
import {
  type CellScope,
  cellMarkup,
  linkAttributes,
  maxFoldedTextCharacters,
  maxTextCharacters,
} from './cell.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes } from './null-notes.ts';
import { emptyWords, type PageContext } from './page-context.ts';
import { cleanAttribute, shorten } from './plain-text.ts';
import { foldPosts, type PostGroup } from './post-folds.ts';
import { columnClasses, headMarkup } from './table.ts';

/** Columns that the leading cell is made of, by their shared names in every report's `posts`. */
const leadColumns = [
  'commentary',
  'title',
  'url',
  'published_at',
  'profile',
  'type',
  'campaign',
  'labels',
  'is_removed',
];

/** Reads a row by the names of its columns. */
type Read = (row: readonly Cell[], name: string) => Cell;

interface PostTable {
  readonly section: ReportSection;
  readonly context: PageContext;
  readonly figures: readonly { readonly column: ReportColumn; readonly index: number }[];
  readonly scope: CellScope;
  readonly read: Read;
  readonly withYear: boolean;
  /** Whether a removed post is told from the others. */
  readonly marksRemoved: boolean;
}

/** Rank, the post's text with day, profile and type in small, then its figures. */
export function postsMarkup(section: ReportSection, context: PageContext): Markup {
  const table = describeTable(section, context);
  const shown = table.figures.map(({ column }) => column);
  const classes = ['posts', ...columnClasses(shown, section.sortedBy, 3)].join(' ');
  return markup`${findMarkup(section)}<div class="scroll" role="group" aria-label="Table: ${cleanAttribute(section.title)}"><table class="${classes}">
<caption class="spoken">${section.title}</caption>
<thead><tr><th scope="col"><span class="spoken">Rank</span></th><th scope="col" data-sort="text">Post</th>${shown.map((column) => headMarkup(column, section))}</tr></thead>
${bodiesMarkup(table)}</table></div>
${table.scope.notes.explanations()}`;
}

function describeTable(section: ReportSection, context: PageContext): PostTable {
  const places = new Map(section.columns.map((column, index) => [column.name, index]));
  const { from, to } = context.document.period;
  return {
    section,
    context,
    figures: section.columns.flatMap((column, index) =>
      column.isInHtml && !leadColumns.includes(column.name) ? [{ column, index }] : [],
    ),
    scope: { context, notes: createNullNotes(), largestShare: 0 },
    read: (row, name) => row[places.get(name) ?? -1] ?? null,
    marksRemoved: section.columns.some((column) => column.name === 'is_removed' && column.isInHtml),
    withYear: from === null || from.slice(0, 4) !== to?.slice(0, 4),
  };
}

/** For the script, which unhides it: without one there is nothing to type into. */
function findMarkup({ rows, title }: ReportSection): Markup | null {
  if (rows.length < 2) return null;
  return markup`<p class="find" hidden><label>Find in ${title.toLowerCase()} <input type="search" autocomplete="off"></label> <output></output></p>
`;
}

function bodiesMarkup(table: PostTable): Markup | Markup[] {
  const { section, context, figures } = table;
  const width = figures.length + 1;
  if (section.rows.length === 0) {
    return markup`<tbody><tr><td></td><td class="empty" colspan="${width}">${emptyWords(context.document)}</td></tr></tbody>\n`;
  }
  return foldPosts(section, context.formatter).map((group) => groupMarkup(group, table, width));
}

function groupMarkup(group: PostGroup, table: PostTable, width: number): Markup {
  const maxCharacters = group.summary === null ? maxTextCharacters : maxFoldedTextCharacters;
  const rows = group.rows.map(({ row, rank }) => rowMarkup(row, rank, maxCharacters, table));
  if (group.summary === null) return markup`<tbody>\n${rows}</tbody>\n`;
  const onPaper =
    rows.length > 0 && markup`<span class="paper">: not printed, in the CSV and XLSX files</span>`;
  const gap = markup`<tbody class="gap"><tr><td></td><td colspan="${width}">${group.summary}${onPaper}</td></tr></tbody>\n`;
  return rows.length === 0 ? gap : markup`${gap}<tbody class="rest">\n${rows}</tbody>\n`;
}

function rowMarkup(
  row: readonly Cell[],
  rank: number | null,
  maxCharacters: number,
  table: PostTable,
): Markup {
  const cells = table.figures.map(
    ({ column, index }) => markup`<td>${cellMarkup(row[index] ?? null, column, table.scope)}</td>`,
  );
  return markup`<tr><td>${rank ?? '–'}</td><th scope="row">${textMarkup(row, maxCharacters, table)}<small>${originMarkup(row, table)}</small></th>${cells}</tr>\n`;
}

function textMarkup(row: readonly Cell[], maxCharacters: number, { read }: PostTable): Markup {
  const text = [read(row, 'commentary'), read(row, 'title')].find(isFilled) ?? 'Post without text';
  const link = linkAttributes(String(read(row, 'url') ?? ''));
  const words = shorten(text, maxCharacters);
  return link
    ? markup`<a dir="auto"${link}>${words}</a>`
    : markup`<span dir="auto">${words}</span>`;
}

/** Day, profile and type, then what the post belongs to. */
function originMarkup(row: readonly Cell[], table: PostTable): Markup {
  const { read, context, withYear, marksRemoved } = table;
  const published = read(row, 'published_at');
  const day = isFilled(published) ? context.words.postDay(published, { withYear }) : 'no date';
  const labels = read(row, 'labels');
  const names = [read(row, 'profile'), read(row, 'type'), read(row, 'campaign')];
  const words = [...names, Array.isArray(labels) ? labels.join(', ') : null].filter(isFilled);
  return markup`${day}${words.map((word) => markup` · <bdi>${word}</bdi>`)}${marksRemoved && read(row, 'is_removed') === true && markup` · <b>removed</b>`}`;
}

function isFilled(cell: Cell): cell is string {
  return typeof cell === 'string' && cell.trim() !== '';
}
