import type { Clock } from '../../core/clock.ts';
import type { SpoolState } from '../spool/spool-state.ts';
import type { Answer } from './answer.ts';
import type { DiskRoom } from './disk-room.ts';
import type { Gauges } from './receiver-metrics.ts';

interface HealthParts {
  readonly store: { readonly state: SpoolState };
  readonly disk: DiskRoom;
  readonly clock: Clock;
}

/** For the sender, and how long a failed try counts for more than a trial that goes well. */
const retryAfterSeconds = 5;

/** Whether events can be stored, and what waits: for whoever watches the receiver, nothing secret in it. */
export class Health {
  readonly #parts: HealthParts;
  readonly #startedAt: Date;
  #lastEventAt: Date | null = null;
  #lastFailureMs = Number.NEGATIVE_INFINITY;

  constructor(parts: HealthParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
  }

  eventStored(): void {
    this.#lastEventAt = this.#parts.clock.now();
  }

  eventFailed(): void {
    this.#lastFailureMs = this.#parts.clock.monotonicMs();
  }

  /** 200, or 503 while no event can be stored. */
  async answer(): Promise<Answer> {
    const problem = await this.#problem();
    const status = problem === null ? 'ready' : 'failing';
    const body = JSON.stringify({ status, ...problem, ...(await this.#figures()) });
    return problem === null
      ? { status: 200, body }
      : { status: 503, body, headers: { 'retry-after': String(retryAfterSeconds) } };
  }

  async gauges(): Promise<Gauges> {
    const { queued, backlog } = this.#parts.store.state;
    const [diskFreeBytes, problem] = await Promise.all([
      this.#parts.disk.freeBytes(),
      this.#problem(),
    ]);
    return {
      queued,
      backlog,
      isFailing: problem !== null,
      diskFreeBytes,
    };
  }

  /**
   * A spool that has failed notices that it works again by the next event; a health that stayed bad until
   * then would keep that event away. So a trial tells, unless events have just failed for a reason that it
   * does not meet.
   */
  async #problem(): Promise<{ error: string; since: string } | null> {
    const { failing } = this.#parts.store.state;
    if (failing === null) return null;
    const isCertain = !failing.isTriedByEvents || this.#hasJustFailed();
    const code = isCertain ? failing.code : await this.#parts.disk.writeProblem();
    if (code === null) return null;
    // no message of the system: it has paths in it
    return { error: `events cannot be stored (${code})`, since: failing.since.toISOString() };
  }

  #hasJustFailed(): boolean {
    const agoMs = this.#parts.clock.monotonicMs() - this.#lastFailureMs;
    return agoMs < retryAfterSeconds * 1000;
  }

  async #figures() {
    const { queued, backlog } = this.#parts.store.state;
    return {
      queue: queued,
      backlog,
      disk: { free_bytes: await this.#parts.disk.freeBytes() },
      started_at: this.#startedAt.toISOString(),
      last_event_at: this.#lastEventAt?.toISOString() ?? null,
    };
  }
}
