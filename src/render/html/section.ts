import type { ReportSection } from '../../report/report-document.ts';
import { drawChart } from './chart.ts';
import { figuresMarkup } from './figures.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { postsMarkup } from './posts.ts';
import { railed } from './rail.ts';
import { tableMarkup } from './table.ts';

/** A chart's table beyond this folds on screen, though the chart's marks do not tell its values. */
const maxOpenRows = 24;

/** Rail name and basis, then finding, what is shown, chart, table and notes. */
export function sectionMarkup(section: ReportSection, index: number, context: PageContext): Markup {
  const id = `s${index + 1}`;
  const content = contentMarkup(section, id, context);
  return railed(
    id,
    section.title,
    section.basis,
    markup`${headingMarkup(section)}${content}${section.notes.map(noteMarkup)}`,
  );
}

/** A finding that the data do not carry gives way to what is shown. */
function headingMarkup({ finding, description }: ReportSection): Markup {
  const [heading, line] = finding === null ? splitSentence(description) : [finding, description];
  return markup`<h3 dir="auto">${heading}</h3>
${line !== '' && markup`<p class="drawn" dir="auto">${line}</p>\n`}`;
}

/** The first sentence, without its full stop as headings are, and what follows. */
function splitSentence(text: string): readonly [first: string, rest: string] {
  const end = text.search(/\.(?:\s|$)/u);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1).trim()];
}

function contentMarkup(section: ReportSection, id: string, context: PageContext): Markup {
  if (section.layout === 'figures') return figuresMarkup(section, context);
  if (section.layout === 'posts') return postsMarkup(section, context);
  const chart = drawChart(section, id, context);
  const table = tableMarkup(section, context);
  if (!chart) return table;
  const sentences = chart.notes.map(noteMarkup);
  const isLong = section.rows.length > maxOpenRows;
  if (!chart.showsAllValues && !isLong) return markup`${chart.figure}${table}${sentences}`;
  return markup`${chart.figure}<details${!chart.showsAllValues && markup` class="needed"`}><summary>${chart.tableName}</summary>
${table}</details>
${sentences}`;
}

function noteMarkup(note: string): Markup {
  return markup`<p class="note" dir="auto">${note}</p>\n`;
}
