import type { Config } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import { writtenFolders } from './written-folders.ts';
import {
  commentHeader,
  consecutiveRanges,
  scheduledCommands,
  type CronExpression,
  type ScheduledCommand,
} from './cron-expression.ts';

export interface SystemdOptions {
  /** The command that starts this program, with absolute paths. */
  readonly program: readonly string[];
  /** The user that runs the jobs. Null for units of a user's own manager (`systemctl --user`). */
  readonly user: string | null;
}

export interface UnitFile {
  /** For example `postledger-daily.timer`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Returns a timer and a service for each command that has a schedule.
 * @throws UsageError if no job has a schedule, or if a schedule uses syntax that systemd cannot read
 */
export function systemdUnits(config: Config, options: SystemdOptions): UnitFile[] {
  return scheduledCommands(config).flatMap((scheduled) => [
    serviceUnit(scheduled, config, options),
    timerUnit(scheduled, config),
  ]);
}

/** Returns the name of the units of a command, without their kind. */
export function unitName(name: string): string {
  return `postledger-${name}`;
}

function serviceUnit(
  { name, jobs, args }: ScheduledCommand,
  config: Config,
  { program, user }: SystemdOptions,
): UnitFile {
  const words = [...program, ...args];
  const writable = writtenFolders(config, jobs)
    .map((folder) => quote(`-${folder}`))
    .join(' ');
  const network = ['Wants=network-online.target', 'After=network-online.target'];
  return unitFile(`${unitName(name)}.service`, config, [
    '[Unit]',
    `Description=${descriptionOf(name)}`,
    // a user's own manager has no such target
    ...(user === null ? [] : network),
    '',
    '[Service]',
    'Type=oneshot',
    ...(user === null ? [] : [...userLines(user), ...hardening, `ReadWritePaths=${writable}`]),
    `ExecStart=${words.map(quote).join(' ')}`,
  ]);
}

/** What a service cannot do to the machine; a user's own manager may not restrict all of it. */
const hardening = [
  'NoNewPrivileges=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectHome=read-only',
  'ProtectSystem=strict',
];

function userLines(user: string): string[] {
  return user === 'root'
    ? ['# Create a user for this and name it here: root can do more than a run needs.', 'User=root']
    : [`User=${user}`];
}

function timerUnit({ name, cron }: ScheduledCommand, config: Config): UnitFile {
  return unitFile(`${unitName(name)}.timer`, config, [
    '[Unit]',
    `Description=${descriptionOf(name)}, on its schedule ${cron.fields.join(' ')}`,
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

function descriptionOf(name: string): string {
  return name === 'catch-up' ? 'postledger catch-up' : `postledger run ${name}`;
}

function unitFile(name: string, config: Config, lines: readonly string[]): UnitFile {
  return { name, text: `${[...commentHeader(config, 'systemd'), ...lines].join('\n')}\n` };
}

/**
 * Converts a cron expression to values of OnCalendar. There are two if both day fields are given: cron takes
 * a day that either field allows, while a calendar event takes only days that both allow.
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

/**
 * Writes weekdays from Monday on, since systemd ends the week with Sunday.
 * @param values ascending, 0 is Sunday
 */
function weekdayList(values: readonly number[]): string {
  const fromMonday = values.map((value) => (value + 6) % 7).sort((a, b) => a - b);
  return joined(fromMonday, (value) => dayNames[value] ?? '');
}

/**
 * Writes values in systemd's syntax, with `*` for all values.
 * @param all the number of possible values
 */
function list(values: readonly number[], all: number): string {
  return values.length === all ? '*' : joined(values, (value) => String(value).padStart(2, '0'));
}

function joined(values: readonly number[], write: (value: number) => string): string {
  return consecutiveRanges(values)
    .map(([first, last]) => (first === last ? write(first) : `${write(first)}..${write(last)}`))
    .join(',');
}

/** Quotes a word for ExecStart. systemd expands % and $ even within quotes. */
function quote(word: string): string {
  if (/[\p{Cc}]/u.test(word)) {
    throw new UsageError(
      `a unit file cannot contain a path with control characters: ${JSON.stringify(word)}`,
    );
  }
  const plain = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  if (/^[\w@+=:,./%$-]+$/.test(plain)) return plain;
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
