import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import { addDays, dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, hasErrorCode, PostledgerError } from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';
import {
  deliverySchema,
  isIdOf,
  statusSchema,
  type Delivery,
  type DeliveryRecord,
  type DeliveryState,
  type DeliveryStatus,
  type NewDelivery,
} from './delivery.ts';

/*
 * The outbox has a folder for each delivery, with `delivery.json` and `files/`, which are written once, and
 * `state.json`. The folder's name is an idempotency key. It stands in `waiting` until the delivery is over, then in
 * `done`, and without its files in `records` for good: a delivery that is in one of them is not added again.
 */
const stages = ['waiting', 'done', 'records'] as const;
const [waiting, done, records] = stages;

export interface OutboxFile {
  /** A relative path such as `emv.xlsx` or `emv/by_month.csv`. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** The first status of a delivery. */
export type FirstStatus = Pick<DeliveryStatus, 'state'> &
  Partial<Pick<DeliveryStatus, 'reason' | 'waits_for'>>;

/** Thrown if a file of a delivery is not what was written. */
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
   * Does the work while no other process adds or sends deliveries.
   * @throws BusyError if another process holds the outbox for longer than `waitMs`
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

  /** Adds a delivery to the outbox. It replaces a waiting delivery with the same id. */
  async put(
    record: NewDelivery,
    files: readonly OutboxFile[],
    first: FirstStatus,
  ): Promise<Delivery> {
    const made = join(this.#folder, `.${randomUUID()}`);
    await makeFolder(join(this.#folder, waiting));
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
    const status = statusSchema.parse({ reason: null, ...first, changed_at: created, attempts: 0 });
    await writeFileAtomic(join(made, 'state.json'), json(status));
    // if the process is killed between the two, the next run makes the delivery again
    await this.#remove(join(this.#folder, waiting, record.id));
    await rename(made, join(this.#folder, waiting, record.id));
    await syncFolder(join(this.#folder, waiting));
    const delivery = { record: whole, status };
    return isOver(status) ? this.#archive(delivery) : delivery;
  }

  /** Finds the delivery with this id in any state. Returns null if there is none. */
  async find(id: string): Promise<Delivery | null> {
    const stage = stages.find((name) => existsSync(join(this.#folder, name, id)));
    return stage === undefined ? null : readDelivery(this.#folder, stage, id);
  }

  /** Returns the deliveries that are not over, oldest first. */
  list(): Promise<Delivery[]> {
    return readStage(this.#folder, waiting);
  }

  /** Returns the folder of a delivery's files. */
  filesOf({ id }: DeliveryRecord): string {
    return join(this.#folder, waiting, id, 'files');
  }

  /**
   * Reads the files of a delivery.
   * @throws OutboxError if a file is not what was written
   */
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

  /** Sets the state of a delivery. It is on disk when the promise resolves. */
  async set(
    { record, status }: Delivery,
    state: DeliveryState,
    change: Partial<Pick<DeliveryStatus, 'reason' | 'waits_for' | 'is_transmitting'>> = {},
  ): Promise<Delivery> {
    const isNewAttempt = state === 'sending' && status.state !== 'sending';
    const changed: DeliveryStatus = {
      ...{ reason: null, waits_for: null, is_transmitting: false, ...change },
      state,
      changed_at: this.#clock.now().toISOString(),
      attempts: status.attempts + (isNewAttempt ? 1 : 0),
    };
    await writeFileAtomic(join(this.#folder, waiting, record.id, 'state.json'), json(changed));
    const delivery = { record, status: changed };
    return isOver(changed) ? this.#archive(delivery) : delivery;
  }

  /**
   * Removes the files of deliveries that have been over for this many days. Their records are kept.
   * @returns the number of deliveries
   */
  async prune(days: number, isDryRun = false): Promise<number> {
    const cutoff = addDays(dayOf(this.#clock.now(), 'UTC'), -days);
    let count = 0;
    for (const id of await namesIn(join(this.#folder, done))) {
      if (id.slice(0, 10) >= cutoff) continue;
      const { status } = await readDelivery(this.#folder, done, id);
      if (status.changed_at.slice(0, 10) >= cutoff) continue;
      count += 1;
      if (isDryRun) continue;
      await this.#remove(join(this.#folder, done, id, 'files'));
      await this.#move(id, done, records);
    }
    return count;
  }

  /**
   * Removes the files of all deliveries, and the deliveries that `isErased` recognises by their record or state. Those
   * that wait are discarded, since their reports have to be rendered anew.
   * @returns the ids of those that waited
   */
  async erase(isErased: (json: string) => boolean): Promise<string[]> {
    const waited = (await this.list()).map(({ record }) => record.id);
    for (const delivery of await this.list())
      await this.set(delivery, 'discarded', { reason: 'its files were erased' });
    await this.prune(-1);
    for (const stage of stages) {
      for (const id of await namesIn(join(this.#folder, stage))) {
        const path = join(this.#folder, stage, id);
        await this.#remove(join(path, 'files'));
        const texts = ['delivery.json', 'state.json'].map((name) =>
          readFile(join(path, name), 'utf8').catch(() => '{}'),
        );
        if ((await Promise.all(texts)).some(isErased)) await this.#remove(path);
      }
    }
    return waited;
  }

  async #archive(delivery: Delivery): Promise<Delivery> {
    await this.#move(delivery.record.id, waiting, done);
    return delivery;
  }

  async #move(id: string, from: string, to: string): Promise<void> {
    await makeFolder(join(this.#folder, to));
    await rename(join(this.#folder, from, id), join(this.#folder, to, id));
    await syncFolder(join(this.#folder, to));
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true });
  }

  /** Repairs what a killed process has left behind. No other process holds the outbox now. */
  async #settle(): Promise<void> {
    for (const name of await namesIn(this.#folder, { isHidden: true }))
      await this.#remove(join(this.#folder, name));
    // the previous version kept waiting deliveries in the outbox itself
    for (const id of await namesIn(this.#folder))
      if (!stages.some((stage) => stage === id)) await this.#move(id, '.', waiting);
    for (const delivery of await this.list()) {
      const { status } = delivery;
      if (isOver(status)) await this.#archive(delivery);
      else if (status.state === 'sending')
        await this.set(delivery, status.is_transmitting ? 'unknown' : 'queued', {
          reason: status.is_transmitting ? 'the process ended during the transmission' : null,
        });
    }
  }
}

function isOver({ state }: DeliveryStatus): boolean {
  return state === 'sent' || state === 'discarded';
}

export function outboxFolder(dataDir: string): string {
  return join(dataDir, 'outbox');
}

/**
 * Returns the deliveries that are not over, oldest first. One that cannot be read counts as failed and does
 * not affect the others.
 */
export function readOutbox(dataDir: string): Promise<Delivery[]> {
  return readStage(outboxFolder(dataDir), waiting);
}

/** Returns all deliveries, oldest first. */
export async function readAllDeliveries(dataDir: string): Promise<Delivery[]> {
  const read = await Promise.all(stages.map((stage) => readStage(outboxFolder(dataDir), stage)));
  return read.flat().sort(byTime);
}

/** Finds the deliveries whose id, or the hash in it, begins with `start`. */
export async function findDeliveries(dataDir: string, start: string): Promise<Delivery[]> {
  const folder = outboxFolder(dataDir);
  const found: Delivery[] = [];
  for (const stage of stages)
    for (const id of await namesIn(join(folder, stage)))
      if (isIdOf(id, start)) found.push(await readDelivery(folder, stage, id));
  return found;
}

async function readStage(folder: string, stage: string): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const id of await namesIn(join(folder, stage)))
    deliveries.push(await readDelivery(folder, stage, id));
  return deliveries.sort(byTime);
}

function byTime({ record: a }: Delivery, { record: b }: Delivery): number {
  const [first, second] = [a, b].map(({ created_at: at, id }) => `${at} ${id}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

async function readDelivery(folder: string, stage: string, id: string): Promise<Delivery> {
  const path = join(folder, stage, id);
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(path, file), 'utf8'));
  try {
    const record = deliverySchema.parse(await read('delivery.json'));
    // the previous version recorded the recipient only in the target, and a single report
    if (record.recipient === '' && record.target?.kind === 'mail')
      record.recipient = record.target.address;
    if (record.reports.length === 0) {
      const { report, from, to } = record;
      record.reports = [{ report, from, to }];
    }
    if (record.id !== id) throw new OutboxError(`it belongs to the delivery ${record.id}`);
    return { record, status: statusSchema.parse(await read('state.json')) };
  } catch (error) {
    return unreadable(id, `${path} cannot be read (${errorMessage(error).split('\n')[0] ?? ''})`);
  }
}

function unreadable(id: string, reason: string): Delivery {
  const nothing = {
    job: '',
    report: '',
    reports: [],
    client: null,
    from: null,
    to: null,
    target: null,
  };
  return {
    record: {
      ...{ id, ...nothing, slot: '', definition: '', recipient: '', figures: [], corrects: null },
      files: [],
      created_at: '',
    },
    status: {
      ...{ state: 'failed', changed_at: '', attempts: 0, waits_for: null, is_transmitting: false },
      reason,
    },
  };
}

/** Returns the sorted names in a folder. Names of unfinished files begin with a dot. */
async function namesIn(folder: string, { isHidden = false } = {}): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.startsWith('.') === isHidden).sort();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
