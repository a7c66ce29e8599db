import type { ClientWait } from '../api/call-runner.ts';
import type { Clock } from '../core/clock.ts';

/** Adds up how long a workspace's requests were held back. A pause before a retry holds back no other. */
export class WaitMeter {
  readonly #clock: Clock;
  #sinceMs: number | null = null;
  #totalMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param wait what begins; null: what was waited for has come */
  see(wait: ClientWait | null): void {
    if (wait?.reason === 'retry') return;
    const nowMs = this.#clock.monotonicMs();
    if (this.#sinceMs !== null) this.#totalMs += nowMs - this.#sinceMs;
    this.#sinceMs = wait ? nowMs : null;
  }

  get totalMs(): number {
    return this.#totalMs;
  }
}
