import type { ReportSection } from '../../report/report-document.ts';
import { linkAttributes, maxTextCharacters } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { createPostReader, isBesideLead, type ShownPost } from '../shown-post.ts';
import { cleanAttribute, shorten } from './plain-text.ts';
import { foldPosts, ranksOf } from './post-folds.ts';
import { maxUnbrokenRows } from './table.ts';
import { columnClasses, dataCell, headMarkup, sectionColumn } from './table-columns.ts';
import { frameMarkup } from './table-frame.ts';

/** The rank, the text of the post with its day, profile and type, and its figures. */
export function postsMarkup(section: ReportSection, context: PageContext): Markup {
  const notes = createNullNotes(context);
  const { from, to } = context.document.period;
  const readPost = createPostReader(section, {
    calendar: context.words,
    say: context.say,
    withYear: from === null || from.slice(0, 4) !== to?.slice(0, 4),
  });
  const figures = section.columns.flatMap((column, index) =>
    isBesideLead(column)
      ? [sectionColumn(section, { column, index }, { context, notes, largestShare: 0 })]
      : [],
  );
  const ranks = ranksOf(section);
  const rank = markup`<th scope="col"><span class="spoken">${context.say('Rank')}</span></th>`;
  const rowMarkup = (index: number): Markup => {
    const row = section.rows[index] ?? [];
    const cells = figures.map((column) => dataCell(column, row, index));
    const rankText = context.formatter.format(ranks[index] ?? null, 'count');
    return markup`<tr><td>${rankText}</td><th scope="row">${leadMarkup(readPost(row), context)}</th>${cells}</tr>\n`;
  };
  const parts = {
    classes: [
      'posts',
      ...(section.rows.length <= maxUnbrokenRows ? ['short'] : []),
      ...columnClasses(figures, 3),
    ],
    heads: [
      rank,
      markup`<th scope="col" data-sort="text">${context.say('Post')}</th>`,
      ...figures.map(headMarkup),
    ],
    groups: foldPosts(section, context.formatter),
    row: rowMarkup,
    hasRank: true,
    foot: null,
    notes,
  };
  return frameMarkup(section, parts, context);
}

/**
 * The text of a post, and a line with its day, its names and the remarks about it. A title that the text leaves no room for
 * is shown on hovering; the script finds the post by it.
 */
function leadMarkup(post: ShownPost, { say }: PageContext): Markup {
  const link = linkAttributes(post.url ?? '');
  const words = shorten(post.text, maxTextCharacters);
  const text = link
    ? markup`<a dir="auto"${link}>${words}</a>`
    : markup`<span dir="auto">${words}</span>`;
  const tip =
    post.title !== null &&
    markup` title="${cleanAttribute(shorten(post.title, maxTextCharacters))}"`;
  const names = post.names.map((name) => markup` · <bdi>${name}</bdi>`);
  const remarks = post.remarks.map((word) => markup` · <b>${word}</b>`);
  return markup`${text}<small${tip}>${post.day ?? say('no date')}${names}${remarks}</small>`;
}
