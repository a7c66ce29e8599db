import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder, syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode, PostledgerError, UsageError } from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';

/*
 * The outbox has a folder for each mail, with `delivery.json` and `message.eml`, which are written once, and
 * `state.json`. The folder's name is an idempotency key: a mail whose folder exists is not added again.
 */

const deliverySchema = z.object({
  id: z.string(),
  job: z.string(),
  report: z.string(),
  /** The client's key; null: for none. */
  client: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  address: z.string(),
  subject: z.string(),
  /** Names of the files that the message carries. */
  attached: z.array(z.string()),
  created_at: z.string(),
  /** Of message.eml. */
  sha256: z.string(),
});
export type DeliveryRecord = z.output<typeof deliverySchema>;

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
 * held: waits for approval; queued: is sent by the next run; sending: a process is at it; transmitting: its text is on
 * its way, so that whoever is killed from here on cannot know whether it arrived, which is `unknown`; failed: the
 * server will never take it.
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

/** The bytes of a message are not those that were written. */
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
   * @throws BusyError when another process is at it for longer than `waitMs`
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

  /** Puts a message into the outbox. @returns false where it is there already, whatever became of it */
  async add(
    record: Omit<DeliveryRecord, 'created_at' | 'sha256'>,
    message: Uint8Array,
    state: 'held' | 'queued',
  ): Promise<boolean> {
    const made = join(this.#folder, `.${randomUUID()}`);
    await makeFolder(this.#folder);
    await mkdir(made, { mode: 0o700 });
    const created = this.#clock.now().toISOString();
    const whole: DeliveryRecord = { ...record, created_at: created, sha256: sha256(message) };
    await writeFileAtomic(join(made, 'message.eml'), message);
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

  /** The message as it is sent. @throws OutboxError when it is not the one that was written */
  async message({ id, sha256: expected }: DeliveryRecord): Promise<Uint8Array> {
    const path = join(this.#folder, id, 'message.eml');
    const message = await readFile(path);
    if (sha256(message) === expected) return message;
    throw new OutboxError(`${path} is damaged`);
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

  /** What a process that was killed has left: nobody else is at it now. */
  async #settle(): Promise<void> {
    const names = await readdir(this.#folder).catch(emptyWhereMissing);
    for (const name of names.filter((each) => each.startsWith('.')))
      await rm(join(this.#folder, name), { recursive: true });
    for (const delivery of await this.list()) {
      if (delivery.status.state === 'sending') await this.set(delivery, 'queued');
      if (delivery.status.state === 'transmitting')
        await this.set(delivery, 'unknown', 'the program ended while the message was on its way');
    }
  }
}

export function outboxFolder(dataDir: string): string {
  return join(dataDir, 'outbox');
}

/** Oldest first. What cannot be read has failed, and costs the others nothing. */
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
  const nowhere = { job: '', report: '', client: null, from: null, to: null };
  return {
    record: { id, ...nowhere, address: '', subject: '', attached: [], created_at: '', sha256: '' },
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

/** The same for the same report to the same address, so that it is sent once. */
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
