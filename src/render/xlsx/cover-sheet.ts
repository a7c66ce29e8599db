import { createFormatter } from '../../core/number-format.ts';
import type { ReportDocument } from '../../report/report-document.ts';
import { stampWords } from '../stamp-words.ts';
import { sheetPrefix } from './cell-address.ts';
import { cellText } from './cell-text.ts';
import { cardCells, type CardContext } from './cover-cards.ts';
import { writeInput } from './cover-input.ts';
import { CoverPage } from './cover-page.ts';
import { ledeText, periodWords, reportFacts } from './cover-words.ts';
import { pageOptions } from './page.ts';
import type { SheetCell } from './streaming-sheet.ts';
import { styles } from './styles.ts';

/** Names of the sheets: of the cover, of the sections in order, and of the definitions. */
export interface SheetNames {
  readonly cover: string;
  readonly sections: readonly string[];
  /** Null: there is no such sheet. */
  readonly definitions: string | null;
}

/** The first sheet: what the report is, what it rests on, its figures, and what is where. */
export function writeCoverSheet(
  document: ReportDocument,
  names: SheetNames,
  context: CardContext,
): void {
  const sheet = context.workbook.addSheet(names.cover, {
    ...pageOptions({ orientation: 'portrait', foot: context.foot }),
    views: [{ showGridLines: false, zoomScale: 100, tabSelected: true } as object],
  });
  const page = new CoverPage(sheet);
  writeTitle(page, document);
  writeFacts(page, document);
  if (document.input) writeInput(page, document.input, { cover: names.cover, context });
  writeCards(page, document, context);
  writeContents(page, document, names);
  writeCoverage(page, document);
  writeStamp(page, document);
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

function writeCards(page: CoverPage, { cards }: ReportDocument, context: CardContext): void {
  if (cards.length === 0) return;
  const isCompared = cards.some(({ previous }) => previous !== null);
  page.heading('Key figures', isCompared ? ['Value', 'Previous', 'Change'] : ['Value']);
  for (const card of cards) page.row(cardCells(card, page.nextRow, context));
}

function writeFacts(page: CoverPage, document: ReportDocument): void {
  page.heading('Basis');
  for (const [label, text] of reportFacts(document)) {
    page.entry({ value: label, style: styles.label }, text);
  }
}

function writeContents(page: CoverPage, document: ReportDocument, names: SheetNames): void {
  page.heading('Contents');
  document.sections.forEach((section, index) => {
    const link = linkTo(names.sections[index] ?? section.name, section.title);
    page.entry(link, section.finding ?? section.description);
  });
  if (names.definitions !== null) {
    page.entry(linkTo(names.definitions, 'Definitions'), 'What each figure is made of.');
  }
}

function linkTo(sheet: string, title: string): SheetCell {
  const hyperlink = `#${sheetPrefix(sheet)}A1`;
  return { value: { text: cellText(title), hyperlink }, style: styles.link };
}

/** What the figures cover, and what they leave out. */
function writeCoverage(page: CoverPage, { coverage }: ReportDocument): void {
  if (coverage.length === 0) return;
  page.heading('Coverage');
  for (const item of coverage) page.line(cellText(item), styles.wrappedText);
}

/** What the workbook was made of. */
function writeStamp(page: CoverPage, document: ReportDocument): void {
  page.gap(6);
  const words = stampWords(document, createFormatter(document));
  page.line(cellText(words.join(' · ')), styles.wrappedNote);
}
