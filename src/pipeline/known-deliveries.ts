import type { Config } from '../config/config.ts';
import {
  definedDeliveries,
  reportNames,
  type DefinedDelivery,
} from '../config/defined-deliveries.ts';
import type { RunTools } from '../config/run-tools.ts';
import { UsageError } from '../core/errors.ts';
import { describeWait, type Act, type Delivery, type DeliveryRecord } from '../deliver/delivery.ts';
import {
  findDelivery,
  type Outbox,
  type OutboxFile,
  readAllDeliveries,
  readOutbox,
} from '../deliver/outbox.ts';
import { changedSources, hasSameProfiles, type Sources } from '../deliver/changed-sources.ts';
import { slotFromText } from '../schedule/slot.ts';
import {
  discardReplaced,
  hasSameReader,
  offer,
  sendDeliveries,
  withOutbox,
  type OfferOptions,
} from './deliveries.ts';
import { JobReports, sourceVersion, type RenderedReport } from './job-reports.ts';
import { hasComment } from './markdown-file.ts';
import { profilesOf } from './delivery-key.ts';
import { pricedAt } from './delivered-prices.ts';
import { renderDelivery, type Earlier, type RenderedDelivery } from './render-delivery.ts';

/**
 * Renders the reports again that wait for days that were not read, if the warehouse or what jobs.yaml asks for has changed
 * since, because a run of any job may have read them, those whose comment was written, and those that have the profiles
 * and prices again that they were held with.
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
    if (!(await mayHaveChanged(delivery, defined, tools.config))) continue;
    const { reports, again } = await renderAgain(defined, record, unchanged, tools);
    if (again) await offer(again, tools, { ...options, held: record });
    rendered.push(...reports);
  }
  return rendered;
}

async function mayHaveChanged(
  { record, status: { waits_for: wait } }: Delivery,
  defined: DefinedDelivery,
  config: Config,
): Promise<boolean> {
  if (wait?.kind === 'comment') return hasComment(wait.file);
  if (wait?.kind === 'approval' && wait.differs_from === 'held')
    return changedSources(record, sourcesOf(defined, record, config)).length === 0;
  if (wait?.kind !== 'days') return false;
  const version = await sourceVersion(config);
  return version === null || version !== wait.warehouse;
}

/**
 * Renders a delivery's reports again, for the same days, and sends it at once, marked as corrected, to all who got it: the
 * same reports of the same profiles and days, each in its own words.
 * @param start how its id begins
 * @param note what its readers are told beside what has changed
 * @returns the deliveries with their outcomes, and what was sent to those whom jobs.yaml no longer has
 * @throws UsageError when there is no such delivery, nothing was sent, or jobs.yaml has none of its readers any more
 */
export async function resendDelivery(start: string, note: string | null, tools: RunTools) {
  const { config } = tools;
  const delivery = await findDelivery(config.dataDir, start);
  const { id } = delivery.record;
  const { state } = delivery.status;
  if (state === 'held' || state === 'queued') {
    const wait = describeWait(delivery) ?? 'the mail server';
    throw new UsageError(
      `${id} waits for ${wait}: nothing was sent that could be corrected; see: postledger deliver list`,
    );
  }
  const all = (await readReaders(delivery, config)).map((record) => {
    return { record, defined: definitionOf(record, config) };
  });
  const unreached = all.flatMap(({ record, defined }) => (defined ? [] : [record]));
  if (unreached.length === all.length) requireDefinition(delivery.record, config);
  const reports: RenderedReport[] = [];
  for (const { record, defined } of all) {
    if (!defined) continue;
    const correction = { isCorrected: true, note, previewTo: null };
    const corrected = await renderAgain(defined, record, correction, tools);
    reports.push(...corrected.reports);
    if (corrected.again) await queue(corrected.again, tools);
  }
  return { reports, deliveries: await sendDeliveries(tools), unreached };
}

/** What each reader was sent last of the same reports, profiles and days. */
async function readReaders({ record }: Delivery, { dataDir }: Config): Promise<DeliveryRecord[]> {
  const alike = (await readAllDeliveries(dataDir)).filter(
    (each) =>
      each.record.id === record.id ||
      (['sent', 'unknown'].includes(each.status.state) &&
        each.record.content === record.content &&
        each.record.target?.kind === record.target?.kind &&
        hasSameProfiles(each.record, record)),
  );
  const last = new Map(
    alike.map((each) => {
      const { recipient, name, client } = each.record;
      return [JSON.stringify([recipient, name, client]), each.record];
    }),
  );
  return [...last.values()];
}

