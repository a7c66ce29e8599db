import type { Clock } from '../../core/clock.ts';
import { PostledgerError, errorMessage } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { SpoolUnavailableError } from './spool-errors.ts';
import type { Failing } from './spool-state.ts';

/** Between two tries to store an event while the disk is full or broken. */
const pauseMs = 1_000;

/** The time in which events cannot be stored, from a first failure to the next success. */
export class Outage {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  #current: (Failing & { readonly cause: unknown; readonly untilMs: number }) | null = null;

  constructor(folder: string, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
  }

  get state(): Failing | null {
    if (this.#current === null) return null;
    const { since, error, code, isTriedByEvents } = this.#current;
    return { since, error, code, isTriedByEvents };
  }

  /** What senders are told at once, without a try; null when it is time for one. */
  get refusal(): SpoolUnavailableError | null {
    if (this.#current === null || this.#clock.monotonicMs() >= this.#current.untilMs) return null;
    return this.#describe(this.#current.cause);
  }

  /**
   * @param isTriedByEvents see {@link Failing}
   * @returns what the senders of the events are told that could not be stored
   */
  begin(cause: unknown, isTriedByEvents: boolean): SpoolUnavailableError {
    const error = errorMessage(cause);
    const isFirst = this.#current === null;
    const since = this.#current?.since ?? this.#clock.now();
    const untilMs = this.#clock.monotonicMs() + pauseMs;
    this.#current = { since, error, code: codeOf(cause), isTriedByEvents, cause, untilMs };
    if (isFirst) this.#log.error({ folder: this.#folder, error }, 'events cannot be stored');
    return this.#describe(cause);
  }

  /** What did not take an event to see is over. */
  endUntried(): void {
    if (this.#current?.isTriedByEvents === false) this.end();
  }

  /** An event was stored, or can be. */
  end(): void {
    if (this.#current === null) return;
    const { since } = this.#current;
    this.#current = null;
    this.#log.info({ folder: this.#folder, since }, 'events are stored again');
  }

  /** An error of ours has its own remedy. */
  #describe(cause: unknown): SpoolUnavailableError {
    const error = errorMessage(cause);
    const remedy = cause instanceof PostledgerError ? '' : '; make room or repair the disk';
    return new SpoolUnavailableError(
      `${this.#folder} takes no events (${error})${remedy}; the receiver then goes on by itself`,
      { cause },
    );
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'UNKNOWN';
}
