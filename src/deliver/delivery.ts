import { z } from 'zod';
import { canonicalHash } from '../core/json.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { sentenceSchema } from './sentence.ts';

const targetSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('mail'),
    address: z.string(),
    subject: z.string(),
    /** The names of the attached files. */
    attached: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('s3'),
    bucket: z.string(),
    /** The prefix of the objects' keys. */
    prefix: z.string(),
    endpoint: z.string().nullable(),
    region: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('command'),
    /** A program and its arguments. `{folder}` in them is not yet replaced. */
    command: z.array(z.string()),
  }),
]);
/** The destination of a delivery. It contains no secret. */
export type DeliveryTarget = z.output<typeof targetSchema>;

/** The name of a file in the delivery's folder. It cannot lead out of the folder. */
const fileName = z
  .string()
  .refine(
    (name) =>
      !/[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part)),
    'must be a name below the folder',
  );

/** A CPM, or the prices of a list on the days of the delivery, each with its first day where that is one of them. */
const pricedAt = {
  cpm: z.number().nullable(),
  prices: z
    .array(z.object({ from: z.string().nullable(), prices: z.record(z.string(), z.number()) }))
    .nullable()
    .default(null),
};

/** A delivery as it was put into the outbox. It is written once and never changed. */
export const deliverySchema = z.object({
  /** The name of its folder: see {@link deliveryId}. */
  id: z.string().regex(/^[\w-]+$/),
  job: z.string(),
  /** The names of its reports, separated by commas. */
  report: z.string(),
  /** Its reports, their days, and the CPM or the prices at which they reprice every post; null: they do not. */
  reports: z.array(
    z.object({
      report: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      ...pricedAt,
    }),
  ),
  /** The client's key. Null if the delivery is for no client. */
  client: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The scheduled time that the delivery belongs to (ISO 8601), or a day. */
  slot: z.string(),
  /** The hash of what jobs.yaml says of it that decides whether it is another delivery. */
  definition: z.string(),
  /** The hash of its reports, filters and days: of all that its reader gets but for profiles and prices. */
  content: z.string(),
  /** True if it is sent once for its days, false if once for its slot. */
  is_closed: z.boolean(),
  /** The recipient in the definition. */
  recipient: z.string(),
  /** The name in jobs.yaml that tells it from another one of the same reports to the same recipient. Null if it has none. */
  name: z.string().nullable(),
  /** Null only if the record cannot be read. */
  target: targetSchema.nullable(),
  /** The key figures of its reports as printed and as numbers, from which it is told what has changed since. */
  figures: z.array(
    z.object({
      label: z.string(),
      text: z.string(),
      report: z.string(),
      /** Its name whatever the language. Null if it has none, and in a report of some posts alone. */
      figure: z.string().nullable(),
      value: z.number().nullable(),
    }),
  ),
  /** Its first sentences. */
  headline: z.string(),
  /** The profiles of its reports and their CPMs or prices: those that it was held with, until a person approves it. */
  profiles: z.array(
    z.object({
      workspace: z.string(),
      id: z.string(),
      name: z.string(),
      ...pricedAt,
    }),
  ),
  /** True if all days of its reports had been read when they were made. */
  is_complete: z.boolean(),
  /** The file of the comment on its reports, whether or not it is there. Null if jobs.yaml names none. */
  comment: z.string().nullable(),
  /** The id of the delivery that this one corrects. Null if it corrects none. */
  corrects: z.string().nullable(),
  /** The id of its group: of deliveries that differ in nothing but their recipient. Left out by earlier versions. */
  group: z.string().optional(),
  /** When it was first held (ISO 8601). Left out: it never was, or an earlier version held it. */
  first_held_at: z.string().optional(),
  /** The files in its folder `files`: `message.eml`, or the report's own files. */
  files: z.array(z.object({ name: fileName, bytes: z.int(), sha256: z.string() })),
  created_at: z.string(),
});
export type DeliveryRecord = z.output<typeof deliverySchema>;

/** A delivery before it is put into the outbox. */
export type NewDelivery = Omit<DeliveryRecord, 'created_at' | 'files' | 'first_held_at'>;

const deliveryStates = [
  'held',
  'queued',
  'sending',
  'sent',
  'failed',
  'unknown',
  'discarded',
] as const;
/**
 * The states of a delivery:
 * - held: it waits, see {@link DeliveryStatus};
 * - queued: the next run sends it;
 * - sending: a process is sending it;
 * - failed: it will never be accepted;
 * - unknown: the connection or the process ended during transmission, so that it may have arrived.
 */
export type DeliveryState = (typeof deliveryStates)[number];

const waitsForSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approval'),
    /** What it differs from, as the reason says: from itself as it was held first, or from what was sent of the same days. */
    differs_from: z.enum(['held', 'sent']).optional(),
    /** The reason, for people in their language. Left out by earlier versions, and where jobs.yaml asks for approval. */
    said: sentenceSchema.optional(),
  }),
  /** A comment without which it must not be sent. */
  z.object({ kind: z.literal('comment'), file: z.string() }),
  /** The days that had not been read when the report was made. */
  z.object({
    kind: z.literal('days'),
    /** False if the first of them went on in the report's zone, so that nothing has failed. */
    are_over: z.boolean(),
    /** The version of the warehouse and of the asked days that it was made from; null: unknown. */
    warehouse: z.string().nullable(),
    days: z.array(z.object({ profile: z.string(), first_day: z.string(), last_day: z.string() })),
  }),
  /** Set when jobs.yaml no longer has the recipient. */
  z.object({ kind: z.literal('recipient') }),
]);

