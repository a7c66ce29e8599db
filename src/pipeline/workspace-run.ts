import type { ClientWait } from '../api/call-runner.ts';
import { WorkspaceClient } from '../api/client.ts';
import type { Config, JobConfig, WorkspaceConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Progress, ProgressTask } from '../core/progress.ts';
import { extractDetails, extractWindows } from '../extract/extract.ts';
import { emptyTally, type ExtractOutcome, type Failure } from '../extract/extract-outcome.ts';
import type { ExtractTools } from '../extract/extract-tools.ts';
import { StopRules } from '../extract/stop-rules.ts';
import type { PlannedDetail, WorkspacePlan } from '../plan/plan.ts';
import type { FinishRecord } from '../store/manifest.ts';
import { RunWriter } from '../store/run-writer.ts';
import { WaitMeter } from './wait-meter.ts';

/** What all stages of a run are given. */
export interface RunTools {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Who is running. */
export interface RunIdentity {
  readonly runId: string;
  readonly job: JobConfig;
  readonly startedAt: Date;
}

/** What became of one workspace in a run. */
export interface WorkspaceOutcome {
  readonly workspace: string;
  readonly status: FinishRecord['status'];
  readonly windows: ExtractOutcome;
  readonly details: ExtractOutcome;
  readonly failures: readonly Failure[];
  readonly requests: number;
  readonly retries: number;
  /** 429 answers. */
  readonly throttled: number;
  /** How long nothing could be sent, for the rate limit or a 429. */
  readonly waitedMs: number;
}

/** In a few words, for a progress bar. */
const waitReasons: Readonly<Record<ClientWait['reason'], string>> = {
  'rate-limit': 'the rate limit',
  throttled: 'the service (429)',
  retry: 'another try',
};

const nothingAsked: ExtractOutcome = emptyTally();

/** One workspace's part of a run: its client, its budget, its folder in the raw store, its bar. */
export class WorkspaceRun {
  readonly workspace: string;
  readonly #client: WorkspaceClient;
  readonly #waits: WaitMeter;
  readonly #writer: RunWriter;
  readonly #task: ProgressTask;
  readonly #tools: ExtractTools;
  readonly #clock: Clock;
  readonly #stops = new StopRules();
  #windows = nothingAsked;
  #details = nothingAsked;

  private constructor(
    workspace: WorkspaceConfig,
    client: WorkspaceClient,
    waits: WaitMeter,
    writer: RunWriter,
    task: ProgressTask,
    tools: RunTools,
  ) {
    const { clock, log, signal } = tools;
    const { concurrency, linkedPostField: linkedField } = workspace;
    this.workspace = workspace.key;
    this.#client = client;
    this.#waits = waits;
    this.#writer = writer;
    this.#task = task;
    this.#clock = clock;
    this.#tools = { reader: client, writer, linkedField, concurrency, clock, log, task, signal };
  }

  /**
   * Makes the run's folder in the raw store. The caller holds the workspace's extraction lock.
   */
  static async open(run: RunIdentity, plan: WorkspacePlan, tools: RunTools): Promise<WorkspaceRun> {
    const workspace = workspaceNamed(tools.config, plan.workspace);
    const task = tools.progress.task(workspace.key, plan.windows.length, 'requests', {
      count: workspace.rateLimit.requests,
      perSeconds: workspace.rateLimit.perSeconds,
    });
    const waits = new WaitMeter(tools.clock);
    const client = connectWorkspace(workspace, tools, (wait) => {
      waits.see(wait);
      task.waiting(wait && { ...wait, reason: waitReasons[wait.reason] });
    });
    const writer = await RunWriter.open(tools.config.dataDir, {
      version: 2,
      run_id: run.runId,
      job: run.job.name,
      workspace: workspace.key,
      started_at: run.startedAt.toISOString(),
      profiles: workspace.profiles.map(({ id, name, cpm }) => ({ profile_id: id, name, cpm })),
      linked_post_field: workspace.linkedPostField,
    });
    return new WorkspaceRun(workspace, client, waits, writer, task, tools);
  }

  async readWindows(plan: WorkspacePlan): Promise<void> {
    this.#windows = await extractWindows(plan, this.#tools, this.#stops);
  }

  async readDetails(details: readonly PlannedDetail[]): Promise<void> {
    this.#task.grow(details.length);
    this.#details = await extractDetails(details, this.#tools, this.#stops);
  }

  /** Records the end of the run: its folder is whole from here on. */
  async finish(): Promise<WorkspaceOutcome> {
    const outcome = this.#outcome();
    await this.#writer.finish({
      version: 2,
      finished_at: this.#clock.now().toISOString(),
      status: outcome.status,
      requests: outcome.requests,
      retries: outcome.retries,
      throttled: outcome.throttled,
    });
    return outcome;
  }

  async close(): Promise<void> {
    this.#task.finish();
    await this.#client.close();
  }

  #outcome(): WorkspaceOutcome {
    const failures = [...this.#windows.failures, ...this.#details.failures];
    const succeeded = this.#windows.succeeded + this.#details.succeeded;
    const { requests, retries, throttled } = this.#client;
    return {
      workspace: this.workspace,
      status: statusOf(succeeded, failures.length),
      windows: this.#windows,
      details: this.#details,
      failures,
      requests,
      retries,
      throttled,
      waitedMs: this.#waits.totalMs,
    };
  }
}

function statusOf(succeeded: number, failed: number): FinishRecord['status'] {
  if (failed === 0) return 'succeeded';
  return succeeded === 0 ? 'failed' : 'partial';
}

function workspaceNamed({ workspaces }: Config, key: string): WorkspaceConfig {
  const workspace = workspaces.get(key);
  if (!workspace) throw new RangeError(`the plan names a workspace ${key} that is not configured`);
  return workspace;
}

/** A client whose requests count against the workspace's budget, with those of all other processes. */
export function connectWorkspace(
  workspace: WorkspaceConfig,
  { config, clock, log }: Pick<RunTools, 'config' | 'clock' | 'log'>,
  onWait: (wait: ClientWait | null) => void,
): WorkspaceClient {
  return new WorkspaceClient({
    workspace,
    dataDir: config.dataDir,
    clock,
    log,
    onWait,
  });
}
