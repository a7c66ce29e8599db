import type { Clock } from '../../core/clock.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import { acquireLock, isLockHeld, type Lock } from '../../core/lock.ts';
import type { Log } from '../../core/log.ts';
import type { EventText } from '../events/read-event.ts';
import { FolderWatch } from './folder-watch.ts';
import { GroupQueue, type StoreOutcome, type WaitingEvent } from './group-queue.ts';
import { KnownEvents, type OnUnreadable } from './known-events.ts';
import { ingestLockPath, inboxFolder, receiverLockPath, trialName } from './layout.ts';
import { removeLeftovers } from './leftovers.ts';
import { Outage } from './outage.ts';
import { sealAll } from './seal-orphans.ts';
import { SegmentAppender } from './segment-appender.ts';
import { SpoolUnavailableError } from './spool-errors.ts';
import type { SpoolState } from './spool-state.ts';
import { keepUp } from './upkeep.ts';

export interface SpoolOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A segment is sealed before it grows beyond this; a single event may be larger. */
  readonly segmentBytes?: number;
  readonly segmentAgeMs?: number;
  /** Events beyond this many bytes that wait for the disk are refused. */
  readonly maxQueuedBytes?: number;
  /** How long to wait for another receiver that has the inbox; default 0. */
  readonly waitMs?: number;
  /** Ends that waiting. */
  readonly signal?: AbortSignal | undefined;
}

const defaults = { segmentBytes: 8 << 20, segmentAgeMs: 30_000, maxQueuedBytes: 64 << 20 };

/**
 * The inbox as its receiver has it: takes events in so that none that was taken is ever lost. Events that
 * come at the same time are put on disk in one group, with one sync.
 */
export class Spool {
  readonly #options: SpoolOptions & typeof defaults;
  readonly #lock: Lock;
  readonly #known: KnownEvents;
  readonly #queue = new GroupQueue();
  readonly #appender: SegmentAppender;
  readonly #watch: FolderWatch;
  readonly #outage: Outage;
  readonly #closing = new AbortController();
  readonly #upkeep: Promise<void>;
  /** Whatever touches the files, one after another. */
  #turn: Promise<void> = Promise.resolve();
  #isWriting = false;
  #closed: Promise<void> | null = null;

  private constructor(options: SpoolOptions, lock: Lock, known: KnownEvents) {
    const { dataDir, clock, log } = options;
    const folder = inboxFolder(dataDir);
    this.#options = { ...defaults, ...options };
    this.#lock = lock;
    this.#known = known;
    this.#appender = new SegmentAppender({ ...this.#options, folder });
    this.#watch = new FolderWatch(folder);
    this.#outage = new Outage(folder, clock, log);
    const lookAfter = () => this.#takeTurn(() => this.#upkeepOnce());
    this.#upkeep = keepUp(lookAfter, clock, log, this.#closing.signal);
  }

  /**
   * Takes over the inbox, with what a killed receiver left in it.
   * @throws BusyError when another receiver has it for longer than `waitMs`
   * @throws InterruptedError when the signal aborts while waiting
   */
  static async open(options: SpoolOptions): Promise<Spool> {
    const { dataDir, clock, log } = options;
    const lock = await lockReceiver(options);
    try {
      await makeFolder(inboxFolder(dataDir));
      await sealAll(dataDir);
      await removeLeftovers(inboxFolder(dataDir), trialName);
      const known = await KnownEvents.open(dataDir, clock, tellOnce(log));
      return new Spool(options, lock, known);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /**
   * Resolves once the event is on disk for good: `stored` by this call, or `duplicate` of one that was.
   * A repeat of an event that is being written waits for it, and fails with it.
   * @throws SpoolUnavailableError
   */
  async store(event: EventText, receivedAt: Date): Promise<StoreOutcome> {
    if (this.#known.has(event.eventKey)) return 'duplicate';
    const first = this.#queue.find(event.eventKey);
    if (first) return first.then(() => 'duplicate');
    this.#refuseIfFull();
    const outcome = this.#queue.add(event, receivedAt);
    this.#startWriting();
    return outcome;
  }

  get state(): SpoolState {
    const { events, bytes } = this.#queue;
    return {
      queued: { events, bytes },
      openSegmentBytes: this.#appender.openBytes,
      backlog: this.#known.backlog,
      knownEvents: this.#known.size,
      failing: this.#outage.state,
    };
  }

  /** Whether no other receiver can have taken the inbox over ({@link Lock.isHeld}). */
  isOwner(): Promise<boolean> {
    return this.#lock.isHeld();
  }

  /** Writes what waits, seals, and gives the inbox free. Events that come later are refused. */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async #shutDown(): Promise<void> {
    this.#closing.abort();
    await this.#upkeep;
    await this.#takeTurn(() => this.#appender.seal());
    await this.#lock.release();
  }

  #refuseIfFull(): void {
    const { maxQueuedBytes, dataDir } = this.#options;
    const folder = inboxFolder(dataDir);
    if (this.#closing.signal.aborted) {
      throw new SpoolUnavailableError(
        `${folder} takes no events any more: the receiver is stopping`,
      );
    }
    if (this.#queue.bytes >= maxQueuedBytes) {
      throw new SpoolUnavailableError(
        `${folder} takes no more events now: ${this.#queue.bytes} bytes wait for the disk, ${maxQueuedBytes} may; send again later`,
      );
    }
  }

  /** Runs work that touches the files, after what runs or waits already. */
  #takeTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    // what goes wrong concerns who asked for it, not who comes next
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #startWriting(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    void this.#takeTurn(() => this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    try {
      while (!this.#queue.isEmpty) await this.#writeGroup();
    } finally {
      this.#isWriting = false;
    }
  }

