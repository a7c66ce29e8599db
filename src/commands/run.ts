import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { Config, JobConfig } from '../config/config.ts';
import { requireApiKeys, selectJobs, selectProfiles } from '../config/select.ts';
import { BusyError, exitCodes, UsageError, type ExitCode } from '../core/errors.ts';
import { listReportIndexes } from '../output/report-index.ts';
import type { RunOptions } from '../pipeline.ts';
import { exitCodeOf, runSummary, type WatchedOutcome } from '../pipeline/run-summary.ts';
import { runWatched } from '../pipeline/watched-run.ts';
import { refuseInternal } from './internal-reports.ts';
import { refuseTakenNames } from '../report/report-catalog.ts';
import { warehouseOf } from '../warehouse/warehouse.ts';
import type { CommandContext, Register } from './context.ts';
import { collect, parseDay, parseSeconds } from './option-values.ts';

export const register: Register = (program, invoke) => {
  program
    .command('run')
    .argument('[job...]', 'jobs of jobs.yaml; all when none is named')
    .option('--no-reports', 'read and load only')
    .option('--full', 'read every date range and every post’s details, however fresh')
    .addOption(
      new Option('--profile <pattern>', 'read only these, such as acme/Careers; may be repeated')
        .argParser(collect)
        .conflicts('fleet'),
    )
    .option('--from <day>', 'read just the days from this one …', parseDay)
    .option('--to <day>', '… to this one', parseDay)
    .option('--wait <seconds>', 'wait for another process at the same workspace', parseSeconds, 0)
    .option('--fleet', 'share the work of the scheduled time with other machines, in a lake')
    .addHelpText(
      'after',
      `
A run can be stopped or killed at any moment: responses on disk are kept, and the next run continues from there.

Examples:
  $ postledger run
  $ postledger run daily --wait 600
  $ postledger run --profile acme/Careers --profile 'fjord/*'
  $ postledger run --from 2025-03-01 --to 2025-03-31 --no-reports
  $ postledger run daily --fleet`,
    )
    .action((names, options) =>
      invoke(async (context) => {
        const config = await context.loadConfig({ mayBeErasing: true });
        const jobs = selectProfiles(config, selectJobs(config, names), options.profile ?? []);
        requireApiKeys(config, jobs);
        await refuseTakenNames(config.folder);
        await refuseInternal(config);
        const { fleet: isShared = false } = options;
        if (isShared && !warehouseOf(config.warehouse).isShared)
          throw new UsageError('--fleet needs a lake, see docs/lake.md');
        return runJobs(jobs, config, context, {
          full: options.full === true,
          from: options.from ?? null,
          to: options.to ?? null,
          reports: options.reports,
          waitMs: options.wait * 1000,
          isShared,
        });
      }),
    );
};

/**
 * Runs one job after another. A job whose workspace is in use does not keep the others from running.
 * @param jobs with the profiles that are read
 */
async function runJobs(
  jobs: readonly JobConfig[],
  config: Config,
  context: CommandContext,
  options: RunOptions,
): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  let busy: BusyError | null = null;
  for (const { name, profiles } of jobs) {
    const job = config.jobs.get(name);
    if (!job) continue;
    try {
      const outcome = await runWatched(job, { ...options, profiles }, { config, ...context });
      const code = exitCodeOf(outcome);
      if (!context.isQuiet || code !== exitCodes.done) printRun(outcome, config, context);
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

/** Prints what a run did, and what to look at next. */
export function printRun(
  outcome: WatchedOutcome,
  config: Config,
  { output }: Pick<CommandContext, 'output'>,
): void {
  const folders = outcome.reports.flatMap(({ folder, files }) =>
    files.length > 0 ? [folder] : [],
  );
  const indexes = listReportIndexes(config, folders);
  output.write(runSummary(outcome, { width: output.width, folder: resolve('.'), indexes }));
}
