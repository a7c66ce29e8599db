import { requireApiKeys } from '../config/select.ts';
import { selectJobs } from '../config/select.ts';
import type { Config, JobConfig } from '../config/config.ts';
import {
  BusyError,
  exitCodes,
  InterruptedError,
  PostledgerError,
  UsageError,
  type ExitCode,
} from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import { destinationOf } from '../deliver/delivery.ts';
import { isSettled } from '../pipeline/deliveries.ts';
import { notifyOf, ping, type JobNews } from '../deliver/notify.ts';
import type { RunTools } from '../pipeline/workspace-run.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { describeCutOff } from '../extract/extraction.ts';
import { checkAlerts } from '../pipeline/metric-alerts.ts';
import { runJob, type RunOptions, type RunOutcome } from '../pipeline.ts';
import { refuseTakenNames } from '../report/report-catalog.ts';
import type { CommandContext, Register } from './context.ts';
import { writeMetricsFile } from './metrics-file.ts';
import { parseDay, parseSeconds, parseShare } from './option-values.ts';
import { loadSentence, plural } from './wording.ts';

export const registerRun: Register = (program, invoke) => {
  program
    .command('run')
    .argument('[job...]', 'jobs of jobs.yaml; all when none is named')
    .option('--no-reports', 'read and load only')
    .option('--full', 'read every window and every post’s details, however fresh')
    .option('--from <day>', 'read just the days from this one …', parseDay)
    .option('--to <day>', '… to this one', parseDay)
    .option('--wait <seconds>', 'wait for another process at the same workspace', parseSeconds, 0)
    .option('--fleet', 'share the work of the scheduled time with other machines, in a lake')
    .option(
      '--shard <i/n>',
      'the same for a part of the shards: machine i of n, from 0',
      parseShare,
    )
    .addHelpText(
      'after',
      `
A run can be stopped or killed at any moment: responses on disk are kept, and the next run goes on there.

Examples:
  $ postledger run
  $ postledger run daily --wait 600
  $ postledger run --from 2025-03-01 --to 2025-03-31 --no-reports
  $ postledger run daily --fleet
  $ postledger run daily --shard 2/4`,
    )
    .action((names, options) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const jobs = selectJobs(config, names);
        requireApiKeys(config, jobs);
        await refuseTakenNames(config.folder);
        const { shard: part = null, fleet = false } = options;
        if ((part || fleet) && typeof config.warehouse === 'string')
          throw new UsageError('--fleet and --shard need a lake, see docs/lake.md');
        return runJobs(jobs, config, context, {
          full: options.full === true,
          from: options.from ?? null,
          to: options.to ?? null,
          reports: options.reports,
          waitMs: options.wait * 1000,
          fleet: { isShared: fleet || part !== null, part },
        });
      }),
    );
};

/** One after another. A job whose workspace is in use does not keep the others from running. */
async function runJobs(
  jobs: readonly JobConfig[],
  config: Config,
  context: CommandContext,
  options: RunOptions,
): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  let busy: BusyError | null = null;
  for (const job of jobs) {
    try {
      const outcome = await runWatched(job, options, { config, ...context });
      const code = exitCodeOf(outcome);
      if (!context.isQuiet || code !== exitCodes.done) context.output.write(runSummary(outcome));
      codes.push(code);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      context.log.error({ job: job.name }, error.message);
      busy = error;
    }
  }
  if (busy && codes.length === 0) return exitCodes.busy;
  return busy || codes.includes(exitCodes.partial) ? exitCodes.partial : exitCodes.done;
}

