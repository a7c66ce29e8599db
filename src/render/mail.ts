import { createFormatter, isFigureFormat, type Formatter } from '../core/number-format.ts';
import type { ReportCard, ReportDocument, ReportSection } from '../report/report-document.ts';
import { createCalendarWords } from './html/calendar-words.ts';
import { compareWithPrevious } from './html/change.ts';
import { markup, type Markup } from './html/markup.ts';
import { printedRows } from './printed-rows.ts';
import { productMark } from './stamp-words.ts';

export interface MailWords {
  /** What stands above the figures: paragraphs, parted by empty lines. */
  readonly note: string | null;
  /** Names of the files that go along. */
  readonly attached: readonly string[];
  /** Names of those that were too large. */
  readonly leftOut: readonly string[];
}

/** A table of a mail is read on a phone. */
const mostRows = 12;
const mostColumns = 4;

/** The head of a report as a mail: as HTML of the few things that mail programs know, and as text. */
export function renderMail(
  document: ReportDocument,
  words: MailWords,
): { html: string; text: string } {
  const formatter = createFormatter(document);
  const section = mainSection(document);
  return {
    html: htmlOf(document, section, words, formatter),
    text: textOf(document, section, words, formatter),
  };
}

/** The subject, marked where days of the period were not read, and where the mail corrects an earlier one. */
export function mailSubject(
  document: ReportDocument,
  subject: string,
  isCorrected: boolean,
): string {
  const { say } = createFormatter(document);
  const marked =
    document.headline === null ? subject : say('Incomplete: {subject:text}', { subject });
  return isCorrected ? say('Corrected: {subject:text}', { subject: marked }) : marked;
}

interface Figure {
  readonly label: string;
  readonly text: string;
}

/** The cards' figures, as the mail shows them. */
export function figuresOf(document: ReportDocument): Figure[] {
  const formatter = createFormatter(document);
  return document.cards.map(({ label, value, format }) => ({
    label,
    text: formatter.format(value, format),
  }));
}

/** What has changed in the figures of an earlier mail, in a sentence. */
export function changedFigures(
  { figures: before, created_at: sentAt }: { figures: readonly Figure[]; created_at: string },
  document: ReportDocument,
): string {
  const formatter = createFormatter(document);
  const changes = figuresOf(document).flatMap(({ label, text: now }) => {
    const was = before.find((figure) => figure.label === label)?.text;
    return was === undefined || was === now
      ? []
      : [formatter.say('{label:text} {now:text} (was {was:text})', { label, now, was })];
  });
  const day = formatter.format(sentAt, 'datetime', { prose: true });
  if (changes.length === 0)
    return formatter.say('No key figure has changed since {day:text}.', { day });
  return formatter.say('Changed since {day:text}: {changes:text}.', {
    day,
    changes: changes.join('; '),
  });
}

/** What the report covers, as a subject says it: `Nov 2025`, `1 Jan to 7 Jan 2026`. */
export function mailPeriod(document: ReportDocument): string {
  const { period } = document;
  const calendar = createCalendarWords(document);
  return calendar.periodName(period) ?? calendar.period(period, 'short');
}

/** The first table that answers the report's question. */
function mainSection({ sections }: ReportDocument): ReportSection | null {
  const isMain = ({ layout, isAppendix, rows }: ReportSection) =>
    layout === 'table' && !isAppendix && rows.length > 1;
  return sections.find(isMain) ?? null;
}

/** The columns that a narrow screen shows, and of the rows the last ones: of months those are the newest. */
function smallTable(section: ReportSection, formatter: Formatter) {
  const rows = printedRows({ columns: section.columns, rows: section.rows }, formatter);
  const shown = section.columns
    .map((column, index) => ({ column, index }))
    .filter(
      ({ column }) => (column.isPrimary || section.key.includes(column.name)) && column.isInHtml,
    )
    .slice(0, mostColumns);
  const isOfTime = section.columns[0]?.format === 'month';
  const kept = isOfTime ? rows.slice(-mostRows) : rows.slice(0, mostRows);
  return {
    heads: shown.map(({ column: { title, format } }) => ({
      title,
      isFigure: isFigureFormat(format),
    })),
    rows: kept.map((row) => shown.map(({ index }) => row[index] ?? '')),
    leftOut: rows.length - kept.length,
  };
}

function filesSentence({ attached, leftOut }: MailWords, { say }: Formatter): string[] {
  const list = (files: readonly string[]) => ({ files: files.join(', ') });
  return [
    ...(attached.length > 0 ? [say('Attached: {files:text}.', list(attached))] : []),
    ...(leftOut.length > 0 ? [say('Too large for this mail: {files:text}.', list(leftOut))] : []),
  ];
}

/** What the figures rest on, and where there is more. */
function restOf(document: ReportDocument, words: MailWords, formatter: Formatter): string[] {
  const files = filesSentence(words, formatter);
  return [comparison(document, formatter), ...document.coverage, ...files].filter(Boolean);
}

function paragraphs(note: string | null): string[] {
  return (note ?? '')
    .split(/\r?\n\s*\r?\n/)
    .map((text) => text.trim())
    .filter(Boolean);
}

function headWords(document: ReportDocument): string[] {
  const calendar = createCalendarWords(document);
  return [`LinkedIn, ${calendar.period(document.period, 'long')}`, ...document.filters];
}

