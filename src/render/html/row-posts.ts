import { deflateRawSync } from 'node:zlib';
import {
  isPostList,
  postKey,
  type ReportDocument,
  type ReportSection,
} from '../../report/report-document.ts';
import { markup, trusted, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { drawnPosts } from './post-folds.ts';
import { drawnOrder } from './table.ts';
import { maxHeldRows } from './table-frame.ts';

/** The part of the page that the posts behind its rows may add to it. */
const maxShare = 0.1;

/**
 * The posts behind the rows of tables, to which the script unfolds them: for each post of the page's own list the places
 * of the rows in which it counts, so that no post is in the page twice. Nothing for a page without such a list, and where
 * the places would be more than a tenth of the page.
 */
export function rowPostsMarkup(page: Markup, context: PageContext): Markup | null {
  const { sections } = context.document;
  const list = postList(context.document);
  if (!list) return null;
  const places = placesOfPosts(list);
  const rows = Object.fromEntries(
    sections.flatMap((section) =>
      section.rowPosts && section.rows.length <= maxHeldRows
        ? [[section.name, rowsOfPosts(section, places, context)]]
        : [],
    ),
  );
  const text = JSON.stringify({ list: list.name, rows });
  const data = deflateRawSync(text).toString('base64');
  if (data.length > Buffer.byteLength(page.toString()) * maxShare) return null;
  return markup`<script type="text/plain" class="behind">${trusted(data)}</script>\n`;
}

/** The section with the most posts. */
function postList({ sections }: ReportDocument): ReportSection | undefined {
  const [longest] = sections
    .filter((section) => isPostList(section) && section.rows.length <= maxHeldRows)
    .sort((a, b) => b.rows.length - a.rows.length);
  return longest;
}

/** The place of each post among the drawn rows of the list, by its key. */
function placesOfPosts(list: ReportSection): ReadonlyMap<string, number> {
  const [workspace, id] = ['workspace', 'linkedin_post_id'].map((wanted) =>
    list.columns.findIndex(({ name }) => name === wanted),
  );
  return new Map(
    drawnPosts(list).map(({ row }, place) => [postKey(row[workspace ?? -1], row[id ?? -1]), place]),
  );
}

/**
 * The rows of the section in which each post of the list counts, as `3,0 4,,7`: the second post counts in two rows, and
 * the third in none. A row with a post that the list has not is left out.
 */
function rowsOfPosts(
  section: ReportSection,
  places: ReadonlyMap<string, number>,
  context: PageContext,
): string {
  const rows = Array.from(places, (): number[] => []);
  drawnOrder(section, context).forEach((at, row) => {
    const posts = (section.rowPosts?.[at] ?? []).map((key) => places.get(key));
    if (posts.includes(undefined)) return;
    for (const place of posts) rows[place ?? -1]?.push(row);
  });
  return rows.map((of) => of.join(' ')).join();
}
