import type { DeliveryConfig } from '../config/config.ts';
import { reportNames, type DefinedDelivery } from '../config/defined-deliveries.ts';
import { dayOf, type Day } from '../core/calendar.ts';
import {
  deliveryId,
  type DeliveryRecord,
  type DeliveryTarget,
  type NewDelivery,
} from '../deliver/delivery.ts';
import { readAllDeliveries, type FirstStatus, type OutboxFile } from '../deliver/outbox.ts';
import { figuresOf, ledeText, type MailDocuments } from '../render/mail-sentences.ts';
import type { ReportDocument } from '../report/report-document.ts';
import type { RunTools } from '../config/run-tools.ts';
import { deliveryFiles, type DeliveredReport, type DeliveredReports } from './delivery-files.ts';
import { heldIf, keyOf, standingOf, type DeliveryKey } from './delivery-key.ts';
import { renderMessage } from './delivery-mail.ts';
import type { FinishedReport, JobReports } from './job-reports.ts';
import { commentPath, readCommentFile } from './markdown-file.ts';
import { fillPlaceholders } from './placeholders.ts';

/** A delivery with its files and its first status. */
export interface RenderedDelivery {
  readonly record: NewDelivery;
  readonly files: readonly OutboxFile[];
  /** What its reader sees: the page of a mail and its attachments, or the files. */
  readonly shown: readonly OutboxFile[];
  readonly first: FirstStatus;
  /** What its reader would get, without the times at which it was made. Null where it is no mail. */
  readonly mail: RenderedMail | null;
}

interface RenderedMail {
  /** The reports with the one first that leads. */
  readonly documents: MailDocuments;
  /** A hash of all that its reader gets. */
  readonly version: string;
  /** The files of the comments on its reports that jobs.yaml names, whether or not they are there. */
  readonly commentFiles: readonly string[];
}

/** A recorded delivery that is rendered again, for the same days. */
export interface Earlier {
  readonly record: DeliveryRecord;
  /** True for a new delivery that corrects it; false where it is the same one. */
  readonly isCorrected: boolean;
  /** A note for the reader of a correction; null: only the changed figures are listed. */
  readonly note: string | null;
  /** The address that gets the mail first, marked as a preview; null: it goes to its recipient. */
  readonly previewTo: string | null;
}

/**
 * Renders a delivery from reports that it asks for, in the order of its definition. Without posts it may be left out, if
 * all days were read.
 * @param earlier null: it is a new one
 * @returns null if one of its reports failed, or if it is empty and skipped without a word
 * @throws MarkdownFileError | PdfError
 */
export async function renderDelivery(
  defined: DefinedDelivery,
  reports: JobReports,
  earlier: Earlier | null = null,
): Promise<RenderedDelivery | null> {
  const { slot, version: warehouse, tools } = reports.source;
  const delivered = await deliveredReports(defined, reports);
  if (delivered === null) return null;
  const { job, client, target } = defined;
  const documents = documentsOf(delivered);
  const now = tools.clock.now();
  const today = dayOf(now, (client ?? tools.config).timezone);
  const hasReview = tools.config.review !== null;
  const wanted = firstStatus(defined.delivery, delivered, { today, warehouse, hasReview });
  if (wanted === null && earlier === null) return null;
  const { corrected, reason, ...key } = await keyAmongOthers(
    keyOf(defined, delivered, slot, tools.config),
    earlier,
    tools,
  );
  const first = heldIf(reason, 'sent', wanted ?? { state: 'queued' });
  const names = reportNames(defined.reports);
  const about = {
    ...key,
    job: job.name,
    report: names.join(', '),
    ...spanOf(documents),
    figures: figuresOf(documents),
    headline: ledeText(documents[0]),
    is_complete: documents.every(({ headline }) => headline === null),
    comment: delivered.find(({ commentFile }) => commentFile !== null)?.commentFile ?? null,
    corrects: corrected?.id ?? null,
  };
  const led = leadFirst(delivered);
  const files = await deliveryFiles(defined, led, reports);
  if (target.kind === 'mail') {
    const correction = corrected && { record: corrected, note: earlier?.note ?? null };
    const previewTo = earlier?.previewTo ?? null;
    const order = { correction, previewTo, now, mail: tools.config.mail };
    const content = { about, documents: documentsOf(led), files };
    const { version, ...message } = await renderMessage(defined, target, content, order);
    const commentFiles = [...new Set(led.flatMap(({ commentFile }) => commentFile ?? []))];
    return { ...message, first, mail: { documents: content.documents, version, commentFiles } };
  }
  const { placeholders } = delivered[0].finished;
  const fill = (text: string) =>
    fillPlaceholders(text, { ...placeholders, report: names.join('-') });
  const filled: DeliveryTarget =
    target.kind === 's3'
      ? { ...target, prefix: fill(target.prefix) }
      : { ...target, command: target.command.map(fill) };
  return { record: { ...about, target: filled }, files, shown: files, first, mail: null };
}

