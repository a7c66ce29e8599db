import type { DeliveryConfig, MailConfig } from '../config/config.ts';
import {
  definedDeliveries,
  reportNames,
  type DefinedDelivery,
} from '../config/defined-deliveries.ts';
import type { RunTools } from '../config/run-tools.ts';
import { dayOf, type Day } from '../core/calendar.ts';
import { once } from '../core/once.ts';
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
  ledeText,
  mailSubject,
  placeholderWords,
  previewNote,
  type MailDocuments,
} from '../render/mail-sentences.ts';
import { PdfError } from '../render/pdf.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import {
  allFiles,
  createCollector,
  leadFirst,
  type JoinReports,
  type DeliveredReports,
} from './delivered-report.ts';
import type { Deliver } from './job-reports.ts';
import { MarkdownFileError, readMarkdownFile } from './markdown-file.ts';
import { fillPlaceholders } from './placeholders.ts';

/** A delivery that was composed, with its files and its first status. */
export interface ComposedDelivery {
  readonly record: NewDelivery;
  readonly files: readonly OutboxFile[];
  /** What its reader sees: the page of a mail and its attachments, or the files. */
  readonly shown: readonly OutboxFile[];
  readonly first: FirstStatus;
}

/** A known delivery whose reports were rendered again for the same days. */
export interface Earlier {
  readonly record: DeliveryRecord;
  /** True for a new delivery that corrects it; false where it is the same one. */
  readonly isCorrected: boolean;
  /** A note for the reader of a correction; null: only the changed figures are listed. */
  readonly note: string | null;
  /** The address that gets the mail first, marked as a preview; null: it goes to its recipient. */
  readonly previewTo: string | null;
}

type ComposeTools = Pick<RunTools, 'config' | 'clock' | 'signal'>;

/**
 * Returns what takes the reports of jobs, and gives each delivery that they complete to `take`. Those that cannot be
 * composed are named in one problem. Reports without posts may be left out, if all days were read.
 * @param again the known delivery that is composed instead of those of the job; its problem is thrown as it is
 */
export function composeFor(
  tools: ComposeTools,
  take: (made: ComposedDelivery) => Promise<unknown>,
  again?: { readonly defined: DefinedDelivery; readonly earlier: Earlier | null },
): Deliver {
  const collect = createCollector();
  return async (job, report, made) => {
    const problems: string[] = [];
    const join = joinWith(tools);
    for (const defined of again ? [again.defined] : definedDeliveries(job)) {
      const reports = await collect(defined, report, made);
      if (!reports) continue;
      try {
        const earlier = again?.earlier ?? null;
        const composed = await composeDelivery(defined, reports, { ...tools, join }, earlier);
        if (composed) await take(composed);
      } catch (error) {
        const isOfMail = error instanceof MarkdownFileError || error instanceof PdfError;
        if (!isOfMail || again) throw error;
        problems.push(`the mail to ${defined.recipient} was not made: ${error.message}`);
      }
    }
    if (problems.length > 0) throw new MarkdownFileError(problems.join('\n'));
  };
}

/**
 * @param earlier null: it is none that is known
 * @returns null if it is empty, and skipped without a word
 */
async function composeDelivery(
  defined: DefinedDelivery,
  reports: DeliveredReports,
  tools: ComposeTools & { readonly join: JoinReports },
  earlier: Earlier | null,
): Promise<ComposedDelivery | null> {
  const { config, clock, join } = tools;
  const { job, client, definition, recipient, target } = defined;
  const documents = documentsOf(reports);
  const now = clock.now();
  const today = dayOf(now, (client ?? config).timezone);
  const first = firstStatus(defined.delivery, reports, today);
  if (first === null && earlier === null) return null;
  const names = reportNames(defined.reports);
  const about = {
    ...keyOf(defined, reports, earlier, now),
    job: job.name,
    report: names.join(', '),
    ...spanOf(documents),
    reports: documents.map(({ name, period }) => ({ report: name, ...period })),
    client: client?.key ?? null,
    definition,
    recipient,
    figures: figuresOf(documents),
    headline: ledeText(documents[0]),
    profiles: profilesOf(defined),
    comment: reports.find(({ commentFile }) => commentFile !== null)?.commentFile ?? null,
    corrects: earlier?.isCorrected === true ? earlier.record.id : null,
  };
  const files = await allFiles(defined, reports, join);
  if (target.kind === 'mail') {
    const parts = { defined, reports, files, earlier, about, now, mail: config.mail };
    return { ...(await composeMailDelivery(parts)), first: first ?? { state: 'queued' } };
  }
  const [{ places }] = reports;
  const fill = (text: string) => fillPlaceholders(text, { ...places, report: names.join('-') });
  const filled: DeliveryTarget =
    target.kind === 's3'
      ? { ...target, prefix: fill(target.prefix) }
      : { ...target, command: target.command.map(fill) };
  const record = { ...about, target: filled };
  return { record, files, shown: files, first: first ?? { state: 'queued' } };
}

