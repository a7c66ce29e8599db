import { refuseInternal } from './internal-reports.ts';
import type { Config } from '../config/config.ts';
import { exitCodes, type ExitCode } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { deliverySentence } from '../deliver/delivery.ts';
import { catchUp, type CaughtUp } from '../pipeline/catch-up.ts';
import { exitCodeOf } from '../pipeline/run-summary.ts';
import type { CommandContext, Register } from './context.ts';
import { printRun } from './run.ts';

export const register: Register = (program, invoke) => {
  program
    .command('catch-up')
    .addHelpText(
      'after',
      `
Continues runs that were cut off, reads again what failed or was skipped, loads what is on disk, renders what failed or is
held, and sends what is queued, notifications too. Prints nothing where nothing waits. \`postledger schedule\` does it by
itself; with cron, run it every 15 minutes.

Example, in a crontab:
  */15 * * * * postledger --quiet catch-up`,
    )
    .action(() =>
      invoke(async (context) => {
        const config = await context.loadConfig({ mayBeErasing: true });
        await refuseInternal(config);
        return printCaughtUp(await catchUp({ ...context, config }), config, context);
      }),
    );
};

/** @returns partial where something has failed again */
export function printCaughtUp(
  { runs, done, deliveries, hasFailed }: CaughtUp,
  config: Config,
  { output, isQuiet }: Pick<CommandContext, 'output' | 'isQuiet'>,
): ExitCode {
  const isWhole = !hasFailed && runs.every((run) => exitCodeOf(run) === exitCodes.done);
  if (!isQuiet || !isWhole) {
    for (const run of runs) printRun(run, config, { output });
    for (const line of done) output.write(`${terminalLine(line)}\n`);
    for (const delivery of deliveries) output.write(`${deliverySentence(delivery)}\n`);
  }
  return isWhole ? exitCodes.done : exitCodes.partial;
}
