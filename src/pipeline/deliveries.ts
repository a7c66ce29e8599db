import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, JobConfig, JobReport } from '../config/config.ts';
import {
  definedDeliveries,
  reportNames,
  type DefinedDelivery,
} from '../config/defined-deliveries.ts';
import { addDays, dayOf } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import {
  deliveryOf,
  destinationOf,
  deliverySentence,
  describeWait,
  waitsForPerson,
  type Delivery,
  type DeliveryRecord,
  type NewDelivery,
} from '../deliver/delivery.ts';
import {
  findDeliveries,
  Outbox,
  outboxFolder,
  readOutbox,
  type FirstStatus,
} from '../deliver/outbox.ts';
import { problemText } from '../core/machine-problem.ts';
import { notifyOf, type JobNews } from '../deliver/notify.ts';
import { sendQueued } from '../deliver/send-queue.ts';
import { shortestName } from '../report/period.ts';
import { slotFromText } from '../schedule/slot.ts';
import { rawFolder } from '../store/layout.ts';
import { isClockLikely, newestRunDay } from '../store/retention.ts';
import { listRunNames } from '../store/run-folder.ts';
import { warehouseVersion } from '../warehouse/warehouse.ts';
import {
  composeDelivery,
  createComposer,
  type ComposedDelivery,
  type Earlier,
} from './compose-deliveries.ts';
import { createCollector } from './delivered-report.ts';
import { hasComment } from './markdown-file.ts';
import { renderJobReports, type Deliver, type RenderedReport } from './job-reports.ts';
import { writeReportIndexes } from '../output/report-index.ts';
import type { RunTools } from '../config/run-tools.ts';

/** Another process sends for minutes at most. */
const outboxWaitMs = 600_000;

export interface OfferOptions {
  /** Is called for each delivery that is held for the first time, for unread days or for a person. */
  readonly onHeld?: (delivery: Delivery) => void;
  /** Returns true if a discarded delivery is made again; left out: none is. */
  readonly isWanted?: (discarded: Delivery) => Promise<boolean>;
}

/**
 * Makes the records of what was sent before anything is. Where they are missing although runs had deliveries, as after
 * a restore without them, what may have been sent is held.
 */
export async function beginRecords(
  tools: Pick<RunTools, 'config' | 'clock' | 'log'>,
): Promise<void> {
  const { dataDir } = tools.config;
  await Outbox.with(dataDir, { ...tools, waitMs: outboxWaitMs }, async (outbox) => {
    const before = outbox.lostAt;
    await outbox.beginRecords(() => hadDeliveries(dataDir));
    if (outbox.lostAt !== null && before === null)
      tools.log.warn(
        {},
        `${dataDir} has runs that sent reports, but no deliveries.jsonl, which says what was sent: what may have been sent before is held; see: postledger deliver list`,
      );
  });
}

async function hadDeliveries(dataDir: string): Promise<boolean> {
  for await (const { workspace, day, runId } of listRunNames(dataDir)) {
    const path = join(rawFolder(dataDir), workspace, day, runId, 'run.json');
    if (/"delivers":\s*true/.test(await readFile(path, 'utf8').catch(() => ''))) return true;
  }
  return false;
}

/** Puts reports into the outbox. */
export function outboxOf(tools: RunTools, options: OfferOptions): Deliver {
  const compose = createComposer(tools);
  return async (job, report, made) => {
    const { composed, problem } = await compose(job, report, made);
    for (const each of composed) await offer(each, tools, options);
    if (problem) throw problem;
  };
}

/** Replaces what waits. Anything else that is known is not sent again. */
async function offer(
  { record, files, first: wanted }: ComposedDelivery,
  tools: RunTools,
  { onHeld, isWanted }: OfferOptions,
): Promise<void> {
  const { config, log } = tools;
  const access = { ...tools, waitMs: outboxWaitMs };
  await Outbox.with(config.dataDir, access, async (outbox) => {
    const known = await outbox.find(record);
    const isAgain =
      known?.status.state === 'discarded' && isWanted !== undefined && (await isWanted(known));
    const { id } = record;
    const words = `${record.report} to ${destinationOf(record.target)}`;
    if (known && !isWaiting(known) && !isAgain) {
      // one whose process died before it sent is tried next
      if (known.status.state !== 'sending')
        log.info({ id }, `not sent again: ${words} (${known.status.state})`);
      return;
    }
    const first = outbox.lostAt === null ? wanted : heldIfLost(record, wanted, outbox.lostAt);
    const delivery = await outbox.put(record, files, first);
    await discardReplaced(outbox, record, config);
    const { state, reason, waits_for: wait } = delivery.status;
    const wasForPerson = known !== null && waitsForPerson(known);
    const isForPerson = waitsForPerson(delivery);
    if (isForPerson)
      log.info(
        { id },
        `held: ${words}, for ${describeWait(delivery) ?? ''}; postledger deliver approve ${id}`,
      );
    else if (state !== 'queued')
      log.warn({ id }, `${state === 'held' ? 'held' : 'not sent'}: ${words}: ${reason ?? ''}`);
    const isOfDays = known === null && reason !== null && !isSettled(delivery) && wait !== null;
    if (isForPerson ? !wasForPerson : isOfDays) onHeld?.(delivery);
  });
}

