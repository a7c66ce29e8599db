import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeFolder, syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode, PostledgerError, UsageError } from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';

/*
 * The outbox has a folder for each delivery, with `delivery.json` and `files/`, which are written once, and
 * `state.json`. The folder's name is an idempotency key: a delivery whose folder exists is not added again.
 */

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
    /** Of the objects' keys. */
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

const deliverySchema = z.object({
  id: z.string(),
  job: z.string(),
  report: z.string(),
  /** The client's key; null: for none. */
  client: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Null only where it cannot be read. */
  target: targetSchema.nullable(),
  /** Of the delivery's folder `files`: `message.eml`, or the report's own. */
  files: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
  created_at: z.string(),
});
export type DeliveryRecord = z.output<typeof deliverySchema>;

/** What is put into the outbox. */
export type NewDelivery = Omit<DeliveryRecord, 'created_at' | 'files'>;

export interface OutboxFile {
  /** Relative, such as `emv.xlsx` or `emv/by_month.csv`. */
  readonly name: string;
  readonly content: Uint8Array;
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

const deliveryStates = [
  'held',
  'queued',
  'sending',
  'transmitting',
  'sent',
  'failed',
  'unknown',
  'discarded',
] as const;
/**
 * held: waits for approval; queued: is sent by the next run; sending: a process is sending it; transmitting: its text is on
 * its way or its command runs, so that whoever is killed from here on cannot know whether it arrived, which is
 * `unknown`; failed: it will never be taken.
 */
export type DeliveryState = (typeof deliveryStates)[number];

const statusSchema = z.object({
  state: z.enum(deliveryStates),
  changed_at: z.string(),
  attempts: z.int(),
  /** The server's answer, or what went wrong; null: nothing to say. */
  reason: z.string().nullable(),
});
type DeliveryStatus = z.output<typeof statusSchema>;

export interface Delivery {
  readonly record: DeliveryRecord;
  readonly status: DeliveryStatus;
}

/** A file of a delivery is not what was written. */
export class OutboxError extends PostledgerError {
  readonly code = 'OUTBOX';
  readonly recovery = 'fix-input';
}

/** The outbox of a data folder, held by this process alone. */
export class Outbox {
  readonly #folder: string;
  readonly #clock: Clock;

  private constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /**
   * Does the work while no other process adds or sends.
   * @throws BusyError when another process holds the outbox for longer than `waitMs`
   */
  static async with<Result>(
    dataDir: string,
    { clock, signal, waitMs }: { clock: Clock; signal?: AbortSignal; waitMs: number },
    work: (outbox: Outbox) => Promise<Result>,
  ): Promise<Result> {
    const lock = await acquireLock(join(dataDir, 'locks', 'outbox.lock'), {
      purpose: 'sending reports',
      waitMs,
      clock,
      ...(signal && { signal }),
    });
    try {
      const outbox = new Outbox(outboxFolder(dataDir), clock);
      await outbox.#settle();
      return await work(outbox);
    } finally {
      await lock.release();
    }
  }

