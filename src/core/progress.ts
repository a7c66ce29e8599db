/** The reason that work has to wait, and the expected time. */
export interface Wait {
  /** A noun, for example `rate limit`. */
  readonly reason: string;
  readonly ms: number;
}

/** A maximum pace: `count` units in any interval of `perSeconds`. */
export interface Pace {
  readonly count: number;
  readonly perSeconds: number;
}

/** A piece of work whose progress is counted in units. */
export interface ProgressTask {
  advance(count?: number): void;
  /** Adds work that was found while working. */
  grow(count: number): void;
  /** Reports what the work is waiting for, or null when it goes on. */
  waiting(wait: Wait | null): void;
  finish(): void;
}

/** Shows the progress of work: bars with rate and remaining time on a terminal, and lines in a log. */
export interface Progress {
  /**
   * @param name the object of the work, for example a workspace
   * @param unit a plural, for example `requests`
   * @param limit the maximum pace, so that the remaining time is not estimated too short
   */
  task(name: string, total: number, unit: string, limit?: Pace): ProgressTask;
  close(): void;
}

const silentTask: ProgressTask = {
  advance: () => undefined,
  grow: () => undefined,
  waiting: () => undefined,
  finish: () => undefined,
};

export const silentProgress: Progress = { task: () => silentTask, close: () => undefined };
