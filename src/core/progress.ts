/** What work is held up by, and for how long as far as is known. */
export interface Wait {
  /** For example `rate limit`. */
  readonly reason: string;
  readonly ms: number;
}

/** No faster than `count` units in any interval of so many seconds. */
export interface Pace {
  readonly count: number;
  readonly perSeconds: number;
}

/** One measured piece of work: so many of so many `unit`s. */
export interface ProgressTask {
  advance(count?: number): void;
  /** More work was found while working. */
  grow(count: number): void;
  /** Says what the work is waiting for; null when it goes on. */
  waiting(wait: Wait | null): void;
  finish(): void;
}

/** Shows how far the work is: bars with rate and ETA on a terminal, nothing elsewhere. */
export interface Progress {
  /**
   * @param name what is worked on, for example a workspace
   * @param unit plural, for example `requests`
   * @param limit how fast it may go, so that the time left is not estimated too short
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
