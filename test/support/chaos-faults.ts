import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { ChaosMachine } from './chaos-machine.ts';
import type { FleetService } from './fleet.ts';
import type { LakeServers } from './lake-servers.ts';

export const faultKinds = ['kill', 'stop', 'catalog', 'bucket', 'disk'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault that happened. Times are of the monotonic clock. */
export interface Fault {
  readonly kind: FaultKind;
  /** Null: it hit all machines. */
  readonly machine: string | null;
  readonly fromMs: number;
  /** Infinity while it lasts. */
  toMs: number;
}

/** A fault to make. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** The time after the beginning of the one before it. */
  readonly afterMs: number;
  /** The time until it ends; a kill needs none. */
  readonly forMs: number;
  /** Chooses one of the machines that can be hit. */
  readonly nth: number;
  /** Whether it hits a machine that is asking the service. */
  readonly isAsking: boolean;
}

const planned: fc.Arbitrary<PlannedFault> = fc.noBias(
  fc.record({
    kind: fc.constantFrom(...faultKinds, 'kill', 'kill', 'stop'),
    afterMs: fc.integer({ min: 500, max: 40_000 }),
    forMs: fc.integer({ min: 1_000, max: 45_000 }),
    nth: fc.nat({ max: 1_000 }),
    isAsking: fc.boolean(),
  }),
);

export function planFaults(seed: number, count: number): PlannedFault[] {
  return fc.sample(planned, { seed, numRuns: count });
}

/** The time for which a fault waits for a machine that it can hit. */
const choiceMs = 60_000;

export interface FaultTargets {
  readonly machines: readonly ChaosMachine[];
  readonly service: FleetService;
  readonly servers: LakeServers;
  readonly log: (line: string) => void;
  /** Ends all faults. */
  readonly signal: AbortSignal;
}

/** Makes faults, of which several may last at a time. */
export class FaultMaker {
  readonly faults: Fault[] = [];
  readonly #targets: FaultTargets;

  constructor(targets: FaultTargets) {
    this.#targets = targets;
  }

  /** Begins one after another, and waits until all are over. */
  async makeAll(faults: readonly PlannedFault[]): Promise<void> {
    const lasting: Promise<void>[] = [];
    for (const fault of faults) {
      await this.#wait(fault.afterMs);
      if (this.#targets.signal.aborted) break;
      const end = await this.#begin(fault);
      // a server comes back sooner, since nobody works without it
      const forMs =
        fault.kind === 'catalog' || fault.kind === 'bucket' ? fault.forMs / 2 : fault.forMs;
      if (end) lasting.push(this.#wait(forMs).then(end));
    }
    await Promise.all(lasting);
  }

  /** @returns what ends the fault; null if it is over, or was not possible */
  async #begin(fault: PlannedFault): Promise<(() => Promise<void>) | null> {
    const { kind } = fault;
    const { servers, machines } = this.#targets;
    switch (kind) {
      case 'kill':
      case 'stop':
        return this.#hitProcess(fault);
      case 'catalog':
        return this.#takeAway(kind, null, [
          () => servers.stopCatalog(),
          () => servers.startCatalog(),
        ]);
      case 'bucket':
        return this.#takeAway(kind, null, [() => servers.stopS3(), () => servers.startS3()]);
      case 'disk': {
        const machine = machines.find(({ hasOwnDisk }) => hasOwnDisk);
        return machine
          ? this.#takeAway(kind, machine.name, [
              () => machine.fillDisk(),
              () => machine.emptyDisk(),
            ])
          : null;
      }
    }
  }

  async #hitProcess(fault: PlannedFault): Promise<(() => Promise<void>) | null> {
    const { kind } = fault;
    const machine = await this.#choose(fault);
    if (!machine) return null;
    if (kind === 'stop') machine.stop();
    else machine.kill();
    const hit = this.#note(kind, machine.name);
    if (kind === 'kill') hit.toMs = hit.fromMs;
    if (kind === 'kill') return null;
    return () => {
      machine.resume();
      hit.toMs = performance.now();
      return Promise.resolve();
    };
  }

  /** Chooses a machine whose process runs, and asks if that is wanted; null if there is none for long. */
  async #choose({ nth, isAsking }: PlannedFault): Promise<ChaosMachine | null> {
    const { machines, service, signal } = this.#targets;
    const deadlineMs = performance.now() + choiceMs;
    while (performance.now() < deadlineMs && !signal.aborted) {
      const fit = machines.filter(
        ({ running, isStopped }) =>
          running && !isStopped && (!isAsking || service.isAsking(running.key)),
      );
      if (fit.length > 0) return fit[nth % fit.length] ?? null;
      await delay(20);
    }
    return null;
  }

  /** One such fault at a time. */
  async #takeAway(
    kind: FaultKind,
    machine: string | null,
    [begin, end]: readonly [() => Promise<void>, () => Promise<void>],
  ): Promise<(() => Promise<void>) | null> {
    if (this.faults.some((other) => other.kind === kind && other.toMs === Infinity)) return null;
    const fault = this.#note(kind, machine);
    await begin();
    return async () => {
      await end();
      fault.toMs = performance.now();
    };
  }

  #note(kind: FaultKind, machine: string | null): Fault {
    const fault = { kind, machine, fromMs: performance.now(), toMs: Infinity };
    this.faults.push(fault);
    this.#targets.log(machine === null ? kind : `${kind} ${machine}`);
    return fault;
  }

  async #wait(ms: number): Promise<void> {
    await delay(ms, null, { signal: this.#targets.signal }).catch(() => undefined);
  }
}
