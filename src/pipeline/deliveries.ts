import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, JobConfig } from '../config/config.ts';
import { definedDeliveries, type DefinedDelivery } from '../config/defined-deliveries.ts';
import type { RunTools } from '../config/run-tools.ts';
import { addDays, dayOf } from '../core/calendar.ts';
import type { Log } from '../core/log.ts';
import {
  describeWait,
  destinationOf,
  isApproved,
  isReplaced,
  reasonOfReplaced,
  waitsForPerson,
  type Delivery,
  type DeliveryRecord,
  type NewDelivery,
} from '../deliver/delivery.ts';
import { hasSameProfiles } from '../deliver/changed-sources.ts';
import { plainSentence, sentence } from '../deliver/sentence.ts';
import { Outbox, outboxFolder, readOutbox, type FirstStatus } from '../deliver/outbox.ts';
import { sendQueued } from '../deliver/send-queue.ts';
import { writeReportIndexes } from '../output/report-index.ts';
import { hasUnexpected, openProblems } from '../status/open-problems.ts';
import { rawFolder } from '../store/layout.ts';
import { isClockLikely, newestRunDay } from '../store/newest-run.ts';
import { listRunNames } from '../store/run-folder.ts';
import { differenceFromHeld, heldIf } from './delivery-key.ts';
import type { RenderedDelivery } from './render-delivery.ts';

/** Another process holds the outbox for moments. One that cannot be seen from here counts as dead after a minute. */
const outboxWaitMs = 120_000;

/** Does the work while no other process changes a delivery. */
export function withOutbox<Result>(
  tools: Pick<RunTools, 'config' | 'clock'> & { readonly signal?: AbortSignal },
  work: (outbox: Outbox) => Promise<Result>,
): Promise<Result> {
  return Outbox.with(tools.config.dataDir, { ...tools, waitMs: outboxWaitMs }, work);
}

