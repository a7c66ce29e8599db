import pc from 'picocolors';
import type { Formatter } from '../core/number-format.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { fitTerminal, terminalWidth, wrapTerminal } from '../core/terminal-width.ts';
import { withoutIsolates } from '../core/text-direction.ts';
import type { ReportCard, ReportDocument, ReportSection } from '../report/report-document.ts';
import { createCalendarWords } from './html/calendar-words.ts';
import { compareWithPrevious } from './html/change.ts';
import { printedRows } from './printed-rows.ts';
import { stampWords } from './stamp-words.ts';
import {
  createTerminalFormatter,
  renderTerminalTable,
  type TerminalTableOptions,
} from './terminal-table.ts';

type Options = Pick<TerminalTableOptions, 'width' | 'color'>;
type Colors = ReturnType<typeof pc.createColors>;

/** A report being printed. */
interface Print {
  readonly document: ReportDocument;
  readonly formatter: Formatter;
  readonly colors: Colors;
  readonly width: number | null;
}

/**
 * A report for a terminal: its head with the cards, then each section with its finding, what it rests on, its
 * table and its notes, wrapped to the width, with a line feed at the end. Rows that only charts are drawn from
 * are named, not printed. Nothing in a text can steer the terminal.
 */
export function renderTerminalReport(document: ReportDocument, options: Options): string {
  const print: Print = {
    document,
    formatter: createTerminalFormatter(document),
    colors: pc.createColors(options.color),
    width: options.width,
  };
  const sections = document.sections.filter(({ layout }) => layout !== 'data');
  const blocks = [
    headBlock(print),
    cardsBlock(print),
    ...sections.map((section) => sectionBlock(section, print, options)),
    dataBlock(print),
    stampBlock(print),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function headBlock(print: Print): string {
  const { document, colors } = print;
  const words = createCalendarWords(document);
  const period = `LinkedIn, ${words.period(document.period, 'long')}`;
  return [
    ...wrapped(document.title, print).map(colors.bold),
    ...wrapped([period, ...document.filters].join(' · '), print),
    ...ledeLines(print),
    ...wrapped(facts(print).join(' · '), print).map(colors.dim),
    ...wrapped(document.coverage.join(' · '), print),
  ].join('\n');
}

/** The asterisks around its figure are for other formats. */
function ledeLines(print: Print): string[] {
  const { lede } = print.document;
  return lede === null ? [] : wrapped(lede.replace(/\*\*(.+?)\*\*/su, '$1'), print);
}

function facts({ document, formatter }: Print): string[] {
  const { previousPeriod, isAtEqualAge, profiles, timezone, currency, dataAsOf } = document;
  const words = createCalendarWords(document);
  const { say } = formatter;
  const compared = () => {
    const period = previousPeriod === null ? '' : words.period(previousPeriod, 'short');
    if (isAtEqualAge) return say('compared with {period:text}, at equal age', { period });
    return say('compared with {period:text}', { period });
  };
  const time = formatter.format(dataAsOf, 'datetime');
  return [
    ...(profiles.length === 0 ? [] : [profiles.join(', ')]),
    ...(previousPeriod === null ? [] : [compared()]),
    timezone,
    currency,
    dataAsOf === null ? say('no data yet') : say('data as of {time:text}', { time }),
  ];
}

/** The figures at a report's head, a line each: label, value, change, previous value, trend, note. */
function cardsBlock(print: Print): string {
  const { cards, previousPeriod } = print.document;
  const isCompared = previousPeriod !== null;
  const rows = cards.map((card) => cardCells(card, isCompared, print.formatter));
  return alignedLines(rows, [1, 2, 3], print);
}

/** Cells in columns, some of them aligned to the right; a column without any text takes no room. */
function alignedLines(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[],
  { width: limit }: Print,
): string {
  const widths = (rows[0] ?? []).map((_, place) =>
    Math.max(...rows.map((row) => terminalWidth(row[place] ?? ''))),
  );
  const lines = rows.map((row) => {
    const cells = row.flatMap((cell, place) => {
      const width = widths[place] ?? 0;
      const padding = ' '.repeat(width - terminalWidth(cell));
      if (width === 0) return [];
      return [rightAligned.includes(place) ? padding + cell : cell + padding];
    });
    const line = cells.join('  ').trimEnd();
    return limit === null ? line : fitTerminal(line, limit);
  });
  return lines.join('\n');
}

function cardCells(card: ReportCard, isCompared: boolean, formatter: Formatter): string[] {
  const { label, value, previous, format, trend, note } = card;
  const { say } = formatter;
  const print = (cell: ReportCard['value']) => formatter.format(cell, format);
  const cells = [
    label,
    print(value),
    isCompared ? changeWords(card, formatter) : '',
    isCompared && previous !== null ? say('{value:text} before', { value: print(previous) }) : '',
    trend.length === 0 ? '' : formatter.format(trend, 'trend'),
    note ?? '',
  ];
  return cells.map(terminalLine);
}

function changeWords(card: ReportCard, formatter: Formatter): string {
  const change = compareWithPrevious(card, formatter);
  if (change.kind === 'up') return `▲ ${change.text}`;
  if (change.kind === 'down') return `▼ ${change.text}`;
  if (change.kind === 'unknown') return '–';
  return formatter.say(change.kind === 'new' ? 'new' : 'unchanged');
}

function sectionBlock(section: ReportSection, print: Print, options: Options): string {
  const { document, colors } = print;
  const { title, finding, description, basis, notes } = section;
  const isTold = finding !== null;
  const about = [isTold ? description : null, basis].filter((text) => text !== null);
  return [
    ...wrapped(`${title}: ${finding ?? description}`, print).map(colors.bold),
    ...wrapped(about.join(' · '), print).map(colors.dim),
    isSingleRow(section)
      ? figureLines(section, print)
      : renderTerminalTable(section, { ...document, ...options }),
    ...(section.rows.length === 0 && section.empty !== null ? wrapped(section.empty, print) : []),
    ...notes.flatMap((note) => wrapped(note, print)).map(colors.dim),
  ].join('\n');
}

function isSingleRow({ layout, rows }: ReportSection): boolean {
  return layout === 'figures' && rows.length === 1;
}

/** Of a single row a line for each figure: beside one another they would not fit. */
function figureLines(section: ReportSection, print: Print): string {
  const [figures = []] = printedRows(section, print.formatter);
  const rows = section.columns.map(({ title }, place) => [title, figures[place] ?? '']);
  return alignedLines(
    rows.map((row) => row.map(terminalLine)),
    [1],
    print,
  );
}

function dataBlock(print: Print): string {
  const names = print.document.sections.flatMap(({ layout, name }) =>
    layout === 'data' ? [name] : [],
  );
  if (names.length === 0) return '';
  const text = print.formatter.say(
    'Not printed, since charts are drawn from them: {names:text}. Get them with --format csv, json, parquet, md or xlsx.',
    { names: names.join(', ') },
  );
  return wrapped(text, print).map(print.colors.dim).join('\n');
}

function stampBlock(print: Print): string {
  const stamp = stampWords(print.document, print.formatter).join(' · ');
  return wrapped(stamp, print).map(print.colors.dim).join('\n');
}

function wrapped(sentence: string, { width }: Print): string[] {
  const line = terminalLine(withoutIsolates(sentence));
  return line === '' ? [] : wrapTerminal(line, width);
}