/**
 * Renders the reports of held deliveries again from today's files, and sends them as they are, unless they need a comment
 * that is not written.
 * @returns the deliveries with their outcomes
 * @throws UsageError when jobs.yaml no longer defines one
 */
export async function approveDeliveries(held: readonly Delivery[], tools: RunTools) {
  const defined = held.map((delivery) => ({
    delivery,
    definition: requireDefinition(delivery.record, tools.config),
  }));
  const reports: RenderedReport[] = [];
  const uncommented: Delivery[] = [];
  for (const { delivery, definition } of defined) {
    const approved = await renderAgain(definition, delivery.record, unchanged, tools);
    reports.push(...approved.reports);
    if (approved.again?.first.waits_for?.kind === 'comment') uncommented.push(delivery);
    else if (approved.again) await queue(approved.again, tools);
  }
  return { reports, deliveries: [...(await sendDeliveries(tools)), ...uncommented] };
}

/**
 * Renders a delivery again from today's files, without sending it to its recipient.
 * @param previewTo who gets it, marked as a preview; null: nobody
 * @throws UsageError when jobs.yaml no longer defines it
 */
export function previewDelivery(
  { record }: Delivery,
  previewTo: string | null,
  tools: RunTools,
): Promise<RenderedAgain> {
  const defined = requireDefinition(record, tools.config);
  return renderAgain(defined, record, { ...unchanged, previewTo }, tools);
}

/** Queues what somebody on the terminal has approved. */
function queue(rendered: RenderedDelivery, tools: RunTools): Promise<void> {
  const act = { did: 'approved', who: null, at: tools.clock.now().toISOString() } as const;
  return withOutbox(tools, (outbox) => putApproved(rendered, act, outbox, tools));
}

/** Queues what a person has approved as it is: nothing renders or holds it again. */
export async function putApproved(
  { record, files }: RenderedDelivery,
  act: Act,
  outbox: Outbox,
  { config }: Pick<RunTools, 'config'>,
): Promise<void> {
  await outbox.put(record, files, { state: 'queued', history: [act] });
  await discardReplaced(outbox, record, config);
}

type Change = Omit<Earlier, 'record'>;

/** The same delivery again. */
const unchanged: Change = { isCorrected: false, note: null, previewTo: null };

interface RenderedAgain {
  readonly reports: RenderedReport[];
  /** Null if one of its reports or itself failed, or if it is another one by now, and empty. */
  readonly again: RenderedDelivery | null;
}

/** Renders a known delivery and its reports for the days that it has. */
function renderAgain(
  defined: DefinedDelivery,
  record: DeliveryRecord,
  change: Change,
  tools: RunTools,
): Promise<RenderedAgain> {
  const { job, reports: entries, definition } = defined;
  // one that jobs.yaml has changed since is another delivery
  const isSame = change.isCorrected || definition === record.definition;
  const earlier = isSame || change.previewTo !== null ? { record, ...change } : null;
  const days = daysFor(entries, record);
  const slot = slotFromText(record.slot, tools.config.timezone);
  return JobReports.with({ job, slot, days, tools }, [defined], async (reports) => {
    const again = await renderDelivery(defined, reports, earlier).catch((error: unknown) =>
      reports.fail(entries.at(-1) ?? entries[0], error),
    );
    return { reports: reports.outcomes, again };
  });
}

/** A mail of a group as it would go now. */
export interface GroupMail {
  readonly defined: DefinedDelivery;
  /** The delivery that waits; null: jobs.yaml has a recipient of whom no delivery is known yet. */
  readonly delivery: Delivery | null;
  readonly rendered: RenderedDelivery;
}

export interface RenderedGroup {
  readonly mails: readonly GroupMail[];
  /** The deliveries that wait although jobs.yaml no longer has their recipients. */
  readonly gone: readonly Delivery[];
  /** What was written of the reports in formats that people look at. */
  readonly files: readonly OutboxFile[];
  /** The problems of reports that failed. */
  readonly errors: readonly string[];
}

/**
 * Renders the mails of a group from today's files for all recipients that jobs.yaml has now, without writing or recording
 * anything that stays.
 * @param held the deliveries of the group that wait, at least one
 * @param scratch a folder for the reports' files
 */
