import { BusyError, hasErrorCode } from '../../core/errors.ts';
import type { EventText } from '../events/read-event.ts';
import type { StoreOutcome } from './group-queue.ts';
import { inboxFolder, receiverLockPath } from './layout.ts';
import { Outage } from './outage.ts';
import type { SpoolUnavailableError } from './spool-errors.ts';
import type { SpoolState } from './spool-state.ts';
import { Spool, type SpoolOptions } from './spool.ts';
import { keepUp } from './upkeep.ts';

/**
 * The spool whenever it can be had: a receiver starts on a full disk too, and takes no events until there is
 * room; one that lost the inbox to another receiver takes none until that one is gone. It is tried once a second.
 */
export class EventStore {
  readonly #options: SpoolOptions;
  readonly #outage: Outage;
  readonly #closing = new AbortController();
  readonly #upkeep: Promise<void>;
  #current: Spool | SpoolUnavailableError;
  #closed: Promise<void> | null = null;

  private constructor(options: SpoolOptions, first: Spool | { readonly problem: unknown }) {
    const { dataDir, clock, log } = options;
    this.#options = options;
    this.#outage = new Outage(inboxFolder(dataDir), clock, log);
    this.#current = first instanceof Spool ? first : this.#outage.begin(first.problem, false);
    this.#upkeep = keepUp(() => this.#lookAfter(), clock, log, this.#closing.signal);
  }

  /**
   * @throws BusyError when another receiver has the inbox for longer than `waitMs`
   * @throws InterruptedError when the signal aborts while waiting
   */
  static async open(options: SpoolOptions): Promise<EventStore> {
    try {
      return new EventStore(options, await Spool.open(options));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      return new EventStore(options, { problem: error });
    }
  }

  /** {@link Spool.store}. @throws SpoolUnavailableError */
  async store(event: EventText, receivedAt: Date): Promise<StoreOutcome> {
    if (this.#current instanceof Spool) return this.#current.store(event, receivedAt);
    throw this.#current;
  }

  get state(): SpoolState {
    if (this.#current instanceof Spool) return this.#current.state;
    return { ...nothing, failing: this.#outage.state };
  }

  /** {@link Spool.close} */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async #shutDown(): Promise<void> {
    this.#closing.abort();
    await this.#upkeep;
    if (this.#current instanceof Spool) await this.#current.close();
  }

  async #lookAfter(): Promise<void> {
    if (this.#current instanceof Spool) {
      if (await this.#current.isOwner()) return;
      await this.#giveUp(this.#current);
    }
    await this.#tryToOpen();
  }

  /** What was taken is on disk and stays. */
  async #giveUp(spool: Spool): Promise<void> {
    const path = receiverLockPath(this.#options.dataDir);
    this.#current = this.#outage.begin(
      new BusyError(`${path} was lost, as this process was stopped for long or the file removed`),
      false,
    );
    await spool.close();
  }

  async #tryToOpen(): Promise<void> {
    try {
      this.#current = await Spool.open({ ...this.#options, waitMs: 0 });
      this.#outage.end();
    } catch (error) {
      this.#current = this.#outage.begin(error, false);
    }
  }
}

const nothing = {
  queued: { events: 0, bytes: 0 },
  openSegmentBytes: 0,
  backlog: { events: 0, bytes: 0, segments: 0 },
  knownEvents: 0,
};

function isDiskFull(error: unknown): boolean {
  return hasErrorCode(error, 'ENOSPC') || hasErrorCode(error, 'EDQUOT');
}
