import type { Cell, ReportSection } from '../../report/report-document.ts';
import { linkAttributes, maxTextCharacters } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes, type NullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute, shorten } from './plain-text.ts';
import { foldPosts, ranksOf } from './post-folds.ts';
import { maxUnbrokenPairs } from './table.ts';
import { columnClasses, dataCell, headMarkup, sectionColumn } from './table-columns.ts';
import type { TableColumn } from './table-frame.ts';
import { frameMarkup } from './table-frame.ts';

/** The columns that make up the leading cell; they have the same names in every report. */
export const leadColumns = [
  'rank',
  'commentary',
  'title',
  'url',
  'published_at',
  'profile',
  'type',
  'campaign',
  'labels',
  'is_removed',
  'is_young',
];

type Read = (row: readonly Cell[], name: string) => Cell;

interface PostTable {
  readonly context: PageContext;
  readonly figures: readonly TableColumn[];
  readonly read: Read;
  readonly withYear: boolean;
  /** The remarks about a post, by the column that holds them. */
  readonly marks: readonly { readonly name: string; readonly word: string }[];
}

/** The rank, the text of the post with its day, profile and type, and its figures. */
export function postsMarkup(section: ReportSection, context: PageContext): Markup {
  const notes = createNullNotes(context);
  const table = describeTable(section, notes, context);
  const { figures } = table;
  const ranks = ranksOf(section);
  const rank = markup`<th scope="col"><span class="spoken">${context.say('Rank')}</span></th>`;
  const parts = {
    classes: [
      'posts',
      ...(section.rows.length <= maxUnbrokenPairs ? ['short'] : []),
      ...columnClasses(figures, 3),
    ],
    heads: [
      rank,
      markup`<th scope="col" data-sort="text">${context.say('Post')}</th>`,
      ...figures.map(headMarkup),
    ],
    groups: foldPosts(section, context.formatter),
    row: (index: number) => rowMarkup(section.rows[index] ?? [], ranks[index] ?? null, table),
    hasRank: true,
    foot: null,
    notes,
  };
  return frameMarkup(section, parts, context);
}

function describeTable(section: ReportSection, notes: NullNotes, context: PageContext): PostTable {
  const indexes = new Map(section.columns.map((column, index) => [column.name, index]));
  const { from, to } = context.document.period;
  const isShown = (name: string) =>
    section.columns.some((column) => column.name === name && column.isInHtml);
  return {
    context,
    figures: section.columns.flatMap((column, index) =>
      column.isInHtml && !leadColumns.includes(column.name)
        ? [sectionColumn(section, { column, index }, { context, notes, largestShare: 0 })]
        : [],
    ),
    read: (row, name) => row[indexes.get(name) ?? -1] ?? null,
    marks: [
      { name: 'is_removed', word: context.say('removed') },
      { name: 'is_young', word: context.say('not final') },
    ].filter(({ name }) => isShown(name)),
    withYear: from === null || from.slice(0, 4) !== to?.slice(0, 4),
  };
}

function rowMarkup(row: readonly Cell[], rank: number | null, table: PostTable): Markup {
  const cells = table.figures.map((column, index) => dataCell(column, row, index));
  return markup`<tr><td>${table.context.formatter.format(rank, 'count')}</td><th scope="row">${textMarkup(row, table)}<small${tipMarkup(row, table)}>${originMarkup(row, table)}</small></th>${cells}</tr>\n`;
}

function textMarkup(row: readonly Cell[], { read, context: { say } }: PostTable): Markup {
  const [text = say('Post without text')] = wordsOf(row, read);
  const link = linkAttributes(String(read(row, 'url') ?? ''));
  const words = shorten(text, maxTextCharacters);
  return link
    ? markup`<a dir="auto"${link}>${words}</a>`
    : markup`<span dir="auto">${words}</span>`;
}

/** The text of a post; its title when it has no text. */
function wordsOf(row: readonly Cell[], read: Read): string[] {
  return [read(row, 'commentary'), read(row, 'title')].filter(isFilled);
}

/** A title that the text leaves no room for is shown on hovering; the script finds the post by it. */
function tipMarkup(row: readonly Cell[], { read }: PostTable): Markup | null {
  const [, title = null] = wordsOf(row, read);
  if (title === null) return null;
  return markup` title="${cleanAttribute(shorten(title, maxTextCharacters))}"`;
}

/** The day, profile and type of a post, its campaign and labels, and the remarks about it. */
function originMarkup(row: readonly Cell[], table: PostTable): Markup {
  const { read, withYear, marks } = table;
  const { words: calendar, say } = table.context;
  const published = read(row, 'published_at');
  const day = isFilled(published) ? calendar.postDay(published, { withYear }) : say('no date');
  const labels = read(row, 'labels');
  const names = [read(row, 'profile'), read(row, 'type'), read(row, 'campaign')];
  const words = [...names, Array.isArray(labels) ? labels.join(', ') : null].filter(isFilled);
  const said = marks.filter(({ name }) => read(row, name) === true);
  return markup`${day}${words.map((word) => markup` · <bdi>${word}</bdi>`)}${said.map(({ word }) => markup` · <b>${word}</b>`)}`;
}

function isFilled(cell: Cell): cell is string {
  return typeof cell === 'string' && cell.trim() !== '';
}
