import type { JobConfig, ProfileConfig } from './config/config.ts';
import { definedDeliveries } from './config/defined-deliveries.ts';
import { InterruptedError, PostledgerError } from './core/errors.ts';
import { load } from './load/load.ts';
import type { Delivery } from './deliver/delivery.ts';
import { beginRecords, offer, openDeliveries, sendDeliveries } from './pipeline/deliveries.ts';
import { renderJob } from './pipeline/job-deliveries.ts';
import { renderHeld } from './pipeline/known-deliveries.ts';
import {
  briefWaitMs,
  JobReading,
  type ReadingOptions,
  type RunStages,
} from './pipeline/job-reading.ts';
import type { RunTools } from './config/run-tools.ts';
import { asRun, newRun, type RunIdentity } from './pipeline/run-context.ts';
import { slotOf } from './schedule/slot.ts';
import { warehouseOf } from './warehouse/warehouse.ts';

export interface RunOptions extends ReadingOptions {
  /** The profiles of the job that are read; left out: all. Its reports are about all of them either way. */
  readonly profiles?: readonly ProfileConfig[];
  /** False if the job's reports are not rendered. */
  readonly reports: boolean;
  /** True if machines with one lake share the work; left out: this machine does all of it. */
  readonly isShared?: boolean;
}

/** The result of a run. */
export type RunOutcome = Awaited<ReturnType<typeof runStages>>;

/**
 * Runs a job: loads what an earlier run left, reads the windows that are due, loads them, reads the post
 * details that are due by then, loads these, and renders and delivers the job's reports. What fails for one profile or
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
  const newlyHeld: Delivery[] = [];
  const held = { newlyHeld };
  // the time that the schedule asked for, however long reading takes
  const slot = slotOf(job, tools.config.timezone, run.startedAt);
  const reading = new JobReading(
    { ...run, job: { ...job, profiles: options.profiles ?? job.profiles } },
    options,
    tools,
  );
  const renderReports = async (reportTools: RunTools) =>
    reading.isLoaded
      ? renderJob(job, slot, reportTools, (delivery) => offer(delivery, reportTools, held))
      : [];
  const stages = {
    reading,
    slot: slot.text,
    renderReports: options.reports ? renderReports : null,
  };
  const readAndRender = warehouseOf(tools.config.warehouse).isShared
    ? (await import('./pipeline/fleet-run.ts')).readAndRenderByShards
    : readAndRenderAlone;
  const made = await readAndRender(stages, options, tools);
  const delivers = options.reports && reading.isLoaded;
  const again = delivers ? await renderHeld(tools, held, run.startedAt) : [];
  return {
    runId: run.runId,
    job: job.name,
    workspaces: reading.workspaces,
    /** What all loads of the run did together. */
    loaded: reading.loaded,
    reports: [...(made ?? []), ...again],
    /** The deliveries that were tried, and those that wait for days or for a person. */
    deliveries: delivers ? await deliverAll(job, tools) : [],
    /** The deliveries that are held for the first time. */
    newlyHeld,
    /** The problem that kept it from the warehouse, and its remedy. Null if there was none. */
    problem: reading.problem,
  };
}

async function readAndRenderAlone<Made>(
  { reading, renderReports }: RunStages<Made>,
  { waitMs, maxDelayMs = waitMs }: RunOptions,
  tools: RunTools,
): Promise<Made | null> {
  await reading.loadLeftovers(Math.max(maxDelayMs, briefWaitMs));
  await reading.read(reading.job, tools);
  return (await renderReports?.(tools)) ?? null;
}

async function deliverAll(job: JobConfig, tools: RunTools): Promise<Delivery[]> {
  const sent = await sendDeliveries(tools);
  const open = await openDeliveries(job, tools.config);
  const known = new Set(sent.map(({ record }) => record.id));
  return [...sent, ...open.filter(({ record }) => !known.has(record.id))];
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
