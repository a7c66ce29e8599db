import { existsSync } from 'node:fs';
import type { Config, JobConfig, JobReport } from '../config/config.ts';
import {
  definedDeliveries,
  reportNames,
  type DefinedDelivery,
} from '../config/defined-deliveries.ts';
import { UsageError } from '../core/errors.ts';
import {
  deliveryOf,
  destinationOf,
  describeWait,
  type Delivery,
  type DeliveryRecord,
} from '../deliver/delivery.ts';
import { findDeliveries, Outbox, outboxFolder, readOutbox } from '../deliver/outbox.ts';
import { sendQueued } from '../deliver/send-queue.ts';
import {
  composeDelivery,
  createComposer,
  slotOf,
  type ComposedDelivery,
} from './compose-deliveries.ts';
import { createCollector } from './delivered-report.ts';
import { renderJobReports, type Deliver, type RenderedReport } from './job-reports.ts';
import { writeReportIndexes } from './report-index.ts';
import type { RunTools } from './run-context.ts';

/** Another process sends for minutes at most. */
const outboxWaitMs = 600_000;

/**
 * Puts reports into the outbox.
 * @param onHeld is called for each that is held for the first time, because days of it were not read
 */
export function outboxOf(tools: RunTools, onHeld: (delivery: Delivery) => void): Deliver {
  const compose = createComposer(tools);
  return async (job, report, made) => {
    const composed = await compose(job, report, made);
    if (composed.length === 0) return;
    const access = { ...tools, waitMs: outboxWaitMs };
    await Outbox.with(tools.config.dataDir, access, async (outbox) => {
      for (const each of composed) {
        const known = await outbox.find(each.record.id);
        const delivery = await offer(outbox, each, known, tools);
        if (known === null && delivery?.status.waits_for?.kind === 'days') onHeld(delivery);
      }
    });
  };
}

/** One that waits for days that were not read is made anew; any other that is known is not sent again. */
async function offer(
  outbox: Outbox,
  { record, files, first }: ComposedDelivery,
  known: Delivery | null,
  { log }: Pick<RunTools, 'log'>,
): Promise<Delivery | null> {
  const { id } = record;
  const words = `${record.report} to ${destinationOf(record.target)}`;
  if (known && known.status.waits_for?.kind !== 'days') {
    log.info({ id }, `not sent again: ${words}`);
    return null;
  }
  if (!known) await discardSuperseded(outbox, record);
  const delivery = await outbox.put(record, files, first);
  const { state, reason } = delivery.status;
  if (state === 'held' && reason === null)
    log.info({ id }, `held: ${words}; postledger deliver approve ${id}`);
  else if (state !== 'queued')
    log.warn({ id }, `${state === 'held' ? 'held' : 'not sent'}: ${words}: ${reason ?? ''}`);
  return delivery;
}

/** A report of an earlier time that still waits for its days: this one took its place. */
async function discardSuperseded(
  outbox: Outbox,
  { definition, slot }: { definition: string; slot: string },
) {
  for (const delivery of await outbox.list()) {
    const { record, status } = delivery;
    const isOlder = record.definition === definition && record.slot !== slot;
    if (isOlder && status.waits_for?.kind === 'days')
      await outbox.set(delivery, 'discarded', { reason: `replaced by that of ${slot}` });
  }
}

/**
 * Renders anew the reports that wait for days that were not read, each within the time that its job is scheduled for: a
 * run of any job may have read them.
 * @param job whose reports were rendered just now
 */
export async function renderHeld(
  job: JobConfig,
  tools: RunTools,
  deliver: Deliver,
): Promise<RenderedReport[]> {
  const { config, clock } = tools;
  const waiting = (await readOutbox(config.dataDir)).filter(
    ({ status }) => status.waits_for?.kind === 'days',
  );
  if (waiting.length === 0) return [];
  const held = new Set(waiting.map(({ record }) => `${record.definition} ${record.slot}`));
  const rendered: RenderedReport[] = [];
  for (const other of config.jobs.values()) {
    if (other.name === job.name) continue;
    const slot = slotOf(other, config.timezone, clock.now());
    const due = definedDeliveries(other).filter(({ definition }) =>
      held.has(`${definition} ${slot}`),
    );
    const dueReports = new Set(due.flatMap(({ reports }) => reports));
    const reports = other.reports.filter((report) => dueReports.has(report));
    rendered.push(...(await renderJobReports(other, tools, { deliver, reports })));
  }
  return rendered;
}

