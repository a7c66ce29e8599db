import { terminalWidth } from '../../core/terminal-width.ts';
import {
  emptyWords,
  type ReportCard,
  type ReportDocument,
  type ReportInput,
} from '../../report/report-document.ts';
import { changesInPoints, type DocumentHead } from '../document-head.ts';
import { cellText } from './cell-text.ts';
import { sheetFigure, sheetValue } from './cell-value.ts';
import { CoverPage } from './cover-page.ts';
import { type SheetFormula, inputNames, orNothing, textOf } from './formulas.ts';
import { changeFormat, numberFormatOf } from './number-formats.ts';
import { pageOptions } from './page.ts';
import { inputWarning, type SheetContext } from './section-sheet.ts';
import type { SheetPlan } from './sheet-plan.ts';
import type { RichText, SheetCell } from './sheet-writer.ts';
import { columnStyles, inputStyle, styles } from './styles.ts';
import { type FigureCells, fixedCell, sheetPrefix } from './table-place.ts';

/** Writes the first sheet: the head of the report, its facts and key figures, and a table of contents. */
export function writeCoverSheet(
  document: ReportDocument,
  head: DocumentHead,
  plan: SheetPlan,
  context: CardContext,
): void {
  const sheet = context.workbook.addSheet(plan.cover, {
    ...pageOptions('portrait', context.foot),
    views: [{ showGridLines: false, zoomScale: 100, tabSelected: true } as object],
  });
  const page = new CoverPage(sheet);
  writeTitle(page, head, document.description);
  if (document.input) page.line(inputWarning(inputNames(document.input), context), styles.warning);
  writeFacts(page, head, context);
  if (document.input) writeInput(page, document.input, { cover: plan.cover, context });
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

function writeCards(
  page: CoverPage,
  { cards, isCompared }: DocumentHead,
  context: CardContext,
): void {
  if (cards.length === 0) return;
  const { say } = context;
  const heads = isCompared ? [say('Value'), say('Previous'), say('Change')] : [say('Value')];
  page.heading(say('Key figures'), heads);
  for (const { figures } of cards) page.row(cardCells(figures, page.nextRow, context));
}

function writeFacts(page: CoverPage, { facts }: DocumentHead, { say }: CardContext): void {
  page.heading(say('Basis'));
  for (const { term, text } of facts) page.entry({ value: term, style: styles.label }, text);
}

function writeContents(
  page: CoverPage,
  document: ReportDocument,
  { sections, empty, definitions }: SheetPlan,
  context: CardContext,
): void {
  const { say } = context;
  page.heading(say('Contents'));
  for (const { section, place, grid, isHidden } of sections) {
    if (grid === null && isHidden) continue;
    page.entry(linkTo(grid ?? place.sheet, section.title), section.finding ?? section.description);
  }
  for (const { title, empty: words } of empty) {
    const term = { value: cellText(title), style: styles.label };
    page.entry(term, `${words ?? emptyWords(document, context)} ${say('No sheet.')}`);
  }
  if (definitions !== null)
    page.entry(linkTo(definitions, say('Definitions')), say('What the figures mean.'));
  const hidden = sections.filter(({ isHidden }) => isHidden).map(({ place }) => place.sheet);
  if (hidden.length > 0) writeHidden(page, hidden, context);
}

function writeHidden(page: CoverPage, names: readonly string[], { say }: CardContext): void {
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

/** Writes what the figures include and leave out. */
function writeCoverage(page: CoverPage, { coverage }: DocumentHead, { say }: CardContext): void {
  if (coverage.length === 0) return;
  page.heading(say('Coverage'));
  for (const item of coverage) page.line(cellText(item), styles.wrappedText);
}

export interface CardContext extends SheetContext {
  readonly figures: FigureCells;
}

/**
 * The cells of a card: label, value, previous value, change, and basis and note. Figures that are on the sheet of a section refer
 * to it.
 * @param row the row of the sheet, from 1
 */
function cardCells(card: ReportCard, row: number, context: CardContext): (SheetCell | null)[] {
  const notes = [card.basis, card.note].filter((text) => text !== null).join(' · ');
  return [
    { value: cellText(card.label), style: styles.label },
    figureCell(card, 'value', context),
    figureCell(card, 'previous', context),
    changeCell(card, row, context),
    notes === '' ? null : { value: cellText(notes), style: styles.note },
  ];
}

function figureCell(
  card: ReportCard,
  which: 'value' | 'previous',
  { timezone, figures, numberFormats }: CardContext,
): SheetCell | null {
  const { format, [which]: cell } = card;
  if (cell === null) return null;
  const numberFormat = numberFormatOf(format, [card.value, card.previous], numberFormats);
  const style = columnStyles(format, numberFormat, { isOdd: which === 'previous' }).body;
  const place = which === 'value' ? card.cell : card.previousCell;
  const placed = place && figures.at(place);
  const value = sheetValue(cell, format, timezone);
  if (!placed || typeof value !== 'number') return { value, style };
  return { value: { formula: placed.address, result: value }, style };
}

/** A figure below 0 has no change: a percentage of it would mean nothing. */
function changeCell(
  { format, value, previous, cell, previousCell }: ReportCard,
  row: number,
  { numberFormats, say }: CardContext,
): SheetCell | null {
  const [now, before] = [sheetFigure(value, format), sheetFigure(previous, format)];
  if (now === null || before === null || before < 0) return null;
  const isPoints = changesInPoints(format);
  const { formula, result } = isPoints
    ? pointChange(now, before, { row, times: format === 'pp' ? 1 : 100 })
    : percentChange(now, before, row, say('new'));
  // The cell that a card refers to may become empty when the input is changed.
  const isFixed = cell === null && previousCell === null;
  const style = columnStyles('change', isPoints ? numberFormats.pp : changeFormat).body;
  return { value: { formula: isFixed ? formula : orNothing(formula), result }, style };
}

function pointChange(
  now: number,
  before: number,
  { row, times }: { row: number; times: number },
): SheetFormula {
  const result = Number(((now - before) * times).toPrecision(15));
  const difference = `C${row}-D${row}`;
  return { formula: times === 1 ? difference : `(${difference})*${times}`, result };
}

function percentChange(now: number, before: number, row: number, word: string): SheetFormula {
  const change = `C${row}/D${row}-1`;
  if (before > 0) return { formula: change, result: now / before - 1 };
  const formula = `IF(D${row}=0,IF(C${row}=0,0,${textOf(word)}),${change})`;
  return { formula, result: now === 0 ? 0 : word };
}

const inputColumn = 3;
const reportedColumn = 4;

/** Writes the input cell, the value in the report next to it, and the warning that a change shows. */
function writeInput(
  page: CoverPage,
  input: ReportInput,
  { cover, context }: { cover: string; context: SheetContext },
): void {
  const { workbook, numberFormats, timezone, say } = context;
  const format = numberFormats[input.format];
  const value = sheetValue(input.value, input.format, timezone);
  const names = inputNames(input);
  page.heading(say('To change'), [say('In use'), say('As reported')]);
  const cells = [
    { value: cellText(input.title), style: styles.label },
    { value, style: inputStyle(format) },
    { value, style: columnStyles(input.format, format, { isOdd: true }).body },
  ];
  const row = page.row(cells);
  workbook.nameCell(sheetPrefix(cover) + fixedCell(inputColumn, row), names.current);
  workbook.nameCell(sheetPrefix(cover) + fixedCell(reportedColumn, row), names.reported);
  page.allowPositive(
    inputColumn,
    row,
    say('Figures follow this cell. Empty it to have them as reported.'),
  );
  page.line(cellText(input.help), styles.wrappedNote);
}

const termWidth = 28;
const textWidth = 90;
/** The characters on a line: fewer than the width, since lines break between words. */
const lineCharacters = 84;

/** Writes the last sheet with the definitions of the figures. */
export function writeDefinitionsSheet(
  { definitions }: ReportDocument,
  name: string,
  context: SheetContext,
): void {
  const sheet = context.workbook.addSheet(name, {
    ...pageOptions('portrait', context.foot),
    views: [{ showGridLines: false, zoomScale: 100 }],
  });
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