  /** Puts a delivery into the outbox. @returns false where it is there already, whatever became of it */
  async add(
    record: NewDelivery,
    files: readonly OutboxFile[],
    state: 'held' | 'queued',
  ): Promise<boolean> {
    const made = join(this.#folder, `.${randomUUID()}`);
    await makeFolder(this.#folder);
    await mkdir(made, { mode: 0o700 });
    const created = this.#clock.now().toISOString();
    const listed = files.map(({ name, content }) => ({
      name,
      bytes: content.length,
      sha256: sha256(content),
    }));
    const whole: DeliveryRecord = { ...record, files: listed, created_at: created };
    for (const { name, content } of files) {
      const path = join(made, 'files', name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFileAtomic(path, content);
    }
    await writeFileAtomic(join(made, 'delivery.json'), json(whole));
    const status: DeliveryStatus = { state, changed_at: created, attempts: 0, reason: null };
    await writeFileAtomic(join(made, 'state.json'), json(status));
    try {
      await rename(made, join(this.#folder, record.id));
    } catch (error) {
      await rm(made, { recursive: true, force: true });
      if (hasErrorCode(error, 'ENOTEMPTY') || hasErrorCode(error, 'EEXIST')) return false;
      throw error;
    }
    await syncFolder(this.#folder);
    return true;
  }

  list(): Promise<Delivery[]> {
    return readOutbox(this.#folder);
  }

  /** Where the files of a delivery are. */
  filesOf({ id }: DeliveryRecord): string {
    return join(this.#folder, id, 'files');
  }

  /** What is sent. @throws OutboxError when a file is not what was written */
  async read(record: DeliveryRecord): Promise<OutboxFile[]> {
    const files: OutboxFile[] = [];
    for (const { name, sha256: expected } of record.files) {
      const path = join(this.filesOf(record), name);
      const content = await readFile(path).catch(() => null);
      if (content === null || sha256(content) !== expected)
        throw new OutboxError(`${path} is damaged`);
      files.push({ name, content });
    }
    return files;
  }

  /** On disk before it resolves. */
  async set(
    { record, status }: Delivery,
    state: DeliveryState,
    reason: string | null = null,
  ): Promise<Delivery> {
    const attempts = status.attempts + (state === 'sending' ? 1 : 0);
    const changed: DeliveryStatus = {
      state,
      changed_at: this.#clock.now().toISOString(),
      attempts,
      reason,
    };
    await writeFileAtomic(join(this.#folder, record.id, 'state.json'), json(changed));
    return { record, status: changed };
  }

  /** What a process that was killed has left: no other process holds the outbox. */
  async #settle(): Promise<void> {
    const names = await readdir(this.#folder).catch(emptyWhereMissing);
    for (const name of names.filter((each) => each.startsWith('.')))
      await rm(join(this.#folder, name), { recursive: true });
    for (const delivery of await this.list()) {
      if (delivery.status.state === 'sending') await this.set(delivery, 'queued');
      if (delivery.status.state === 'transmitting')
        await this.set(delivery, 'unknown', 'the program ended while it was on its way');
    }
  }
}

export function outboxFolder(dataDir: string): string {
  return join(dataDir, 'outbox');
}

/** Oldest first. What cannot be read has failed, and does not affect the others. */
export async function readOutbox(folder: string): Promise<Delivery[]> {
  const names = await readdir(folder).catch(emptyWhereMissing);
  const deliveries: Delivery[] = [];
  for (const name of names.filter((each) => !each.startsWith('.'))) {
    const read = async (file: string) =>
      JSON.parse(await readFile(join(folder, name, file), 'utf8')) as unknown;
    try {
      const record = deliverySchema.parse(await read('delivery.json'));
      deliveries.push({ record, status: statusSchema.parse(await read('state.json')) });
    } catch {
      deliveries.push(unreadable(name, join(folder, name)));
    }
  }
  const order = ({ record: { created_at: at, id } }: Delivery) => `${at} ${id}`;
  return deliveries.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function unreadable(id: string, path: string): Delivery {
  const nowhere = { job: '', report: '', client: null, from: null, to: null, target: null };
  return {
    record: { id, ...nowhere, files: [], created_at: '' },
    status: { state: 'failed', changed_at: '', attempts: 0, reason: `${path} cannot be read` },
  };
}

/** The delivery whose id begins so. @throws UsageError unless there is exactly one */
export function deliveryOf(deliveries: readonly Delivery[], start: string): Delivery {
  const [found, ...more] = deliveries.filter(({ record }) => record.id.startsWith(start));
  if (found && more.length === 0) return found;
  const problem = found ? 'there are several deliveries' : 'there is no delivery';
  throw new UsageError(`${problem} whose id begins with ${start}; see: postledger deliver list`);
}

/** For people, and the same for the same target. */
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

/** The same for the same report to the same destination, so that it is sent once. */
export function deliveryId(parts: readonly (string | null)[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 20);
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function emptyWhereMissing(error: unknown): string[] {
  if (hasErrorCode(error, 'ENOENT')) return [];
  throw error;
}
