import type { Day } from '../core/calendar.ts';
import { createFormatter } from '../languages/number-format.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { createCalendarWords, isYearOrMonth } from './calendar-words.ts';
import { createDocumentHead } from './document-head.ts';

/** The reports of a mail. It has the head of the first in full, and a line for each other. */
export type MailDocuments = readonly [ReportDocument, ...ReportDocument[]];

/**
 * The subject, marked as incomplete when days of a report's period were not read, as a correction and as a preview. It
 * says from which day the period was read where that is a part of it.
 */
export function mailSubject(
  documents: MailDocuments,
  subject: string,
  { isCorrected, isPreview }: { readonly isCorrected: boolean; readonly isPreview: boolean },
): string {
  const { say } = createFormatter(documents[0]);
  const beginning = documents.find((document) => document.beginning !== undefined)?.beginning;
  const whole = beginning === undefined ? subject : `${subject}, ${beginning}`;
  const marked = documents.every(({ headline }) => headline === null)
    ? whole
    : say('Incomplete: {subject:text}', { subject: whole });
  const sent = isCorrected ? say('Corrected: {subject:text}', { subject: marked }) : marked;
  return isPreview ? say('Preview: {subject:text}', { subject: sent }) : sent;
}

/** The first line of a mail that its recipient has not got. */
export function previewNote([document]: MailDocuments, recipient: string): string {
  const { say } = createFormatter(document);
  return say('This is a preview. {recipient:text} has not got this mail.', { recipient });
}

/**
 * What a subject or a body calls the reports and their days.
 * @param span the days from the first to the last of all reports; null is open
 */
export function placeholderWords(
  documents: MailDocuments,
  { from, to }: { readonly from: Day | null; readonly to: Day | null },
) {
  const formatter = createFormatter(documents[0]);
  const { say } = formatter;
  const dayOr = (day: Day | null) =>
    day === null ? say('All dates') : formatter.format(day, 'date', { prose: true });
  return {
    report: documents.length === 1 ? documents[0].title : say('Reports'),
    period: [...new Set(documents.map(periodOf))].join(', '),
    from: dayOr(from),
    to: dayOr(to),
  };
}

/** The name of the report's period, with the full name of a month. */
function periodOf(document: ReportDocument): string {
  const { period } = document;
  const isMonth = isYearOrMonth(period) && period.from?.slice(0, 7) === period.to?.slice(0, 7);
  return isMonth
    ? createFormatter(document).format(period.from, 'month', { prose: true })
    : createCalendarWords(document).periodName(period);
}

/** The first sentence of a mail of several reports; empty for one. @param client empty: they are for none */
export function introduction(
  documents: MailDocuments,
  { client, period }: { readonly client: string; readonly period: string },
): string {
  if (documents.length === 1) return '';
  const { say } = createFormatter(documents[0]);
  if (client === '') return say('Here are the reports for {period:text}.', { period });
  return documents.every(({ period: { from, to } }) => from === null && to === null)
    ? say('Here are the reports of {client:text}.', { client })
    : say('Here are the reports of {client:text} for {period:text}.', { client, period });
}

/** The first sentences of a report, without emphasis. */
export function ledeText(document: ReportDocument): string {
  return createDocumentHead(document)
    .lede.map(({ text }) => text)
    .join('');
}

interface Figure {
  readonly label: string;
  readonly text: string;
}

/** The key figures of reports, as printed and as numbers. Those of a report of some posts alone have no name. */
export function figuresOf(documents: MailDocuments) {
  return documents.flatMap((document) => {
    const { cards, title } = createDocumentHead(document);
    const { name: report, selection, filters } = document;
    const prefix = documents.length === 1 ? '' : `${title}, `;
    const isWhole = selection.length + filters.length === 0;
    return cards.map(({ label, value: text, figures: { figure, value } }) => {
      const name = isWhole ? figure : null;
      const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
      return { label: `${prefix}${label}`, text, report, figure: name, value: number };
    });
  });
}

/** A sentence about the figures that have changed since an earlier mail. */
export function changedFigures(
  { figures: before, created_at: sentAt }: { figures: readonly Figure[]; created_at: string },
  documents: MailDocuments,
): string {
  const formatter = createFormatter(documents[0]);
  const changes = figuresOf(documents).flatMap(({ label, text: now }) => {
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
