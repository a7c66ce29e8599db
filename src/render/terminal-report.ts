import pc from 'picocolors';
import { createFormatter, type Formatter } from '../languages/number-format.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { wrapTerminal } from '../core/terminal-width.ts';
import { withoutIsolates } from '../languages/text-direction.ts';
import type { ReportDocument, ReportSection } from '../report/report-document.ts';
import {
  changeWords,
  createDocumentHead,
  type DocumentHead,
  factsLine,
  type HeadCard,
} from './document-head.ts';
import { chosenSections } from './shown-document.ts';
import { isFigureList, printedRows } from './shown-table.ts';
import { drawRows, ranks, type Terminal } from './terminal-columns.ts';
import { renderTerminalTable } from './terminal-table.ts';

type Colors = ReturnType<typeof pc.createColors>;

interface Print {
  readonly document: ReportDocument;
  readonly head: DocumentHead;
  readonly formatter: Formatter;
  readonly colors: Colors;
  readonly width: number | null;
}

/**
 * A report for a terminal: its head with the cards, and each section with its finding, basis, table and notes, wrapped
 * to the width, with a line feed at the end. Rows that only charts draw are named, not printed. Control sequences in
 * texts are escaped.
 */
export function renderTerminalReport(document: ReportDocument, terminal: Terminal): string {
  const formatter = createFormatter({ ...document, hasOffsets: true });
  const print: Print = {
    document,
    head: createDocumentHead(document, formatter),
    formatter,
    colors: pc.createColors(terminal.hasColor),
    width: terminal.width,
  };
  const sections = chosenSections(document).filter(({ layout }) => layout !== 'data');
  const blocks = [
    headBlock(print),
    cardsBlock(print),
    wrapped(print.head.terms.join(' · '), print).join('\n'),
    ...sections.map((section) => sectionBlock(section, print, terminal)),
    dataBlock(print),
    sourceBlock(print),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function headBlock(print: Print): string {
  const { head, colors } = print;
  return [
    ...wrapped(head.title, print).map(colors.bold),
    ...wrapped(head.scope.join(' · '), print),
    ...wrapped(head.lede.map(({ text }) => text).join(''), print),
    ...wrapped(factsLine(head), print).map(colors.dim),
    ...wrapped(head.coverage.join(' · '), print),
  ].join('\n');
}

/** The cards, a line each: label, value, change, previous value, trend, basis and note. */
function cardsBlock(print: Print): string {
  const rows = print.head.cards.map((card) => cardCells(card, print.formatter));
  return alignedLines(rows, [1, 2, 3], print);
}

/** Rows in columns without heads, some of them aligned to the right. */
function alignedLines(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[],
  { width }: Print,
): string {
  const columns = (rows[0] ?? []).map((_, index) => ({
    head: '',
    cells: rows.map((row) => row[index] ?? ''),
    isFigure: rightAligned.includes(index),
    minWidth: Infinity,
    rank: ranks.other,
  }));
  return drawRows(columns, width);
}

function cardCells(card: HeadCard, formatter: Formatter): string[] {
  const { label, value, change, previous, basis, note } = card;
  const { trend } = card.figures;
  return [
    label,
    value,
    change === null ? '' : changeWords(change),
    previous.join(' '),
    trend.length === 0 ? '' : formatter.format(trend, 'trend'),
    [basis, note].filter((text) => text !== null).join(' · '),
  ];
}

function sectionBlock(section: ReportSection, print: Print, terminal: Terminal): string {
  const { document, colors } = print;
  const { title, finding, description, basis, notes } = section;
  const hasFinding = finding !== null;
  const about = [hasFinding ? description : null, basis].filter((text) => text !== null);
  return [
    ...wrapped(`${title}: ${finding ?? description}`, print).map(colors.bold),
    ...wrapped(about.join(' · '), print).map(colors.dim),
    isFigureList(section)
      ? figureLines(section, print)
      : renderTerminalTable(section, { ...document, ...terminal }),
    ...(section.rows.length === 0 && section.empty !== null ? wrapped(section.empty, print) : []),
    ...notes.flatMap((note) => wrapped(note, print)).map(colors.dim),
  ].join('\n');
}

/** A line for each figure of a single row, since all of them would not fit on one line. */
function figureLines(section: ReportSection, print: Print): string {
  const [figures = []] = printedRows(section, print.formatter);
  const rows = section.columns.map(({ title }, index) => [title, figures[index] ?? '']);
  return alignedLines(rows, [1], print);
}

function dataBlock(print: Print): string {
  const names = chosenSections(print.document).flatMap(({ layout, name }) =>
    layout === 'data' ? [name] : [],
  );
  if (names.length === 0) return '';
  const text = print.formatter.say(
    'Not printed, since charts are drawn from them: {names:text}. Get them with --format csv, json, parquet, md or xlsx.',
    { names: names.join(', ') },
  );
  return wrapped(text, print).map(print.colors.dim).join('\n');
}

function sourceBlock(print: Print): string {
  return wrapped(print.head.source.join(' · '), print).map(print.colors.dim).join('\n');
}

function wrapped(sentence: string, { width }: Print): string[] {
  const line = terminalLine(withoutIsolates(sentence));
  return line === '' ? [] : wrapTerminal(line, width);
}
