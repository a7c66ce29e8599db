import { readFile } from 'node:fs/promises';
import { extname, relative, sep } from 'node:path';
import type { Config, DeliveryConfig, JobConfig, JobReport, MailConfig } from '../config/config.ts';
import { definedDeliveries, type DefinedDelivery } from '../config/defined-deliveries.ts';
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
import { createDocumentHead } from '../render/document-head.ts';
import { changedFigures, figuresOf, mailSubject, renderMail } from '../render/mail.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { lastRunAt } from '../schedule/cron-expression.ts';

/** A report that was rendered. */
export interface MadeReport {
  readonly document: ReportDocument;
  /** Absolute, like the files, which are in it. */
  readonly folder: string;
  readonly files: readonly string[];
  /** Fills in the placeholders of `out`. */
  readonly fill: (text: string) => string;
}

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

/** Composes the report's delivery to each recipient. A report without posts may be left out, if all days were read. */
export async function composeDeliveries(
  job: JobConfig,
  report: JobReport,
  made: MadeReport,
  tools: ComposeTools,
): Promise<ComposedDelivery[]> {
  const composed: ComposedDelivery[] = [];
  for (const defined of definedDeliveries(job)) {
    if (defined.report !== report) continue;
    const first = firstStatus(defined.delivery, made.document);
    if (first) composed.push({ ...(await composeDelivery(defined, made, tools, null)), first });
  }
  return composed;
}

/** @param correction null: it corrects none */
export async function composeDelivery(
  defined: DefinedDelivery,
  made: MadeReport,
  { config, clock }: ComposeTools,
  correction: Correction | null,
): Promise<Omit<ComposedDelivery, 'first'>> {
  const { job, report, definition, recipient } = defined;
  const { from, to } = made.document.period;
  const now = clock.now();
  const slot = correction?.of.slot ?? slotOf(job, config.timezone, now);
  const identity = correction
    ? { corrects: correction.of.id, at: now.toISOString() }
    : { definition, slot, from, to };
  const about = {
    ...{ id: deliveryId(slot, identity), job: job.name, report: report.report, slot },
    ...{ client: report.client?.key ?? null, from, to, definition, recipient },
    ...{ figures: figuresOf(made.document), corrects: correction?.of.id ?? null },
  };
  const { target } = defined;
  switch (target.kind) {
    case 'mail':
      return composeMailDelivery({ defined, made, correction, about, now, mail: config.mail });
    case 's3':
    case 'command': {
      const filled: DeliveryTarget =
        target.kind === 's3'
          ? { ...target, prefix: made.fill(target.prefix) }
          : { ...target, command: target.command.map(made.fill) };
      return { record: { ...about, target: filled }, files: await filesOf(defined, made) };
    }
  }
}

/** Returns null when the report is skipped without a word. */
function firstStatus(
  { isHeld, skipsEmpty, whenIncomplete }: DeliveryConfig,
  { headline, unreadDays, sections }: ReportDocument,
): FirstStatus | null {
  if (headline !== null && whenIncomplete === 'hold') {
    const days = unreadDays.map((gap) => ({ ...gap }));
    return { state: 'held', reason: headline, waits_for: { kind: 'days', days } };
  }
  if (headline !== null && whenIncomplete === 'skip')
    return { state: 'discarded', reason: `skipped: ${headline}` };
  if (skipsEmpty && isEmpty(sections)) return null;
  return isHeld ? { state: 'held', waits_for: { kind: 'approval' } } : { state: 'queued' };
}

function isEmpty(sections: ReportDocument['sections']): boolean {
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
  readonly made: MadeReport;
  readonly correction: Correction | null;
  readonly about: Omit<NewDelivery, 'target'>;
  readonly now: Date;
  readonly mail: MailConfig | null;
}

/** A message with the report's head, and attached files. */
async function composeMailDelivery(
  parts: MailParts,
): Promise<{ record: NewDelivery; files: OutboxFile[] }> {
  const { defined, made, correction, about, now, mail } = parts;
  const { document } = made;
  const all = defined.delivery.attach?.length ? await filesOf(defined, made) : [];
  const { kept, leftOut } = fitAttachments(all, mail?.maxBytes ?? 0);
  const attached = kept.map(({ name }) => name);
  const paragraphs = [
    correction?.note ?? null,
    correction && changedFigures(correction.of, document),
    await bodyOf(defined),
  ].filter((text) => text !== null);
  const note = paragraphs.length === 0 ? null : paragraphs.join('\n\n');
  const subject = mailSubject(document, subjectOf(defined, document), correction !== null);
  const address = defined.recipient;
  const message = await composeMail({
    ...renderMail(document, { note, attached, leftOut }),
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

function subjectOf(
  { target, job, report: { client } }: DefinedDelivery,
  document: ReportDocument,
): string {
  if (target.kind !== 'mail') return '';
  return fillIn(target.subject, {
    client: client?.brand.name ?? '',
    report: document.title,
    period: createDocumentHead(document).period,
    job: job.name,
  });
}

/** The files that go along, in the order of `attach`; a report's own file is called as `file` says. */
async function filesOf(
  { delivery: { attach, file }, job, report }: DefinedDelivery,
  { document, folder, files }: MadeReport,
): Promise<OutboxFile[]> {
  const { from, to } = document.period;
  const stem =
    file === null
      ? null
      : fillIn(file, {
          ...{ client: report.client?.key ?? '', report: report.report, job: job.name },
          ...{ period: periodOfFile(document.period), from: from ?? 'all', to: to ?? 'all' },
        });
  const wanted =
    attach?.flatMap((format) => files.filter((path) => extname(path) === `.${format}`)) ?? files;
  return Promise.all(
    wanted.map(async (path) => {
      const name = relative(folder, path).replaceAll(sep, '/');
      const isOwn = name === `${document.name}${extname(name)}`;
      return {
        name: isOwn && stem !== null ? `${stem}${extname(name)}` : name,
        content: await readFile(path),
      };
    }),
  );
}

/** `2026-10` for a month, `2026` for a year, else both ends: it sorts, and suits every file system. */
function periodOfFile({ from, to }: ReportDocument['period']): string {
  if (from === null && to === null) return 'all';
  const [first, last] = [from ?? 'start', to ?? 'today'];
  const year = first.slice(0, 4);
  if (first === `${year}-01-01` && last === `${year}-12-31`) return year;
  const month = first.slice(0, 7);
  const isMonth = first === `${month}-01` && last === lastDayOf(month);
  return isMonth ? month : `${first}-${last}`;
}

function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole).trim();
}
