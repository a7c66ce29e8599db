import type { Clock } from '../../core/clock.ts';

/** Aborts its signal after a time, unless that was lifted or the parent's signal aborts first. */
export class TimeLimit {
  readonly #lifted = new AbortController();
  readonly #over = new AbortController();
  readonly signal: AbortSignal = this.#over.signal;

  constructor(ms: number, clock: Clock, parent: AbortSignal) {
    const sleep = clock.sleep(ms, AbortSignal.any([this.#lifted.signal, parent]));
    sleep.then(
      () => this.#over.abort(),
      () => this.#lifted.abort(),
    );
  }

  lift(): void {
    this.#lifted.abort();
  }
}