/** Recipients who get the same reports get the same bytes. */
function joinWith({ config, clock, signal }: ComposeTools): JoinReports {
  const { browser } = config.pdf;
  const order = { what: 'the reports together', browser, formats: [] };
  return once(async (format, first, ...more) => {
    const { renderFile } = await import('../output/report-output.ts');
    // a comment on all of them is read once
    const others = more.map((document) =>
      document.comment === first.comment ? { ...document, comment: null } : document,
    );
    const limits = { timeoutMs: defaultLimits.timeoutMs * (1 + more.length) };
    return renderFile([first, ...others], format, order, { clock, signal, limits });
  });
}

type Key = Pick<DeliveryRecord, 'id' | 'slot' | 'is_closed'>;

/** A mail over days that are over is sent once for these days, any other delivery once for its slot. */
function keyOf(
  { identity, target }: DefinedDelivery,
  reports: DeliveredReports,
  earlier: Earlier | null,
  now: Date,
): Key {
  if (earlier) {
    const { id, slot, is_closed } = earlier.record;
    const correction = { corrects: id, at: now.toISOString() };
    return { id: earlier.isCorrected ? deliveryId(slot, correction) : id, slot, is_closed };
  }
  const [{ slot }] = reports;
  const isClosed = target.kind === 'mail' && reports.every(({ isOver }) => isOver);
  const days = reports.map(({ document: { period } }) => period);
  const last = days
    .map(({ to }) => to)
    .sort()
    .at(-1);
  return {
    id: deliveryId(isClosed ? (last ?? slot.text) : slot.wallClock, {
      identity,
      days,
      slot: isClosed ? null : slot.wallClock,
    }),
    slot: slot.text,
    is_closed: isClosed,
  };
}

