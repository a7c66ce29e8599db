import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Pace, Progress, ProgressTask, Wait } from './progress.ts';
import { terminalLine } from './terminal-text.ts';

const logEveryMs = 60_000;

/** Writes a log line when a task begins and ends, and at most one a minute in between. */
export function createLogProgress(log: Log, clock: Clock): Progress {
  const task: Progress['task'] = (name, total, unit, limit) => {
    let lastLineMs = clock.monotonicMs();
    const meter = new WorkMeter({ name, total, unit, limit }, clock, () => {
      if (meter.isFinished) log.info({}, `${meter.name}: ${meter.result}`);
      if (meter.isFinished || clock.monotonicMs() - lastLineMs < logEveryMs) return;
      lastLineMs = clock.monotonicMs();
      log.info({}, `${meter.name}: ${[meter.progress, ...meter.pace].join(', ')}`);
    });
    log.info({}, `${meter.name}: ${meter.work} to do`);
    return meter;
  };
  return { task, close: () => undefined };
}

/** Counts the work of a task and describes its progress in words. */
export class WorkMeter implements ProgressTask {
  readonly name: string;
  readonly #unit: string;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #startedMs: number;
  #finishedMs: number | null = null;
  #total: number;
  #done = 0;
  readonly #limit: Pace | null;
  #wait: { readonly reason: string; readonly untilMs: number } | null = null;

  /** @param onChange is called when work is done, and when the task waits or ends */
  constructor(
    task: { name: string; total: number; unit: string; limit?: Pace | undefined },
    clock: Clock,
    onChange: () => void = () => undefined,
  ) {
    this.name = terminalLine(task.name);
    this.#unit = terminalLine(task.unit);
    this.#total = task.total;
    this.#limit = task.limit ?? null;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#startedMs = clock.monotonicMs();
  }

  advance(count = 1): void {
    this.#done += count;
    this.#onChange();
  }

  grow(count: number): void {
    this.#total += count;
  }

  waiting(wait: Wait | null): void {
    this.#wait = wait && {
      reason: terminalLine(wait.reason),
      untilMs: this.#clock.monotonicMs() + wait.ms,
    };
    this.#onChange();
  }

  finish(): void {
    if (this.isFinished) return;
    this.#finishedMs = this.#clock.monotonicMs();
    this.#wait = null;
    this.#onChange();
  }

  get isFinished(): boolean {
    return this.#finishedMs !== null;
  }

  /** The share of the work that is done, from 0 to 1. */
  get share(): number {
    if (this.#total <= 0) return this.isFinished ? 1 : 0;
    return Math.min(1, this.#done / this.#total);
  }

  /** The total work, for example `1,204 requests`. */
  get work(): string {
    return `${count(this.#total)} ${this.#unit}`;
  }

  /** The work done so far, for example `512 of 1,204 requests`. */
  get progress(): string {
    return `${count(this.#done)} of ${this.work}`;
  }

  /** The work done and its time, for example `512 requests in 5 min 20 s`. */
  get result(): string {
    return `${count(this.#done)} ${this.#unit} in ${duration(this.#elapsedSeconds)}`;
  }

  /** The rate (`1.6/s`), the remaining time and the reason of a wait, as far as they are known. */
  get pace(): string[] {
    const rate = this.#done / this.#elapsedSeconds;
    const isKnown = this.#done > 0 && Number.isFinite(rate);
    const left = this.#total - this.#done;
    return [
      ...(isKnown ? [rateWords(rate)] : []),
      ...(isKnown && left > 0 ? [`${duration(this.#secondsLeft(left, rate))} left`] : []),
      ...(this.#wait ? [`waits ${duration(this.#waitSeconds)} for ${this.#wait.reason}`] : []),
    ];
  }

  /** Estimates the remaining time by the pace so far, but not below the time that the limit requires. */
  #secondsLeft(left: number, rate: number): number {
    const { count: most, perSeconds } = this.#limit ?? { count: left, perSeconds: 0 };
    const limited = this.#waitSeconds + Math.floor((left - 1) / most) * perSeconds;
    return Math.ceil(Math.max(left / rate, limited));
  }

  get #waitSeconds(): number {
    if (!this.#wait) return 0;
    return Math.max(0, Math.ceil((this.#wait.untilMs - this.#clock.monotonicMs()) / 1000));
  }

  get #elapsedSeconds(): number {
    return ((this.#finishedMs ?? this.#clock.monotonicMs()) - this.#startedMs) / 1000;
  }
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `4.2 s`, `1 min 20 s`, `2 h 5 min`. */
function duration(seconds: number): string {
  if (Math.round(seconds * 10) < 600) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

function rateWords(perSecond: number): string {
  const [rate, unit] = perSecond >= 1 ? [perSecond, 's'] : [perSecond * 60, 'min'];
  return `${rate < 100 ? rate.toFixed(1) : count(rate)}/${unit}`;
}
