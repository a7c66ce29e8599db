import { createFormatter, type Formatter } from '../core/number-format.ts';
import { fitTerminal, terminalLine, terminalWidth } from '../core/terminal-text.ts';
import type { ReportCard, ReportDocument } from '../report/report-document.ts';
import { compareWithPrevious } from './html/change.ts';

const gap = '  ';

/** The figures at a report's head, a line each: label, value, change, what was before, course, doubt. */
export function renderTerminalCards(
  document: ReportDocument,
  { width }: { readonly width: number | null },
): string {
  const formatter = createFormatter(document);
  const isCompared = document.previousPeriod !== null;
  const rows = document.cards.map((card) => cardCells(card, isCompared, formatter));
  const widths = (rows[0] ?? []).map((_, place) =>
    Math.max(...rows.map((row) => terminalWidth(row[place] ?? ''))),
  );
  return rows.map((row) => cardLine(row, widths, width)).join('\n');
}

function cardCells(card: ReportCard, isCompared: boolean, formatter: Formatter): string[] {
  const { label, value, previous, format, trend, note } = card;
  const print = (cell: ReportCard['value']) => formatter.format(cell, format);
  const cells = [
    label,
    print(value),
    isCompared ? changeWords(card, formatter) : '',
    isCompared && previous !== null ? `${print(previous)} before` : '',
    trend.length === 0 ? '' : formatter.format(trend, 'trend'),
    note ?? '',
  ];
  return cells.map(terminalLine);
}

function changeWords(card: ReportCard, formatter: Formatter): string {
  const change = compareWithPrevious(card, formatter);
  if (change.kind === 'up') return `▲ ${change.text}`;
  if (change.kind === 'down') return `▼ ${change.text}`;
  return { new: 'new', same: 'unchanged', unknown: '–' }[change.kind];
}

/** Figures stand right under one another; a column that no card has takes no room. */
function cardLine(
  cells: readonly string[],
  widths: readonly number[],
  limit: number | null,
): string {
  const parts = cells.flatMap((cell, place) => {
    const width = widths[place] ?? 0;
    if (width === 0) return [];
    const padding = ' '.repeat(Math.max(0, width - terminalWidth(cell)));
    return [place >= 1 && place <= 3 ? padding + cell : cell + padding];
  });
  const line = parts.join(gap).trimEnd();
  return limit === null ? line : fitTerminal(line, limit);
}
