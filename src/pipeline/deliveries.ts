import { readFile } from 'node:fs/promises';
import { basename, extname, relative, sep } from 'node:path';
import type {
  CommandTarget,
  DeliveryConfig,
  JobConfig,
  JobReport,
  MailConfig,
  MailTarget,
  S3Target,
} from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import { errorMessage, PostledgerError } from '../core/errors.ts';
import { composeMail, fitAttachments, type MailAttachment } from '../deliver/mail-message.ts';
import {
  deliveryId,
  destinationOf,
  Outbox,
  outboxFolder,
  readOutbox,
  type Delivery,
  type DeliveryTarget,
  type NewDelivery,
  type OutboxFile,
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
  /** Absolute, like the files, which are in it. */
  readonly folder: string;
  readonly files: readonly string[];
  /** Fills in the placeholders of `out`. */
  readonly fill: (text: string) => string;
}

/** Takes a report that was rendered, to send it. */
export type Deliver = (job: JobConfig, report: JobReport, made: MadeReport) => Promise<void>;

/** What is sent, and where it goes. */
export interface ComposedDelivery {
  readonly record: NewDelivery;
  readonly files: readonly OutboxFile[];
  readonly isHeld: boolean;
}

/** What stands above a mail's figures cannot be read. */
class MailBodyError extends PostledgerError {
  readonly code = 'MAIL_BODY';
  readonly recovery = 'fix-input';
}

/** Puts reports into the outbox. */
export function outboxOf(tools: Omit<RunTools, 'progress'>): Deliver {
  const { config, log } = tools;
  return async (job, report, made) => {
    const composed = await composeDeliveries(job, report, made, tools);
    if (composed.length === 0) return;
    await Outbox.with(config.dataDir, { ...tools, waitMs: outboxWaitMs }, async (outbox) => {
      for (const { record, files, isHeld } of composed) {
        const isNew = await outbox.add(record, files, isHeld ? 'held' : 'queued');
        const words = `${record.report} to ${destinationOf(record.target)}`;
        if (!isNew) log.info({ id: record.id }, `not sent again: ${words}`);
        else if (isHeld)
          log.info({ id: record.id }, `held: ${words}; postledger deliver approve ${record.id}`);
      }
    });
  };
}

/** Sends what waits in the outbox. @returns what became of it */
export async function sendDeliveries(tools: Omit<RunTools, 'progress'>): Promise<Delivery[]> {
  const { dataDir } = tools.config;
  if ((await readOutbox(outboxFolder(dataDir))).length === 0) return [];
  return Outbox.with(dataDir, { ...tools, waitMs: outboxWaitMs }, (outbox) =>
    sendQueued(outbox, tools),
  );
}

/** What goes to each target of the report, and to each address. */
export async function composeDeliveries(
  job: JobConfig,
  report: JobReport,
  made: MadeReport,
  { config, clock }: Omit<RunTools, 'progress'>,
): Promise<ComposedDelivery[]> {
  const now = clock.now();
  const slot = slotOf(job, config.timezone, now);
  const composed: ComposedDelivery[] = [];
  for (const delivery of report.deliver) {
    if (delivery.skipsEmpty && isEmpty(made.document)) continue;
    const { from, to } = made.document.period;
    const names = { job: job.name, report: report.report, client: report.client?.key ?? null };
    const recordFor = (target: DeliveryTarget): NewDelivery => {
      const { filters, set } = report;
      const posts = JSON.stringify({ filters, set });
      const about = [names.job, slot, names.report, names.client, from, to, posts];
      return { id: deliveryId([...about, destinationOf(target)]), ...names, from, to, target };
    };
    const { target, isHeld } = delivery;
    if (target.kind === 'mail') {
      if (config.mail === null) continue;
      const mails = composeMails(
        { job, report, made, attach: delivery.attach, target, mail: config.mail, now },
        recordFor,
      );
      for (const mail of await mails) composed.push({ ...mail, isHeld });
    } else {
      const files = await filesOf(made, delivery.attach);
      composed.push({ record: recordFor(filledTarget(target, made)), files, isHeld });
    }
  }
  return composed;
}

function filledTarget(target: S3Target | CommandTarget, { fill }: MadeReport): DeliveryTarget {
  return target.kind === 's3'
    ? { ...target, prefix: fill(target.prefix) }
    : { ...target, command: target.command.map(fill) };
}

async function filesOf(
  { folder, files }: MadeReport,
  attach: DeliveryConfig['attach'],
): Promise<OutboxFile[]> {
  const wanted = files.filter(
    (file) => attach === null || attach.some((format) => extname(file) === `.${format}`),
  );
  return Promise.all(
    wanted.map(async (file) => ({
      name: relative(folder, file).replaceAll(sep, '/'),
      content: await readFile(file),
    })),
  );
}

interface MailParts {
  readonly job: JobConfig;
  readonly report: JobReport;
  readonly made: MadeReport;
  readonly attach: DeliveryConfig['attach'];
  readonly target: MailTarget;
  readonly mail: MailConfig;
  readonly now: Date;
}

/** A message for each address. */
async function composeMails(
  parts: MailParts,
  recordFor: (target: DeliveryTarget) => NewDelivery,
): Promise<{ record: NewDelivery; files: OutboxFile[] }[]> {
  const { job, report, made, target, mail, now } = parts;
  const { html, text, attachments } = await contentOf(parts);
  const subject = subjectOf(target, job, report, made.document);
  const attached = attachments.map(({ name }) => name);
  const { from } = mail;
  return Promise.all(
    target.to.map(async (address) => {
      const record = recordFor({ kind: 'mail', address, subject, attached });
      const { id } = record;
      const words = { from, to: address, subject, html, text, attachments, id, date: now };
      return { record, files: [{ name: 'message.eml', content: await composeMail(words) }] };
    }),
  );
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

async function contentOf({
  attach,
  target: { body },
  made: { document, files },
  mail,
}: MailParts): Promise<{ html: string; text: string; attachments: MailAttachment[] }> {
  const all: MailAttachment[] = [];
  for (const format of attach ?? []) {
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
  { subject }: MailTarget,
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
