import type { ReportSection } from '../../report/report-document.ts';
import { markup, type Markup } from './markup.ts';

/** Shorter tables are read faster than searched. */
const minRows = 13;

/** For the script, which unhides it: without one there is nothing to type into. */
export function findMarkup({ rows, title }: ReportSection): Markup | null {
  if (rows.length < minRows) return null;
  return markup`<p class="find" hidden><label>Find <span class="spoken">in ${title}</span> <input type="search" autocomplete="off"></label> <output></output></p>
`;
}
