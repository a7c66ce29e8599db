import { Cron } from 'croner';
import type { Config, JobConfig } from '../config/config.ts';
import { dayMs } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';

/** A parsed cron expression. Each list holds the values that its field allows, ascending. */
export interface CronExpression {
  /** The five fields as in jobs.yaml. */
  readonly fields: readonly [string, string, string, string, string];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Null if the field is `*`. If weekdays are given too, a day matches either of them. */
  readonly daysOfMonth: readonly number[] | null;
  readonly months: readonly number[];
  /** Weekdays from 0, which is Sunday. Null if the field is `*`. */
  readonly weekdays: readonly number[] | null;
}

/** The name of the command that does what waits between the times of jobs. A job may have it too. */
export const catchUpName = 'catch-up';

/** A command that is run at certain times: a job, or what is done between the times of jobs. */
export interface ScheduledCommand {
  /** The job's name, or `catch-up`. */
  readonly name: string;
  /** The job, or all jobs. */
  readonly jobs: readonly JobConfig[];
  readonly cron: CronExpression;
  /** The command and its arguments: `run daily …`. */
  readonly args: readonly string[];
}

/**
 * Returns the commands that do what `schedule` does, for other schedulers. A run waits for another job of the same
 * workspace. Croner also accepts L, W, #, + and ?, which other schedulers do not.
 * @throws UsageError if no job has a schedule, or if a schedule uses syntax that other schedulers cannot read
 */
export function scheduledCommands(config: Config): ScheduledCommand[] {
  const jobs = listSchedules(config).map(({ job, schedule }) => ({
    name: job.name,
    jobs: [job],
    cron: parseCron(job.name, schedule),
    args: ['--config', config.file, 'run', job.name, '--wait', '3600'],
  }));
  const catchUp = {
    name: catchUpName,
    jobs: [...config.jobs.values()],
    cron: parseCron(catchUpName, '*/15 * * * *'),
    args: ['--config', config.file, catchUpName],
  };
  return [...jobs, catchUp];
}

/**
 * Returns the jobs that have a schedule.
 * @throws UsageError if there is none
 */
export function listSchedules(config: Config): { job: JobConfig; schedule: string }[] {
  const scheduled = [...config.jobs.values()].flatMap((job) =>
    job.schedule === null ? [] : [{ job, schedule: job.schedule }],
  );
  if (scheduled.length > 0) return scheduled;
  throw new UsageError(
    `no job in ${config.file} has a schedule; add one, such as schedule: "15 5 * * *"`,
  );
}

/** Returns comment lines that name the source of the text and the jobs that it leaves out. */
export function commentHeader(config: Config, form: string): string[] {
  const byHand = [...config.jobs.values()].filter(({ schedule }) => schedule === null);
  const file = config.file.replace(/[\r\n]/g, ' ');
  return [
    `# The jobs of ${file}, made by: postledger schedule --print ${form}`,
    ...(byHand.length > 0
      ? [
          `# Jobs without a schedule, which are left out: ${byHand.map(({ name }) => name).join(', ')}`,
        ]
      : []),
  ];
}

const monthNames = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const dayNames = 'SUN MON TUE WED THU FRI SAT'.split(' ');

function parseCron(jobName: string, schedule: string): CronExpression {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.split(/\s+/);
  const values = (field: string, lowest: number, highest: number, names: readonly string[] = []) =>
    fieldValues(field, lowest, highest, names) ?? refuse(jobName, schedule);
  const weekdays = values(weekday, 0, 7, dayNames).map((value) => value % 7);
  const daysOfMonth = values(day, 1, 31);
  return {
    fields: [minute, hour, day, month, weekday],
    minutes: values(minute, 0, 59),
    hours: values(hour, 0, 23),
    daysOfMonth: day === '*' ? null : daysOfMonth,
    months: values(month, 1, 12, monthNames),
    weekdays: weekday === '*' ? null : ascending(weekdays),
  };
}

