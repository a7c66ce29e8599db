import type { Config } from '../config/config.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { notifyOf, testNotify } from '../deliver/notify.ts';
import { runAlerts } from '../pipeline/metric-alerts.ts';
import { isWarehouseUnknown, readStatus } from '../status/status.ts';
import type { Register } from './context.ts';
import type { ProblemKind } from '../status/open-problems.ts';
import { problemSentences } from '../status/problem-sentences.ts';
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
        for (const job of config.jobs.keys()) {
          const problems = status.open_problems.filter(
            (each) => each.job === job && newsKinds.includes(each.kind),
          );
          if (problems.length === 0) continue;
          const hasDied = problems.some(({ kind }) => kind === 'interrupted_run');
          const text = problemSentences(problems).join('\n');
          await notifyOf({ job, state: hasDied ? 'failed' : 'stale', text }, tools);
        }
        const failed = await runAlerts(tools);
        return failed.length === 0 ? exitCodes.done : exitCodes.partial;
      }),
    );
};

/** What a run that has ended did not notify about. */
const newsKinds: readonly ProblemKind[] = ['interrupted_run', 'stale_profile'];

/** @throws UsageError where jobs.yaml has no rule */
function requireRules({ notify, file }: Config): void {
  if (notify.length === 0) throw new UsageError(`${file} has no notify; see docs/deliver.md`);
}
