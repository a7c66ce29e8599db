import { terminalWidth } from '../../core/terminal-width.ts';
import {
  changesInPoints,
  emptyWords,
  type ReportCard,
  type ReportDocument,
} from '../../report/report-document.ts';
import { commentLines, headedComment } from '../comment.ts';
import { createDocumentHead, type DocumentHead } from '../document-head.ts';
import { cellText } from './cell-text.ts';
import { sheetFigure, sheetValue } from './cell-value.ts';
import { CoverPage } from './cover-page.ts';
import { changeFormat, numberFormatOf } from './number-formats.ts';
import { pageOptions } from './page.ts';
import type { SheetContext } from './section-sheet.ts';
import type { SheetPlan } from './sheet-plan.ts';
import type { RichText, SheetCell } from './sheet-writer.ts';
import { bodyStyle, columnStyles, styles } from './styles.ts';
import { sheetPrefix } from './table-address.ts';

/** Writes the first sheet: the head of the report, its facts and key figures, and a table of contents. */
export function writeCoverSheet(
  document: ReportDocument,
  head: DocumentHead,
  plan: SheetPlan,
  context: SheetContext,
): void {
  const view = { showGridLines: false, tabSelected: true };
  const page = new CoverPage(
    context.workbook.addSheet(plan.cover, pageOptions(context.foot, { view })),
  );
  writeTitle(page, head, document.description);
  writeComment(page, document, context);
  writeFacts(page, head, context);
  writeCards(page, head, context);
  writeContents(page, document, plan, context);
  writeCoverage(page, head, context);
  page.gap(6);
  page.line(cellText(head.source.join(' · ')), styles.wrappedNote);
}

function writeTitle(page: CoverPage, head: DocumentHead, description: string): void {
  page.gap(10);
  page.line(cellText(head.brand ?? head.product ?? ''), styles.brand);
  page.gap(8);
  page.line(cellText(head.title), styles.title);
  page.line(cellText(head.scope.join(' · ')), styles.period);
  page.gap(8);
  page.line(head.lede.length > 0 ? ledeText(head.lede) : cellText(description), styles.lede);
}

function ledeText(lede: DocumentHead['lede']): RichText {
  const { font } = styles.lede;
  const strong = { ...font, bold: true };
  return {
    richText: lede.map(({ text, isStrong }) => ({
      text: cellText(text),
      font: isStrong ? strong : font,
    })),
  };
}

/** Writes what the sender has to say, under its first heading. */
function writeComment(page: CoverPage, { comment }: ReportDocument, { say }: SheetContext): void {
  if (comment === null) return;
  const { font } = styles.wrappedText;
  for (const [index, { isHeading, runs }] of commentLines(
    headedComment(comment, say('Comment')),
  ).entries()) {
    const richText = runs.map(({ text, isStrong = false, isEmphasized = false }) => ({
      text: cellText(text),
      font: { ...font, bold: isHeading || isStrong, italic: isEmphasized },
    }));
    if (index === 0) page.heading(cellText(runs.map(({ text }) => text).join('')));
    else page.line({ richText }, styles.wrappedText);
  }
}

function writeCards(
  page: CoverPage,
  { cards, isCompared, terms }: DocumentHead,
  context: SheetContext,
): void {
  if (cards.length === 0) return;
  const { say } = context;
  const heads = isCompared ? [say('Value'), say('Previous'), say('Change')] : [say('Value')];
  page.heading(say('Key figures'), heads);
  for (const { figures } of cards) page.row(cardCells(figures, context));
  if (terms.length > 0) page.line(cellText(terms.join(' · ')), styles.wrappedNote);
}

function writeFacts(page: CoverPage, { facts }: DocumentHead, { say }: SheetContext): void {
  page.heading(say('Basis'));
  for (const { term, text } of facts) page.entry({ value: term, style: styles.label }, text);
}