const actSchema = z.object({
  did: z.enum(['commented', 'approved', 'discarded']),
  /** The reader of the link; null: somebody on the terminal. */
  who: z.string().nullable(),
  at: z.string(),
  /** A word why. Left out: none was given. */
  note: z.string().optional(),
});
/** What a person did with a delivery. */
export type Act = z.output<typeof actSchema>;

export const statusSchema = z.object({
  state: z.enum(deliveryStates),
  changed_at: z.string(),
  attempts: z.int(),
  /** The server's answer or the problem. Null if there is neither. */
  reason: z.string().nullable(),
  /** The condition that a held delivery waits for. Null in any other state. */
  waits_for: waitsForSchema.nullable(),
  /**
   * True while its text is transmitted or its command runs. If the process is killed then, the outcome is
   * unknown.
   */
  is_transmitting: z.boolean(),
  /** The attached files without which it was sent, since the server refused it for its size. Left out: none. */
  left_out: z.array(z.string()).optional(),
  /** What people did with it, oldest first. Left out: nothing. */
  history: z.array(actSchema).optional(),
});
export type DeliveryStatus = z.output<typeof statusSchema>;

export interface Delivery {
  readonly record: DeliveryRecord;
  readonly status: DeliveryStatus;
}

/** The outcome of an attempt to send. */
export type SendOutcome = {
  /** True if the server did not answer in time, so that it is not tried again in this run. */
  readonly isSilent?: boolean;
  /** True if a server refused the message for its size. */
  readonly isTooLarge?: boolean;
} & (
  | {
      readonly state: 'sent';
      readonly reason: string;
      /** True if a mail went without its attachments, since the server refused it with them for its size. */
      readonly isWithoutFiles?: boolean;
    }
  /**
   * It was not sent, but may be sent later. `ofServer` is true if the server would not take any other
   * delivery either.
   */
  | { readonly state: 'queued'; readonly reason: string; readonly ofServer: boolean }
  /** It will never be accepted. */
  | { readonly state: 'failed'; readonly reason: string }
  /** The connection or the program ended during transmission. */
  | { readonly state: 'unknown'; readonly reason: string }
);

/**
 * Returns the idempotency key of a delivery: its day and a hash of everything that tells it from another
 * delivery.
 */
export function deliveryId(day: string, identity: unknown): string {
  return `${day.slice(0, 10)}-${canonicalHash(identity).slice(0, 20)}`;
}

/** Returns the destination as shown to people. */
export function destinationOf(target: DeliveryTarget | null): string {
  switch (target?.kind) {
    case 'mail':
      return target.address;
    case 's3':
      return `s3://${target.bucket}/${target.prefix}`;
    case 'command':
      return target.command.join(' ');
    case undefined:
      return '';
  }
}

/** Describes in words what a held delivery waits for. */
export function describeWait({ status: { reason, waits_for: wait } }: Delivery): string | null {
  switch (wait?.kind) {
    case 'approval':
      return wait.differs_from ? `approval, since ${reason ?? ''}` : 'approval';
    case 'comment':
      return `its comment, ${wait.file}`;
    case 'recipient':
      return 'its recipient, which jobs.yaml no longer has';
    case 'days':
      return wait.days
        .map(({ profile, first_day: first, last_day: last }) =>
          first === last ? `${profile} ${first}` : `${profile} ${first} to ${last}`,
        )
        .join(', ');
    case undefined:
      return null;
  }
}

/** Returns true for a delivery that waits only for a person, as jobs.yaml asks or since its profiles are others. */
export function waitsForPerson({ status: { reason, waits_for: wait } }: Delivery): boolean {
  if (wait?.kind !== 'approval') return wait?.kind === 'comment';
  return reason === null || wait.differs_from !== undefined;
}

/** Returns true for one that a person has approved and that is not sent yet: it goes as it was looked at. */
export function isApproved({ status: { state, history = [] } }: Delivery): boolean {
  return state === 'queued' && history.some(({ did }) => did === 'approved');
}

/** The group of a delivery; one of an earlier version is alone in its own. */
export function groupOf({ id, group = id }: Pick<DeliveryRecord, 'id' | 'group'>): string {
  return group;
}

const replacedReason = 'replaced by ';

/** The reason of a delivery that was discarded since another one has taken its place. */
export function reasonOfReplaced(id: string): string {
  return `${replacedReason}${id}`;
}

/** Returns true for a delivery that was discarded since another one took its place, and not by a person or a rule. */
export function isReplaced(delivery: Delivery): boolean {
  return replacedBy(delivery) !== null;
}

/** Returns the id of the delivery that took the place of this one; null: none did. */
export function replacedBy({ status: { state, reason } }: Delivery): string | null {
  if (state !== 'discarded' || reason?.startsWith(replacedReason) !== true) return null;
  return reason.slice(replacedReason.length);
}

/** Describes a delivery on one line of a terminal. */
export function deliverySentence(delivery: Delivery): string {
  const { record, status } = delivery;
  const wait = describeWait(delivery);
  const reason = wait === null ? status.reason : `waits for ${wait}`;
  const isPlain = reason === null || (status.state === 'sent' && !status.left_out);
  const to = `${record.report} to ${destinationOf(record.target)}${withoutFiles(status)}`;
  return terminalLine(`${status.state}  ${to}${isPlain ? '' : `: ${reason}`}`);
}

/** Names the attached files without which a delivery was sent; empty where there are none. */
export function withoutFiles({ left_out: leftOut = [] }: DeliveryStatus): string {
  return leftOut.length > 0 ? ` without ${leftOut.join(', ')}` : '';
}

/** Returns a delivery as the programs that read `--json` get it. */
export function deliveryJson({ record, status }: Delivery) {
  return { ...record, recipient: destinationOf(record.target), ...status };
}
