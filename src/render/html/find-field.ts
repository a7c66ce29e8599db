import type { ReportSection } from '../../report/report-document.ts';
import { maxTextCharacters } from './cell.ts';
import { markup, type Markup } from './markup.ts';

/** Shorter tables are read faster than searched. */
const minRows = 13;

/**
 * For the script, which unhides it: without one there is nothing to type into. Where texts are cut on the
 * page, it says what of them is searched: a count of 0 would else deny words that they have.
 */
export function findMarkup({ rows, title }: ReportSection, isCut: boolean): Markup | null {
  if (rows.length < minRows) return null;
  return markup`<p class="find" hidden><label>Find <span class="spoken">in ${title}</span> <input type="search" autocomplete="off"></label>${isCut && markup` <span>in the first ${maxTextCharacters} characters of each text</span>`} <output></output></p>
`;
}
