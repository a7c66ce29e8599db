import { markup, type Markup } from './markup.ts';
import { packedMarkup } from './packed-rows.ts';
import type { PageContext } from './page-context.ts';

/** What a page holds of one table; of more, the last are in other files alone. */
export const maxHeldRows = 50_000;

/** Rows of a table that stand together: in sight, or folded under a line that says what they are. */
export interface RowGroup {
  /** Null: in sight. */
  readonly summary: string | null;
  /** With none, the line stands for rows that the page does not hold. */
  readonly rows: readonly Markup[];
}

/** Where the folded line stands: beside the rank of posts, else in the first column. */
interface TableShape {
  readonly columns: number;
  readonly hasRank: boolean;
}

/**
 * The bodies of a table, and after it the rows that are folded in them: compressed, since a thousand rows
 * of markup are mostly the same, and since rows that nobody asks for need not be laid out. The script
 * unfolds, sorts and searches them; without it, and on paper, their line says where else they are.
 */
export function foldedBodies(
  groups: readonly RowGroup[],
  shape: TableShape,
  context: PageContext,
): { readonly bodies: readonly Markup[]; readonly packed: Markup | null } {
  const folded = groups.flatMap(({ summary, rows }) => (summary === null ? [] : rows));
  return {
    bodies: groups.map((group) => bodyMarkup(group, shape, context)),
    packed: folded.length === 0 ? null : packedMarkup(folded),
  };
}

function bodyMarkup({ summary, rows }: RowGroup, shape: TableShape, context: PageContext): Markup {
  if (summary === null) return markup`<tbody>\n${rows}</tbody>\n`;
  const lead = shape.hasRank && markup`<td></td>`;
  const columns = shape.hasRank ? shape.columns - 1 : shape.columns;
  const where = context.elsewhere === null ? 'not on this page' : `in ${context.elsewhere}`;
  const kind = rows.length > 0 ? markup` data-rows="${rows.length}"` : null;
  return markup`<tbody class="gap"${kind}><tr>${lead}<td colspan="${columns}">${summary}<span class="elsewhere">: ${where}</span></td></tr></tbody>\n`;
}
