import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import { addDays, dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { BusyError, errorMessage, PostledgerError, UsageError } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { acquireLock, withLock, type Lock } from '../core/lock.ts';
import {
  deliverySchema,
  replacedBy,
  statusSchema,
  type Act,
  type Delivery,
  type DeliveryRecord,
  type DeliveryState,
  type DeliveryStatus,
  type NewDelivery,
} from './delivery.ts';
import { SentRecords } from './sent-records.ts';

/*
 * The outbox has a folder for each delivery, with `delivery.json` and `files/`, which are written once, and
 * `state.json`. The folder's name is an idempotency key. It stands in `waiting` until the delivery is over, then in
 * `done` while its files are kept. That it was sent stands in the records of what was sent, for good.
 */
const waiting = 'waiting';
const done = 'done';
type Stage = typeof waiting | typeof done;

export interface OutboxFile {
  /** A relative path such as `emv.xlsx` or `emv/by_month.csv`. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** The first status of a delivery. */
export type FirstStatus = Pick<DeliveryStatus, 'state'> &
  Partial<Pick<DeliveryStatus, 'reason' | 'waits_for' | 'history'>>;

/** Thrown if a file of a delivery is not what was written. */
export class OutboxError extends PostledgerError {
  readonly code = 'OUTBOX';
  readonly recovery = 'fix-input';
}

interface OutboxOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly waitMs: number;
}

/**
 * The outbox of a data folder, which this process alone changes. It is locked for each change of a state, and never while
 * a delivery is on its way: that one has a lock of its own.
 */
export class Outbox {
  readonly #dataDir: string;
  readonly #folder: string;
  readonly #clock: Clock;
  /** The records of what was sent or discarded. */
  readonly sent: SentRecords;

  private constructor(dataDir: string, clock: Clock, sent: SentRecords) {
    this.#dataDir = dataDir;
    this.#folder = outboxFolder(dataDir);
    this.#clock = clock;
    this.sent = sent;
  }

  /**
   * Does the work while no other process changes a delivery.
   * @throws BusyError if another process holds the outbox for longer than `waitMs`
   */
  static with<Result>(
    dataDir: string,
    { clock, signal, waitMs }: OutboxOptions,
    work: (outbox: Outbox) => Promise<Result>,
  ): Promise<Result> {
    const options = { purpose: 'changing the outbox', waitMs, clock, signal };
    return withLock(join(dataDir, 'locks', 'outbox.lock'), options, async () => {
      const outbox = new Outbox(dataDir, clock, await SentRecords.read(dataDir));
      await outbox.#settle();
      return work(outbox);
    });
  }

  /**
   * Does the work while no process sends a delivery either.
   * @throws BusyError if one is sent for longer than `waitMs`
   */
  static async withNoneSending<Result>(
    dataDir: string,
    options: OutboxOptions,
    work: (outbox: Outbox) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      const outcome = await Outbox.with(dataDir, options, async (outbox) => {
        const sending = (await outbox.list()).find(({ status }) => status.state === 'sending');
        return sending ?? { result: await work(outbox) };
      });
      if ('result' in outcome) return outcome.result;
      const waiting = { purpose: 'waiting for a delivery', ...options };
      await withLock(deliveryLockPath(dataDir, outcome.record.id), waiting, () =>
        Promise.resolve(),
      );
    }
  }

  /**
   * Takes the lock of a delivery, which is held from before its state is `sending` until its end is recorded.
   * @returns null if a process, perhaps this one, is sending it
   */
  async lock(id: string): Promise<Lock | null> {
    const path = deliveryLockPath(this.#dataDir, id);
    const options = { purpose: `sending the delivery ${id}`, waitMs: 0, clock: this.#clock };
    return acquireLock(path, options).catch((error: unknown) => {
      if (error instanceof BusyError) return null;
      throw error;
    });
  }

  /**
   * Adds a delivery to the outbox. It replaces one with the same id that waits or was discarded, and no other.
   * @returns the delivery as it is now
   */
  async put(
    record: NewDelivery,
    files: readonly OutboxFile[],
    first: FirstStatus,
  ): Promise<Delivery> {
    const known = await this.find(record.id);
    if (known && !['held', 'queued', 'discarded'].includes(known.status.state)) return known;
    const draft = join(this.#folder, `.${randomUUID()}`);
    await makeFolder(join(this.#folder, waiting));
    await mkdir(draft, { mode: 0o700 });
    const created = this.#clock.now().toISOString();
    const listed = files.map(({ name, content }) => ({
      name,
      bytes: content.length,
      sha256: sha256(content),
    }));
    // rendered again, it stays in its group, and was first held when it was
    const { group, first_held_at: heldAt = first.state === 'held' ? created : undefined } =
      known && !isOver(known.status) ? known.record : { group: undefined };
    const added: DeliveryRecord = {
      ...record,
      ...(group !== undefined && { group }),
      ...(heldAt !== undefined && { first_held_at: heldAt }),
      files: listed,
      created_at: created,
    };
    for (const { name, content } of files) {
      const path = join(draft, 'files', name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFileAtomic(path, content);
    }
    await writeFileAtomic(join(draft, 'delivery.json'), json(added));
    const status: DeliveryStatus = {
      reason: null,
      waits_for: null,
      is_transmitting: false,
      ...first,
      ...withActs(known?.status, first.history),
      changed_at: created,
      attempts: 0,
    };
    await writeFileAtomic(join(draft, 'state.json'), json(status));
    // if the process is killed between the two, the next run makes the delivery again
    await this.#remove(join(this.#folder, waiting, record.id));
    await rename(draft, join(this.#folder, waiting, record.id));
    await syncFolder(join(this.#folder, waiting));
    // one that was discarded and is made again
    await this.#remove(join(this.#folder, done, record.id));
    const delivery = { record: added, status };
    return isOver(status) ? this.#archive(delivery) : delivery;
  }

  /** Finds the delivery with this id in any state. Returns null if there is none. */
  async find(id: string): Promise<Delivery | null> {
    if (existsSync(join(this.#folder, waiting, id))) return readDelivery(this.#folder, waiting, id);
    const known = this.sent.get(id);
    return known ? settled(known) : null;
  }

  /** Returns the deliveries that are not over, oldest first. */
  list(): Promise<Delivery[]> {
    return readFolders(this.#folder, waiting);
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
    change: Partial<Omit<DeliveryStatus, 'state' | 'changed_at' | 'attempts'>> = {},
  ): Promise<Delivery> {
    const isNewAttempt = state === 'sending' && status.state !== 'sending';
    const changed: DeliveryStatus = {
      reason: null,
      waits_for: null,
      is_transmitting: false,
      ...change,
      ...withActs(status, change.history),
      state,
      changed_at: this.#clock.now().toISOString(),
      attempts: status.attempts + (isNewAttempt ? 1 : 0),
    };
    await writeFileAtomic(join(this.#folder, waiting, record.id, 'state.json'), json(changed));
    const delivery = { record, status: changed };
    // after a restore that lacks the outbox, it may have arrived
    if (changed.is_transmitting) await this.sent.add(delivery);
    return isOver(changed) ? this.#archive(delivery) : delivery;
  }

  /** Records what a person did with a delivery that changes nothing of its state. */
  async note({ record, status }: Delivery, act: Act): Promise<void> {
    const noted = { ...status, ...withActs(status, [act]) };
    await writeFileAtomic(join(this.#folder, waiting, record.id, 'state.json'), json(noted));
  }

  /**
   * Removes the files of deliveries that have been over for this many days. The records of what was sent stay.
   * @returns the number of deliveries
   */
  async prune(days: number, isDryRun = false): Promise<number> {
    const cutoff = addDays(dayOf(this.#clock.now(), 'UTC'), -days);
    let count = 0;
    for (const id of await listIds(this.#folder, done)) {
      if (id.slice(0, 10) >= cutoff) continue;
      const { status } = await readDelivery(this.#folder, done, id);
      if (status.changed_at.slice(0, 10) >= cutoff) continue;
      count += 1;
      if (!isDryRun) await this.#remove(join(this.#folder, done, id));
    }
    return count;
  }

  /**
   * Removes the files of all deliveries, and the deliveries that `isErased` recognises by their record or state. Those
   * that wait are discarded, since their reports have to be rendered again.
   * @returns the ids of those that waited
   */
  async erase(isErased: (json: string) => boolean): Promise<string[]> {
    const waited = (await this.list()).map(({ record }) => record.id);
    for (const delivery of await this.list())
      await this.set(delivery, 'discarded', { reason: 'its files were erased' });
    await this.prune(-1);
    await this.sent.erase(isErased);
    return waited;
  }

  async #archive(delivery: Delivery): Promise<Delivery> {
    const { id } = delivery.record;
    await this.sent.add(delivery);
    await makeFolder(join(this.#folder, done));
    await rename(join(this.#folder, waiting, id), join(this.#folder, done, id));
    await syncFolder(join(this.#folder, done));
    return delivery;
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true });
  }

  /** Repairs what a killed process has left behind. What a live process is sending is left to it. */
  async #settle(): Promise<void> {
    for (const name of await namesIn(this.#folder))
      if (isUnfinished(name)) await this.#remove(join(this.#folder, name));
    for (const id of await listIds(this.#folder, done))
      if (!this.sent.get(id)) await this.sent.add(await readDelivery(this.#folder, done, id));
    for (const delivery of await this.list()) {
      const { status } = delivery;
      if (isOver(status)) await this.#archive(delivery);
      else if (status.state === 'sending') await this.#settleSending(delivery);
    }
  }

  async #settleSending(delivery: Delivery): Promise<void> {
    const lock = await this.lock(delivery.record.id);
    if (lock === null) return;
    const { is_transmitting: mayHaveArrived } = delivery.status;
    await this.set(delivery, mayHaveArrived ? 'unknown' : 'queued', {
      reason: mayHaveArrived ? 'the process ended during the transmission' : null,
    });
    await lock.release();
  }
}

/** What people have done with a delivery, and what is added. */
function withActs(
  status: Pick<DeliveryStatus, 'history'> | undefined,
  added: readonly Act[] = [],
): Pick<DeliveryStatus, 'history'> {
  const history = [...(status?.history ?? []), ...added];
  return history.length > 0 ? { history } : {};
}

/** Returns true for a delivery that was sent or discarded. */
export function isOver({ state }: DeliveryStatus): boolean {
  return state === 'sent' || state === 'discarded';
}

export function outboxFolder(dataDir: string): string {
  return join(dataDir, 'outbox');
}

function deliveryLockPath(dataDir: string, id: string): string {
  return join(dataDir, 'locks', 'deliveries', `${id}.lock`);
}

/** A delivery whose transmission had begun when its record was written, and of which nothing else is known. */
function settled({ record, status }: Delivery): Delivery {
  if (status.state !== 'sending') return { record, status };
  const reason = 'its transmission had begun when the records were backed up';
  return { record, status: { ...status, state: 'unknown', is_transmitting: false, reason } };
}

/**
 * Returns the deliveries that are not over, oldest first. One that cannot be read counts as failed and does
 * not affect the others.
 */
export async function readOutbox(dataDir: string): Promise<Delivery[]> {
  const all = await readFolders(outboxFolder(dataDir), waiting);
  return all.filter(({ status }) => !isOver(status));
}

/** Returns all deliveries, oldest first. */
export async function readAllDeliveries(dataDir: string): Promise<Delivery[]> {
  const inFolders = await readFolders(outboxFolder(dataDir), waiting, done);
  const known = new Set(inFolders.map(({ record }) => record.id));
  const sent = (await SentRecords.read(dataDir))
    .all()
    .filter(({ record }) => !known.has(record.id));
  return [...inFolders, ...sent.map(settled)].sort(byTime);
}

/**
 * Finds the delivery whose id, or the hash in it, begins with `start`; a delivery that was replaced gives the one that took its place.
 * @throws UsageError unless there is exactly one
 */
export async function findDelivery(dataDir: string, start: string): Promise<Delivery> {
  const all = await readAllDeliveries(dataDir);
  const [found, ...more] = all.filter(
    ({ record: { id } }) =>
      id.startsWith(start) || id.replace(/^\d{4}-\d\d-\d\d-/, '').startsWith(start),
  );
  if (found && more.length === 0) return newestOf(found, all);
  const problem = found ? 'there are several deliveries' : 'there is no delivery';
  throw new UsageError(
    `${problem} whose id begins with ${start}; see: postledger deliver list --all`,
  );
}

/** A replaced delivery is older than the one that took its place, so this ends. */
function newestOf(delivery: Delivery, all: readonly Delivery[]): Delivery {
  const id = replacedBy(delivery);
  const next = all.find(({ record }) => record.id === id);
  return next ? newestOf(next, all) : delivery;
}

async function readFolders(folder: string, ...stages: readonly Stage[]): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const stage of stages)
    for (const id of await listIds(folder, stage)) {
      const delivery = await readDelivery(folder, stage, id);
      // another process may have put it away meanwhile
      if (existsSync(join(folder, stage, id))) deliveries.push(delivery);
    }
  return deliveries.sort(byTime);
}

async function listIds(folder: string, stage: Stage): Promise<string[]> {
  return (await namesIn(join(folder, stage))).filter((name) => !isUnfinished(name));
}

/** Names of folders that are being made begin with a dot. */
function isUnfinished(name: string): boolean {
  return name.startsWith('.');
}

function byTime({ record: a }: Delivery, { record: b }: Delivery): number {
  const [first, second] = [a, b].map(({ created_at: at, id }) => `${at} ${id}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

async function readDelivery(folder: string, stage: Stage, id: string): Promise<Delivery> {
  const path = join(folder, stage, id);
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(path, file), 'utf8'));
  try {
    const record = deliverySchema.parse(await read('delivery.json'));
    if (record.id !== id) throw new OutboxError(`it belongs to the delivery ${record.id}`);
    return { record, status: statusSchema.parse(await read('state.json')) };
  } catch (error) {
    return unreadable(id, `${path} cannot be read (${errorMessage(error).split('\n')[0] ?? ''})`);
  }
}

function unreadable(id: string, reason: string): Delivery {
  const record: DeliveryRecord = {
    id,
    job: '',
    report: '',
    reports: [],
    client: null,
    from: null,
    to: null,
    slot: '',
    definition: '',
    content: '',
    is_closed: false,
    recipient: '',
    name: null,
    target: null,
    figures: [],
    headline: '',
    profiles: [],
    is_complete: false,
    comment: null,
    corrects: null,
    files: [],
    created_at: '',
  };
  const state = { state: 'failed', waits_for: null, is_transmitting: false } as const;
  return { record, status: { ...state, changed_at: '', attempts: 0, reason } };
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
