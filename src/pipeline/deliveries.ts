import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { JobConfig, JobReport, MailConfig, MailDelivery } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import { errorMessage, PostledgerError } from '../core/errors.ts';
import { composeMail, fitAttachments, type MailAttachment } from '../deliver/mail-message.ts';
import {
  deliveryId,
  Outbox,
  outboxFolder,
  readOutbox,
  type Delivery,
  type DeliveryRecord,
} from '../deliver/outbox.ts';
import { sendQueued } from '../deliver/send-queue.ts';
import { mailPeriod, renderMail } from '../render/mail.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { lastRunAt } from '../schedule/cron-expression.ts';
import type { RunTools } from './workspace-run.ts';

/** Another process sends for minutes at most. */
const outboxWaitMs = 600_000;

/** A report that was rendered. */
export interface MadeReport {
  readonly document: ReportDocument;
  /** Absolute. */
  readonly files: readonly string[];
}

/** Takes a report that was rendered, to send it. */
export type Deliver = (job: JobConfig, report: JobReport, made: MadeReport) => Promise<void>;

/** A message, and who gets it. */
export interface ComposedMail {
  readonly record: Omit<DeliveryRecord, 'created_at' | 'sha256'>;
  readonly message: Uint8Array;
  readonly isHeld: boolean;
}

/** What stands above a mail's figures cannot be read. */
class MailBodyError extends PostledgerError {
  readonly code = 'MAIL_BODY';
  readonly recovery = 'fix-input';
}

/** Puts reports into the outbox; null where nothing is ever sent. */
export function outboxOf(tools: Omit<RunTools, 'progress'>): Deliver | null {
  const { config, log } = tools;
  if (config.mail === null) return null;
  return async (job, report, made) => {
    const mails = await composeMails(job, report, made, tools);
    if (mails.length === 0) return;
    await Outbox.with(config.dataDir, { ...tools, waitMs: outboxWaitMs }, async (outbox) => {
      for (const { record, message, isHeld } of mails) {
        const isNew = await outbox.add(record, message, isHeld ? 'held' : 'queued');
        const words = `${record.report} to ${record.address}`;
        if (!isNew) log.info({ id: record.id }, `not sent again: ${words}`);
        else if (isHeld)
          log.info({ id: record.id }, `held: ${words}; postledger deliver approve ${record.id}`);
      }
    });
  };
}

/** Sends what waits in the outbox. @returns what became of it */
export async function sendMails(tools: Omit<RunTools, 'progress'>): Promise<Delivery[]> {
  const { mail, dataDir } = tools.config;
  if (mail === null || (await readOutbox(outboxFolder(dataDir))).length === 0) return [];
  return Outbox.with(dataDir, { ...tools, waitMs: outboxWaitMs }, (outbox) =>
    sendQueued(outbox, mail, tools),
  );
}

/** A message for each address that gets the report. */
export async function composeMails(
  job: JobConfig,
  report: JobReport,
  made: MadeReport,
  { config, clock }: Omit<RunTools, 'progress'>,
): Promise<ComposedMail[]> {
  const { mail, timezone } = config;
  if (mail === null) return [];
  const now = clock.now();
  const slot = slotOf(job, timezone, now);
  const mails: ComposedMail[] = [];
  for (const delivery of report.deliver) {
    if (delivery.skipsEmpty && isEmpty(made.document)) continue;
    const content = await contentOf(delivery, made, mail);
    for (const address of delivery.to) {
      const { from, to } = made.document.period;
      const client = report.client?.key ?? null;
      const { filters, set } = report;
      const posts = JSON.stringify({ filters, set });
      const id = deliveryId([job.name, slot, report.report, client, from, to, posts, address]);
      const subject = subjectOf(delivery, job, report, made.document);
      const { html, text, attachments } = content;
      const message = await composeMail({
        from: mail.from,
        to: address,
        subject,
        html,
        text,
        attachments,
        id,
        date: now,
      });
      const attached = attachments.map(({ name }) => name);
      const names = { id, job: job.name, report: report.report, client, from, to };
      mails.push({
        record: { ...names, address, subject, attached },
        message,
        isHeld: delivery.isHeld,
      });
    }
  }
  return mails;
}

/** The run that the schedule asked for last: its mails are sent once, however often it is repeated. */
function slotOf({ schedule }: JobConfig, timezone: string, now: Date): string {
  const last = schedule === null ? null : lastRunAt(schedule, timezone, now);
  return last?.toISOString() ?? dayOf(now, timezone);
}

function isEmpty({ sections }: ReportDocument): boolean {
  return sections.every(
    ({ layout, isAppendix, rows }) =>
      isAppendix || layout === 'figures' || layout === 'data' || rows.length === 0,
  );
}

async function contentOf(
  { attach, body }: MailDelivery,
  { document, files }: MadeReport,
  mail: MailConfig,
): Promise<{ html: string; text: string; attachments: MailAttachment[] }> {
  const all: MailAttachment[] = [];
  for (const format of attach) {
    const path = files.find((file) => extname(file) === `.${format}`);
    if (path !== undefined) all.push({ name: basename(path), content: await readFile(path) });
  }
  const { kept, leftOut } = fitAttachments(all, mail.maxBytes);
  const attached = kept.map(({ name }) => name);
  const note = body === null ? null : await readNote(body);
  return { ...renderMail(document, { note, attached, leftOut }), attachments: kept };
}

async function readNote(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new MailBodyError(`deliver.body ${path} cannot be read (${errorMessage(cause)})`, {
      cause,
    });
  }
}

function subjectOf(
  { subject }: MailDelivery,
  job: JobConfig,
  { client }: JobReport,
  document: ReportDocument,
): string {
  const values: Readonly<Record<string, string>> = {
    client: client?.brand.name ?? '',
    report: document.title,
    period: mailPeriod(document),
    job: job.name,
  };
  return subject.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole).trim();
}