/** Returns true for one whose files may still be replaced. */
function isWaiting({ status }: Delivery): boolean {
  return status.state === 'held' || status.state === 'queued';
}

/** Holds what may have been sent before records were lost. */
function heldIfLost(
  { is_closed: isClosed, to, slot }: NewDelivery,
  first: FirstStatus,
  lostAt: string,
): FirstStatus {
  const isOfBefore = isClosed === true ? (to ?? '') < lostAt.slice(0, 10) : slot < lostAt;
  if (first.state !== 'queued' || !isOfBefore) return first;
  const reason = `it may have been sent before ${lostAt}, from when on it is known what was sent; if it was not, approve it`;
  return { state: 'held', reason, waits_for: { kind: 'approval' } };
}

/**
 * Discards what waits if it was made again as another delivery: the same reports since the same day at a later time, or the
 * same days if jobs.yaml no longer has what waits.
 */
async function discardReplaced(outbox: Outbox, made: NewDelivery, { jobs }: Config): Promise<void> {
  const defined = new Set(
    [...jobs.values()].flatMap(definedDeliveries).map(({ definition }) => definition),
  );
  for (const delivery of await outbox.list()) {
    const { record } = delivery;
    const isSame = record.recipient === made.recipient && record.client === made.client;
    if (!isSame || record.id === made.id || !isWaiting(delivery) || record.corrects !== null)
      continue;
    const isLater =
      record.definition === made.definition &&
      record.from === made.from &&
      record.slot < made.slot &&
      delivery.status.state === 'held';
    const isGone =
      !defined.has(record.definition) &&
      JSON.stringify(record.reports) === JSON.stringify(made.reports);
    if (isLater || isGone)
      await outbox.set(delivery, 'discarded', { reason: `replaced by ${made.id}` });
  }
}

/**
 * Renders the reports again that wait for days that were not read, if the warehouse has changed since, because a
 * run of any job may have read them, and those whose comment was written.
 * @param before those that were made later are left out
 */
export async function renderHeld(
  tools: RunTools,
  options: OfferOptions,
  before: Date,
): Promise<RenderedReport[]> {
  const rendered: RenderedReport[] = [];
  for (const delivery of await readOutbox(tools.config.dataDir)) {
    const { record } = delivery;
    const defined = definitionOf(record, tools.config);
    if (!defined || Date.parse(record.created_at) >= before.getTime()) continue;
    if (!(await mayBeComplete(delivery, tools.config))) continue;
    rendered.push(
      ...(await renderAgain(defined, record, unchanged, tools, (made) =>
        offer(made, tools, options),
      )),
    );
  }
  return rendered;
}

async function mayBeComplete({ status: { waits_for: wait } }: Delivery, config: Config) {
  if (wait?.kind === 'comment') return hasComment(wait.file);
  if (wait?.kind !== 'days') return false;
  const version = await warehouseVersion(config);
  return version === null || version !== wait.warehouse;
}

/** Notifies of reports that are held for the first time, once for each job and what they wait for: days, or a person. */
export async function notifyHeld(
  held: readonly Delivery[],
  { config, clock, log }: Pick<RunTools, 'config' | 'clock' | 'log'>,
): Promise<void> {
  const { dataDir, mail, notify: rules } = config;
  const news = [...new Set(held.map(({ record }) => record.job))].flatMap((job): JobNews[] => {
    const own = held.filter(({ record }) => record.job === job);
    const forPerson = own.filter(waitsForPerson);
    const others = own.filter((delivery) => !forPerson.includes(delivery));
    return [
      { job, state: 'held', text: forPerson.map(requestForPerson).join('\n\n'), isNew: true },
      { job, state: 'partial', text: others.map(deliverySentence).join('\n'), isNew: true },
    ];
  });
  for (const each of news.filter(({ text }) => text !== '')) {
    const { job: name } = each;
    await notifyOf(each, { clock, log, dataDir, mail, rules }).catch((error: unknown) => {
      log.warn({ job: name }, `notifications were not sent: ${problemText(error)}`);
    });
  }
}

