import { createFormatter, isFigureFormat, type Formatter } from '../core/number-format.ts';
import type { ReportDocument, ReportSection } from '../report/report-document.ts';
import {
  changeWords,
  createDocumentHead,
  type DocumentHead,
  factsLine,
  type HeadCard,
} from './document-head.ts';
import { shownDocument } from './shown-document.ts';
import { markup, type Markup } from './html/markup.ts';
import { printedRows } from './printed-rows.ts';

export interface MailWords {
  /** The paragraphs above the figures, separated by empty lines. */
  readonly note: string | null;
  readonly attached: readonly string[];
  /** The names of the files that are too large for the mail. */
  readonly leftOut: readonly string[];
}

/** Tables in a mail are read on phones. */
const maxRows = 12;
const maxColumns = 4;

interface Mail {
  readonly document: ReportDocument;
  readonly head: DocumentHead;
  readonly formatter: Formatter;
  readonly words: MailWords;
}

/** The head of a report as a mail: as simple HTML that all mail programs show, and as text. */
export function renderMail(
  whole: ReportDocument,
  words: MailWords,
): { html: string; text: string } {
  const document = shownDocument(whole);
  const formatter = createFormatter(document);
  const mail = { document, head: createDocumentHead(document, formatter), formatter, words };
  const section = mainSection(document);
  return { html: htmlOf(mail, section), text: textOf(mail, section) };
}

/** The subject, marked as incomplete when days of the period were not read, and as a correction. */
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

/** The figures of the cards, as the mail shows them. */
export function figuresOf(document: ReportDocument): Figure[] {
  const { cards } = createDocumentHead(document);
  return cards.map(({ label, value }) => ({ label, text: value }));
}

/** A sentence about the figures that have changed since an earlier mail. */
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

/** The first table that answers the report's question. */
function mainSection({ sections }: ReportDocument): ReportSection | null {
  const isMain = ({ layout, isAppendix, rows }: ReportSection) =>
    layout === 'table' && !isAppendix && rows.length > 1;
  return sections.find(isMain) ?? null;
}

/** A column such as the workspace of every row distinguishes none of them. */
function isSameInAll({ rows, key, columns }: ReportSection, index: number): boolean {
  const isOwnKey = index > 0 && key.includes(columns[index]?.name ?? '');
  return isOwnKey && rows.every((row) => row[index] === rows[0]?.[index]);
}

