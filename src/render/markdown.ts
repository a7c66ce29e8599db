import {
  createFormatter,
  isFigureFormat,
  type Formatter,
  type FormatterOptions,
} from '../core/number-format.ts';
import { terminalLine } from '../core/terminal-text.ts';
import type { ReportDocument, ReportSection, ReportTable } from '../report/report-document.ts';
import { printedRows } from './printed-rows.ts';
import { stampWords } from './stamp-words.ts';

/**
 * GitHub Flavored Markdown. A section: its finding as a heading, a line on what is shown, the table
 * with the total as its last row, the notes, the report's coverage and what it was made of. Rows without a section: the table alone.
 */
export function renderMarkdown(
  table: ReportTable | ReportSection,
  options: FormatterOptions &
    Partial<Pick<ReportDocument, 'headline' | 'coverage' | 'dataAsOf' | 'stamp'>>,
): string {
  const formatter = createFormatter(options);
  const lines = tableLines(table, formatter);
  if (!('finding' in table)) return `${lines}\n`;
  const coverage = [options.headline ?? [], options.coverage ?? []].flat().join(' · ');
  const facts = coverage === '' ? [] : [`${formatter.say('Coverage')}: ${coverage}`];
  return renderSection(table, lines, [...facts, ...footOf(options, formatter)]);
}

function footOf(
  { dataAsOf, stamp }: Partial<Pick<ReportDocument, 'dataAsOf' | 'stamp'>>,
  formatter: Formatter,
): string[] {
  if (stamp === undefined) return [];
  const words = stampWords({ stamp }, formatter);
  const asOf = dataAsOf ? [formatter.say('Data as of {time:datetime}', { time: dataAsOf })] : [];
  return [[...asOf, ...words].join(' · ')];
}

function renderSection(section: ReportSection, table: string, foot: readonly string[]): string {
  const blocks = [
    `## ${escapeInline(section.finding ?? section.title)}`,
    [section.description, section.basis]
      .filter((text) => text !== null)
      .map(escapeBlock)
      .join('  \n'),
    table,
    ...(section.rows.length === 0 && section.empty !== null ? [escapeBlock(section.empty)] : []),
    ...section.notes.map(escapeBlock),
    ...foot.map(escapeBlock),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function tableLines(table: ReportTable | ReportSection, formatter: Formatter): string {
  const heads = table.columns.map((column) => escapeInline(column.title));
  const rule = table.columns.map(({ format }) => (isFigureFormat(format) ? '--:' : '---'));
  const rows = printedRows(table, formatter).map((row) => row.map(escapeCell));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** An address is put between angle brackets as it is, unless it could end them or the cell, or has controls. */
function escapeCell(text: string): string {
  if (/^https?:\/\/[^\s<>|\\\p{C}]+$/u.test(text)) return `<${text}>`;
  return text
    .trim()
    .split(/\r\n?|\n/u)
    .map(escapeInline)
    .join('<br>');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text that means nothing but itself: no markup, no HTML, no end of a cell, on one line. */
function escapeInline(text: string): string {
  return terminalLine(text)
    .replace(/[&<>]/gu, (sign) => entities[sign] ?? sign)
    .replace(/[\\`*~[\]|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\$&`);
}

/** The same at the start of a paragraph, where some signs would begin a list or a heading. */
function escapeBlock(text: string): string {
  return escapeInline(text)
    .replace(/^[-+#=]/u, String.raw`\$&`)
    .replace(/^(\d+)([.)])/u, String.raw`$1\$2`);
}
