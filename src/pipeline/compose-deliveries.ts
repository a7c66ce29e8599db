import { readFile } from 'node:fs/promises';
import type { Config, DeliveryConfig, JobConfig, JobReport, MailConfig } from '../config/config.ts';
import {
  definedDeliveries,
  reportNames,
  type DefinedDelivery,
} from '../config/defined-deliveries.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, PostledgerError } from '../core/errors.ts';
import {
  deliveryId,
  type DeliveryRecord,
  type DeliveryTarget,
  type NewDelivery,
} from '../deliver/delivery.ts';
import { composeMail, fitAttachments } from '../deliver/mail-message.ts';
import type { FirstStatus, OutboxFile } from '../deliver/outbox.ts';
import { renderMail } from '../render/mail.ts';
import {
  changedFigures,
  figuresOf,
  introduction,
  mailSubject,
  placeholderWords,
  type MailDocuments,
} from '../render/mail-sentences.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { lastRunAt } from '../schedule/cron-expression.ts';
import {
  allFiles,
  createCollector,
  type DeliveredReports,
  type MadeReport,
} from './delivered-report.ts';
import { fillPlaceholders } from './placeholders.ts';

/** A delivery that was composed, with its files and its first status. */
export interface ComposedDelivery {
  readonly record: NewDelivery;
  readonly files: readonly OutboxFile[];
  readonly first: FirstStatus;
}

/** The delivery that another one corrects. */
export interface Correction {
  readonly of: DeliveryRecord;
  /** A note for the reader; null: only the changed figures are listed. */
  readonly note: string | null;
}

interface ComposeTools {
  readonly config: Config;
  readonly clock: Clock;
}

/** The file with a mail's text above the figures cannot be read. */
class MailBodyError extends PostledgerError {
  readonly code = 'MAIL_BODY';
  readonly recovery = 'fix-input';
}

/** Composes the deliveries that the report completes. */
type ComposeDeliveries = (
  job: JobConfig,
  report: JobReport,
  made: MadeReport,
) => Promise<ComposedDelivery[]>;

/** Reports without posts may be left out, if all days were read. */
export function createComposer(tools: ComposeTools): ComposeDeliveries {
  const collect = createCollector();
  return async (job, report, made) => {
    const composed: ComposedDelivery[] = [];
    for (const defined of definedDeliveries(job)) {
      const reports = await collect(defined, report, made);
      const first = reports && firstStatus(defined.delivery, documentsOf(reports));
      if (first)
        composed.push({ ...(await composeDelivery(defined, reports, tools, null)), first });
    }
    return composed;
  };
}

/** @param correction null: it corrects none */
export async function composeDelivery(
  defined: DefinedDelivery,
  reports: DeliveredReports,
  { config, clock }: ComposeTools,
  correction: Correction | null,
): Promise<Omit<ComposedDelivery, 'first'>> {
  const { job, client, definition, recipient, target } = defined;
  const documents = documentsOf(reports);
  const { from, to } = spanOf(documents);
  const now = clock.now();
  const slot = correction?.of.slot ?? slotOf(job, config.timezone, now);
  const identity = correction
    ? { corrects: correction.of.id, at: now.toISOString() }
    : { definition, slot, from, to };
  const names = reportNames(defined.reports);
  const about = {
    ...{ id: deliveryId(slot, identity), job: job.name, report: names.join(', '), slot },
    reports: documents.map(({ name, period }) => ({ report: name, ...period })),
    ...{ client: client?.key ?? null, from, to, definition, recipient },
    ...{ figures: figuresOf(documents), corrects: correction?.of.id ?? null },
  };
  if (target.kind === 'mail')
    return composeMailDelivery({ defined, reports, correction, about, now, mail: config.mail });
  const [{ places }] = reports;
  const fill = (text: string) => fillPlaceholders(text, { ...places, report: names.join('-') });
  const filled: DeliveryTarget =
    target.kind === 's3'
      ? { ...target, prefix: fill(target.prefix) }
      : { ...target, command: target.command.map(fill) };
  return { record: { ...about, target: filled }, files: allFiles(reports) };
}

function documentsOf([first, ...more]: DeliveredReports): MailDocuments {
  return [first.document, ...more.map(({ document }) => document)];
}