  /** Settles the events of one group, in whatever way. */
  async #writeGroup(): Promise<void> {
    const group = this.#queue.takeGroup(this.#appender.roomFor(this.#queue.firstBytes));
    try {
      const refusal = this.#outage.refusal ?? (await this.#noticeOthers());
      if (refusal) throw refusal;
      await this.#writeNew(group);
      this.#outage.end();
    } catch (error) {
      const isKnown = error instanceof SpoolUnavailableError;
      const told = isKnown ? error : this.#outage.begin(error, true);
      for (const event of group) event.fail(told);
    }
  }

  /** Others store the same event at times: whoever is second has a duplicate. */
  async #writeNew(group: readonly WaitingEvent[]): Promise<void> {
    const isKnown = ({ eventKey }: WaitingEvent) => this.#known.has(eventKey);
    for (const event of group.filter(isKnown)) event.settle('duplicate');
    const fresh = group.filter((event) => !isKnown(event));
    if (fresh.length === 0) return;
    const lines = Buffer.concat(fresh.map(({ line }) => line));
    const segment = await this.#appender.append(lines);
    const keys = fresh.map(({ eventKey }) => eventKey);
    this.#known.addStored(segment, lines.length, keys);
    for (const event of fresh) event.settle('stored');
  }

  /**
   * Takes in what other processes stored, archived, or did to the segment that is open.
   * @returns why that is not possible; null when all is well
   */
  async #noticeOthers(): Promise<SpoolUnavailableError | null> {
    try {
      const hasChanged = await this.#watch.whenChanged(() => this.#known.refresh());
      const { openName } = this.#appender;
      const isGone = hasChanged && openName !== null && !this.#known.isListed(openName);
      if (isGone) await this.#appender.abandon();
      this.#outage.endUntried();
      return null;
    } catch (error) {
      return this.#outage.begin(error, false);
    }
  }

  async #upkeepOnce(): Promise<void> {
    await this.#noticeOthers();
    await this.#appender.sealDue();
    if (this.#appender.openBytes === 0) return;
    // whoever takes events in from files knows those of a segment once it is sealed
    const { dataDir } = this.#options;
    if (await isLockHeld(ingestLockPath(dataDir))) await this.#appender.seal();
  }
}

/** Tells of each file once that cannot be read. */
function tellOnce(log: Log): OnUnreadable {
  const told = new Set<string>();
  return (path, error) => {
    if (told.has(path)) return;
    told.add(path);
    log.warn(
      { file: path, error: error.message },
      'a file of the inbox cannot be read, repeats of its events are stored again; give this user the right to it, or move it away',
    );
  };
}

function lockReceiver({ dataDir, clock, waitMs = 0, signal }: SpoolOptions): Promise<Lock> {
  const remedy =
    'stop it first, let --wait <seconds> wait for it, or give this one another data_dir';
  const options = { purpose: 'webhooks serve', waitMs, remedy, clock, ...(signal && { signal }) };
  return acquireLock(receiverLockPath(dataDir), options);
}
