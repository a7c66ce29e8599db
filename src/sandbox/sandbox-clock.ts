import { dayMs } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';

/** The service's own clock, which runs like the given clock and can be moved. */
export class SandboxClock {
  readonly #clock: Clock;
  #offsetMs = 0;

  constructor(clock: Clock, start: Date = clock.now()) {
    this.#clock = clock;
    this.moveTo(start);
  }

  now(): Date {
    return new Date(this.#clock.now().getTime() + this.#offsetMs);
  }

  moveTo(instant: Date): void {
    this.#offsetMs = instant.getTime() - this.#clock.now().getTime();
  }

  /** The instant so many days of 24 hours from now, or before now for a negative count. */
  inDays(count: number): Date {
    return new Date(this.now().getTime() + count * dayMs);
  }
}
