import type { Clock } from '../../core/clock.ts';
import { PostledgerError, errorMessage } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { SpoolUnavailableError } from './spool-errors.ts';

/** Between two tries to store an event while the disk is full or broken. */
const pauseMs = 1_000;

/** The time in which events cannot be stored, from a first failure to the next success. */
export class Outage {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  #current: { since: Date; error: string; code: string; cause: unknown; untilMs: number } | null =
    null;

  constructor(folder: string, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
  }

  get state(): { since: Date; error: string; code: string } | null {
    if (this.#current === null) return null;
    const { since, error, code } = this.#current;
    return { since, error, code };
  }

  /** What senders are told at once, without a try; null when it is time for one. */
  get refusal(): SpoolUnavailableError | null {
    if (this.#current === null || this.#clock.monotonicMs() >= this.#current.untilMs) return null;
    return this.#describe(this.#current.cause);
  }

  /** @returns what the senders of the events are told that could not be stored */
  begin(cause: unknown): SpoolUnavailableError {
    const error = errorMessage(cause);
    const code = codeOf(cause);
    const untilMs = this.#clock.monotonicMs() + pauseMs;
    if (this.#current === null) {
      this.#log.error({ folder: this.#folder, error }, 'events cannot be stored');
    }
    this.#current = {
      since: this.#current?.since ?? this.#clock.now(),
      error,
      code,
      cause,
      untilMs,
    };
    return this.#describe(cause);
  }

  /** An event was stored. */
  end(): void {
    if (this.#current === null) return;
    this.#log.info({ folder: this.#folder, since: this.#current.since }, 'events are stored again');
    this.#current = null;
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
