import type { Config } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import { portableFields, commentHeader, scheduledCommands } from './cron-expression.ts';

export interface CrontabOptions {
  /** The command that starts this program, with absolute paths: cron's PATH is short. */
  readonly program: readonly string[];
  /** The time zone of the machine, which cron uses by default. */
  readonly machineTimezone: string;
}

/**
 * Returns lines for `crontab`, one for each command. A successful run prints nothing, so that cron mails only
 * failures.
 * @throws UsageError if no job has a schedule, or if a schedule uses syntax that cron cannot read
 */
export function crontabLines(config: Config, options: CrontabOptions): string[] {
  const lines = scheduledCommands(config).map(({ cron, args }) => {
    const words = [...options.program, '--quiet', ...args];
    const command = escapePercent(checked(words.map(quote).join(' ')));
    return `${portableFields(cron).join(' ')} ${command}`;
  });
  return [
    ...commentHeader(config, 'crontab'),
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

/** Refuses a line break, which cannot be written within a line of a crontab. */
function checked(command: string): string {
  if (!/[\r\n]/.test(command)) return command;
  throw new UsageError(
    `a crontab cannot contain a path with a line break: ${JSON.stringify(command)}`,
  );
}

/** Escapes %: cron ends the command at a bare one and passes the rest to its input. */
function escapePercent(command: string): string {
  return command.replaceAll('%', String.raw`\%`);
}

/** Quotes a word for sh. */
function quote(word: string): string {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
