import type { ReportSection } from '../../report/report-document.ts';
import { cellMarkup } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';

/** A single row as label and value pairs. */
export function figuresMarkup({ columns, rows }: ReportSection, context: PageContext): Markup {
  const notes = createNullNotes();
  const scope = { context, notes, largestShare: 0 };
  const pairs = columns.flatMap((column, index) => {
    if (!column.isInHtml) return [];
    const value = cellMarkup(rows[0]?.[index] ?? null, column, scope);
    return [markup`<div><dt>${column.title}</dt><dd>${value}</dd></div>\n`];
  });
  return markup`<dl class="figures">
${pairs}</dl>
${notes.explanations()}`;
}
