import { exitCodes } from '../core/errors.ts';
import { isWarehouseUnknown, readStatus } from '../status/status.ts';
import { printResult, type Register } from './context.ts';
import { listOf } from './option-values.ts';
import { statusText } from './status-text.ts';
import { verdictNames, verdictsOf } from '../status/problem-sentences.ts';

export const register: Register = (program, invoke) => {
  program
    .command('status')
    .option('--json', 'as JSON')
    .option(
      '--fail-on <verdicts>',
      `exit 1 where one of ${verdictNames.join(',')} holds`,
      listOf(verdictNames),
    )
    .addHelpText(
      'after',
      `
--fail-on is for monitoring: stale, where a profile of a job was not read for longer than the job's stale_after
(default: twice the time between two of its runs); failed, where the last run of a job or an alert failed, or where the
last reading of a date range failed or was skipped after another failure; warning, where the data or the warehouse look
wrong.

Exit code 3 says that something could not be read, such as a damaged warehouse; the rest is shown.

Examples:
  $ postledger status
  $ postledger status --fail-on stale,failed
  $ postledger status --json | jq '.profiles[] | select(.failed_windows != [])'`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, output, log }) => {
        const config = await loadConfig({ mayBeErasing: true });
        const status = await readStatus(config, clock);
        const verdicts = verdictsOf(status.open_problems, isWarehouseUnknown(status));
        const terminal = { ...output, timezone: config.timezone };
        printResult(output, options, { ...status, verdicts }, () =>
          statusText(status, verdicts, terminal),
        );
        const holding = (options.failOn ?? []).filter((name) => verdicts[name]?.length);
        if (holding.length > 0) {
          log.error({ verdicts: holding }, `status: ${holding.join(', ')}`);
          return exitCodes.failed;
        }
        return status.problems.length === 0 ? exitCodes.done : exitCodes.partial;
      }),
    );
};