/** Runs a job with its pings, sends the notifications that it gives rise to, and writes its metrics. */
export async function runWatched(
  job: JobConfig,
  options: RunOptions,
  tools: RunTools,
): Promise<RunOutcome> {
  const { config, clock, log } = tools;
  const { dataDir, mail, notify: rules } = config;
  const pingWith = async (suffix: string) => {
    const problem = job.ping && (await ping(job.ping, suffix));
    if (problem !== null) log.warn({ job: job.name }, `the ping of ${job.name} failed: ${problem}`);
  };
  const notify = async (state: JobNews['state'], text: string, isNew = false) => {
    try {
      await notifyOf({ job: job.name, state, text, isNew }, { dataDir, mail, rules, clock, log });
    } catch (error) {
      log.warn({ job: job.name }, `notifications were not sent: ${problemText(error)}`);
    }
  };
  await pingWith('/start');
  let outcome: RunOutcome;
  try {
    outcome = await runJob(job, options, tools);
  } catch (error) {
    await pingWith(`/${error instanceof PostledgerError ? error.exitCode : exitCodes.failed}`);
    // the run that holds the workspace sends its own, and a person who stops a run knows
    const isNews = !(error instanceof BusyError || error instanceof InterruptedError);
    if (isNews) await notify('failed', problemText(error));
    await writeMetricsFile(config, tools);
    throw error;
  }
  await pingWith(`/${exitCodeOf(outcome)}`);
  await notify(stateOf(outcome), runSummary(outcome), outcome.newlyHeld.length > 0);
  await checkAlerts(tools);
  await writeMetricsFile(config, tools);
  return outcome;
}

function stateOf(outcome: RunOutcome): JobNews['state'] {
  if (exitCodeOf(outcome) !== exitCodes.done) {
    return outcome.workspaces.every(({ status }) => status === 'failed') ? 'failed' : 'partial';
  }
  const { rejected, warnings } = outcome.loaded;
  return rejected > 0 || warnings.length > 0 ? 'warning' : 'ok';
}

/** Done, or partly done: rejected records alone are no failure, a damaged file or a rejected deletion is. */
export function exitCodeOf({
  workspaces,
  reports,
  loaded,
  deliveries = [],
}: Pick<RunOutcome, 'workspaces' | 'reports' | 'loaded'> &
  Partial<Pick<RunOutcome, 'deliveries'>>): ExitCode {
  const isWhole =
    loaded.damaged === 0 &&
    loaded.rejectedDeletions === 0 &&
    workspaces.every((workspace) => workspace.status === 'succeeded') &&
    reports.every((report) => report.error === null) &&
    deliveries.every(isSettled);
  return isWhole ? exitCodes.done : exitCodes.partial;
}

/** What the run did, for people. */
export function runSummary({ job, workspaces, loaded, reports, deliveries }: RunOutcome): string {
  const lines = [`Job ${job}`];
  for (const { workspace, windows, details, failures, ...spent } of workspaces) {
    lines.push(
      `  ${workspace}: ${plural(windows.succeeded, 'window')} and ${plural(details.succeeded, 'post detail')} read` +
        ` in ${plural(spent.requests, 'request')} (${spent.retries} retried, ${spent.throttled} throttled, ${Math.round(spent.waitedMs / 1000)} s waited for the limit)`,
    );
    for (const failure of failures)
      lines.push(`    failed: ${failure.subject}: ${failure.message}`);
    const notRead = windows.notRead + details.notRead;
    if (notRead > 0) lines.push(`    not read, for the same reason: ${notRead}`);
    for (const found of windows.cutOff) lines.push(`    ${describeCutOff(found)}`);
  }
  lines.push(`  ${loadSentence(loaded)}`);
  if (loaded.rejected > 0) {
    lines.push('  see: postledger sql "select source, reason, payload from rejected_records"');
  }
  for (const { report, client, folder, files, error } of reports) {
    const name = client === null ? report : `${report} for ${client}`;
    if (error === null || files.length > 0)
      lines.push(`  report ${name}: ${plural(files.length, 'file')} in ${folder}`);
    if (error !== null) lines.push(`  report ${name} failed: ${error}`);
  }
  for (const { record, status } of deliveries) {
    const why = status.state === 'sent' ? '' : ` (${status.reason ?? ''})`;
    const words = `${record.report} to ${destinationOf(record.target)}`;
    const id = status.state === 'sent' ? '' : `, ${record.id}`;
    lines.push(`  deliver ${words}: ${status.state}${why}${id}`);
  }
  return `${lines.map(stripTerminalControls).join('\n')}\n`;
}
