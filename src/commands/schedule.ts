import { refuseInternal } from './internal-reports.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { Option } from '@commander-js/extra-typings';
import { requireApiKeys } from '../config/select.ts';
import type { Config } from '../config/config.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import { writeOutput } from '../core/private-files.ts';
import { cronJobManifests } from '../schedule/cron-jobs.ts';
import { crontabLines } from '../schedule/crontab.ts';
import { Schedule, type ScheduleTools } from '../schedule/schedule.ts';
import { systemdUnits } from '../schedule/systemd.ts';
import { readStatus } from '../status/status.ts';
import { printCaughtUp } from './catch-up.ts';
import type { CommandContext, Register } from './context.ts';
import { printRun } from './run.ts';
import { parsePort, parseSeconds } from './option-values.ts';
import { catchUp } from '../pipeline/catch-up.ts';
import { exitCodeOf } from '../pipeline/run-summary.ts';
import { runWatched } from '../pipeline/watched-run.ts';

/** Another run of the same workspace, by hand, is waited for rather than given way to. */
const waitMs = 3_600_000;
const maxDelayMs = 60_000;

export const register: Register = (program, invoke) => {
  program
    .command('schedule')
    .option(
      '--jitter <seconds>',
      'start each job up to this much later, always by the same time on one machine',
      parseSeconds,
      0,
    )
    .option('--catch-up', 'run a job once if its time passed while nothing could start it')
    .option(
      '--health-port <port>',
      'serve /health and /metrics on this port of loopback; 0: any free port',
      parsePort,
    )
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
SIGHUP reads jobs.yaml and .env again. If they have a mistake, it is logged and nothing changes.

Examples:
  $ postledger schedule
  $ postledger schedule --jitter 300 --catch-up --health-port 9465
  $ (crontab -l; postledger schedule --print crontab) | crontab -
  $ postledger schedule --print systemd --user --out ~/.config/systemd/user
  $ postledger schedule --print k8s | kubectl apply -f -`,
    )
    .action((options) =>
      invoke(async (context) => {
        const config = await context.loadConfig({ mayBeErasing: true });
        await refuseInternal(config);
        const { print, user, out, jitter, catchUp = false, healthPort = null } = options;
        if (print !== 'systemd' && (user || out !== undefined)) {
          throw new UsageError('--user and --out go with --print systemd');
        }
        if (print !== undefined) {
          if (jitter > 0 || catchUp || healthPort !== null)
            throw new UsageError('--print takes no --jitter, --catch-up or --health-port');
          const unitOptions = { user: user === true, out };
          const now = context.clock.now();
          context.output.write(await printSchedule(config, print, unitOptions, now));
          return exitCodes.done;
        }
        requireApiKeys(config);
        const knowsRuns = catchUp || healthPort !== null;
        const lastStarts = knowsRuns
          ? await readLastStarts(config, context)
          : new Map<string, Date>();
        const machine = `${hostname()} ${config.file}`;
        const scheduleOptions = { jitterMs: jitter * 1000, machine, catchUp };
        const tools = { ...context, runJob: runJobIn(context), catchUp: catchUpIn(context) };
        const schedule = new Schedule(config, scheduleOptions, tools, lastStarts);
        const server =
          healthPort === null ? null : await serveHealth(schedule, healthPort, context);
        reloadOnHangup(schedule, context);
        await schedule.run();
        await server?.close();
        return exitCodes.done;
      }),
    );
};

/** Returns the start of each job's last run, by whatever started it. */
async function readLastStarts(
  config: Config,
  { clock, log }: CommandContext,
): Promise<Map<string, Date>> {
  const { jobs, problems } = await readStatus(config, clock);
  for (const { message } of problems)
    log.warn({}, `the last runs may not all be known: ${message}`);
  return new Map(
    jobs.flatMap(({ job, last_run: run }) => (run ? [[job, new Date(run.started_at)]] : [])),
  );
}

function runJobIn(context: CommandContext): ScheduleTools['runJob'] {
  return async (job, config, signal) => {
    const all = { full: false, from: null, to: null, reports: true };
    const options = { ...all, waitMs, maxDelayMs, isShared: true };
    const outcome = await runWatched(job, options, { ...context, config, signal });
    printRun(outcome, config, context);
    return exitCodeOf(outcome) === exitCodes.done ? 'succeeded' : 'partial';
  };
}

function catchUpIn(context: CommandContext): ScheduleTools['catchUp'] {
  return async (config, signal) => {
    printCaughtUp(await catchUp({ ...context, config, signal }), config, context);
  };
}

async function serveHealth(schedule: Schedule, port: number, context: CommandContext) {
  const { startHealthServer } = await import('../status/health-server.ts');
  const server = await startHealthServer(schedule, port, context);
  context.log.info({}, `health at ${server.origin}/health, metrics at ${server.origin}/metrics`);
  return server;
}

/**
 * Reads the config again on SIGHUP, one time after the other. A config with mistakes changes nothing. A process on a
 * terminal ends with it, as other programs do, since a terminal that is closed sends SIGHUP, too.
 */
function reloadOnHangup(schedule: Schedule, { loadConfig, log }: CommandContext): void {
  if (isatty(0)) return;
  const reload = async () => {
    try {
      const config = await loadConfig({ mayBeErasing: true });
      requireApiKeys(config);
      schedule.replaceConfig(config);
      log.info({}, 'jobs.yaml and .env were read again');
    } catch (error) {
      log.error(
        {},
        `SIGHUP changes nothing, and the config stays as it was: ${problemText(error)}`,
      );
    }
  };
  let last = Promise.resolve();
  process.on('SIGHUP', () => {
    last = last.then(reload);
  });
}

/** True if the machine's cron knows CRON_TZ, as cronie's does (Fedora, RHEL, Arch, SUSE) and Debian's does not. */
async function hasZonedCron(): Promise<boolean> {
  const programs = ['/usr/sbin/crond', '/usr/sbin/cron'];
  const found = await Promise.all(programs.map((path) => readFile(path).catch(() => null)));
  return found.some((program) => program?.includes('CRON_TZ'));
}

interface UnitOptions {
  readonly user: boolean;
  readonly out: string | undefined;
}

/** @returns what standard output is given */
async function printSchedule(
  config: Config,
  form: 'crontab' | 'systemd' | 'k8s',
  { user, out }: UnitOptions,
  now: Date,
): Promise<string> {
  const program = [process.execPath, resolve(process.argv[1] ?? 'postledger')];
  if (form === 'k8s') return cronJobManifests(config);
  if (form === 'crontab') {
    const machineTimezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const knowsZones = await hasZonedCron();
    const options = { program, machineTimezone, knowsZones, now };
    return `${crontabLines(config, options).join('\n')}\n`;
  }
  const units = systemdUnits(config, { program, user: user ? null : userInfo().username });
  if (out === undefined) return units.map(({ name, text }) => `# ${name}\n${text}`).join('\n');
  const written: string[] = [];
  for (const { name, text } of units) {
    const path = join(resolve(out), name);
    await writeOutput(path, (draft) => writeFile(draft, text));
    written.push(`${path}\n`);
  }
  return written.join('');
}