/** Beside what the cards' changes are. */
function comparison(document: ReportDocument, { say }: Formatter): string {
  const { previousPeriod } = document;
  if (previousPeriod === null) return '';
  const period = createCalendarWords(document).period(previousPeriod, 'short');
  return say('Compared with {period:text}.', { period });
}

function signature(document: ReportDocument, { say }: Formatter): string {
  const name = document.brand?.preparedBy;
  return [name && say('Prepared by {name:text}', { name }), productMark(document)]
    .filter(Boolean)
    .join(' · ');
}

function changeOf(card: ReportCard, formatter: Formatter): string {
  const change = compareWithPrevious(card, formatter);
  if (change.kind === 'up') return `▲ ${change.text}`;
  if (change.kind === 'down') return `▼ ${change.text}`;
  if (change.kind === 'unknown') return '';
  return formatter.say(change.kind === 'new' ? 'new' : 'unchanged');
}

const font = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif';
/* Of whatever colours the reader's program gives. */
const muted = 'opacity:.75';
const line = 'border-bottom:1px solid rgba(128,128,128,.35)';

function htmlOf(
  document: ReportDocument,
  section: ReportSection | null,
  words: MailWords,
  formatter: Formatter,
): string {
  const name = document.brand?.name ?? null;
  const color = document.brand?.color ?? '#1b2733';
  const [, before = document.lede ?? '', figure = '', after = ''] =
    /^(.*?)\*\*(.+?)\*\*(.*)$/su.exec(document.lede ?? '') ?? [];
  return String(markup`<!doctype html>
<html lang="${document.language.code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${document.title}</title></head>
<body style="margin:0;padding:0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;${font};font-size:15px;line-height:1.5;text-align:left"><tr><td>
${name !== null && markup`<p style="margin:0 0 16px;font-weight:600;border-left:4px solid ${color};padding-left:10px">${name}</p>`}
${paragraphs(words.note).map((text) => markup`<p style="margin:0 0 12px">${text}</p>`)}
<h1 style="margin:8px 0 0;font-size:22px;line-height:1.3">${document.title}</h1>
<p style="margin:0 0 12px;${muted}">${headWords(document).join(' · ')}</p>
${document.lede !== null && markup`<p style="margin:0 0 16px;font-size:17px">${before}<strong>${figure}</strong>${after}</p>`}
${document.cards.length > 0 && markup`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-collapse:collapse">${document.cards.map((card) => cardRow(card, formatter))}</table>`}
${section && tableMarkup(section, formatter)}
${restOf(document, words, formatter).map((text) => markup`<p style="margin:0 0 6px;font-size:13px;${muted}">${text}</p>`)}
<p style="margin:16px 0 0;font-size:12px;${muted}">${signature(document, formatter)}</p>
</td></tr></table></td></tr></table></body></html>
`);
}

function cardRow(card: ReportCard, formatter: Formatter): Markup {
  return markup`<tr><td style="padding:6px 8px 6px 0;${line}">${card.label}</td><td align="right" style="padding:6px 8px;${line};font-size:17px;font-weight:600;white-space:nowrap">${formatter.format(card.value, card.format)}</td><td align="right" style="padding:6px 0 6px 8px;${line};${muted};white-space:nowrap">${changeOf(card, formatter)}</td></tr>
`;
}

function tableMarkup(section: ReportSection, formatter: Formatter): Markup {
  const { heads, rows, leftOut } = smallTable(section, formatter);
  const align = (index: number) => (heads[index]?.isFigure === true ? 'right' : 'left');
  return markup`<h2 style="margin:0 0 4px;font-size:16px">${section.finding ?? section.title}</h2>
<p style="margin:0 0 8px;font-size:13px;${muted}">${section.description}</p>
<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse;font-size:14px"><tr>${heads.map(({ title }, index) => markup`<th align="${align(index)}" style="padding:4px 6px;${line};${muted};font-weight:600">${title}</th>`)}</tr>
${rows.map((row) => markup`<tr>${row.map((cell, index) => markup`<td align="${align(index)}" style="padding:4px 6px;${line}">${cell}</td>`)}</tr>\n`)}</table>
${leftOut > 0 && markup`<p style="margin:0 0 16px;font-size:13px;${muted}">${formatter.say('{n:count} more in the report.', { n: leftOut })}</p>`}`;
}

function textOf(
  document: ReportDocument,
  section: ReportSection | null,
  words: MailWords,
  formatter: Formatter,
): string {
  const cards = document.cards.map((card) => {
    const change = changeOf(card, formatter);
    return `${card.label}: ${formatter.format(card.value, card.format)}${change && ` (${change})`}`;
  });
  const blocks = [
    ...paragraphs(words.note),
    `${document.title}\n${headWords(document).join(' · ')}`,
    (document.lede ?? '').replace(/\*\*(.+?)\*\*/su, '$1'),
    cards.join('\n'),
    section === null ? '' : sectionText(section, formatter),
    restOf(document, words, formatter).join('\n'),
    signature(document, formatter),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function sectionText(section: ReportSection, formatter: Formatter): string {
  const { heads, rows, leftOut } = smallTable(section, formatter);
  const lines = rows.map(([first = '', ...cells]) => {
    const rest = cells.map((cell, index) => `${heads[index + 1]?.title ?? ''} ${cell}`);
    return `${first}: ${rest.join(', ')}`;
  });
  const more = leftOut > 0 ? [formatter.say('{n:count} more in the report.', { n: leftOut })] : [];
  return [section.finding ?? section.title, ...lines, ...more].join('\n');
}