function refuse(jobName: string, schedule: string): never {
  throw new UsageError(
    `jobs.${jobName}.schedule: other schedulers cannot read ${JSON.stringify(schedule)}; use digits, * , - / and names of days and months only, or postledger schedule`,
  );
}

/**
 * Returns null for syntax that is not plain cron. The config has already checked that values and steps are in
 * range.
 */
function fieldValues(
  field: string,
  lowest: number,
  highest: number,
  names: readonly string[],
): number[] | null {
  const number = (word: string) => {
    const index = names.indexOf(word.toUpperCase());
    return index === -1 ? Number(word) : lowest + index;
  };
  const values: number[] = [];
  for (const item of field.split(',')) {
    const [, first, last, step = '1'] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(item) ?? [];
    if (first === undefined) return null;
    const from = first === '*' ? lowest : number(first);
    const to = first === '*' ? highest : number(last ?? first);
    // Sunday is at both ends of the week
    const end = to < from && names === dayNames && to === 0 ? 7 : to;
    if (![from, end].every(Number.isInteger)) return null;
    for (let value = from; value <= end; value += Number(step)) values.push(value);
  }
  return ascending(values);
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** Groups `[1, 2, 3, 5]` into `[[1, 3], [5, 5]]`. Two neighbours stay two runs. */
export function consecutiveRanges(values: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run && value === run[1] + 1) run[1] = value;
    else runs.push([value, value]);
  }
  return runs.flatMap(([first, last]) =>
    last === first + 1
      ? [
          [first, first],
          [last, last],
        ]
      : [[first, last]],
  );
}

/**
 * Returns the five fields in a form that every cron reads alike. Crons differ in whether a week ends with 7,
 * in names within ranges, and in whether a step over all days narrows another day field or adds to it.
 */
export function portableFields({ fields, daysOfMonth, weekdays }: CronExpression): string[] {
  const [minute, hour, day, month] = fields;
  const isAmbiguous = day.startsWith('*') && daysOfMonth !== null && weekdays !== null;
  return [
    minute,
    hour,
    isAmbiguous ? listOf(daysOfMonth) : day,
    month,
    weekdays === null ? '*' : listOf(weekdays),
  ];
}

/** Writes the values of a field, as `*` if they are all that there are. */
export function listOrAll(values: readonly number[], all: number): string {
  return values.length === all ? '*' : listOf([...values].sort((a, b) => a - b));
}

function listOf(values: readonly number[]): string {
  return consecutiveRanges(values)
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
    .join(',');
}

/**
 * Returns the longest gap between two runs within a year from `instant`, or within the next 500 runs. It
 * ignores daylight saving: finding the runs of a zone that has it takes four times as long.
 * @returns null if there are fewer than two runs
 */
export function longestGapMs(expression: string, instant: Date): number | null {
  const times = new Cron(expression, { mode: '5-part', paused: true, utcOffset: 0 })
    .nextRuns(500, instant)
    .map((time) => time.getTime());
  const gaps = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? time))
    .filter((_, index) => index === 0 || (times[index] ?? 0) < instant.getTime() + 365 * dayMs);
  return gaps.length === 0 ? null : Math.max(...gaps);
}

/** Returns the last run before `instant`, or null if there was none. */
export function lastRunAt(expression: string, timezone: string, instant: Date): Date | null {
  const cron = new Cron(expression, { mode: '5-part', paused: true, timezone });
  return cron.previousRuns(1, instant)[0] ?? null;
}

/**
 * Returns the next run after `instant`, or null if there is none. A time that a change to summer time skips
 * runs at the end of the gap; a time that comes twice runs once (for a job that runs once a day).
 * @param expression five cron fields, already checked by the config
 * @param timezone an IANA time zone
 */
export function nextRunAt(expression: string, timezone: string, instant: Date): Date | null {
  return new Cron(expression, { mode: '5-part', paused: true, timezone }).nextRun(instant);
}
