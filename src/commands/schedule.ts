import { Option } from '@commander-js/extra-typings';
import { requireApiKeys } from '../config/api-keys.ts';
import { exitCodes } from '../core/errors.ts';
import { runJob } from '../pipeline.ts';
import { crontabLines } from '../schedule/crontab.ts';
import { runSchedule } from '../schedule/run-schedule.ts';
import type { Register } from './context.ts';
import { runSummary } from './run.ts';

/** Another run of the same workspace, by hand, is waited for rather than given way to. */
const waitMs = 3_600_000;

export const registerSchedule: Register = (program, invoke) => {
  program
    .command('schedule')
    .description('run jobs on their cron expressions, in the foreground, until Ctrl-C')
    .addOption(
      new Option('--print <form>', 'print the same for another scheduler instead').choices([
        'crontab',
      ] as const),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ postledger schedule
  $ (crontab -l; postledger schedule --print crontab) | crontab -`,
    )
    .action((options) =>
      invoke(async (context) => {
        const { clock, log, signal, output, loadConfig } = context;
        const config = await loadConfig();
        if (options.print === 'crontab') {
          output.write(`${crontabLines(config, thisProgram()).join('\n')}\n`);
          return exitCodes.done;
        }
        requireApiKeys(config);
        await runSchedule(config, {
          clock,
          log,
          signal,
          runJob: async (job, stop) => {
            const runOptions = { full: false, from: null, to: null, reports: true, waitMs };
            const outcome = await runJob(job, runOptions, { ...context, config, signal: stop });
            output.write(runSummary(outcome));
          },
        });
        return exitCodes.done;
      }),
    );
};

function thisProgram() {
  return {
    program: [process.execPath, process.argv[1] ?? 'postledger'],
    machineTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
