import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { exitCodes, isSystemError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import { readStatus, type Status } from '../status/status.ts';
import { printResult, type Register } from './context.ts';
import { listOf } from './option-values.ts';
import type { Delivery } from '../deliver/delivery.ts';
import { readOutbox } from '../deliver/outbox.ts';
import { readFailedAlerts } from '../pipeline/metric-alerts.ts';
import { statusText } from './status-text.ts';
import { statusVerdicts, verdictNames, type Verdicts } from '../status/verdicts.ts';

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
        const { deliveries, verdicts, ...status } = await readWholeStatus(config, clock);
        const text = () =>
          statusText(status, verdicts, { ...output, timezone: config.timezone }) +
          deliveryLine(deliveries);
        printResult(output, options, { ...status, deliveries, verdicts }, text);
        const holding = (options.failOn ?? []).filter((name) => verdicts[name]?.length);
        if (holding.length > 0) {
          log.error({ verdicts: holding }, `status: ${holding.join(', ')}`);
          return exitCodes.failed;
        }
        return status.problems.length === 0 ? exitCodes.done : exitCodes.partial;
      }),
    );
};

/** Reads the status, with the outcomes of deliveries and the verdicts on it. */
async function readWholeStatus(
  config: Config,
  clock: Clock,
): Promise<Status & { readonly deliveries: Deliveries; readonly verdicts: Verdicts }> {
  const { deliveries, problems } = await readDeliveries(config.dataDir);
  const loaded = await readStatus(config, clock);
  const status = { ...loaded, problems: [...loaded.problems, ...problems] };
  const verdicts = withFailures(statusVerdicts(status, config, clock.now()), [
    ...deliveryFailures(deliveries),
    ...(await readFailedAlerts(config)).map((problem) => `an alert failed: ${problem}`),
  ]);
  return { ...status, deliveries, verdicts };
}

const openStates = ['held', 'queued', 'failed', 'unknown'] as const;
type Deliveries = Readonly<Record<(typeof openStates)[number], number>>;

async function readDeliveries(
  dataDir: string,
): Promise<{ deliveries: Deliveries; problems: Status['problems'] }> {
  try {
    return { deliveries: countDeliveries(await readOutbox(dataDir)), problems: [] };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return {
      deliveries: countDeliveries([]),
      problems: [{ subject: 'deliveries', message: problemText(error) }],
    };
  }
}

/** Counts the deliveries that are neither sent nor discarded. */
function countDeliveries(deliveries: readonly Delivery[]): Deliveries {
  const count = (state: string) => deliveries.filter(({ status }) => status.state === state).length;
  return {
    held: count('held'),
    queued: count('queued'),
    failed: count('failed'),
    unknown: count('unknown'),
  };
}

/** A delivery that was refused, or that nobody knows of, is a failure. */
function deliveryFailures({ failed, unknown }: Deliveries): string[] {
  if (failed + unknown === 0) return [];
  return [
    `deliveries that failed or may not have arrived: ${failed + unknown}; see: postledger deliver list`,
  ];
}

function withFailures(verdicts: Verdicts, failures: readonly string[]): Verdicts {
  if (failures.length === 0) return verdicts;
  return { ...verdicts, failed: [...(verdicts.failed ?? []), ...failures] };
}

function deliveryLine(deliveries: Deliveries): string {
  const parts = openStates.flatMap((state) =>
    deliveries[state] > 0 ? [`${deliveries[state]} ${state}`] : [],
  );
  return parts.length === 0 ? '' : `\nDeliver  ${parts.join(', ')}; see: postledger deliver list\n`;
}
