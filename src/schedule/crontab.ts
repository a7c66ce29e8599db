import { tzOffset } from '@date-fns/tz';
import type { Config } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import {
  commentHeader,
  listOrAll,
  portableFields,
  scheduledCommands,
  type CronExpression,
} from './cron-expression.ts';

export interface CrontabOptions {
  /** The command that starts this program, with absolute paths: cron's PATH is short. */
  readonly program: readonly string[];
  /** The time zone of the machine, which cron uses by default. */
  readonly machineTimezone: string;
  /** True if the machine's cron takes times in the zone that CRON_TZ names. */
  readonly knowsZones: boolean;
  /** Decides by how much the two zones differ. */
  readonly now: Date;
}

/**
 * Returns lines for `crontab`, one for each command, or two if its hours are on two days of the machine. A successful
 * run prints nothing, so that cron mails only failures.
 * @throws UsageError if no job has a schedule, or if a schedule uses syntax that cron cannot read
 */
export function crontabLines(config: Config, options: CrontabOptions): string[] {
  const { timezone } = config;
  const { machineTimezone, knowsZones, now } = options;
  const isShifted = !knowsZones && timezone !== machineTimezone;
  const shift = isShifted ? tzOffset(machineTimezone, now) - tzOffset(timezone, now) : 0;
  const lines = scheduledCommands(config).flatMap(({ name, cron, args }) => {
    const words = [...options.program, '--quiet', ...args];
    const command = escapePercent(checked(words.map(quote).join(' ')));
    return shiftedFields(name, cron, shift).map((fields) => `${fields.join(' ')} ${command}`);
  });
  return [...commentHeader(config, 'crontab'), ...zoneLines(timezone, options), ...lines];
}

function zoneLines(
  timezone: string,
  { machineTimezone, knowsZones, now }: CrontabOptions,
): string[] {
  if (timezone === machineTimezone) {
    return [`# Times are in ${timezone}, which is this machine's zone.`];
  }
  if (knowsZones) {
    return [
      `# Times are in ${timezone}, for all lines below CRON_TZ, so keep these at the end.`,
      `CRON_TZ=${timezone}`,
    ];
  }
  return [
    `# Times are in ${machineTimezone}, this machine's zone, since its cron knows no CRON_TZ. They stand for`,
    `# times in ${timezone} by the clocks of ${dayOf(now, timezone)}: print them again when clocks change,`,
    '# or use --print systemd, which knows zones.',
  ];
}

/** The five fields, for each day of the machine, of what is some minutes later there. */
function shiftedFields(name: string, cron: CronExpression, shift: number): string[][] {
  if (shift === 0) return [portableFields(cron)];
  const hasDays = cron.daysOfMonth !== null || cron.months.length < 12;
  const minutesByHour = new Map<number, number[]>();
  for (const hour of cron.hours)
    for (const minute of cron.minutes) {
      const time = 60 * hour + minute + shift;
      const onDay = Math.floor(time / 60);
      minutesByHour.set(onDay, [...(minutesByHour.get(onDay) ?? []), time - 60 * onDay]);
    }
  const lines = new Map<string, { days: number; minutes: number[]; hours: number[] }>();
  for (const [onDay, minutes] of minutesByHour) {
    const days = Math.floor(onDay / 24);
    if (days !== 0 && hasDays) {
      throw new UsageError(
        `jobs.${name}.schedule: on this machine it falls on another day of the month, which a crontab cannot say; use --print systemd, or another hour`,
      );
    }
    const key = JSON.stringify([cron.weekdays === null ? 0 : days, minutes]);
    const line = lines.get(key) ?? { days, minutes, hours: [] };
    lines.set(key, line);
    line.hours.push(onDay - 24 * days);
  }
  return [...lines.values()].map(({ days, minutes, hours }) => {
    const weekdays =
      cron.weekdays?.map((day) => (day + days + 7) % 7).sort((a, b) => a - b) ?? null;
    const [, , day = '*', month = '*', weekday = '*'] = portableFields({ ...cron, weekdays });
    return [listOrAll(minutes, 60), listOrAll(hours, 24), day, month, weekday];
  });
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
