import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobConfig } from '../config/config.ts';
import { definedDeliveries, type DefinedDelivery } from '../config/defined-deliveries.ts';
import type { RunTools } from '../config/run-tools.ts';
import { writeOutput } from '../core/private-files.ts';
import { destinationOf, type Delivery } from '../deliver/delivery.ts';
import { PdfError } from '../render/pdf.ts';
import { slotOf, type Slot } from '../schedule/slot.ts';
import { beginRecords, offer, openDeliveries, sendDeliveries } from './deliveries.ts';
import { notifyHeld } from './held-news.ts';
import { JobReports, type RenderedReport } from './job-reports.ts';
import { renderHeld } from './known-deliveries.ts';
import { MarkdownFileError } from './markdown-file.ts';
import { sendReviewNotices } from './review-notices.ts';
import { renderDelivery, type RenderedDelivery } from './render-delivery.ts';

type Take = (delivery: RenderedDelivery) => Promise<void>;

/**
 * Renders the reports of a job, and each of its deliveries once its last report is written. What fails for one of them
 * does not affect the others.
 * @param take is given each delivery; null: the reports are only written
 */
export async function renderJob(
  job: JobConfig,
  slot: Slot,
  tools: RunTools,
  take: Take | null,
): Promise<RenderedReport[]> {
  if (job.reports.length === 0) return [];
  let open = take === null ? [] : definedDeliveries(job);
  return JobReports.with({ job, slot, tools }, open, async (reports) => {
    for (const entry of job.reports) {
      await reports.render(entry);
      const complete = open.filter((defined) => defined.reports.at(-1) === entry);
      await renderEach(complete, reports, take).catch((error: unknown) =>
        reports.fail(entry, error),
      );
      open = open.filter((defined) => !complete.includes(defined));
      reports.keepFor(open);
    }
    return reports.outcomes;
  });
}

/** @throws MarkdownFileError that names the mails that could not be made, once the others were */
async function renderEach(
  deliveries: readonly DefinedDelivery[],
  reports: JobReports,
  take: Take | null,
): Promise<void> {
  const problems: string[] = [];
  for (const defined of deliveries) {
    try {
      const delivery = await renderDelivery(defined, reports);
      if (delivery) await take?.(delivery);
    } catch (error) {
      if (!(error instanceof MarkdownFileError || error instanceof PdfError)) throw error;
      problems.push(`the mail to ${defined.recipient} was not made: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new MarkdownFileError(problems.join('\n'));
}

export interface DeliverOptions {
  /**
   * Asks a person whether a delivery is sent that was discarded.
   * @returns null where there is nobody to ask
   */
  readonly ask: (question: string) => Promise<boolean | null>;
}

/**
 * Renders the reports of jobs and what is held, sends what may be sent, and notifies of what is held for the first time.
 * @returns the outcomes, with each delivery of the jobs that was not sent, and those that nobody could be asked about
 */
export async function deliverJobs(
  jobs: readonly JobConfig[],
  { ask }: DeliverOptions,
  tools: RunTools,
): Promise<{ reports: RenderedReport[]; deliveries: Delivery[]; unasked: string[] }> {
  const { config, clock } = tools;
  const begun = clock.now();
  const newlyHeld: Delivery[] = [];
  const unasked: string[] = [];
  const isWanted = async ({ record, status }: Delivery): Promise<boolean> => {
    const what = `${record.report} to ${destinationOf(record.target)}`;
    const day = status.changed_at.slice(0, 10);
    const answer = await ask(`${what} was discarded on ${day}. Send it after all?`);
    if (answer === null) unasked.push(what);
    return answer === true;
  };
  const options = { newlyHeld, isWanted };
  await beginRecords(tools);
  const reports: RenderedReport[] = [];
  for (const job of jobs) {
    const slot = slotOf(job, config.timezone, begun);
    const toOutbox = (delivery: RenderedDelivery) => offer(delivery, tools, options);
    reports.push(...(await renderJob(job, slot, tools, toOutbox)));
  }
  reports.push(...(await renderHeld(tools, options, begun)));
  const sent = await sendDeliveries(tools);
  const open = (await Promise.all(jobs.map((job) => openDeliveries(job, config)))).flat();
  await notifyHeld(newlyHeld, tools);
  await sendReviewNotices(tools);
  return { reports, deliveries: [...newlyHeld, ...sent, ...open], unasked };
}

/**
 * Renders the reports of jobs, writes their mails to files of this folder, and sends nothing.
 * @returns the outcomes, and a sentence for each delivery
 */
export async function writeMails(
  jobs: readonly JobConfig[],
  folder: string,
  tools: RunTools,
): Promise<{ reports: RenderedReport[]; sentences: string[] }> {
  const now = tools.clock.now();
  const sentences: string[] = [];
  const write = async ({ record, files, first }: RenderedDelivery) => {
    const held = first.state === 'queued' ? '' : `, ${first.state}: ${first.reason ?? 'approval'}`;
    if (record.target?.kind !== 'mail') {
      const names = files.map(({ name }) => name).join(', ');
      sentences.push(`${names} would go to ${destinationOf(record.target)}${held}`);
      return;
    }
    const path = join(folder, mailFileName(record));
    await writeOutput(path, (draft) => writeFile(draft, files[0]?.content ?? ''));
    sentences.push(`${path}${held}`);
  };
  const reports: RenderedReport[] = [];
  for (const job of jobs)
    reports.push(...(await renderJob(job, slotOf(job, tools.config.timezone, now), tools, write)));
  return { reports, sentences };
}

function mailFileName({ id, job, report, client, target }: RenderedDelivery['record']): string {
  const words = [job, report.replaceAll(', ', '-'), client, destinationOf(target)];
  const name = [...words, id.slice(11, 19)].filter(Boolean).join('-');
  return `${name.replaceAll(/[^\w.@-]/g, '_')}.eml`;
}