export async function renderGroup(
  held: readonly Delivery[],
  scratch: string,
  tools: RunTools,
): Promise<RenderedGroup> {
  const { config } = tools;
  const readers = await readersNow(held, config);
  const found: { mails: GroupMail[]; files: OutboxFile[]; errors: string[] } = {
    mails: [],
    files: [],
    errors: [],
  };
  for (const job of new Set(readers.map(({ defined }) => defined.job))) {
    const own = readers.filter(({ defined }) => defined.job === job);
    const [{ record }] = held as [Delivery];
    const days = new Map(own.flatMap(({ defined }) => [...daysFor(defined.reports, record)]));
    const slot = slotFromText(record.slot, config.timezone);
    const definitions = own.map(({ defined }) => defined);
    await JobReports.with({ job, slot, days, scratch, tools }, definitions, async (reports) => {
      for (const { defined, delivery } of own) {
        const { reports: entries } = defined;
        const isSame = delivery !== null && defined.definition === delivery.record.definition;
        const earlier = isSame ? { record: delivery.record, ...unchanged } : null;
        const rendered = await renderDelivery(defined, reports, earlier).catch((error: unknown) =>
          reports.fail(entries.at(-1) ?? entries[0], error),
        );
        if (rendered !== null) found.mails.push({ defined, delivery, rendered });
        for (const entry of entries)
          for (const file of (await reports.render(entry))?.files ?? [])
            if (!found.files.some(({ content }) => content === file.content))
              found.files.push(file);
      }
      for (const { report, error } of reports.outcomes)
        if (error !== null) found.errors.push(`${report}: ${error}`);
    });
  }
  const reached = new Set(readers.map(({ delivery }) => delivery?.record.id));
  return { ...found, gone: held.filter(({ record }) => !reached.has(record.id)) };
}

interface GroupReader {
  readonly defined: DefinedDelivery;
  readonly delivery: Delivery | null;
}

/** The recipients that jobs.yaml has now for what is held, but for those whose mail is known to be over. */
async function readersNow(held: readonly Delivery[], config: Config): Promise<GroupReader[]> {
  const known = held.flatMap((delivery): GroupReader[] => {
    const defined = definitionOf(delivery.record, config);
    return defined ? [{ defined, delivery }] : [];
  });
  const all = [...config.jobs.values()].flatMap(definedDeliveries);
  const [{ record }] = held as [Delivery];
  const isSibling = ({ client, delivery, reports, target }: DefinedDelivery) =>
    target.kind === 'mail' &&
    (client?.key ?? null) === record.client &&
    delivery.name === record.name &&
    reportNames(reports).join(', ') === record.report;
  const group = known[0]?.defined.group ?? all.find(isSibling)?.group;
  const others = await readAllDeliveries(config.dataDir);
  const isKnown = ({ recipient }: DefinedDelivery) =>
    others.some(
      (other) =>
        other.record.recipient === recipient &&
        other.record.content === record.content &&
        other.record.client === record.client &&
        other.record.name === record.name &&
        other.record.is_closed === record.is_closed &&
        (record.is_closed || other.record.slot === record.slot),
    );
  const added = all.filter(
    (defined) =>
      defined.group === group &&
      isSibling(defined) &&
      !isKnown(defined) &&
      !known.some((each) => each.defined.recipient === defined.recipient),
  );
  return [...known, ...added.map((defined) => ({ defined, delivery: null }))];
}

/** The days that the reports of a definition have in a record. */
function daysFor(entries: DefinedDelivery['reports'], { reports }: DeliveryRecord) {
  return new Map(
    entries.flatMap((entry, index) => {
      const recorded = [reports[index], ...reports];
      const { from, to } = recorded.find((each) => each?.report === entry.report) ?? {};
      return from === undefined || to === undefined ? [] : [[entry, { from, to }]];
    }),
  );
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
function definitionOf(record: DeliveryRecord, { jobs }: Config): DefinedDelivery | undefined {
  const all = [...jobs.values()].flatMap(definedDeliveries);
  const alike = all.filter(
    (defined) =>
      hasSameReader(record, defined) && reportNames(defined.reports).join(', ') === record.report,
  );
  return (
    all.find(({ definition }) => definition === record.definition) ??
    alike.find(({ job }) => job.name === record.job) ??
    alike[0]
  );
}

/** The profiles and prices that a recorded delivery would have now. */
function sourcesOf(
  defined: DefinedDelivery,
  { reports }: DeliveryRecord,
  { prices: lists }: Pick<Config, 'prices'>,
): Sources {
  return {
    profiles: profilesOf(defined, reports, lists),
    reports: reports.map((report, index) => {
      const entry = defined.reports[index];
      return { ...report, ...pricedAt(entry ?? { cpm: null, prices: null }, report, lists) };
    }),
  };
}