/** The profiles of its reports, whatever their names. */
export function profilesOf({ client, job }: DefinedDelivery): NonNullable<NewDelivery['profiles']> {
  return (client ?? job).profiles.map(({ workspace, id, name }) => ({ workspace, id, name }));
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

/** @param today in the zone of the reports @returns null when they are skipped without a word */
function firstStatus(
  { isHeld, skipsEmpty, whenIncomplete }: DeliveryConfig,
  reports: DeliveredReports,
  today: Day,
): FirstStatus | null {
  const documents = documentsOf(reports);
  const headline = documents.find((document) => document.headline !== null)?.headline ?? null;
  if (headline !== null && whenIncomplete === 'hold') {
    const gaps = documents.flatMap(({ unreadDays }) => unreadDays);
    const days = [...new Map(gaps.map((gap) => [JSON.stringify(gap), { ...gap }])).values()];
    const areOver = days.some(({ first_day: day }) => day < today);
    const [{ warehouse }] = reports;
    const wait = { kind: 'days', days, are_over: areOver, warehouse } as const;
    return { state: 'held', reason: headline, waits_for: wait };
  }
  if (headline !== null && whenIncomplete === 'skip')
    return { state: 'discarded', reason: `skipped: ${headline}` };
  if (skipsEmpty && documents.every(isEmpty)) return null;
  const lacking = reports.find(({ lacksComment }) => lacksComment);
  if (lacking)
    return { state: 'held', waits_for: { kind: 'comment', file: lacking.commentFile ?? '' } };
  return isHeld ? { state: 'held', waits_for: { kind: 'approval' } } : { state: 'queued' };
}

function isEmpty({ sections }: ReportDocument): boolean {
  return sections.every(
    ({ layout, isAppendix, rows }) =>
      isAppendix || layout === 'figures' || layout === 'data' || rows.length === 0,
  );
}

interface MailParts {
  readonly defined: DefinedDelivery;
  readonly reports: DeliveredReports;
  /** The files of the reports, of which those are attached that fit. */
  readonly files: readonly OutboxFile[];
  readonly earlier: Earlier | null;
  readonly about: Omit<NewDelivery, 'target'>;
  readonly now: Date;
  readonly mail: MailConfig | null;
}

/** A message with the head of the report that leads, or of the first, a line for each other, and attached files. */
async function composeMailDelivery(parts: MailParts): Promise<Omit<ComposedDelivery, 'first'>> {
  const { defined, reports, files, earlier, about, now, mail } = parts;
  const correction = earlier?.isCorrected === true ? earlier : null;
  const { client, job, recipient, target } = defined;
  const previewTo = earlier?.previewTo ?? null;
  const address = previewTo ?? recipient;
  const documents = documentsOf(leadFirst(reports));
  const { kept, leftOut } = fitAttachments(files, mail?.maxBytes ?? 0);
  const attached = kept.map(({ name }) => name);
  const clientName = client?.brand.name ?? '';
  const places = { client: clientName, job: job.name, ...placeholderWords(documents, about) };
  const fill = (text: string) => fillPlaceholders(text, places);
  const file = defined.target.kind === 'mail' ? defined.target.body : null;
  const text = file === null ? null : await readMarkdownFile(file);
  const notes = [
    ...(previewTo === null ? [] : [previewNote(documents, recipient)]),
    ...(correction ? [correction.note ?? '', changedFigures(correction.record, documents)] : []),
    ...(text === null ? [introduction(documents, places)] : []),
  ];
  const template = defined.target.kind === 'mail' ? defined.target.subject : '';
  const isPreview = previewTo !== null;
  const subject = mailSubject(documents, fill(template).trim(), {
    isCorrected: correction !== null,
    isPreview,
  });
  const body = text === null ? null : { text, fill };
  const logo = await mailLogo(documents);
  const words = renderMail(documents, {
    notes,
    body,
    attached,
    leftOut,
    logo: logo && logoAddress,
  });
  const message = await composeMail({
    ...words,
    from: mail?.from ?? '',
    subject,
    date: now,
    to: previewTo ?? (target.kind === 'mail' ? (target.to[0] ?? '') : ''),
    attachments: [...(logo ? [logo.file] : []), ...kept],
    id: isPreview
      ? deliveryId(now.toISOString(), ['preview', about.id, address, now.toISOString()])
      : about.id,
  });
  return {
    record: { ...about, target: { kind: 'mail', address, subject, attached } },
    files: [{ name: 'message.eml', content: message }],
    shown: [{ name: 'mail.html', content: Buffer.from(withLogo(words.html, logo)) }, ...kept],
  };
}

const logoAddress = 'cid:logo';

/** The pictures that mail programs show. They show no SVG or WebP, so the name of the brand stands alone there. */
const shownImages = ['image/png', 'image/jpeg', 'image/gif'];

async function mailLogo([{ brand }]: MailDocuments) {
  const path = brand?.logo ?? null;
  if (path === null) return null;
  const { readLogo } = await import('../output/report-files.ts');
  const logo = await readLogo(path);
  if (logo === null || !shownImages.includes(logo.mime)) return null;
  const name = `logo.${logo.mime.slice('image/'.length)}`;
  return { mime: logo.mime, file: { name, content: logo.bytes, cid: 'logo' } };
}

/** The HTML as a file of its own, which has no attached logo. */
function withLogo(html: string, logo: Awaited<ReturnType<typeof mailLogo>>): string {
  if (logo === null) return html;
  const data = Buffer.from(logo.file.content).toString('base64');
  return html.replace(logoAddress, `data:${logo.mime};base64,${data}`);
}