/**
 * Sends what waits in the outbox, removes files of what was sent long ago, and lists all reports.
 * @returns what became of the deliveries
 */
export async function sendDeliveries(tools: Omit<RunTools, 'progress'>): Promise<Delivery[]> {
  const { dataDir, retention } = tools.config;
  const send = async (outbox: Outbox) => {
    await outbox.prune(retention.outboxDays);
    return sendQueued(outbox, { ...tools, hasRecipient: recipientsOf(tools.config) });
  };
  const sent = existsSync(outboxFolder(dataDir))
    ? await Outbox.with(dataDir, { ...tools, waitMs: outboxWaitMs }, send)
    : [];
  await writeReportIndexes(tools);
  return sent;
}

/** Lists deliveries that need a person, and those of the job that wait for days. */
export async function openDeliveries(job: JobConfig, { dataDir }: Config): Promise<Delivery[]> {
  return (await readOutbox(dataDir)).filter(
    ({ record, status }) =>
      ['failed', 'unknown'].includes(status.state) ||
      (status.waits_for?.kind === 'days' && record.job === job.name),
  );
}

/** Returns true for a delivery that was sent, or that waits for approval as jobs.yaml asks. */
export function isSettled({ status }: Delivery): boolean {
  return status.state === 'sent' || status.waits_for?.kind === 'approval';
}

/** Tells whether jobs.yaml still has the job, the client and the recipient of a delivery. */
function recipientsOf({ jobs }: Config): (record: DeliveryRecord) => boolean {
  const known = new Set(
    [...jobs.values()]
      .flatMap(definedDeliveries)
      .map(({ job, client, recipient }) => recipientKey(job.name, client?.key ?? null, recipient)),
  );
  return ({ job, client, recipient }) => known.has(recipientKey(job, client, recipient));
}

function recipientKey(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}

/**
 * Renders a delivery's reports anew, for the same days, and sends it at once, marked as corrected.
 * @param start how its id begins
 * @param note what its reader is told beside what has changed
 * @returns what became of all that was sent
 * @throws UsageError when there is no such delivery, or jobs.yaml no longer defines it
 */
export async function resendDelivery(
  start: string,
  note: string | null,
  tools: RunTools,
): Promise<{ reports: RenderedReport[]; deliveries: Delivery[] }> {
  const { config } = tools;
  const delivery = deliveryOf(await findDeliveries(config.dataDir, start), start);
  const { record } = delivery;
  const wait = describeWait(delivery);
  if (delivery.status.state === 'held')
    throw new UsageError(
      `${record.id} waits for ${wait ?? 'something'}: nothing was sent that could be corrected; see: postledger deliver approve`,
    );
  const defined = definitionOf(record, config);
  const collect = createCollector();
  const deliver: Deliver = async (_job, report, made) => {
    const delivered = await collect(defined, report, made);
    if (delivered === null) return;
    const composed = await composeDelivery(defined, delivered, tools, { of: record, note });
    const access = { ...tools, waitMs: outboxWaitMs };
    await Outbox.with(config.dataDir, access, (outbox) =>
      outbox.put(composed.record, composed.files, { state: 'queued' }),
    );
  };
  const { job, reports: wanted } = defined;
  const daysOf = (entry: JobReport) => {
    const sent = record.reports[wanted.indexOf(entry)];
    return sent?.report === entry.report ? { from: sent.from, to: sent.to } : null;
  };
  const reports = await renderJobReports(job, tools, { deliver, reports: wanted, daysOf });
  return { reports, deliveries: await sendDeliveries(tools) };
}

/** Its definition as it is now: the same, or what else goes to the same recipient of the same reports. */
function definitionOf(
  { id, job: name, report, client, definition, recipient }: DeliveryRecord,
  { jobs }: Config,
): DefinedDelivery {
  const job = jobs.get(name);
  const all = job ? definedDeliveries(job) : [];
  const found =
    all.find((defined) => defined.definition === definition) ??
    all.find(
      (defined) =>
        reportNames(defined.reports).join(', ') === report &&
        (defined.client?.key ?? null) === client &&
        defined.recipient === recipient,
    );
  if (found) return found;
  throw new UsageError(
    `${id}: jobs.yaml no longer sends ${report} to this recipient; put it back to send it again`,
  );
}
