import type { Config } from '../config/config.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { notifyOf, testNotify } from '../deliver/notify.ts';
import { runAlerts } from '../pipeline/metric-alerts.ts';
import { isWarehouseUnknown, readStatus } from '../status/status.ts';
import type { Register } from './context.ts';
import { interruptedRuns, staleProfiles } from '../status/verdicts.ts';
import { plural } from '../core/wording.ts';

export const register: Register = (program, invoke) => {
  const notify = program.command('notify');
  notify
    .command('test')
    .description('send a test notification by every rule of notify in jobs.yaml')
    .action(() =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        requireRules(config);
        const problems = await testNotify({ ...context, config });
        for (const problem of problems) context.output.write(`${terminalLine(problem)}\n`);
        const { length: rules } = config.notify;
        context.output.write(`${rules - problems.length} of ${plural(rules, 'rule')} worked.\n`);
        return problems.length === 0 ? exitCodes.done : exitCodes.failed;
      }),
    );
  notify
    .command('check')
    .description(
      'notify about runs that were killed, stale data and alerts; run it from cron beside the jobs',
    )
    .addHelpText('after', '\nExample, in a crontab:\n  0 * * * * postledger notify check')
    .action(() =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        requireRules(config);
        const tools = { ...context, config };
        const status = await readStatus(config, context.clock);
        if (isWarehouseUnknown(status)) {
          context.log.error({}, 'the warehouse cannot be read; see: postledger status');
          return exitCodes.failed;
        }
        for (const job of config.jobs.values()) {
          const died = interruptedRuns(status, job.name);
          const stale = staleProfiles(job, status, config, context.clock.now());
          const state = died.length > 0 ? 'failed' : 'stale';
          const text = [...died, ...stale].join('\n');
          if (text !== '') await notifyOf({ job: job.name, state, text }, tools);
        }
        const failed = await runAlerts(tools);
        return failed.length === 0 ? exitCodes.done : exitCodes.partial;
      }),
    );
};

/** @throws UsageError where jobs.yaml has no rule */
function requireRules({ notify, file }: Config): void {
  if (notify.length === 0) throw new UsageError(`${file} has no notify; see docs/deliver.md`);
}
