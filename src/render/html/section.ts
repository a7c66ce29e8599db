import type { ReportDocument, ReportSection } from '../../report/report-document.ts';
import { drawChart } from './chart.ts';
import { figuresMarkup } from './figures.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { sentenceDirection } from '../../core/text-direction.ts';
import { postsMarkup } from './posts.ts';
import { railed } from './rail.ts';
import { isFoldedTable, tableMarkup } from './table.ts';

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
  return markup`<h3 dir="${sentenceDirection(heading)}">${heading}</h3>
${line !== '' && markup`<p class="drawn" dir="${sentenceDirection(line)}">${line}</p>\n`}`;
}

/** The first sentence, without its full stop as headings are, and what follows. */
function splitSentence(text: string): readonly [first: string, rest: string] {
  const end = text.search(/\.(?:\s|$)/u);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1).trim()];
}

/** The chart, the rows that it draws folded under it, then the section's own. */
function contentMarkup(section: ReportSection, id: string, context: PageContext): Markup {
  const chart = drawChart(section, id, context);
  const own = ownMarkup(section, context);
  const data = foldedData(section, context.document);
  if (!chart) return markup`${data && foldMarkup(data, null, context)}${own}`;
  const sentences = chart.notes.map(noteMarkup);
  if (data) return markup`${chart.figure}${foldMarkup(data, chart, context)}${sentences}${own}`;
  const isFolded = chart.showsAllValues || section.rows.length > maxOpenRows;
  if (!isFolded || section.chart?.rows !== null || section.layout !== 'table') {
    return markup`${chart.figure}${sentences}${own}`;
  }
  return markup`${chart.figure}${detailsMarkup(chart.tableName, own, chart.showsAllValues)}${sentences}`;
}

function ownMarkup(section: ReportSection, context: PageContext): Markup {
  if (section.layout === 'figures') return figuresMarkup(section, context);
  return section.layout === 'posts' ? postsMarkup(section, context) : tableMarkup(section, context);
}

/** The rows that this section's chart draws from elsewhere; null where an earlier section shows them. */
function foldedData(section: ReportSection, { sections }: ReportDocument): ReportSection | null {
  const name = section.chart?.rows ?? null;
  if (name === null) return null;
  const [first] = sections.filter(({ chart }) => chart?.rows === name);
  const data = sections.find((other) => other.name === name && other.layout === 'data');
  return first === section && data && data.rows.length > 0 ? data : null;
}

type Drawn = NonNullable<ReturnType<typeof drawChart>>;

function foldMarkup(data: ReportSection, chart: Drawn | null, context: PageContext): Markup {
  const rows = data.rows.length === 1 ? 'row' : 'rows';
  const name =
    chart?.tableName ?? `Table, ${context.formatter.format(data.rows.length, 'count')} ${rows}`;
  const table = markup`${tableMarkup(data, context)}${data.notes.map(noteMarkup)}`;
  const isElsewhere = chart?.showsAllValues ?? false;
  if (!isFoldedTable(data.rows.length)) return detailsMarkup(name, table, isElsewhere);
  // The first few of a thousand rows say nothing on paper.
  const { elsewhere } = context;
  return markup`${detailsMarkup(name, table, true)}${!isElsewhere && elsewhere !== null && markup`<p class="note paper">${name}: in ${elsewhere}.</p>\n`}`;
}

/** Folded on screen; on paper too, unless its figures stand nowhere else. */
function detailsMarkup(name: string, table: Markup, isElsewhere: boolean): Markup {
  return markup`<details${!isElsewhere && markup` class="needed"`}><summary>${name}</summary>
${table}</details>
`;
}

function noteMarkup(note: string): Markup {
  return markup`<p class="note" dir="${sentenceDirection(note)}">${note}</p>\n`;
}
