/** One measured piece of work: so many of so many `unit`s. */
export interface ProgressTask {
  advance(count?: number): void;
  /** More work was found while working. */
  grow(count: number): void;
  /** Says what the work is waiting for, for example `rate limit, 12 s`; null when it goes on. */
  waiting(reason: string | null): void;
  finish(): void;
}

/** Shows how far the work is: bars with rate and ETA on a terminal, nothing elsewhere. */
export interface Progress {
  /** @param name what is worked on, for example a workspace; @param unit plural, for example `requests` */
  task(name: string, total: number, unit: string): ProgressTask;
  close(): void;
}

const silentTask: ProgressTask = {
  advance: () => undefined,
  grow: () => undefined,
  waiting: () => undefined,
  finish: () => undefined,
};

export const silentProgress: Progress = { task: () => silentTask, close: () => undefined };
