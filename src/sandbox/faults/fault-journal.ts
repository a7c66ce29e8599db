import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { FaultedRequest, PlannedFault } from './fault-plan.ts';

/** A fault that a request has suffered. */
interface SufferedFault {
  /** The machine's time. */
  readonly at: string;
  readonly fault: FaultKind;
  readonly method: string;
  /** Below the API's base path. */
  readonly path: string;
  /** How many times this very request had come. */
  readonly nth: number;
}

const mostEntries = 1_000;

/** What was done to whom, so that no fault of the sandbox is taken for one of the client. */
export class FaultJournal {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #counts: Partial<Record<FaultKind, number>> = {};
  #entries: SufferedFault[] = [];

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  get counts(): Readonly<Partial<Record<FaultKind, number>>> {
    return this.#counts;
  }

  /** The last thousand, oldest first. */
  get entries(): readonly SufferedFault[] {
    return this.#entries;
  }

  record({ method, path }: FaultedRequest, { kind, nth }: PlannedFault): void {
    const entry = { fault: kind, method, path, nth };
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    this.#entries = [...this.#entries, { at: this.#clock.now().toISOString(), ...entry }].slice(
      -mostEntries,
    );
    this.#log.warn(entry, 'fault injected');
  }
}
