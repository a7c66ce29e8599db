import pLimit from 'p-limit';
import type { JobConfig } from '../config/config.ts';
import type { RunTools } from '../config/run-tools.ts';
import { InterruptedError, PostledgerError, UsageError } from '../core/errors.ts';
import { machineProblem, problemText } from '../core/machine-problem.ts';
import { addSummaries, nothingNew, type LoadSummary } from '../load/load-summary.ts';
import { load } from '../load/load.ts';
import { withWorkspaces } from '../store/run-lock.ts';
import { planNow, type PlannedJob } from './plan-now.ts';
import { asRun, newRun, workspacesOf, type PlanRequest, type RunIdentity } from './run-context.ts';
import { runWorkspace, type WorkspaceOutcome } from './workspace-run.ts';

export interface ReadingOptions extends PlanRequest {
  /** The time to wait for another process at the same workspace or warehouse. */
  readonly waitMs: number;
  /** The longest time by which a warehouse in use delays reading; left out: the same. */
  readonly maxDelayMs?: number;
}

/** Other processes load for seconds at most, so a run that has read for minutes waits for them. */
const minWaitMs = 60_000;
/** Reading needs no warehouse, so it waits little for it, and less for one that was out of reach before. */
export const briefWaitMs = 5_000;

/** The parts of a run that one machine does alone, or several do together. */
export interface RunStages<Made> {
  readonly reading: JobReading;
  /** The scheduled time that the run is for. */
  readonly slot: string;
  /** Null where no reports are wanted. */
  readonly renderReports: ((tools: RunTools) => Promise<Made>) | null;
}

/** One reading of some of the job's workspaces. */
interface Turn {
  /** The scheduled time, if machines share the run: what the warehouse lacks is then left to others. */
  readonly sharedSince?: Date | undefined;
  /** True if an earlier turn has begun to read them: a new run continues where that one stopped. */
  readonly isAgain?: boolean;
}

/**
 * What a run reads and loads of its job, in one part or in several. It does without the warehouse while that is out of
 * reach, and then has a problem.
 */
export class JobReading {
  readonly #run: RunIdentity;
  readonly #options: ReadingOptions;
  readonly #tools: RunTools;
  readonly #parts: ReadPart[] = [];
  #leftovers: LoadSummary = nothingNew;
  #undivided: string | null = null;

  /** @param run its job has the profiles that are read */
  constructor(run: RunIdentity, options: ReadingOptions, tools: RunTools) {
    this.#run = run;
    this.#options = options;
    this.#tools = tools;
  }

  get job(): JobConfig {
    return this.#run.job;
  }

  /** False if the last load of any part failed. */
  get isLoaded(): boolean {
    return this.#parts.every(({ problems }) => problems.load === null);
  }

  get workspaces(): WorkspaceOutcome[] {
    return this.#parts.flatMap(({ workspaces }) => workspaces);
  }

