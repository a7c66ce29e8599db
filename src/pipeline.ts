import { randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import type { JobConfig, ProfileConfig } from './config/config.ts';
import { definedDeliveries } from './config/defined-deliveries.ts';
import { OtherRunError, InterruptedError, PostledgerError, UsageError } from './core/errors.ts';
import { machineProblem, problemText } from './core/machine-problem.ts';
import { addSummaries, nothingNew, type LoadSummary } from './load/load-summary.ts';
import { load } from './load/load.ts';
import type { Delivery } from './deliver/delivery.ts';
import { beginRecords, openDeliveries, outboxOf, sendDeliveries } from './pipeline/deliveries.ts';
import { renderHeld } from './pipeline/known-deliveries.ts';
import { renderJobReports } from './pipeline/job-reports.ts';
import { planNow, type PlannedJob } from './pipeline/plan-now.ts';
import type { RunTools } from './config/run-tools.ts';
import { workspacesOf, type PlanRequest, type RunIdentity } from './pipeline/run-context.ts';
import { runWorkspace, type WorkspaceOutcome } from './pipeline/workspace-run.ts';
import { slotOf } from './schedule/slot.ts';
import { createRunId } from './store/layout.ts';
import { holdRun, withWorkspaces } from './store/run-lock.ts';
import { warehouseOf } from './warehouse/warehouse.ts';

export interface ExtractOptions extends PlanRequest {
  /** The time to wait for another process at the same workspace or warehouse. */
  readonly waitMs: number;
  /** The longest time by which a warehouse in use delays reading; left out: the same. */
  readonly maxDelayMs?: number;
}

export interface RunOptions extends ExtractOptions {
  /** The profiles of the job that are read; left out: all. Its reports are about all of them either way. */
  readonly profiles?: readonly ProfileConfig[];
  /** False if the job's reports are not rendered. */
  readonly reports: boolean;
  /** True if machines with one lake share the work; left out: this machine does all of it. */
  readonly isShared?: boolean;
}

/** The result of a run. */
export type RunOutcome = Awaited<ReturnType<typeof runStages>>;

/** Other processes load for seconds at most, so a run that has read for minutes waits for them. */
const minWaitMs = 60_000;
/** Reading needs no warehouse, so it waits little for it, and less for one that was out of reach before. */
const briefWaitMs = 5_000;

/**
 * Runs a job: loads what an earlier run left, reads the windows that are due, loads them, reads the post
 * details that are due by then, loads these, and renders the job's reports. What fails for one profile or
 * report does not affect the others. While the warehouse is out of reach, what is surely due is read and stored.
 * It can be killed at any point and run again.
 * @throws OtherRunError when another run is at one of its workspaces
 * @throws InterruptedError when the signal aborts
 */
export async function runJob(
  job: JobConfig,
  options: RunOptions,
  tools: RunTools,
): Promise<RunOutcome> {
  const delivers = options.reports && definedDeliveries(job).length > 0;
  if (delivers) await beginRecords(tools);
  const run = newRun(job, tools, delivers);
  const isLoaded = ({ problem }: RunOutcome) => problem === null;
  return asRun(run, tools, () => runStages(run, options, tools), isLoaded).catch(
    async (error: unknown) => {
      throw error instanceof InterruptedError ? await loadInterruptedRun(error, tools) : error;
    },
  );
}

async function runStages(run: RunIdentity, options: RunOptions, tools: RunTools) {
  const { job } = run;
  const reading = { ...job, profiles: options.profiles ?? job.profiles };
  const newlyHeld: Delivery[] = [];
  const parts: ReadPart[] = [];
  const isLoaded = () => parts.every(({ problems }) => problems.load === null);
  const held = { newlyHeld };
  // the time that the schedule asked for, however long reading takes
  const slot = slotOf(job, tools.config.timezone, run.startedAt);
  const makeReports = options.reports
    ? async (reportTools: RunTools) =>
        isLoaded()
          ? renderJobReports(job, reportTools, { slot, deliver: outboxOf(reportTools, held) })
          : []
    : null;
  const warehouse = warehouseOf(tools.config.warehouse);
  const isShared = warehouse.isShared && options.isShared === true;
  // load what dead runs have read, before this run or another machine asks for it again
  const { waitMs, maxDelayMs = waitMs } = options;
  const earlyMs = isShared ? patienceMs(options) : Math.max(maxDelayMs, briefWaitMs);
  const loadEarly = () => loadSome({ ...run, job: reading }, earlyMs, tools);
  const leftovers = await attempt(loadEarly, () => isShared);
  const begun = new Set<string>();
  const readPart = async (part: JobConfig, partTools: RunTools, sharedSince?: Date) => {
    const request = { ...options, sharedSince };
    const workspaces = workspacesOf(part);
    const isAgain = workspaces.some((each) => begun.has(each));
    for (const each of workspaces) begun.add(each);
    if (!isAgain)
      return void parts.push(await readAndLoad({ ...run, job: part }, request, partTools));
    // this machine lost the lease and claimed it again: a new run continues where the first one stopped
    const next = { ...newRun(job, partTools, run.delivers), job: part };
    const continueRun = () => readAndLoad(next, request, partTools, run.runId);
    parts.push(await asRun(next, partTools, continueRun, ({ problems }) => problems.load === null));
  };
  const fleet = { isShared, slot: isShared ? slot.text : run.startedAt.toISOString() };
  const divide = async () => {
    const { runShards } = await import('./pipeline/fleet-run.ts');
    return runShards(reading, { ...options, ...fleet }, tools, readPart, makeReports);
  };
  const divided = warehouse.isShared
    ? await attempt(divide, (error) => isShared || error instanceof OtherRunError)
    : null;
  const isDivided = divided?.problem === null;
  if (!isDivided) await readPart(withoutRead(reading, parts), tools);
  const made = isDivided ? divided.value : await makeReports?.(tools);
  const delivers = options.reports && isLoaded();
  const again = delivers ? await renderHeld(tools, held, run.startedAt) : [];
  return {
    runId: run.runId,
    job: job.name,
    workspaces: parts.flatMap(({ workspaces }) => workspaces),
    /** What all loads of the run did together. */
    loaded: sumOfLoads([
      leftovers.value ?? nothingNew,
      parts.map(({ loaded }) => loaded).reduce(addSummaries, nothingNew),
    ]),
    reports: [...(made ?? []), ...again],
    /** The deliveries that were tried, and those that wait for days or for a person. */
    deliveries: delivers ? await deliverAll(job, tools) : [],
    /** The deliveries that are held for the first time. */
    newlyHeld,
    /** The problem that kept it from the warehouse, and its remedy. Null if there was none. */
    problem: describeProblem(parts, divided?.problem ?? null, tools),
  };
}

/** The rest of a job of which some workspaces were read. */
function withoutRead(job: JobConfig, parts: readonly ReadPart[]): JobConfig {
  const read = new Set(parts.flatMap((part) => part.workspaces.map(({ workspace }) => workspace)));
  return { ...job, profiles: job.profiles.filter(({ workspace }) => !read.has(workspace)) };
}

function describeProblem(
  parts: readonly ReadPart[],
  leaseProblem: string | null,
  { config }: RunTools,
): string | null {
  const first = (kind: 'plan' | 'load') =>
    parts.find((part) => part.problems[kind])?.problems[kind];
  const unloaded = first('load');
  if (unloaded)
    return `not loaded: ${unloaded}; what was read is in ${config.dataDir}/raw, and the next run, or \`postledger load\`, loads it`;
  const unplanned = first('plan') ?? leaseProblem;
  return unplanned === null
    ? null
    : `planned without the warehouse: ${unplanned}; the next run reads what is due besides`;
}

type Attempted<T> =
  | { readonly value: T; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/**
 * Does what needs the warehouse. A run can do without: it stores what it reads, and the next load takes that in.
 * @param isFinal returns true for an error that ends the run: machines that share it leave the rest to others
 */
async function attempt<T>(
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

async function deliverAll(job: JobConfig, tools: RunTools): Promise<Delivery[]> {
  const sent = await sendDeliveries(tools);
  const open = await openDeliveries(job, tools.config);
  const known = new Set(sent.map(({ record }) => record.id));
  return [...sent, ...open.filter(({ record }) => !known.has(record.id))];
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
  options: ExtractOptions,
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

function patienceMs({ waitMs }: ExtractOptions): number {
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
  options: ExtractOptions,
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

function asRun<T>(
  { runId, job }: RunIdentity,
  { config, clock }: RunTools,
  work: () => Promise<T>,
  isLoaded: (result: T) => boolean = () => true,
): Promise<T> {
  const run = { job: job.name, run_id: runId };
  return holdRun(run, { dataDir: config.dataDir, clock }, work, isLoaded);
}

function newRun(job: JobConfig, { clock }: RunTools, delivers: boolean): RunIdentity {
  const startedAt = clock.now();
  const runId = createRunId(startedAt, randomBytes(3).toString('hex'));
  return { runId, job, startedAt, delivers };
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

/** Loads the run, so that its status in the warehouse changes from running to interrupted. */
async function loadInterruptedRun(
  cause: InterruptedError,
  { config, clock, log }: RunTools,
): Promise<InterruptedError> {
  try {
    await load({ config, clock, log, waitMs: 0 });
  } catch (error) {
    if (!(error instanceof PostledgerError)) throw error;
    const problem = `stopped; what this run has read is in ${config.dataDir}/raw, but not loaded: ${error.message}`;
    return new InterruptedError(`${problem}; the next run, or \`postledger load\`, loads it`, {
      cause,
    });
  }
  const message =
    'stopped; what this run has read is kept and loaded: the next run continues from there';
  return new InterruptedError(message, { cause });
}
