import type { Clock } from '../../core/clock.ts';
import { errorMessage } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { SpoolUnavailableError } from './spool-errors.ts';

/** Between two tries to store an event while the disk is full or broken. */
const pauseMs = 1_000;

/** The time in which events cannot be stored, from a first failure to the next success. */
export class Outage {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  #current: { since: Date; error: string; untilMs: number } | null = null;

  constructor(folder: string, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
  }

  get state(): { since: Date; error: string } | null {
    return this.#current && { since: this.#current.since, error: this.#current.error };
  }

  /** What senders are told at once, without a try; null when it is time for one. */
  get refusal(): SpoolUnavailableError | null {
    if (this.#current === null || this.#clock.monotonicMs() >= this.#current.untilMs) return null;
    return this.#describe(this.#current.error);
  }

  /** @returns what the senders of the events are told that could not be stored */
  begin(cause: unknown): SpoolUnavailableError {
    const error = errorMessage(cause);
    const untilMs = this.#clock.monotonicMs() + pauseMs;
    if (this.#current === null) {
      this.#log.error({ folder: this.#folder, error }, 'events cannot be stored');
    }
    this.#current = { since: this.#current?.since ?? this.#clock.now(), error, untilMs };
    return this.#describe(error, { cause });
  }

  /** An event was stored. */
  end(): void {
    if (this.#current === null) return;
    this.#log.info({ folder: this.#folder, since: this.#current.since }, 'events are stored again');
    this.#current = null;
  }

  #describe(error: string, options?: ErrorOptions): SpoolUnavailableError {
    return new SpoolUnavailableError(
      `${this.#folder} takes no events (${error}); make room or repair the disk, the receiver then goes on by itself`,
      options,
    );
  }
}
