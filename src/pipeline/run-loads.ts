import pLimit from 'p-limit';
import { load, type LoadSummary } from '../load/load.ts';
import type { EventOutcomes } from '../load/load-events.ts';
import type { RunIdentity, RunTools } from './workspace-run.ts';

/** Other processes load for seconds at most: a run that has read for minutes waits for them. */
const leastWaitMs = 60_000;

/** The loads of one run, one after another, and what they did together. */
export class RunLoads {
  readonly #run: RunIdentity;
  readonly #waitMs: number;
  readonly #tools: RunTools;
  readonly #oneAtATime = pLimit(1);
  #total: LoadSummary | null = null;

  constructor(run: RunIdentity, waitMs: number, tools: RunTools) {
    this.#run = run;
    this.#waitMs = Math.max(waitMs, leastWaitMs);
    this.#tools = tools;
  }

  /** Loads what the raw store holds by now, of this run too. */
  async load(): Promise<void> {
    await this.#oneAtATime(async () => {
      const { config, clock, log, signal } = this.#tools;
      const summary = await load({
        config,
        clock,
        log,
        ownRunId: this.#run.runId,
        waitMs: this.#waitMs,
        signal,
      });
      this.#total = this.#total ? addSummaries(this.#total, summary) : summary;
    });
  }

  /** Over all loads so far. @throws before the first */
  get total(): LoadSummary {
    if (!this.#total) throw new RangeError('nothing was loaded yet');
    return this.#total;
  }
}

function addSummaries(a: LoadSummary, b: LoadSummary): LoadSummary {
  return {
    responses: a.responses + b.responses,
    postsRead: a.postsRead + b.postsRead,
    posts: {
      new: a.posts.new + b.posts.new,
      changed: a.posts.changed + b.posts.changed,
      unchanged: a.posts.unchanged + b.posts.unchanged,
    },
    rejected: a.rejected + b.rejected,
    unknownTypes: [...new Set([...a.unknownTypes, ...b.unknownTypes])].sort(),
    warnings: [...a.warnings, ...b.warnings],
    events: addEvents(a.events, b.events),
    damaged: b.damaged,
    inProgress: b.inProgress,
    isPublished: a.isPublished || b.isPublished,
  };
}

function addEvents(a: EventOutcomes, b: EventOutcomes): EventOutcomes {
  return {
    applied: a.applied + b.applied,
    kept: a.kept + b.kept,
    rejected: a.rejected + b.rejected,
  };
}
