import type { ReportColumn } from '../../report/report-document.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';

/** The letters at a section's unknown values, and the sentences that explain them. */
export interface NullNotes {
  /** The mark of an unknown value in this column: `–` with a title, and with a letter when it needs a note. */
  mark(column: ReportColumn): Markup;
  /** Says where the rows stand whose marks follow; those that all readers see come first. */
  begin(look: RowsLook): void;
  /** The notes under the table for the letters in use, each shown where a row and a column with its letter are. */
  explanations(): Markup[];
}

/** The rows of a table that everybody sees, those that are not printed, and those that have to be unfolded. */
export type RowsLook = '' | 'screen' | 'folded';

/** Beyond this many values, titles name only the letter: a thousand sentences would make the page large. */
const maxTitles = 40;

/** One letter for each distinct sentence, in the order in which the table meets them. */
export function createNullNotes({ say }: PageContext): NullNotes {
  const letters = new Map<string, { letter: string; look: RowsLook; isWide: boolean }>();
  let marks = 0;
  let look: RowsLook = '';
  return {
    mark: ({ nullNote, isPrimary }) => {
      if (nullNote === null)
        return markup`<span class="null" title="${cleanAttribute(say('No value'))}">–</span>`;
      const known = letters.get(nullNote) ?? { letter: letterAt(letters.size), look, isWide: true };
      letters.set(nullNote, { ...known, isWide: known.isWide && !isPrimary });
      const { letter } = known;
      marks += 1;
      const title = marks > maxTitles ? say('See note {letter:text}', { letter }) : nullNote;
      return markup`<span class="null" title="${cleanAttribute(title)}">–</span><sup>${letter}</sup>`;
    },
    begin: (next) => {
      look = next;
    },
    explanations: () =>
      [...letters].map(
        ([note, { letter, look: own, isWide }]) =>
          markup`<p class="note${own && ` ${own}`}${isWide && ' wide'}"><sup>${letter}</sup> ${note}</p>\n`,
      ),
  };
}

/** a to z, then aa, ab … */
function letterAt(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letterAt(Math.floor(index / 26) - 1) + last;
}
