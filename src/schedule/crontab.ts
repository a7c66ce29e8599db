import { join } from 'node:path';
import type { Config, JobConfig } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';

export interface CrontabOptions {
  /** Words that start this program, absolute: cron's PATH is short. */
  readonly program: readonly string[];
  /** The machine's own zone, which cron goes by unless it is told otherwise. */
  readonly machineTimezone: string;
}

/** Croner also takes L, W, #, + and ?, which cron does not. */
const cronField = /^[\d*,/A-Za-z-]+$/;
const names =
  /\b(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)\b/gi;

/**
 * Lines that `crontab` takes as they are, a job each; jobs without a schedule are named in a comment.
 * @throws UsageError when no job has a schedule, or one has what cron cannot read
 */
export function crontabLines(config: Config, options: CrontabOptions): string[] {
  const jobs = [...config.jobs.values()];
  const lines = jobs.flatMap((job) => jobLine(job, config, options));
  if (lines.length === 0) {
    throw new UsageError(
      `no job in ${config.file} has a schedule; add one, such as schedule: "15 5 * * *"`,
    );
  }
  const byHand = jobs.filter((job) => job.schedule === null).map(({ name }) => name);
  return [
    `# The jobs of ${comment(config.file)}, made by: postledger schedule --print crontab`,
    ...(byHand.length > 0 ? [`# Without a schedule, so not here: ${byHand.join(', ')}`] : []),
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
    "# Debian's and Ubuntu's cron ignores it: there, use postledger schedule or a systemd timer.",
    `CRON_TZ=${timezone}`,
  ];
}

function jobLine(job: JobConfig, config: Config, { program }: CrontabOptions): string[] {
  if (job.schedule === null) return [];
  const fields = job.schedule.split(/\s+/);
  if (!fields.every(isCronField)) {
    throw new UsageError(
      `jobs.${job.name}.schedule: cron cannot read ${JSON.stringify(job.schedule)}; use digits, * , - / and names of days and months only, or postledger schedule`,
    );
  }
  const logs = join(config.dataDir, 'logs');
  const run = [...program, '--config', config.file, '--no-color', 'run', job.name];
  const log = quote(join(logs, `${job.name}.log`));
  // a log is its owner's alone; what the job hands on follows cron's own umask
  const prepare = `(umask 077; mkdir -p ${quote(logs)} && : >> ${log})`;
  const command = `${prepare} && ${run.map(quote).join(' ')} >> ${log} 2>&1`;
  return [`${fields.join(' ')} ${escapePercent(checked(command))}`];
}

function isCronField(field: string): boolean {
  return cronField.test(field) && !/[A-Za-z]/.test(field.replace(names, ''));
}

/** A crontab has no way to write a line break inside a line. */
function checked(command: string): string {
  if (!/[\r\n]/.test(command)) return command;
  throw new UsageError(`cron takes no path with a line break in it: ${JSON.stringify(command)}`);
}

function comment(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
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
