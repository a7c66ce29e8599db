import type { ClientWait } from '../api/call-runner.ts';
import { WorkspaceClient } from '../api/client.ts';
import type { WorkspaceConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { ProgressTask } from '../core/progress.ts';
import { extractDetails, extractWindows } from '../extract/extract.ts';
import { StopRules } from '../extract/extraction.ts';
import type { PlannedDetail, WorkspacePlan } from '../plan/plan.ts';
import type { FinishRecord } from '../store/manifest.ts';
import { RunWriter } from '../store/run-writer.ts';
import type { RunTools } from '../config/run-tools.ts';
import type { RunIdentity } from './run-context.ts';

/** The result of one workspace in a run. */
export type WorkspaceOutcome = Awaited<ReturnType<typeof runWorkspace>>;

/**
 * Reads one workspace's windows, then its post details, into its run folder, and marks the folder as whole.
 * The caller holds the workspace's extraction lock.
 * @param dueDetails is asked once the windows are on disk
 */
export async function runWorkspace(
  run: RunIdentity,
  plan: WorkspacePlan,
  tools: RunTools,
  dueDetails: () => Promise<readonly PlannedDetail[]>,
) {
  const { config, clock, log, progress } = tools;
  const workspace = config.workspaces.get(plan.workspace);
  if (!workspace) throw new RangeError(`the plan names ${plan.workspace}, which is not configured`);
  const { requests: count, perSeconds } = workspace.rateLimit;
  const task = progress.task(workspace.key, plan.windows.length, 'requests', { count, perSeconds });
  const { onWait, totalMs } = waitMeter(clock, task);
  const client = new WorkspaceClient({ workspace, dataDir: config.dataDir, clock, log, onWait });
  try {
    const writer = await RunWriter.open(config.dataDir, runRecord(run, workspace));
    const { concurrency } = workspace;
    const extractTools = { ...tools, reader: client, writer, concurrency, task };
    const stops = new StopRules();
    const windows = await extractWindows(plan, extractTools, stops);
    const due = run.job.details.length > 0 ? await dueDetails() : [];
    task.grow(due.length);
    const details = await extractDetails(due, extractTools, stops);
    const failures = [...windows.failures, ...details.failures];
    const status = statusOf(windows.succeeded + details.succeeded, failures.length);
    const { requests, retries, throttled } = client;
    const spent = { requests, retries, throttled };
    const waitedMs = totalMs();
    const finished = { finished_at: clock.now().toISOString(), waited_ms: Math.round(waitedMs) };
    await writer.finish({ version: 2, status, ...spent, ...finished });
    return { workspace: workspace.key, status, windows, details, failures, ...spent, waitedMs };
  } finally {
    task.finish();
    await client.close();
  }
}

function runRecord({ runId, job, startedAt, delivers }: RunIdentity, workspace: WorkspaceConfig) {
  return {
    version: 2 as const,
    run_id: runId,
    job: job.name,
    workspace: workspace.key,
    started_at: startedAt.toISOString(),
    profiles: workspace.profiles.map(({ id, name, cpm }) => ({ profile_id: id, name, cpm })),
    linked_post_field: workspace.linkedPostField,
    ...(delivers && { delivers }),
  };
}

function statusOf(succeeded: number, failed: number): FinishRecord['status'] {
  if (failed === 0) return 'succeeded';
  return succeeded === 0 ? 'failed' : 'partial';
}

/** The reasons of waits, for a progress bar. */
const waitReasons: Readonly<Record<ClientWait['reason'], string>> = {
  'rate-limit': 'the rate limit',
  throttled: 'the service (429)',
  retry: 'another try',
};

/** Shows what requests wait for, and adds up how long. A pause before a retry holds back no other request. */
function waitMeter(clock: Clock, task: ProgressTask) {
  let sinceMs: number | null = null;
  let totalMs = 0;
  /** @param wait what begins; null: the wait is over */
  const onWait = (wait: ClientWait | null) => {
    task.waiting(wait && { ...wait, reason: waitReasons[wait.reason] });
    if (wait?.reason === 'retry') return;
    const nowMs = clock.monotonicMs();
    if (sinceMs !== null) totalMs += nowMs - sinceMs;
    sinceMs = wait ? nowMs : null;
  };
  return { onWait, totalMs: () => totalMs };
}
