import type { ReportSection } from '../../report/report-document.ts';
import { drawChart } from './chart.ts';
import { figuresMarkup } from './figures.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes, type NullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { postsMarkup } from './posts.ts';
import { tableMarkup } from './table.ts';

/** Rail name and basis, then finding, what is shown, chart, table and notes. */
export function sectionMarkup(section: ReportSection, index: number, context: PageContext): Markup {
  const id = `s${index + 1}`;
  const notes = createNullNotes();
  const content = contentMarkup(section, id, context, notes);
  return railed(
    id,
    section.title,
    section.basis,
    markup`${headingMarkup(section)}${content}${notes.explanations()}${section.notes.map(noteMarkup)}`,
  );
}

/** A section of the page: its name in the rail, the rest beside it. */
export function railed(id: string, title: string, basis: string | null, body: Markup): Markup {
  return markup`<section aria-labelledby="${id}">
<header><h2 id="${id}"><bdi>${title}</bdi></h2>${basis !== null && markup`<p>${basis}</p>`}</header>
<div class="body">
${body}</div>
</section>
`;
}

/** A finding that the data do not carry gives way to what is shown. */
function headingMarkup({ finding, description }: ReportSection): Markup {
  if (finding === null) {
    return markup`<h3 dir="auto">${description.replace(/\.$/u, '')}</h3>\n`;
  }
  return markup`<h3 dir="auto">${finding}</h3>\n<p class="drawn" dir="auto">${description}</p>\n`;
}

function contentMarkup(
  section: ReportSection,
  id: string,
  context: PageContext,
  notes: NullNotes,
): Markup {
  if (section.layout === 'figures') return figuresMarkup(section, context, notes);
  if (section.layout === 'posts') return postsMarkup(section, context, notes);
  const chart = drawChart(section, id, context);
  const table = tableMarkup(section, context, notes);
  if (!chart) return table;
  const sentences = chart.notes.map(noteMarkup);
  if (!chart.showsAllValues) return markup`${chart.figure}${table}${sentences}`;
  return markup`${chart.figure}<details><summary>${chart.tableName}</summary>
${table}</details>
${sentences}`;
}

function noteMarkup(note: string): Markup {
  return markup`<p class="note" dir="auto">${note}</p>\n`;
}
