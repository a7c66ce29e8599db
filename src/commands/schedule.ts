import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { requireApiKeys } from '../config/select.ts';
import type { Config } from '../config/config.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { shareFile, shareFolder } from '../core/private-files.ts';
import { cronJobManifests } from '../schedule/cron-jobs.ts';
import { crontabLines } from '../schedule/crontab.ts';
import { runSchedule } from '../schedule/run-schedule.ts';
import { systemdUnits } from '../schedule/systemd.ts';
import type { Register } from './context.ts';
import { runSummary } from '../pipeline/run-summary.ts';
import { runWatched } from '../pipeline/watched-run.ts';

/** Another run of the same workspace, by hand, is waited for rather than given way to. */
const waitMs = 3_600_000;

export const registerSchedule: Register = (program, invoke) => {
  program
    .command('schedule')
    .addOption(
      new Option('--print <form>', 'print the same for another scheduler instead').choices([
        'crontab',
        'systemd',
        'k8s',
      ] as const),
    )
    .option('--user', 'with --print systemd: units of your own, for systemctl --user')
    .option('--out <dir>', 'with --print systemd: write the units into this folder')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger schedule
  $ (crontab -l; postledger schedule --print crontab) | crontab -
  $ postledger schedule --print systemd --user --out ~/.config/systemd/user
  $ postledger schedule --print k8s | kubectl apply -f -`,
    )
    .action((options) =>
      invoke(async (context) => {
        const { clock, log, signal, output, loadConfig } = context;
        const config = await loadConfig();
        const { print, user, out } = options;
        if (print !== 'systemd' && (user || out !== undefined)) {
          throw new UsageError('--user and --out go with --print systemd');
        }
        if (print !== undefined) {
          output.write(await printSchedule(config, print, { user: user === true, out }));
          return exitCodes.done;
        }
        requireApiKeys(config);
        await runSchedule(config, {
          clock,
          log,
          signal,
          runJob: async (job, stop) => {
            const fleet = { isShared: true, part: null };
            const runOptions = { full: false, from: null, to: null, reports: true, waitMs, fleet };
            const outcome = await runWatched(job, runOptions, { ...context, config, signal: stop });
            output.write(runSummary(outcome));
          },
        });
        return exitCodes.done;
      }),
    );
};

interface UnitOptions {
  readonly user: boolean;
  readonly out: string | undefined;
}

/** @returns what standard output is given */
async function printSchedule(
  config: Config,
  form: 'crontab' | 'systemd' | 'k8s',
  { user, out }: UnitOptions,
): Promise<string> {
  const program = [process.execPath, resolve(process.argv[1] ?? 'postledger')];
  if (form === 'k8s') return cronJobManifests(config);
  if (form === 'crontab') {
    const machineTimezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return `${crontabLines(config, { program, machineTimezone }).join('\n')}\n`;
  }
  const units = systemdUnits(config, { program, user: user ? null : userInfo().username });
  if (out === undefined) return units.map(({ name, text }) => `# ${name}\n${text}`).join('\n');
  await shareFolder(resolve(out));
  const written: string[] = [];
  for (const { name, text } of units) {
    const path = join(resolve(out), name);
    await writeFile(path, text);
    await shareFile(path);
    written.push(`${path}\n`);
  }
  return written.join('');
}