/** The days from the first to the last of all reports. Null is open. */
function spanOf(documents: MailDocuments): ReportDocument['period'] {
  const periods = documents.map(({ period }) => period);
  const isOpen = (end: 'from' | 'to') => periods.some((period) => period[end] === null);
  const daysOf = (end: 'from' | 'to') => periods.flatMap((period) => period[end] ?? []).sort();
  return {
    from: isOpen('from') ? null : (daysOf('from')[0] ?? null),
    to: isOpen('to') ? null : (daysOf('to').at(-1) ?? null),
  };
}

/** Returns null when the reports are skipped without a word. */
function firstStatus(
  { isHeld, skipsEmpty, whenIncomplete }: DeliveryConfig,
  documents: MailDocuments,
): FirstStatus | null {
  const headline = documents.find((document) => document.headline !== null)?.headline ?? null;
  if (headline !== null && whenIncomplete === 'hold') {
    const gaps = documents.flatMap(({ unreadDays }) => unreadDays);
    const days = [...new Map(gaps.map((gap) => [JSON.stringify(gap), { ...gap }])).values()];
    return { state: 'held', reason: headline, waits_for: { kind: 'days', days } };
  }
  if (headline !== null && whenIncomplete === 'skip')
    return { state: 'discarded', reason: `skipped: ${headline}` };
  if (skipsEmpty && documents.every(isEmpty)) return null;
  return isHeld ? { state: 'held', waits_for: { kind: 'approval' } } : { state: 'queued' };
}

function isEmpty({ sections }: ReportDocument): boolean {
  return sections.every(
    ({ layout, isAppendix, rows }) =>
      isAppendix || layout === 'figures' || layout === 'data' || rows.length === 0,
  );
}

/** The time that the schedule asked for last, or the day: what is sent for it is sent once, however often it is repeated. */
export function slotOf({ schedule }: JobConfig, timezone: string, now: Date): string {
  const last = schedule === null ? null : lastRunAt(schedule, timezone, now);
  return last?.toISOString() ?? dayOf(now, timezone);
}

interface MailParts {
  readonly defined: DefinedDelivery;
  readonly reports: DeliveredReports;
  readonly correction: Correction | null;
  readonly about: Omit<NewDelivery, 'target'>;
  readonly now: Date;
  readonly mail: MailConfig | null;
}

/** A message with the head of the first report, a line for each other, and attached files. */
async function composeMailDelivery(
  parts: MailParts,
): Promise<{ record: NewDelivery; files: OutboxFile[] }> {
  const { defined, reports, correction, about, now, mail } = parts;
  const { client, job, recipient: address } = defined;
  const documents = documentsOf(reports);
  const { kept, leftOut } = fitAttachments(allFiles(reports), mail?.maxBytes ?? 0);
  const attached = kept.map(({ name }) => name);
  const clientName = client?.brand.name ?? '';
  const places = { client: clientName, job: job.name, ...placeholderWords(documents, about) };
  const fill = (text: string) => fillPlaceholders(text, places);
  const text = await bodyOf(defined);
  const notes = [
    ...(correction ? [correction.note ?? '', changedFigures(correction.of, documents)] : []),
    ...(text === null ? [introduction(documents, places)] : []),
  ];
  const template = defined.target.kind === 'mail' ? defined.target.subject : '';
  const subject = mailSubject(documents, fill(template).trim(), correction !== null);
  const body = text === null ? null : { text, fill };
  const message = await composeMail({
    ...renderMail(documents, { notes, body, attached, leftOut }),
    ...{ from: mail?.from ?? '', to: address, subject, attachments: kept, id: about.id, date: now },
  });
  return {
    record: { ...about, target: { kind: 'mail', address, subject, attached } },
    files: [{ name: 'message.eml', content: message }],
  };
}

async function bodyOf({ target }: DefinedDelivery): Promise<string | null> {
  if (target.kind !== 'mail' || target.body === null) return null;
  try {
    return await readFile(target.body, 'utf8');
  } catch (cause) {
    throw new MailBodyError(`deliver.body ${target.body} cannot be read (${errorMessage(cause)})`, {
      cause,
    });
  }
}
