import type { Clock } from '../core/clock.ts';

const windowMs = 60_000;
/** More wrong links a minute than a person opens. */
const maxFailures = 20;
/** The addresses that are remembered; the oldest ones are forgotten first. */
const maxAddresses = 10_000;

/** Counts the wrong links of each address in the last minute. */
export class FailedLinks {
  readonly #clock: Clock;
  readonly #byAddress = new Map<string, { startMs: number; count: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts a wrong link.
   * @returns the seconds that the sender should wait; null: it has tried few
   */
  add(address: string): number | null {
    const now = this.#clock.monotonicMs();
    const known = this.#byAddress.get(address);
    const current = known && now - known.startMs < windowMs ? known : { startMs: now, count: 0 };
    current.count += 1;
    this.#byAddress.delete(address);
    this.#byAddress.set(address, current);
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > maxAddresses && oldest !== undefined) this.#byAddress.delete(oldest);
    if (current.count <= maxFailures) return null;
    return Math.max(1, Math.ceil((current.startMs + windowMs - now) / 1000));
  }
}
