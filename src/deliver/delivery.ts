import { z } from 'zod';
import { canonicalHash } from '../core/json.ts';
import { UsageError } from '../core/errors.ts';

const targetSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('mail'),
    address: z.string(),
    subject: z.string(),
    /** Names of the files that the message carries. */
    attached: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('s3'),
    bucket: z.string(),
    /** What the objects' keys begin with. */
    prefix: z.string(),
    endpoint: z.string().nullable(),
    region: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('command'),
    /** A program and its arguments, with `{folder}` still in them. */
    command: z.array(z.string()),
  }),
]);
/** Where a delivery goes; no secret is in it. */
export type DeliveryTarget = z.output<typeof targetSchema>;

/** The name of a file below the delivery's folder: no way out of it. */
const fileName = z
  .string()
  .refine(
    (name) =>
      !/[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part)),
    'must be a name below the folder',
  );

/** What is sent, written once. */
export const deliverySchema = z.object({
  /** The name of its folder: see {@link deliveryId}. */
  id: z.string().regex(/^[\w-]+$/),
  job: z.string(),
  report: z.string(),
  /** The client's key; null: for none. */
  client: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The scheduled time that it is sent for, ISO 8601, or a day. */
  slot: z.string().default(''),
  /** The hash of its definition in jobs.yaml. */
  definition: z.string().default(''),
  /** Whom the definition names. */
  recipient: z.string().default(''),
  /** Null only where the record cannot be read. */
  target: targetSchema.nullable(),
  /** The report's key figures as its reader sees them, to say later what has changed. */
  figures: z.array(z.object({ label: z.string(), text: z.string() })).default([]),
  /** The id of the delivery that it corrects; null: of none. */
  corrects: z.string().nullable().default(null),
  /** In its folder `files`: `message.eml`, or the report's own. */
  files: z.array(z.object({ name: fileName, bytes: z.int(), sha256: z.string() })),
  created_at: z.string(),
});
export type DeliveryRecord = z.output<typeof deliverySchema>;

/** What is put into the outbox. */
export type NewDelivery = Omit<DeliveryRecord, 'created_at' | 'files'>;

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
 * held: waits, see {@link DeliveryStatus}; queued: is sent by the next run; sending: a process sends it; failed: it will
 * never be taken; unknown: it was on its way when the connection or the process ended, so that it may have arrived.
 */
export type DeliveryState = (typeof deliveryStates)[number];

const waitsForSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approval') }),
  /** Days that were not read when the report was made. */
  z.object({
    kind: z.literal('days'),
    days: z.array(z.object({ profile: z.string(), first_day: z.string(), last_day: z.string() })),
  }),
  /** jobs.yaml no longer has it. */
  z.object({ kind: z.literal('recipient') }),
]);

export const statusSchema = z.object({
  state: z.enum(deliveryStates),
  changed_at: z.string(),
  attempts: z.int(),
  /** The server's answer, or what went wrong; null: nothing to say. */
  reason: z.string().nullable(),
  /** What a held one waits for; null for any other. */
  waits_for: waitsForSchema.nullable().default(null),
  /** While it is sent: whether its text is on its way, or its command runs. Whoever is killed then cannot know. */
  is_transmitting: z.boolean().default(false),
});
export type DeliveryStatus = z.output<typeof statusSchema>;

export interface Delivery {
  readonly record: DeliveryRecord;
  readonly status: DeliveryStatus;
}

/** What became of an attempt. */
export type SendOutcome =
  | { readonly state: 'sent'; readonly reason: string }
  /** It was not sent, and may be later. `ofServer`: neither would another be. */
  | { readonly state: 'queued'; readonly reason: string; readonly ofServer: boolean }
  /** It will never be taken. */
  | { readonly state: 'failed'; readonly reason: string }
  /** It was on its way when the connection or the program ended. */
  | { readonly state: 'unknown'; readonly reason: string };

/** The idempotency key of a delivery: the day that it begins with, and a hash of all that makes it another one. */
export function deliveryId(day: string, identity: unknown): string {
  return `${day.slice(0, 10)}-${canonicalHash(identity).slice(0, 20)}`;
}

/** The delivery whose id, or the hash in it, begins so. @throws UsageError unless there is exactly one */
export function deliveryOf<Found extends { readonly record: Pick<DeliveryRecord, 'id'> }>(
  deliveries: readonly Found[],
  start: string,
): Found {
  const [found, ...more] = deliveries.filter(({ record: { id } }) => isIdOf(id, start));
  if (found && more.length === 0) return found;
  const problem = found ? 'there are several deliveries' : 'there is no delivery';
  throw new UsageError(
    `${problem} whose id begins with ${start}; see: postledger deliver list --all`,
  );
}

export function isIdOf(id: string, start: string): boolean {
  return id.startsWith(start) || id.replace(/^\d{4}-\d\d-\d\d-/, '').startsWith(start);
}

/** For people. */
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

/** What a held delivery waits for, in words. */
export function waitWords({ status: { waits_for: wait } }: Delivery): string | null {
  switch (wait?.kind) {
    case 'approval':
      return 'approval';
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