/** The columns that a narrow screen shows, and the first rows, or the last ones when the rows are months or quarters. */
function smallTable(section: ReportSection, formatter: Formatter) {
  const rows = printedRows({ columns: section.columns, rows: section.rows }, formatter);
  const shown = section.columns
    .map((column, index) => ({ column, index }))
    .filter(
      ({ column, index }) =>
        (column.isPrimary || section.key.includes(column.name)) &&
        column.isInHtml &&
        !isSameInAll(section, index),
    )
    .slice(0, maxColumns);
  const isOfTime = ['month', 'quarter'].includes(section.columns[0]?.format ?? '');
  const kept = isOfTime ? rows.slice(-maxRows) : rows.slice(0, maxRows);
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

/** The lines below the figures: facts, coverage and files. */
function restOf({ document, head, words, formatter }: Mail): string[] {
  const { coverage, caveats } = document;
  return [
    factsLine(head),
    ...(coverage.length > 0 ? [`${coverage.join(', ')}.`] : []),
    ...caveats,
    ...filesSentence(words, formatter),
  ];
}

function paragraphs(note: string | null): string[] {
  return (note ?? '')
    .split(/\r?\n\s*\r?\n/)
    .map((text) => text.trim())
    .filter(Boolean);
}

/** The change of a card in words; empty where it is not known. */
function changeOf({ change }: HeadCard): string {
  return change === null || change.kind === 'unknown' ? '' : changeWords(change);
}

const font = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif';
/* Of whatever colours the reader's program gives. */
const muted = 'opacity:.75';
const line = 'border-bottom:1px solid rgba(128,128,128,.35)';

function htmlOf(mail: Mail, section: ReportSection | null): string {
  const { document, head, formatter, words } = mail;
  const color = document.brand?.color ?? '#1b2733';
  const lede = head.lede.map(({ text, isStrong }) =>
    isStrong ? markup`<strong>${text}</strong>` : markup`${text}`,
  );
  return String(markup`<!doctype html>
<html lang="${document.language.code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${head.title}</title></head>
<body style="margin:0;padding:0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;${font};font-size:15px;line-height:1.5;text-align:left"><tr><td>
${head.brand !== null && markup`<p style="margin:0 0 16px;font-weight:600;border-left:4px solid ${color};padding-left:10px">${head.brand}</p>`}
${paragraphs(words.note).map((text) => markup`<p style="margin:0 0 12px">${text}</p>`)}
<h1 style="margin:8px 0 0;font-size:22px;line-height:1.3">${head.title}</h1>
<p style="margin:0 0 12px;${muted}">${head.scope.join(' · ')}</p>
${lede.length > 0 && markup`<p style="margin:0 0 16px;font-size:17px">${lede}</p>`}
${head.cards.length > 0 && markup`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-collapse:collapse">${head.cards.map(cardRow)}</table>`}
${section && tableMarkup(section, formatter)}
${restOf(mail).map((text) => markup`<p style="margin:0 0 6px;font-size:13px;${muted}">${text}</p>`)}
${head.product !== null && markup`<p style="margin:16px 0 0;font-size:12px;${muted}">${head.product}</p>`}
</td></tr></table></td></tr></table></body></html>
`);
}

function cardRow(card: HeadCard): Markup {
  const basis =
    card.basis !== null && markup`<br><span style="font-size:13px;${muted}">${card.basis}</span>`;
  return markup`<tr><td style="padding:6px 8px 6px 0;${line}">${card.label}${basis}</td><td align="right" style="padding:6px 8px;${line};font-size:17px;font-weight:600;white-space:nowrap">${card.value}</td><td align="right" style="padding:6px 0 6px 8px;${line};${muted};white-space:nowrap">${changeOf(card)}</td></tr>
`;
}

function tableMarkup(section: ReportSection, formatter: Formatter): Markup {
  const { heads, rows, leftOut } = smallTable(section, formatter);
  const align = (index: number) => (heads[index]?.isFigure === true ? 'right' : 'left');
  // the description of a section with a chart is its caption, and a mail has no charts
  const description =
    section.chart === null &&
    markup`<p style="margin:0 0 8px;font-size:13px;${muted}">${section.description}</p>\n`;
  return markup`<h2 style="margin:0 0 4px;font-size:16px">${section.finding ?? section.title}</h2>
${description}<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse;font-size:14px"><tr>${heads.map(({ title }, index) => markup`<th align="${align(index)}" style="padding:4px 6px;${line};${muted};font-weight:600">${title}</th>`)}</tr>
${rows.map((row) => markup`<tr>${row.map((cell, index) => markup`<td align="${align(index)}" style="padding:4px 6px;${line}">${cell}</td>`)}</tr>\n`)}</table>
${leftOut > 0 && markup`<p style="margin:0 0 16px;font-size:13px;${muted}">${formatter.say('{n:count} more in the report.', { n: leftOut })}</p>`}`;
}

function textOf(mail: Mail, section: ReportSection | null): string {
  const { head, formatter, words } = mail;
  const cards = head.cards.map((card) => {
    const notes = [changeOf(card), card.basis ?? ''].filter((text) => text !== '').join(', ');
    return `${card.label}: ${card.value}${notes && ` (${notes})`}`;
  });
  const blocks = [
    ...paragraphs(words.note),
    `${head.title}\n${head.scope.join(' · ')}`,
    head.lede.map(({ text }) => text).join(''),
    cards.join('\n'),
    section === null ? '' : sectionText(section, formatter),
    restOf(mail).join('\n'),
    head.product ?? '',
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
