import type { Config } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import { portableFields, printedHead, runArguments, scheduledJobs } from './cron-expression.ts';

export interface CrontabOptions {
  /** Words that start this program, absolute: cron's PATH is short. */
  readonly program: readonly string[];
  /** The machine's own zone, which cron uses by default. */
  readonly machineTimezone: string;
}

/**
 * Lines that `crontab` takes as they are, a job each. A run that goes well prints nothing, so cron mails what fails.
 * @throws UsageError when no job has a schedule, or one has what cron cannot read
 */
export function crontabLines(config: Config, options: CrontabOptions): string[] {
  const lines = scheduledJobs(config).map(({ job, cron }) => {
    const words = [...options.program, '--quiet', ...runArguments(config, job)];
    const command = escapePercent(checked(words.map(quote).join(' ')));
    return `${portableFields(cron).join(' ')} ${command}`;
  });
  return [
    ...printedHead(config, 'crontab'),
    ...zoneLines(config.timezone, options.machineTimezone),
    ...lines,
  ];
}

function zoneLines(timezone: string, machineTimezone: string): string[] {
  if (timezone === machineTimezone) {
    return [`# Times are in ${timezone}, which is this machine's zone.`];
  }
  return [
    `# Times are in ${timezone}; this machine's zone is ${machineTimezone}. CRON_TZ is known to cronie`,
    '# (Fedora, RHEL, Arch, SUSE) and holds for all lines below it, so keep these at the end.',
    "# Debian's and Ubuntu's cron ignores it: there, use --print systemd.",
    `CRON_TZ=${timezone}`,
  ];
}

/** A crontab has no way to write a line break inside a line. */
function checked(command: string): string {
  if (!/[\r\n]/.test(command)) return command;
  throw new UsageError(`cron takes no path with a line break in it: ${JSON.stringify(command)}`);
}

/** For cron, a bare % ends the command and begins its input. */
function escapePercent(command: string): string {
  return command.replaceAll('%', String.raw`\%`);
}

/** As one word for sh. */
function quote(word: string): string {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
