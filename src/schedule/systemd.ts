import type { Config } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import {
  printedHead,
  runArguments,
  runsOf,
  scheduledJobs,
  type CronExpression,
  type ScheduledJob,
} from './cron-expression.ts';

export interface SystemdOptions {
  /** Words that start this program, absolute. */
  readonly program: readonly string[];
  /** Whom the jobs run as; null for units of a user's own manager (`systemctl --user`). */
  readonly user: string | null;
}

export interface UnitFile {
  /** For example `postledger-daily.timer`. */
  readonly name: string;
  readonly text: string;
}

/**
 * A timer and a service for each job that has a schedule.
 * @throws UsageError when no job has one, or one has what systemd cannot read
 */
export function systemdUnits(config: Config, options: SystemdOptions): UnitFile[] {
  return scheduledJobs(config).flatMap((scheduled) => [
    serviceUnit(scheduled, config, options),
    timerUnit(scheduled, config),
  ]);
}

function serviceUnit(
  { job }: ScheduledJob,
  config: Config,
  { program, user }: SystemdOptions,
): UnitFile {
  const words = [...program, ...runArguments(config, job)];
  const network = ['Wants=network-online.target', 'After=network-online.target'];
  return unitFile(`postledger-${job.name}.service`, config, [
    '[Unit]',
    `Description=postledger run ${job.name}`,
    // a user's own manager has no such target
    ...(user === null ? [] : network),
    '',
    '[Service]',
    'Type=oneshot',
    ...(user === null ? [] : [`User=${user}`]),
    `ExecStart=${words.map(quote).join(' ')}`,
  ]);
}

function timerUnit({ job, cron }: ScheduledJob, config: Config): UnitFile {
  return unitFile(`postledger-${job.name}.timer`, config, [
    '[Unit]',
    `Description=postledger run ${job.name}, on its schedule ${cron.fields.join(' ')}`,
    '',
    '[Timer]',
    ...calendarEvents(cron, config.timezone).map((event) => `OnCalendar=${event}`),
    '# A run that a machine slept through is started when it wakes.',
    'Persistent=true',
    '',
    '[Install]',
    'WantedBy=timers.target',
  ]);
}

function unitFile(name: string, config: Config, lines: readonly string[]): UnitFile {
  return { name, text: `${[...printedHead(config, 'systemd'), ...lines].join('\n')}\n` };
}

/**
 * A cron expression as values of OnCalendar: two where both day fields are given, since then cron takes a day that
 * either allows, and one calendar event takes days that both do.
 */
export function calendarEvents(cron: CronExpression, timezone: string): string[] {
  const { minutes, hours, daysOfMonth, months, weekdays } = cron;
  const month = list(months, 12);
  const time = `${list(hours, 24)}:${list(minutes, 60)}:00 ${timezone}`;
  const event = (days: readonly number[] | null, weekday: readonly number[] | null) =>
    `${weekday === null ? '' : `${weekdayList(weekday)} `}*-${month}-${days === null ? '*' : list(days, 31)} ${time}`;
  if (daysOfMonth === null || weekdays === null) return [event(daysOfMonth, weekdays)];
  return [event(daysOfMonth, null), event(null, weekdays)];
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** @param values ascending, 0 is Sunday, which for systemd ends the week */
function weekdayList(values: readonly number[]): string {
  const fromMonday = values.map((value) => (value + 6) % 7).sort((a, b) => a - b);
  return joined(fromMonday, (value) => dayNames[value] ?? '');
}

/** @param all how many values there are: `*` stands for all of them */
function list(values: readonly number[], all: number): string {
  return values.length === all ? '*' : joined(values, (value) => String(value).padStart(2, '0'));
}

function joined(values: readonly number[], write: (value: number) => string): string {
  return runsOf(values)
    .map(([first, last]) => (first === last ? write(first) : `${write(first)}..${write(last)}`))
    .join(',');
}

/** As one word of ExecStart: systemd expands % and $ also within quotes. */
function quote(word: string): string {
  if (/[\p{Cc}]/u.test(word)) {
    throw new UsageError(
      `a unit file takes no path with control characters in it: ${JSON.stringify(word)}`,
    );
  }
  const plain = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  if (/^[\w@+=:,./%$-]+$/.test(plain)) return plain;
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
