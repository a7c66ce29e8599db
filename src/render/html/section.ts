import {
  cellIn,
  chartTable,
  emptyWords,
  type ReportDocument,
  type ReportSection,
} from '../../report/report-document.ts';
import { cellMarkup } from './cell.ts';
import { termsMarkup } from './cards.ts';
import { drawChart, type DrawnChart } from './chart.ts';
import { headingOf } from '../document-head.ts';
import { markup, type Markup } from './markup.ts';
import { createNullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { postsMarkup } from './posts.ts';
import { emptyReason } from '../shown-table.ts';
import { tableMarkup } from './table.ts';

/** Longer tables fold under their chart, even when its marks do not show all values. */
const maxOpenRows = 24;
/** Longer tables are not printed under a chart. */
const maxPrintedRows = 12;

/** The main sections, or one sentence when none of them has anything to show, unless the lede says it. */
export function sectionsMarkup(context: PageContext): Markup {
  const { document } = context;
  if (document.isLedeAlone === true) return markup``;
  const shown = document.sections.filter((section) => hasContent(section, document));
  if (shown.length === 0)
    return markup`<p class="nothing">${emptyWords(document, context.formatter)}</p>\n`;
  const answers = shown.filter(({ isAppendix }) => !isAppendix);
  // the first section may stand in the place of the cards
  const terms = document.showsCards === false ? termsMarkup(context) : null;
  return markup`${answers.map((section, at) => markup`${sectionMarkup(section, context)}${at === 0 && terms}`)}`;
}

/** Tells whether a section has a row to show or a chart of other rows; a row of figures needs one that is not 0. */
export function hasContent(section: ReportSection, document: ReportDocument): boolean {
  const { layout, rows } = section;
  if (layout === 'data') return false;
  if (layout === 'figures')
    return rows.some((row) => row.some((cell) => cell !== null && cell !== 0));
  return rows.length > 0 || chartTable(section, document).rows.length > 0;
}

/** A section of the page, with its name in the rail on the left. */
export function railed(id: string, title: string, basis: string | null, body: Markup): Markup {
  return markup`<section aria-labelledby="${id}">
<header><h2 id="${id}"><bdi>${title}</bdi></h2>${basis !== null && markup`<p>${basis}</p>`}</header>
<div class="body">
${body}</div>
</section>
`;
}

/** A section with its name and basis in the rail, its finding, description, chart, table and notes. */
export function sectionMarkup(section: ReportSection, context: PageContext): Markup {
  const id = `${context.ids}s${context.document.sections.indexOf(section) + 1}`;
  const content = contentMarkup(section, id, context);
  return railed(
    id,
    section.title,
    section.basis,
    markup`${headingMarkup(section)}${content}${section.notes.map(noteMarkup)}`,
  );
}

function headingMarkup(section: ReportSection): Markup {
  const [heading, line] = headingOf(section);
  return markup`<h3>${heading}</h3>
${line !== '' && markup`<p class="drawn">${line}</p>\n`}`;
}

/** The chart, the rows that it draws folded under it, and the rows of the section. */
function contentMarkup(section: ReportSection, id: string, context: PageContext): Markup {
  const chart = drawChart(section, id, context);
  const data = foldedData(section, context.document);
  // the cells of a heat map of other rows have too few posts to be read
  const own = data && section.chart?.kind === 'heatmap' ? null : ownMarkup(section, context);
  if (!chart) return markup`${data && foldMarkup(data, null, context)}${own}`;
  const drawn = markup`${chart.figure}${data && foldMarkup(data, chart, context)}`;
  const sentences = chart.notes.map(noteMarkup);
  const isFolded = chart.showsAllValues || section.rows.length > maxOpenRows;
  if (data || !isFolded || section.chart?.rows !== null || section.layout !== 'table') {
    return markup`${drawn}${sentences}${own}`;
  }
  return markup`${drawn}${foldMarkup(section, chart, context)}${sentences}`;
}

function ownMarkup(section: ReportSection, context: PageContext): Markup | null {
  if (section.rows.length === 0) return null;
  if (section.layout === 'figures') return figuresMarkup(section, context);
  return section.layout === 'posts' ? postsMarkup(section, context) : tableMarkup(section, context);
}

function figuresMarkup(section: ReportSection, context: PageContext): Markup {
  const {
    columns,
    rows: [row = []],
  } = section;
  const notes = createNullNotes(context);
  const scope = { context, notes, largestShare: 0 };
  const pairs = columns.flatMap((column, index) => {
    if (!column.isInHtml) return [];
    const { column: own, cell } = cellIn(column, row, index);
    const value = cellMarkup(
      cell,
      { ...own, nullNote: emptyReason(section, row, index, context) },
      scope,
    );
    return [markup`<div><dt>${column.title}</dt><dd>${value}</dd></div>\n`];
  });
  return markup`<dl class="figures">
${pairs}</dl>
${notes.explanations()}`;
}

/** The section whose rows the chart draws; null when an earlier section shows them. */
function foldedData(section: ReportSection, { sections }: ReportDocument): ReportSection | null {
  const name = section.chart?.rows ?? null;
  if (name === null) return null;
  const [first] = sections.filter(({ chart }) => chart?.rows === name);
  const data = sections.find((other) => other.name === name && other.layout === 'data');
  return first === section && data && data.rows.length > 0 ? data : null;
}

/**
 * A table folded under its chart. It is printed only when it is short and its figures are nowhere else; rows that only
 * a chart draws are printed where it could not be drawn.
 */
function foldMarkup(
  section: ReportSection,
  chart: DrawnChart | null,
  context: PageContext,
): Markup {
  const { rowCount: count = section.rows.length } = section;
  const { say } = context;
  const name = say('Table, {n:count} {n|row|rows}', { n: count });
  const isElsewhere = chart?.showsAllValues ?? false;
  const isDrawn = chart !== null && section.layout === 'data';
  const isLong = count > maxPrintedRows;
  const isPrinted = !isElsewhere && !isDrawn && !isLong;
  const notes = section.layout === 'data' ? section.notes.map(noteMarkup) : null;
  const { elsewhere } = context;
  const where =
    !isElsewhere &&
    isLong &&
    elsewhere !== null &&
    markup`<p class="note paper">${say('{name:text}: in {files:text}.', { name, files: elsewhere })}</p>\n`;
  return markup`<details${isPrinted && markup` class="printed"`}><summary>${name}</summary>
${tableMarkup(section, context)}${notes}</details>
${where}`;
}

function noteMarkup(note: string): Markup {
  return markup`<p class="note">${note}</p>\n`;
}
