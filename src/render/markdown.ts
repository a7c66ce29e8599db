import {
  createFormatter,
  isFigureFormat,
  type Formatter,
  type FormatterOptions,
} from '../languages/number-format.ts';
import { terminalLine } from '../core/terminal-text.ts';
import type { ReportDocument, ReportSection, ReportTable } from '../report/report-document.ts';
import { createDocumentHead } from './document-head.ts';
import { type AnyTable, printedRows, isTechnical } from './shown-table.ts';

export function renderMarkdown(table: ReportTable, options: FormatterOptions): string {
  return `${tableLines(table, createFormatter(options))}\n`;
}

/**
 * A section of a report as GitHub Flavored Markdown: its finding as a heading, its description, the table with the
 * total as the last row, the notes, and the coverage and the source of the report.
 */
export function renderMarkdownSection(section: ReportSection, document: ReportDocument): string {
  const { finding, title, description, basis, rows, empty, notes } = section;
  const formatter = createFormatter(document);
  const { headline, coverage, dataAsOf, source, terms } = createDocumentHead(document, formatter);
  const limits = [headline ?? [], coverage].flat().join(' · ');
  const blocks = [
    `## ${escapeInline(finding ?? title)}`,
    [description, basis]
      .filter((text) => text !== null)
      .map(escapeBlock)
      .join('  \n'),
    tableLines(section, formatter),
    ...(rows.length === 0 && empty !== null ? [escapeBlock(empty)] : []),
    ...notes.map(escapeBlock),
    ...(terms.length === 0 ? [] : [escapeBlock(terms.join(' · '))]),
    ...(limits === '' ? [] : [escapeBlock(`${formatter.say('Coverage')}: ${limits}`)]),
    escapeBlock([dataAsOf, ...source].join(' · ')),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function tableLines(table: AnyTable, formatter: Formatter): string {
  const isForPeople = (_: unknown, index: number) => !isTechnical(table, index);
  const columns = table.columns.filter(isForPeople);
  const heads = columns.map((column) => escapeInline(column.title));
  const rule = columns.map(({ format }) => (isFigureFormat(format) ? '--:' : '---'));
  const rows = printedRows(table, formatter).map((row) => row.filter(isForPeople).map(escapeCell));
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

/** Text on one line in which no character is markup, HTML or the end of a cell. */
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