/** @returns null if one failed; the others are rendered all the same */
async function deliveredReports(
  defined: DefinedDelivery,
  reports: JobReports,
): Promise<DeliveredReports | null> {
  const finished: FinishedReport[] = [];
  for (const entry of defined.reports) {
    const report = await reports.render(entry);
    if (report !== null) finished.push(report);
  }
  if (finished.length < defined.reports.length) return null;
  const delivered: DeliveredReport[] = [];
  for (const report of finished) delivered.push(await withOwnWishes(report, defined.delivery));
  const [first, ...more] = delivered;
  return first === undefined ? null : [first, ...more];
}

/** A report with the comment of the delivery, if that has one, and with what its recipient gets of it. */
async function withOwnWishes(
  finished: FinishedReport,
  { comment: ofDelivery, copy }: DeliveryConfig,
): Promise<DeliveredReport> {
  const { entry, placeholders, document } = finished;
  const configured = ofDelivery ?? entry.comment;
  const comment = ofDelivery ? await readCommentFile(ofDelivery, placeholders) : document.comment;
  return {
    finished,
    document: { ...document, comment, copy: { ...document.copy, ...copy } },
    commentFile: configured && commentPath(configured, placeholders),
    needsComment: configured?.isRequired === true,
  };
}

/** The reports with the one first that leads. */
function leadFirst(delivered: DeliveredReports): DeliveredReports {
  const [first, ...more] = delivered.toSorted(
    ({ finished: a }, { finished: b }) => Number(b.leads) - Number(a.leads),
  );
  return first === undefined ? delivered : [first, ...more];
}

function documentsOf([first, ...more]: DeliveredReports): MailDocuments {
  return [first.document, ...more.map(({ document }) => document)];
}

/** The key of a delivery beside what is known of the same days: its own one, or that of an earlier delivery. */
async function keyAmongOthers(
  key: DeliveryKey,
  earlier: Earlier | null,
  { config, clock }: Pick<RunTools, 'config' | 'clock'>,
) {
  const all = await readAllDeliveries(config.dataDir);
  if (earlier === null) return { ...key, ...standingOf(key, all, config) };
  const { record, isCorrected } = earlier;
  const { id, slot, is_closed } = record;
  if (isCorrected) {
    const correction = { corrects: id, at: clock.now().toISOString() };
    const own = { id: deliveryId(slot, correction), corrected: record, reason: null };
    return { ...key, slot, is_closed, ...own };
  }
  const others = all.filter((each) => each.record.id !== id);
  const again = { ...key, id, slot, is_closed };
  return { ...again, ...standingOf(again, others, config), id };
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

/**
 * @param today in the zone of the reports
 * @param warehouse the version that they were rendered from; null: unknown
 * @param hasReview true if a required comment also means that a person approves it
 * @returns null when they are skipped without a word
 */
function firstStatus(
  { isHeld, skipsEmpty, whenIncomplete }: DeliveryConfig,
  delivered: DeliveredReports,
  {
    today,
    warehouse,
    hasReview,
  }: { readonly today: Day; readonly warehouse: string | null; readonly hasReview: boolean },
): FirstStatus | null {
  const documents = documentsOf(delivered);
  const headline = documents.find((document) => document.headline !== null)?.headline ?? null;
  if (headline !== null && whenIncomplete === 'hold') {
    const gaps = documents.flatMap(({ unreadDays }) => unreadDays);
    const days = [...new Map(gaps.map((gap) => [JSON.stringify(gap), { ...gap }])).values()];
    const areOver = days.some(({ first_day: day }) => day < today);
    const wait = { kind: 'days', days, are_over: areOver, warehouse } as const;
    return { state: 'held', reason: headline, waits_for: wait };
  }
  if (headline !== null && whenIncomplete === 'skip')
    return { state: 'discarded', reason: `skipped: ${headline}` };
  if (skipsEmpty && documents.every(isEmpty)) return null;
  const commented = delivered.filter(({ needsComment }) => needsComment);
  const lacking = commented.find(({ document: { comment } }) => comment === null);
  if (lacking)
    return { state: 'held', waits_for: { kind: 'comment', file: lacking.commentFile ?? '' } };
  return isHeld || (hasReview && commented.length > 0)
    ? { state: 'held', waits_for: { kind: 'approval' } }
    : { state: 'queued' };
}

function isEmpty({ sections }: ReportDocument): boolean {
  return sections.every(
    ({ layout, isAppendix, rows }) =>
      isAppendix || layout === 'figures' || layout === 'data' || rows.length === 0,
  );
}
