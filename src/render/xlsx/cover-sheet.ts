import type { ReportDocument } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { cardCells } from './cover-cards.ts';
import { CoverPage } from './cover-page.ts';
import { ledeText, periodWords, reportFacts } from './cover-words.ts';
import { pageOptions } from './page.ts';
import type { SheetContext } from './section-sheet.ts';
import { styles } from './styles.ts';

/** Names of the sheets: of the cover, and of the sections in order. */
export interface SheetNames {
  readonly cover: string;
  readonly sections: readonly string[];
}

/** The first sheet: what the report is, its figures, what it rests on, what is where, and its terms. */
export function writeCoverSheet(
  document: ReportDocument,
  names: SheetNames,
  context: SheetContext,
): void {
  const sheet = context.workbook.addSheet(names.cover, {
    ...pageOptions({ orientation: 'portrait', foot: context.foot }),
    views: [{ showGridLines: false, zoomScale: 100, tabSelected: true } as object],
  });
  const page = new CoverPage(sheet);
  writeTitle(page, document);
  writeCards(page, document, context);
  writeFacts(page, document);
  writeContents(page, document, names.sections);
  writeDefinitions(page, document);
  sheet.close();
}

function writeTitle(page: CoverPage, document: ReportDocument): void {
  page.gap(10);
  page.line(cellText(document.brand?.name ?? 'postledger'), styles.brand);
  page.gap(8);
  page.line(cellText(document.title), styles.title);
  page.line(cellText(periodWords(document)), styles.period);
  page.gap(8);
  page.line(ledeText(document.lede ?? document.description), styles.lede);
}

function writeCards(page: CoverPage, { cards }: ReportDocument, context: SheetContext): void {
  if (cards.length === 0) return;
  const isCompared = cards.some(({ previous }) => previous !== null);
  page.heading('Key figures', isCompared ? ['Value', 'Previous', 'Change'] : ['Value']);
  for (const card of cards) page.row(cardCells(card, context));
}

function writeFacts(page: CoverPage, document: ReportDocument): void {
  page.heading('Basis');
  for (const [label, text] of reportFacts(document)) {
    page.entry({ value: label, style: styles.label }, text);
  }
  document.coverage.forEach((item, index) => {
    page.entry(index === 0 ? { value: 'Coverage', style: styles.label } : null, item);
  });
}

function writeContents(page: CoverPage, document: ReportDocument, sheets: readonly string[]): void {
  page.heading('Contents');
  document.sections.forEach((section, index) => {
    const hyperlink = `#'${sheets[index] ?? section.name}'!A1`;
    const link = { text: cellText(section.title), hyperlink };
    page.entry({ value: link, style: styles.link }, section.finding ?? section.description);
  });
}

function writeDefinitions(page: CoverPage, { definitions }: ReportDocument): void {
  if (definitions.length === 0) return;
  page.heading('Definitions');
  for (const { term, text } of definitions) {
    page.entry({ value: cellText(term), style: styles.term }, text);
  }
}