export interface OfferOptions {
  /** Takes each delivery that is held for the first time, for unread days or for a person. */
  readonly newlyHeld: Delivery[];
  /** The held delivery that was rendered again, perhaps as another one; left out: none was. */
  readonly held?: DeliveryRecord;
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
  await withOutbox(tools, async ({ sent }) => {
    if (sent.exists) return;
    const areLost = await hadDeliveries(dataDir);
    await sent.begin(areLost ? tools.clock.now().toISOString() : null);
    if (areLost)
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

/** Puts a delivery into the outbox. It replaces what waits; anything else that is known is not sent again. */
export async function offer(
  { record, files, first: wanted }: RenderedDelivery,
  tools: RunTools,
  { newlyHeld, held, isWanted }: OfferOptions,
): Promise<void> {
  const { config, log } = tools;
  await withOutbox(tools, async (outbox) => {
    const known = await outbox.find(record.id);
    const isAgain =
      known?.status.state === 'discarded' &&
      (isReplaced(known) || (await isWanted?.(known)) === true);
    const words = `${record.report} to ${destinationOf(record.target)}`;
    if (known && !isReplaceable(known) && !isAgain) {
      const { state } = known.status;
      // another process sends it now
      if (state !== 'sending') log.info({ id: record.id }, `not sent again: ${words} (${state})`);
      await discardReplaced(outbox, record, config);
      return;
    }
    const { lostAt } = outbox.sent;
    const first = lostAt === null ? wanted : heldIfLost(record, wanted, lostAt);
    const heldBefore = known?.status.state === 'held' ? known.record : held;
    const delivery = await outbox.put(...asHeldBefore(record, first, heldBefore, files));
    await discardReplaced(outbox, record, config);
    logWait(delivery, words, log);
    if (isNews(delivery, known)) newlyHeld.push(delivery);
  });
}

function logWait(delivery: Delivery, words: string, log: Log): void {
  const { id } = delivery.record;
  const { state, reason } = delivery.status;
  if (waitsForPerson(delivery))
    log.info(
      { id },
      `held: ${words}, for ${describeWait(delivery) ?? ''}; postledger deliver approve ${id}`,
    );
  else if (state !== 'queued')
    log.warn({ id }, `${state === 'held' ? 'held' : 'not sent'}: ${words}: ${reason ?? ''}`);
}

/** Returns true if nobody was told yet that it waits for a person, or for days that were not read. */
function isNews(delivery: Delivery, known: Delivery | null): boolean {
  if (waitsForPerson(delivery)) return known === null || !waitsForPerson(known);
  const { reason, waits_for: wait } = delivery.status;
  return known === null && reason !== null && wait !== null && !isSettled(delivery);
}

/** Returns true for one whose files may still be replaced: not for what a person has looked at and approved. */
function isReplaceable(delivery: Delivery): boolean {
  const { state } = delivery.status;
  return state === 'held' || (state === 'queued' && !isApproved(delivery));
}

/** Holds what may have been sent before records were lost. */
function heldIfLost(
  { is_closed: isClosed, to, slot }: NewDelivery,
  first: FirstStatus,
  lostAt: string,
): FirstStatus {
  const isOfBefore = isClosed ? (to ?? '') < lostAt.slice(0, 10) : slot < lostAt;
  if (first.state !== 'queued' || !isOfBefore) return first;
  const said = sentence(
    'it may have been sent before {at:datetime}, from when on it is known what was sent; if it was not, approve it',
    { at: lostAt },
  );
  return { state: 'held', reason: plainSentence(said), waits_for: { kind: 'approval', said } };
}

/**
 * Holds for a person what has other profiles or prices than when it was held first, and keeps these, so that it goes by
 * itself once it has them again.
 */
function asHeldBefore(
  record: NewDelivery,
  first: FirstStatus,
  before: DeliveryRecord | undefined,
  files: RenderedDelivery['files'],
): Parameters<Outbox['put']> {
  const wait = first.waits_for;
  const isForPerson = wait?.kind === 'approval' && wait.differs_from === 'sent';
  const difference = before && !isForPerson ? differenceFromHeld(before, record) : null;
  if (!before || difference === null) return [record, files, first];
  const { profiles, reports, definition } = before;
  return [{ ...record, profiles, reports, definition }, files, heldIf(difference, 'held', first)];
}

/**
 * Discards what waits if it was made again as another delivery: the same reports since the same day at a later time, or the
 * same days if jobs.yaml no longer has what waits.
 */
export async function discardReplaced(
  outbox: Outbox,
  made: NewDelivery,
  { jobs }: Config,
): Promise<void> {
  const defined = new Set(
    [...jobs.values()].flatMap(definedDeliveries).map(({ definition }) => definition),
  );
  for (const delivery of await outbox.list()) {
    const { record } = delivery;
    if (record.id === made.id || !isReplaceable(delivery) || record.recipient !== made.recipient)
      continue;
    const isSame = record.client === made.client;
    const isLater =
      isSame &&
      record.corrects === null &&
      record.definition === made.definition &&
      record.from === made.from &&
      record.slot < made.slot &&
      delivery.status.state === 'held';
    const isGone =
      !defined.has(record.definition) &&
      record.name === made.name &&
      ((isSame && daysOf(record) === daysOf(made)) || record.content === made.content);
    if (isLater || isGone)
      await outbox.set(delivery, 'discarded', { reason: reasonOfReplaced(made.id) });
  }
}

function daysOf({ reports }: NewDelivery): string {
  return JSON.stringify(reports.map(({ report, from, to }) => [report, from, to]).sort());
}

/**
 * Sends what waits in the outbox, removes files of what was sent long ago, and lists all reports.
 * @returns the deliveries with their outcomes
 */
export async function sendDeliveries(tools: Omit<RunTools, 'progress'>): Promise<Delivery[]> {
  const hasOutbox = existsSync(outboxFolder(tools.config.dataDir));
  const sent = hasOutbox ? await pruneAndSend(tools) : [];
  await writeReportIndexes(tools);
  return sent;
}

async function pruneAndSend(tools: Omit<RunTools, 'progress'>): Promise<Delivery[]> {
  const { config, clock } = tools;
  const { outboxDays } = config.retention;
  const today = dayOf(clock.now(), 'UTC');
  // a run of today has the same clock, so an earlier one is asked
  const newest = await newestRunDay(config.dataDir, addDays(today, -1));
  if (isClockLikely(newest, outboxDays, today))
    await withOutbox(tools, (outbox) => outbox.prune(outboxDays));
  return sendQueued({
    ...tools,
    hasRecipient: recipientsOf(config),
    // what happened is recorded while the process stops, too
    withOutbox: (work) => withOutbox({ config, clock }, work),
  });
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
  return !hasUnexpected(openProblems({ deliveries: [delivery] }));
}

/** Tells whether jobs.yaml still has the recipient of a delivery, for its client or, if it has none, for its profiles. */
function recipientsOf({ jobs }: Config): (record: DeliveryRecord) => boolean {
  const all = [...jobs.values()].flatMap(definedDeliveries);
  return (record) => all.some((defined) => hasSameReader(record, defined));
}

/** Returns true if both are for the same recipient and client or, for no client, for the same job or profiles. */
export function hasSameReader(
  record: Pick<DeliveryRecord, 'job' | 'client' | 'recipient' | 'profiles'>,
  { job, client, recipient }: DefinedDelivery,
): boolean {
  if (recipient !== record.recipient || (client?.key ?? null) !== record.client) return false;
  if (client !== null || job.name === record.job) return true;
  return hasSameProfiles(record, job);
}