  /** What all loads did together. */
  get loaded(): LoadSummary {
    const parts = this.#parts.map(({ loaded }) => loaded);
    return sumOfLoads([this.#leftovers, parts.reduce(addSummaries, nothingNew)]);
  }

  /** What kept it from the warehouse, with its remedy. Null if nothing did. */
  get problem(): string | null {
    const first = (kind: 'plan' | 'load') =>
      this.#parts.find((part) => part.problems[kind])?.problems[kind];
    const unloaded = first('load');
    if (unloaded)
      return `not loaded: ${unloaded}; what was read is in ${this.#tools.config.dataDir}/raw, and the next run, or \`postledger load\`, loads it`;
    const unplanned = first('plan') ?? this.#undivided;
    return unplanned === null
      ? null
      : `planned without the warehouse: ${unplanned}; the next run reads what is due besides`;
  }

  /**
   * Loads what dead runs have read, before anybody asks for it again.
   * @param isFinal true if a warehouse out of reach ends the run
   */
  async loadLeftovers(waitMs: number, isFinal = false): Promise<void> {
    const loaded = await attempt(
      () => loadSome(this.#run, waitMs, this.#tools),
      () => isFinal,
    );
    this.#leftovers = loaded.value ?? nothingNew;
  }

  /** Reads and loads some workspaces of the job. @param part the job with their profiles */
  async read(part: JobConfig, tools: RunTools, { sharedSince, isAgain }: Turn = {}): Promise<void> {
    const request = { ...this.#options, sharedSince };
    if (!isAgain) {
      this.#parts.push(await readAndLoad({ ...this.#run, job: part }, request, tools));
      return;
    }
    const next = newRun(part, tools, this.#run.delivers);
    const continueRun = () => readAndLoad(next, request, tools, this.#run.runId);
    const isLoaded = ({ problems }: ReadPart) => problems.load === null;
    this.#parts.push(await asRun(next, tools, continueRun, isLoaded));
  }

  /** Reads and loads the workspaces that were not read yet. @param problem what kept others from sharing them */
  async readRest(problem: string, tools: RunTools): Promise<void> {
    this.#undivided = problem;
    const read = new Set(this.workspaces.map(({ workspace }) => workspace));
    const profiles = this.job.profiles.filter(({ workspace }) => !read.has(workspace));
    await this.read({ ...this.job, profiles }, tools);
  }
}

interface ReadPart {
  readonly workspaces: readonly WorkspaceOutcome[];
  /** Over all of its loads. */
  readonly loaded: LoadSummary;
  /** What kept it from the warehouse when it planned, and when it loaded last. */
  readonly problems: Readonly<Record<'plan' | 'load', string | null>>;
}

/**
 * Reads and loads the workspaces of the run's job.
 * @param endedRunId an earlier run of this process that had begun to read them
 */
async function readAndLoad(
  run: RunIdentity,
  options: ReadingOptions,
  tools: RunTools,
  endedRunId?: string,
): Promise<ReadPart> {
  const loads: LoadSummary[] = [];
  const problems: Record<'plan' | 'load', string | null> = { plan: null, load: null };
  const isFinal = () => options.sharedSince !== undefined;
  const oneAtATime = pLimit(1);
  const loadRun = () =>
    oneAtATime(async () => {
      const waitMs = (problems.plan ?? problems.load) ? briefWaitMs : patienceMs(options);
      const loaded = await attempt(() => loadSome(run, waitMs, tools, endedRunId), isFinal);
      if (loaded.value) loads.push(loaded.value);
      problems.load = loaded.problem;
    });
  const plan = async () => {
    const planned = await attempt(() => planNow([run.job], options, tools), isFinal);
    if (planned.value) return planned.value;
    problems.plan = planned.problem;
    tools.log.warn({}, `reading what is surely due, without the warehouse: ${planned.problem}`);
    return planNow([run.job], { ...options, isWithoutWarehouse: true }, tools);
  };
  const workspaces = await withExtractionLocks(run, options.waitMs, tools, async () => {
    const read = await readWorkspaces(run, tools, plan, loadRun);
    await loadRun();
    return read;
  });
  return { workspaces, loaded: sumOfLoads(loads), problems };
}

/** How long a load waits for another process. */
export function patienceMs({ waitMs }: Pick<ReadingOptions, 'waitMs'>): number {
  return Math.max(waitMs, minWaitMs);
}

/** Loads the run folders of the run's workspaces. */
function loadSome(
  { runId, job }: RunIdentity,
  waitMs: number,
  tools: RunTools,
  endedRunId?: string,
): Promise<LoadSummary> {
  const workspaces = workspacesOf(job);
  return load({ ...tools, workspaces, ownRunId: runId, endedRunId, waitMs });
}

/** Adds up loads. Each of them counts again what is damaged or under way. */
function sumOfLoads(loads: readonly LoadSummary[]): LoadSummary {
  const most = (key: 'damaged' | 'inProgress') => Math.max(0, ...loads.map((each) => each[key]));
  const sum = loads.reduce(addSummaries, nothingNew);
  return { ...sum, damaged: most('damaged'), inProgress: most('inProgress') };
}

/**
 * Reads what is due into the raw store, for the next load: the details of posts that are loaded already, too.
 * @throws OtherRunError when another run is at one of the job's workspaces
 * @throws InterruptedError when the signal aborts
 */
export async function extractJob(
  job: JobConfig,
  options: ReadingOptions,
  tools: RunTools,
): Promise<WorkspaceOutcome[]> {
  const run = newRun(job, tools, false);
  const plan = () => planNow([job], options, tools);
  return asRun(run, tools, () =>
    withExtractionLocks(run, options.waitMs, tools, () =>
      readWorkspaces(run, tools, plan, () => Promise.resolve()),
    ),
  );
}

/** Does the work while no other process reads for any of the job's workspaces. @throws OtherRunError */
function withExtractionLocks<T>(
  { job }: RunIdentity,
  waitMs: number,
  { config: { dataDir }, clock, signal }: RunTools,
  work: () => Promise<T>,
): Promise<T> {
  const purpose = `running the job ${job.name} for`;
  return withWorkspaces(workspacesOf(job), { dataDir, purpose, waitMs, clock, signal }, work);
}

/**
 * Workspaces have budgets of their own, so none waits for another.
 * @param loadWindows loads what was read so far, so that the details of new posts are due
 */
async function readWorkspaces(
  run: RunIdentity,
  tools: RunTools,
  planJobs: () => Promise<PlannedJob[]>,
  loadWindows: () => Promise<void>,
): Promise<WorkspaceOutcome[]> {
  const plan = async () => (await planJobs()).flatMap(({ workspaces }) => workspaces);
  const plans = await plan();
  const planByNow = coalesce(async () => {
    await loadWindows();
    return plan();
  });
  const dueDetails = async (workspace: string) =>
    (await planByNow()).find((plan) => plan.workspace === workspace)?.details ?? [];
  const running = plans.map((each) =>
    runWorkspace(run, each, tools, () => dueDetails(each.workspace)),
  );
  // nothing is left running when one fails
  await Promise.allSettled(running);
  return Promise.all(running);
}

/** One at a time: those who ask while it is under way share the next one. */
function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  const oneAtATime = pLimit(1);
  let next: Promise<T> | null = null;
  const begin = () => {
    next = null;
    return work();
  };
  return () => (next ??= oneAtATime(begin));
}

type Attempted<T> =
  | { readonly value: T; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/**
 * Does what needs the warehouse. A run can do without: it stores what it reads, and the next load takes that in.
 * @param isFinal returns true for an error that ends the run: machines that share it leave the rest to others
 */
export async function attempt<T>(
  work: () => Promise<T>,
  isFinal: (error: unknown) => boolean,
): Promise<Attempted<T>> {
  try {
    return { value: await work(), problem: null };
  } catch (error) {
    const isExpected = error instanceof PostledgerError || machineProblem(error) !== null;
    const isAsked = error instanceof InterruptedError || error instanceof UsageError;
    if (!isExpected || isAsked || isFinal(error)) throw error;
    return { value: null, problem: problemText(error) };
  }
}
