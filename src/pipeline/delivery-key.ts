import type { Config } from '../config/config.ts';
import {
  definedDeliveries,
  inOrder,
  selectionOf,
  type DefinedDelivery,
} from '../config/defined-deliveries.ts';
import { canonicalHash } from '../core/json.ts';
import { daysOf, type Days, pricedAt } from './delivered-prices.ts';
import {
  deliveryId,
  isReplaced,
  type Delivery,
  type DeliveryRecord,
  type DeliveryState,
  type NewDelivery,
} from '../deliver/delivery.ts';
import { changedSources } from '../deliver/changed-sources.ts';
import { plainSentence, sentence, type Sentence } from '../deliver/sentence.ts';
import type { FirstStatus } from '../deliver/outbox.ts';
import type { Slot } from '../schedule/slot.ts';
import type { DeliveredReports } from './delivery-files.ts';

/** What tells a delivery from others. */
export type DeliveryKey = Pick<
  DeliveryRecord,
  | 'id'
  | 'slot'
  | 'is_closed'
  | 'definition'
  | 'content'
  | 'recipient'
  | 'name'
  | 'client'
  | 'profiles'
  | 'reports'
  | 'group'
>;

/**
 * Returns the key of a delivery: a mail over days that are over is sent once for these days, any other delivery once for its
 * slot. What reaches its reader counts, and not how jobs.yaml spells it.
 */
export function keyOf(
  defined: DefinedDelivery,
  delivered: DeliveredReports,
  slot: Slot,
  { prices: lists }: Pick<Config, 'prices'>,
): DeliveryKey {
  const { client, recipient, delivery, files, target, definition } = defined;
  const isClosed =
    target.kind === 'mail' && delivered.every(({ finished }) => finished.period.isOver === true);
  const reports = delivered.map(({ finished: { entry, set }, document: { period } }) => {
    const days = { from: period.from, to: period.to };
    return { ...selectionOf(entry), set, ...days, ...pricedAt(entry, days, lists) };
  });
  const profiles = profilesOf(defined, reports, lists);
  const last = daysOf(reports).to;
  const identity = {
    recipient,
    name: delivery.name,
    client: client?.key ?? null,
    files,
    prices: profiles
      .toSorted((a, b) => (`${a.workspace}/${a.id}` < `${b.workspace}/${b.id}` ? -1 : 1))
      .map(({ workspace, id, cpm, prices }) => [workspace, id, prices ?? cpm] as const),
    reports: inOrder(
      reports.map(({ prices, ...report }) => ({ ...report, ...(prices && { prices }) })),
    ),
    slot: isClosed ? null : slot.wallClock,
  };
  const day = isClosed ? (last ?? slot.text) : slot.wallClock;
  return {
    id: deliveryId(day, identity),
    group: deliveryId(day, { ...identity, recipient: null }),
    slot: slot.text,
    is_closed: isClosed,
    definition,
    content: canonicalHash(
      inOrder(reports.map((report) => ({ ...report, cpm: null, prices: undefined }))),
    ),
    recipient,
    name: delivery.name,
    client: identity.client,
    profiles,
    reports: reports.map(({ report, from, to, cpm, prices }) => ({
      report,
      from,
      to,
      cpm,
      prices,
    })),
  };
}

/** The profiles of its reports and their prices on its days. */
export function profilesOf(
  { client, job }: Pick<DefinedDelivery, 'client' | 'job'>,
  reports: readonly Days[],
  lists: Config['prices'],
): NewDelivery['profiles'] {
  const days = daysOf(reports);
  return (client ?? job).profiles.map(({ workspace, id, name, ...priced }) => {
    return { workspace, id, name, ...pricedAt(priced, days, lists) };
  });
}

/** What a delivery is beside the others of the same days. */
export interface Standing {
  readonly id: string;
  /** It was sent and is no longer right. Null: nothing is corrected. */
  readonly corrected: DeliveryRecord | null;
  /** The reason says why a person has to look at it. Null: nobody has to. */
  readonly reason: Sentence | null;
}

const transmitted: readonly DeliveryState[] = ['sent', 'sending', 'unknown'];

/**
 * Decides which delivery one of closed days is. What has the same profiles and prices is the same, and so is what waits
 * although jobs.yaml no longer has it; what was sent and is no longer in jobs.yaml is corrected, once a person has looked.
 */
export function standingOf(
  key: DeliveryKey,
  all: readonly Delivery[],
  { jobs }: Pick<Config, 'jobs'>,
): Standing {
  const alone = { id: key.id, corrected: null, reason: null };
  if (!key.is_closed) return alone;
  const defined = new Set(
    [...jobs.values()].flatMap(definedDeliveries).map(({ definition }) => definition),
  );
  const isEqual = ({ record }: Delivery) => changedSources(record, key).length === 0;
  const isGone = ({ record }: Delivery) =>
    record.definition !== key.definition && !defined.has(record.definition);
  const alike = all.filter(
    (each) =>
      each.record.is_closed &&
      each.record.content === key.content &&
      each.record.recipient === key.recipient &&
      each.record.name === key.name &&
      !isReplaced(each),
  );
  const own = alike.filter(
    (each) => each.record.client === key.client && (isEqual(each) || isGone(each)),
  );
  const wasSent = ({ status }: Delivery) => transmitted.includes(status.state);
  const sent = own.findLast(wasSent);
  if (sent && isEqual(sent)) return { ...alone, id: sent.record.id };
  const waiting = own.findLast(({ status }) => ['held', 'queued'].includes(status.state));
  if (sent) {
    const changes = changedSources(sent.record, key);
    const day = dayOfChange(sent);
    return {
      id: waiting?.record.id ?? deliveryId(key.id, { corrects: sent.record.id, key }),
      corrected: sent.record,
      reason: sentence('it differs from what was sent on {day:date}: {changes:text}', {
        day,
        changes,
      }),
    };
  }
  const other = waiting ?? own.findLast(({ status }) => status.state === 'discarded');
  if (other) return { ...alone, id: other.record.id };
  const renamed = alike.findLast((each) => wasSent(each) && isEqual(each) && isGone(each));
  if (!renamed) return alone;
  const client = renamed.record.client ?? '(none)';
  const reason = sentence(
    'the same was sent on {day:date} for the client {client:text}, which jobs.yaml no longer sends it to',
    { day: dayOfChange(renamed), client },
  );
  return { ...alone, reason };
}

function dayOfChange({ status: { changed_at: at } }: Delivery): string {
  return at.slice(0, 10);
}

/** Holds for a person what may otherwise go out. @param said why; null: it goes */
export function heldIf(
  said: Sentence | null,
  from: 'held' | 'sent',
  first: FirstStatus,
): FirstStatus {
  const isComplete = first.state === 'queued' || first.waits_for?.kind === 'approval';
  if (said === null || !isComplete) return first;
  const wait = { kind: 'approval', differs_from: from, said } as const;
  return { state: 'held', reason: plainSentence(said), waits_for: wait };
}

/** Says how profiles or prices differ from those that a delivery was held with; null: they do not. */
export function differenceFromHeld(held: DeliveryRecord, made: NewDelivery): Sentence | null {
  const changes = changedSources(held, made);
  if (changes.length === 0) return null;
  return sentence('it differs from what was held: {changes:text}', { changes });
}
