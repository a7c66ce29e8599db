import type { Config, JobConfig } from '../config/config.ts';
import { OtherRunError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import type { FleetRun, Lease, Leases } from '../warehouse/leases.ts';
import { warehouseOf } from '../warehouse/warehouse.ts';
import type { RunTools } from '../config/run-tools.ts';
import { attempt, briefWaitMs, patienceMs, type RunStages } from './job-reading.ts';
import { workspacesOf } from './run-context.ts';

/** The division of a job among machines that share a lake. */
export interface FleetOptions {
  /** True if the work of the job's scheduled time is shared with others; else all of it is done now. */
  readonly isShared: boolean;
  /** The scheduled time, by which machines know the work that they share; the start of a run that shares none. */
  readonly slot: string;
  readonly waitMs: number;
}

/** Workspaces that are read, and loaded, at a time. */
const workspacesAtOnce = 50;
const pollMs = 5_000;

/**
 * Does the stages of a run whose warehouse is a lake. A lake out of reach ends a run that is shared, which leaves the
 * rest to others; any other run reads without it.
 * @param options `isShared` as of {@link FleetOptions}; `maxDelayMs` the longest time by which a lake in use delays reading
 * @returns null if others make the reports, or nobody does
 * @throws OtherRunError, InterruptedError as {@link runShards}
 */
export async function readAndRenderByShards<Made>(
  { reading, slot, renderReports }: RunStages<Made>,
  {
    isShared = false,
    waitMs,
    maxDelayMs = waitMs,
  }: { readonly isShared?: boolean; readonly waitMs: number; readonly maxDelayMs?: number },
  tools: RunTools,
): Promise<Made | null> {
  const earlyMs = isShared ? patienceMs({ waitMs }) : Math.max(maxDelayMs, briefWaitMs);
  await reading.loadLeftovers(earlyMs, isShared);
  const begun = new Set<string>();
  const readPart = async (part: JobConfig, partTools: RunTools, sharedSince?: Date) => {
    const workspaces = workspacesOf(part);
    // this machine lost the lease and claimed it again
    const isAgain = workspaces.some((each) => begun.has(each));
    for (const each of workspaces) begun.add(each);
    await reading.read(part, partTools, { sharedSince, isAgain });
  };
  const fleet = { isShared, waitMs, slot: isShared ? slot : tools.clock.now().toISOString() };
  const divided = await attempt(
    () => runShards(reading.job, fleet, tools, readPart, renderReports),
    (error) => isShared || error instanceof OtherRunError,
  );
  if (divided.problem === null) return divided.value;
  await reading.readRest(divided.problem, tools);
  return (await renderReports?.(tools)) ?? null;
}

/**
 * Reads and loads a job by shards, each under its lease, so that no two machines ask one workspace at a time. Whoever
 * finds that all shards are done makes the reports, once.
 * @param readPart reads and loads some workspaces of the job; it is given the scheduled time if that is shared
 * @param makeReports null where none are wanted
 * @throws OtherRunError when another machine is at a shard that this one should do, for longer than `waitMs`
 * @throws InterruptedError when the signal aborts
 */
export async function runShards<Made>(
  job: JobConfig,
  options: FleetOptions,
  tools: RunTools,
  readPart: (part: JobConfig, tools: RunTools, sharedSince?: Date) => Promise<void>,
  makeReports: ((tools: RunTools) => Promise<Made>) | null,
): Promise<Made | null> {
  const { config, clock, log } = tools;
  const warehouse = warehouseOf(config.warehouse);
  const shards = [...new Set(workspacesOf(job).map(warehouse.shardOf))];
  const run = { job: job.name, slot: options.slot };
  const leases = await warehouse.openLeases({ dataDir: config.dataDir, clock, log });
  const sharedSince = options.isShared ? new Date(options.slot) : undefined;
  const waitForOthers = waitingFor(options, tools);
  const readShard = async (lease: Lease, leased: RunTools) => {
    const workspaces = workspacesOf(job).filter(
      (each) => readLease(warehouse.shardOf(each)) === lease.name,
    );
    await clock.sleep(remainingIntervalMs(lease, workspaces, config), leased.signal);
    for (let at = 0; at < workspaces.length; at += workspacesAtOnce) {
      const some = new Set(workspaces.slice(at, at + workspacesAtOnce));
      const profiles = job.profiles.filter(({ workspace }) => some.has(workspace));
      await readPart({ ...job, profiles }, leased, sharedSince);
    }
  };
  try {
    const reading = { leases, run, waitForOthers, tools };
    while (await doUnderLease(shards.map(readLease), reading, readShard));
    const left = await leases.unfinished(shards.map(readLease), run);
    if (left.length > 0 || makeReports === null) return null;
    let made: Made | null = null;
    const makeOnce = async (_: Lease, leased: RunTools) => void (made = await makeReports(leased));
    while (await doUnderLease([`reports ${run.job}`], reading, makeOnce));
    return made;
  } finally {
    await leases.close();
  }
}

function readLease(shard: string): string {
  return `read ${shard}`;
}

interface Sharing {
  readonly leases: Leases;
  readonly run: FleetRun;
  /** Waits while others hold all that is left. */
  readonly waitForOthers: ReturnType<typeof waitingFor>;
  readonly tools: RunTools;
}

/**
 * Does one piece of work that the run has not finished, under its lease; one that is lost is left to others.
 * @returns whether there may be more
 */
async function doUnderLease(
  names: readonly string[],
  { leases, run, waitForOthers, tools }: Sharing,
  work: (lease: Lease, leased: RunTools) => Promise<void>,
): Promise<boolean> {
  const lease = await leases.claim(names, run);
  if (!lease) {
    const left = await leases.unfinished(names, run);
    if (left.length > 0) await waitForOthers(left);
    return left.length > 0;
  }
  const { log, signal } = tools;
  try {
    const leased = AbortSignal.any([signal, lease.signal]);
    await work(lease, { ...tools, clock: lease.clock, signal: leased });
    if (!lease.signal.aborted) await leases.finish(lease.name, run);
  } catch (error) {
    if (!lease.signal.aborted || signal.aborted) throw error;
    log.warn({ work: lease.name }, `${lease.name} is left to others: ${problemText(error)}`);
  } finally {
    await lease.release();
  }
  return true;
}

/** Another machine has the budget of what it sent: it counts for as long as the limit's interval. */
function remainingIntervalMs(
  { idleMs }: Lease,
  workspaces: readonly string[],
  config: Config,
): number {
  if (idleMs === null) return 0;
  const seconds = workspaces.map((key) => config.workspaces.get(key)?.rateLimit.perSeconds ?? 0);
  return Math.max(0, 1020 * Math.max(...seconds) - idleMs);
}

type LeftWork = Awaited<ReturnType<Leases['unfinished']>>[number];

/** Whoever shares the work waits for the others, since one of them may die. */
function waitingFor({ isShared, waitMs }: FleetOptions, { clock, signal }: RunTools) {
  const deadline = clock.monotonicMs() + waitMs;
  return async (left: readonly LeftWork[]) => {
    if (!isShared && clock.monotonicMs() >= deadline) {
      const names = left.map(({ name, host }) => `${name} (${host ?? 'free by now'})`).join(', ');
      throw new OtherRunError(
        `other machines hold what is left: ${names}; run it again, or with --wait`,
      );
    }
    await clock.sleep(pollMs, signal);
  };
}