function writeContents(
  page: CoverPage,
  document: ReportDocument,
  { sections, reports, empty, whatIf, hasOtherPrices, definitions }: SheetPlan,
  context: SheetContext,
): void {
  const { say } = context;
  page.heading(say('Contents'));
  for (const { sheet, document: report } of reports)
    page.entry(
      linkTo(sheet, report.title),
      createDocumentHead(report)
        .lede.map(({ text }) => text)
        .join('') || report.description,
    );
  for (const { section, address, grid, isHidden } of sections) {
    if (grid === null && isHidden) continue;
    page.entry(
      linkTo(grid ?? address.sheet, section.title),
      section.finding ?? section.description,
    );
  }
  for (const { title, empty: words } of empty) {
    const term = { value: cellText(title), style: styles.label };
    page.entry(term, `${words ?? emptyWords(document, context)} ${say('No sheet.')}`);
  }
  if (whatIf !== null)
    page.entry(
      linkTo(whatIf, say('What if')),
      hasOtherPrices
        ? say('EMV at other prices, which you give.')
        : say('EMV at another CPM, which you give.'),
    );
  if (definitions !== null)
    page.entry(linkTo(definitions, say('Definitions')), say('What the figures mean.'));
  const hidden = sections.filter(({ isHidden }) => isHidden).map(({ address }) => address.sheet);
  if (hidden.length > 0) writeHidden(page, hidden, context);
}

function writeHidden(page: CoverPage, names: readonly string[], { say }: SheetContext): void {
  page.heading(say('Hidden sheets'));
  const help = say(
    'What backs the figures up. To see it, right-click the tab of any sheet and choose Unhide.',
  );
  page.line(help, styles.wrappedText);
  page.line(cellText(names.join(' · ')), styles.wrappedNote);
}

function linkTo(sheet: string, title: string): SheetCell {
  const location = `${sheetPrefix(sheet)}A1`;
  return { value: { text: cellText(title), location }, style: styles.link };
}

function writeCoverage(page: CoverPage, { coverage }: DocumentHead, { say }: SheetContext): void {
  if (coverage.length === 0) return;
  page.heading(say('Coverage'));
  for (const item of coverage) page.line(cellText(item), styles.wrappedText);
}

/** The cells of a card: label, value, previous value, change, and basis and note. */
function cardCells(card: ReportCard, context: SheetContext): (SheetCell | null)[] {
  const notes = [card.basis, card.note].filter((text) => text !== null).join(' · ');
  return [
    { value: cellText(card.label), style: styles.label },
    figureCell(card, 'value', context),
    figureCell(card, 'previous', context),
    changeCell(card, context),
    notes === '' ? null : { value: cellText(notes), style: styles.note },
  ];
}

function figureCell(
  card: ReportCard,
  which: 'value' | 'previous',
  { timezone, numberFormats }: SheetContext,
): SheetCell | null {
  const { format, [which]: cell } = card;
  if (cell === null) return null;
  const numberFormat = numberFormatOf(format, [card.value, card.previous], numberFormats);
  const style = columnStyles(format, numberFormat, { isOdd: which === 'previous' }).body;
  return { value: sheetValue(cell, format, timezone), style };
}

/** A figure below 0 has no change: a percentage of it would mean nothing. */
function changeCell(
  { format, value, previous }: ReportCard,
  { numberFormats, say }: SheetContext,
): SheetCell | null {
  const [now, before] = [sheetFigure(value, format), sheetFigure(previous, format)];
  if (now === null || before === null || before < 0) return null;
  if (changesInPoints(format)) {
    const points = Number(((now - before) * (format === 'pp' ? 1 : 100)).toPrecision(15));
    return { value: points, style: bodyStyle(columnStyles('change', numberFormats.pp), points) };
  }
  const fromNothing = now === 0 ? 0 : say('new');
  const change = before === 0 ? fromNothing : now / before - 1;
  return { value: change, style: bodyStyle(columnStyles('change', changeFormat), change) };
}

const termWidth = 28;
const textWidth = 90;
/** The characters on a line: fewer than the width, since lines break between words. */
const lineCharacters = 84;

/** Writes the last sheet with the definitions of the figures. */
export function writeDefinitionsSheet(
  definitions: ReportDocument['definitions'],
  name: string,
  context: SheetContext,
): void {
  const view = { showGridLines: false };
  const sheet = context.workbook.addSheet(name, pageOptions(context.foot, { view }));
  sheet.setWidths([termWidth, textWidth]);
  sheet.addRow([{ value: context.say('Definitions'), style: styles.finding }], { height: 24 });
  sheet.addRow([], { height: 8 });
  for (const { term, text } of definitions) {
    const lines = Math.ceil(terminalWidth(text) / lineCharacters);
    const termLines = Math.ceil(terminalWidth(term) / (termWidth - 2));
    const cells = [
      { value: cellText(term), style: styles.term },
      { value: cellText(text), style: styles.wrappedText },
    ];
    sheet.addRow(cells, { height: 6 + 13 * Math.max(lines, termLines) });
  }
}
