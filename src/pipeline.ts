import { randomBytes } from 'node:crypto';
import type { JobConfig } from './config/config.ts';
import { InterruptedError, PostledgerError } from './core/errors.ts';
import { load, type LoadSummary } from './load/load.ts';
import { planNow, type PlanWishes } from './pipeline/current-plan.ts';
import { withExtractionLocks } from './pipeline/extraction-locks.ts';
import { renderJobReports, type RenderedReport } from './pipeline/job-reports.ts';
import { RunLoads } from './pipeline/run-loads.ts';
import {
  WorkspaceRun,
  type RunIdentity,
  type RunTools,
  type WorkspaceOutcome,
} from './pipeline/workspace-run.ts';
import type { WorkspacePlan } from './plan/plan.ts';
import { createRunId } from './store/layout.ts';
import { listRunNames, readRunFolder } from './store/run-folder.ts';

export interface RunOptions extends PlanWishes {
  /** Whether the job's reports are rendered. */
  readonly reports: boolean;
  /** How long to wait for another process at the same workspace or warehouse. */
  readonly waitMs: number;
}

/** What a run did. */
export interface RunOutcome {
  readonly runId: string;
  readonly job: string;
  readonly workspaces: readonly WorkspaceOutcome[];
  /** Over all of the run's loads. */
  readonly loaded: LoadSummary;
  readonly reports: readonly RenderedReport[];
}

/**
 * Runs a job: loads what an earlier run left, reads the windows that are due, loads them, reads the post
 * details that are due by then, loads these, and renders the job's reports. What fails for one profile or
 * report costs the others nothing. It can be killed at any point and run again.
 * @throws BusyError when another process is at one of its workspaces, or at the warehouse
 * @throws InterruptedError when the signal aborts
 */
export async function runJob(
  job: JobConfig,
  options: RunOptions,
  tools: RunTools,
): Promise<RunOutcome> {
  const startedAt = tools.clock.now();
  const runId = createRunId(startedAt, randomBytes(3).toString('hex'));
  const run: RunIdentity = { runId, job, startedAt };
  const extracted = await withExtractionLocks(run, options.waitMs, tools, () =>
    readAndLoad(run, options, tools),
  ).catch(async (error: unknown) => {
    throw error instanceof InterruptedError ? await keepInterruptedRun(run, error, tools) : error;
  });
  const reports = options.reports ? await renderJobReports(job, tools) : [];
  return { runId, job: job.name, ...extracted, reports };
}

async function readAndLoad(run: RunIdentity, options: RunOptions, tools: RunTools) {
  const loads = new RunLoads(run, options.waitMs, tools);
  await loads.load();
  const plans = await planNow(run.job, options, tools);
  const results = await Promise.allSettled(
    plans.map((plan) => readWorkspace(run, plan, options, loads, tools)),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  await loads.load();
  const workspaces = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  );
  return { workspaces, loaded: loads.total };
}

/** Workspaces have budgets of their own, so none waits for another. */
async function readWorkspace(
  run: RunIdentity,
  plan: WorkspacePlan,
  options: RunOptions,
  loads: RunLoads,
  tools: RunTools,
): Promise<WorkspaceOutcome> {
  const workspace = await WorkspaceRun.open(run, plan, tools);
  try {
    await workspace.readWindows(plan);
    if (run.job.details) {
      await loads.load();
      const plans = await planNow(run.job, options, tools);
      const own = plans.find(({ workspace: key }) => key === plan.workspace);
      await workspace.readDetails(own?.details ?? []);
    }
    return await workspace.finish();
  } finally {
    await workspace.close();
  }
}

/** Also loads it, so that the run stands as interrupted in the warehouse, where it stood as running. */
async function keepInterruptedRun(
  { runId }: RunIdentity,
  cause: InterruptedError,
  { config, clock, log }: RunTools,
): Promise<InterruptedError> {
  let kept = 0;
  for await (const name of listRunNames(config.dataDir)) {
    if (name.runId !== runId) continue;
    kept += (await readRunFolder(config.dataDir, name))?.responses.length ?? 0;
  }
  try {
    await load({ config, clock, log, waitMs: 0 });
  } catch (error) {
    if (!(error instanceof PostledgerError)) throw error;
    const problem = `stopped; ${kept} responses of this run are in ${config.dataDir}/raw, but not loaded: ${error.message}`;
    return new InterruptedError(`${problem}; the next run, or \`postledger load\`, loads them`, {
      cause,
    });
  }
  const message = `stopped; ${kept} responses of this run are kept and loaded: the next run goes on there`;
  return new InterruptedError(message, { cause });
}