/** What an account manager needs to comment on a report and to approve it. */
function requestForPerson(delivery: Delivery): string {
  const { id, headline, figures, comment, client, report, target } = delivery.record;
  const period = shortestName(delivery.record);
  const maker =
    client === null ? '' : ` (postledger comment ${client} --period ${period} makes it)`;
  const lines = [
    `${report}, ${period}, to ${destinationOf(target)} waits for ${describeWait(delivery) ?? ''}`,
    headline,
    figures.map(({ label, text }) => `${label}: ${text}`).join(' · '),
    comment === null ? '' : `Comment: ${comment}${maker}`,
    `postledger deliver preview ${id}`,
    `postledger deliver approve ${id}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/**
 * Sends what waits in the outbox, removes files of what was sent long ago, and lists all reports.
 * @returns the deliveries with their outcomes
 */
export async function sendDeliveries(tools: Omit<RunTools, 'progress'>): Promise<Delivery[]> {
  const { dataDir, retention } = tools.config;
  const today = dayOf(tools.clock.now(), 'UTC');
  const send = async (outbox: Outbox) => {
    // a run of today has the same clock, so an earlier one is asked
    const newest = await newestRunDay(dataDir, addDays(today, -1));
    if (isClockLikely(newest, retention.outboxDays, today))
      await outbox.prune(retention.outboxDays);
    return sendQueued(outbox, { ...tools, hasRecipient: recipientsOf(tools.config) });
  };
  const sent = existsSync(outboxFolder(dataDir))
    ? await Outbox.with(dataDir, { ...tools, waitMs: outboxWaitMs }, send)
    : [];
  await writeReportIndexes(tools);
  return sent;
}

/** Lists deliveries that need a person, and those of the job that wait. */
export async function openDeliveries(job: JobConfig, { dataDir }: Config): Promise<Delivery[]> {
  return (await readOutbox(dataDir)).filter(
    ({ record, status }) =>
      ['failed', 'unknown'].includes(status.state) ||
      (status.state === 'held' &&
        status.waits_for?.kind !== 'recipient' &&
        record.job === job.name),
  );
}

/** Returns true for a delivery that was sent, or that waits for a person as jobs.yaml asks, or for a day to end. */
export function isSettled(delivery: Delivery): boolean {
  const { waits_for: wait } = delivery.status;
  if (wait?.kind === 'days') return !wait.are_over;
  return delivery.status.state === 'sent' || waitsForPerson(delivery);
}

/** Tells whether jobs.yaml still has the recipient of a delivery, for its client or, if it has none, for its job. */
function recipientsOf({ jobs }: Config): (record: DeliveryRecord) => boolean {
  const keyOf = (job: string, client: string | null, recipient: string) =>
    JSON.stringify([client === null ? job : null, client, recipient]);
  const known = new Set(
    [...jobs.values()]
      .flatMap(definedDeliveries)
      .map(({ job, client, recipient }) => keyOf(job.name, client?.key ?? null, recipient)),
  );
  return ({ job, client, recipient }) => known.has(keyOf(job, client, recipient));
}

/**
 * Renders a delivery's reports again, for the same days, and sends it at once, marked as corrected.
 * @param start how its id begins
 * @param note what its reader is told beside what has changed
 * @returns the deliveries with their outcomes
 * @throws UsageError when there is no such delivery, or jobs.yaml no longer defines it
 */
export async function resendDelivery(
  start: string,
  note: string | null,
  tools: RunTools,
): Promise<{ reports: RenderedReport[]; deliveries: Delivery[] }> {
  const delivery = deliveryOf(await findDeliveries(tools.config.dataDir, start), start);
  const { record } = delivery;
  const wait = describeWait(delivery);
  if (delivery.status.state === 'held')
    throw new UsageError(
      `${record.id} waits for ${wait ?? 'something'}: nothing was sent that could be corrected; see: postledger deliver approve`,
    );
  const reports = await renderAgain(
    requireDefinition(record, tools.config),
    record,
    { isCorrected: true, note, previewTo: null },
    tools,
    queueIn(tools),
  );
  return { reports, deliveries: await sendDeliveries(tools) };
}

/**
 * Renders the reports of held deliveries again from today's files, and sends them as they are, unless they need a comment
 * that is not written.
 * @returns the deliveries with their outcomes
 * @throws UsageError when jobs.yaml no longer defines one
 */
export async function approveDeliveries(
  held: readonly Delivery[],
  tools: RunTools,
): Promise<{ reports: RenderedReport[]; deliveries: Delivery[] }> {
  const defined = held.map(({ record }) => ({
    record,
    definition: requireDefinition(record, tools.config),
  }));
  const reports: RenderedReport[] = [];
  const uncommented: string[] = [];
  const queue = queueIn(tools);
  const approve = async (made: ComposedDelivery) => {
    if (made.first.waits_for?.kind === 'comment') uncommented.push(made.record.id);
    else await queue(made);
  };
  for (const { record, definition } of defined)
    reports.push(...(await renderAgain(definition, record, unchanged, tools, approve)));
  const sent = await sendDeliveries(tools);
  const kept = (await readOutbox(tools.config.dataDir)).filter(({ record }) =>
    uncommented.includes(record.id),
  );
  return { reports, deliveries: [...sent, ...kept] };
}

/**
 * Renders a delivery again from today's files, without sending it to its recipient.
 * @param previewTo who gets it, marked as a preview; null: nobody
 */
export async function previewDelivery(
  { record }: Delivery,
  previewTo: string | null,
  tools: RunTools,
  show: (made: ComposedDelivery) => Promise<void>,
): Promise<RenderedReport[]> {
  const defined = requireDefinition(record, tools.config);
  return renderAgain(defined, record, { ...unchanged, previewTo }, tools, show);
}

function queueIn(tools: RunTools) {
  return ({ record, files }: ComposedDelivery) =>
    Outbox.with(tools.config.dataDir, { ...tools, waitMs: outboxWaitMs }, async (outbox) => {
      await outbox.put(record, files, { state: 'queued' });
      await discardReplaced(outbox, record, tools.config);
    });
}

type Change = Omit<Earlier, 'record'>;

/** The same delivery again. */
const unchanged: Change = { isCorrected: false, note: null, previewTo: null };

/**
 * Renders the reports of a known delivery for the days that it has.
 * @param take is given what was made, unless a report failed
 */
async function renderAgain(
  defined: DefinedDelivery,
  record: DeliveryRecord,
  change: Change,
  tools: RunTools,
  take: (made: ComposedDelivery) => Promise<unknown>,
): Promise<RenderedReport[]> {
  const { job, reports, definition } = defined;
  // one that jobs.yaml has changed since is another delivery
  const isSame = change.isCorrected || definition === record.definition;
  const earlier = isSame || change.previewTo !== null ? { record, ...change } : null;
  const collect = createCollector();
  const deliver: Deliver = async (_job, report, made) => {
    const delivered = await collect(defined, report, made);
    const composed = delivered && (await composeDelivery(defined, delivered, tools, earlier));
    if (composed) await take(composed);
  };
  const daysOf = (entry: JobReport) => {
    const sent = record.reports[reports.indexOf(entry)];
    return sent?.report === entry.report ? { from: sent.from, to: sent.to } : null;
  };
  const slot = slotFromText(record.slot, tools.config.timezone);
  return renderJobReports(job, tools, { slot, deliver, reports, daysOf });
}

/** @throws UsageError */
function requireDefinition(record: DeliveryRecord, config: Config): DefinedDelivery {
  const found = definitionOf(record, config);
  if (found) return found;
  throw new UsageError(
    `${record.id}: jobs.yaml no longer sends ${record.report} to this recipient; put it back to send it again`,
  );
}

/** Its definition as it is now: the same, or what else goes to the same recipient of the same reports. */
function definitionOf(
  { job: name, report, client, definition, recipient }: DeliveryRecord,
  { jobs }: Config,
): DefinedDelivery | undefined {
  const all = [...jobs.values()].flatMap(definedDeliveries);
  return (
    all.find((defined) => defined.definition === definition) ??
    all.find(
      (defined) =>
        reportNames(defined.reports).join(', ') === report &&
        (client === null ? defined.job.name === name : defined.client?.key === client) &&
        defined.recipient === recipient,
    )
  );
}
