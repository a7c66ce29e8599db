import type { Config, JobConfig } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { resolvePeriod, shortestName, wholeMonths, type Period } from '../report/period.ts';
import { warehouseOf } from '../warehouse/warehouse.ts';
import { catchUpName, nextRunAt } from './cron-expression.ts';
import { cronJobName } from './cron-jobs.ts';
import { unitName } from './systemd.ts';

/** Finds what the schedules of jobs most likely do not intend. */
export function scheduleDoubts(config: Config, clock: Clock): string[] {
  return [
    ...earlyDoubts(config, clock),
    ...skippedMonthDoubts(config, clock),
    ...printedNameDoubts(config),
  ];
}

/** Finds jobs that run before a client's period is over, whose reports a later run sends. */
function earlyDoubts({ jobs, timezone }: Config, clock: Clock): string[] {
  return [...jobs.values()].flatMap(({ name, schedule, reports }) => {
    const at = schedule && nextRunAt(schedule, timezone, clock.now());
    if (!at) return [];
    const early = reports.flatMap(({ client, period }) => {
      const { to, isOver } = resolvePeriod(period, at, timezone);
      const isEarly = client && to !== null && isOver && dayOf(at, client.timezone) <= to;
      return isEarly ? [`${client.key} (${client.timezone})`] : [];
    });
    if (early.length === 0) return [];
    const clients = [...new Set(early)].join(', ');
    return `jobs.${name}.schedule: at its next time the last day of the period is not over for ${clients}; the report is held until it is, and sent by catch-up; schedule the job later to send it at once`;
  });
}

/** Within four years each month has all of its days at least once. */
const yearsAhead = 4;

/** A month of the calendar: its first and its last minute in UTC. */
interface Month {
  readonly start: Date;
  readonly end: Date;
}

/** Finds jobs that run on a day that some months do not have, such as the 31st, and names what is not reported then. */
function skippedMonthDoubts({ jobs }: Config, clock: Clock): string[] {
  return [...jobs.values()].flatMap((job) => {
    if (job.schedule === null || !hasDay(job.schedule)) return [];
    const { schedule } = job;
    const ahead = monthsFrom(clock.now(), 1, 12 * yearsAhead);
    const skipped = ahead.filter((month) => isSkipped(schedule, month));
    if (skipped.length === 0) return [];
    const past = monthsFrom(clock.now(), -12, 13);
    const others = [...past, ...ahead].filter((month) => runsIn(schedule, month));
    const missing = missingPeriods(job, skipped, others);
    const what = job.reports.length > 0 ? 'report' : 'run';
    return `jobs.${job.name}.schedule: ${JSON.stringify(schedule)} has no time in ${monthNames(skipped.map(({ start }) => start))}, so there is no ${what} ${missing === '' ? 'then' : `for ${missing}`}; use a day from 1 to 28, which every month has`;
  });
}

/** True if a schedule does not allow each day of a month, or each of a weekday. */
function hasDay(schedule: string): boolean {
  const [, , day = '', , weekday = ''] = schedule.split(/\s+/);
  return !/^[*?]$/.test(day) || /[#L]/i.test(weekday);
}

function monthsFrom(now: Date, first: number, count: number): Month[] {
  const startOf = (index: number) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + first + index, 1);
  return Array.from({ length: count }, (_, index) => ({
    start: new Date(startOf(index)),
    end: new Date(startOf(index + 1) - 60_000),
  }));
}

/** True for a month in which a job would run if it ran on each day. These months are the same in every time zone. */
function isSkipped(schedule: string, month: Month): boolean {
  const [minute, hour, , ofYear] = schedule.split(/\s+/);
  return !runsIn(schedule, month) && runsIn(`${minute} ${hour} * ${ofYear} *`, month);
}

function runsIn(schedule: string, { start, end }: Month): boolean {
  const next = nextRunAt(schedule, 'UTC', new Date(start.getTime() - 1));
  return next !== null && next <= end;
}

/** The most periods that are named, of those that are not months. */
const mostNamed = 6;

/** Names the months, quarters and years that a run in the skipped months would report, and no other run does. */
function missingPeriods(
  { reports }: JobConfig,
  skipped: readonly Month[],
  others: readonly Month[],
): string {
  const missing = new Map<string, Period>();
  for (const period of new Set(reports.map((report) => report.period))) {
    const periodIn = ({ end }: Month) => resolvePeriod(period, end, 'UTC');
    const reported = new Set(others.map((month) => periodIn(month).from));
    for (const found of skipped.map(periodIn))
      if (wholeMonths(found) !== null && !reported.has(found.from))
        missing.set(shortestName(found), found);
  }
  const isMonth = (period: Period) => wholeMonths(period) === 1;
  const months = [...missing.values()].filter(isMonth);
  const longer = [...missing].filter(([, period]) => !isMonth(period)).map(([name]) => name);
  return [
    ...(months.length > 0 ? [monthNames(months.map(({ from }) => new Date(from ?? '')))] : []),
    ...longer.slice(0, mostNamed),
    ...(longer.length > mostNamed ? ['others'] : []),
  ].join(', ');
}

/** Names months of the calendar from January on, with their years where they are not in every year. */
function monthNames(starts: readonly Date[]): string {
  const years = new Map<number, number[]>();
  for (const start of starts) {
    const month = start.getUTCMonth();
    years.set(month, [...(years.get(month) ?? []), start.getUTCFullYear()]);
  }
  return [...years]
    .sort(([a], [b]) => a - b)
    .map(([month, listed]) => {
      const name = new Date(Date.UTC(2000, month)).toLocaleString('en', {
        month: 'long',
        timeZone: 'UTC',
      });
      return listed.length < yearsAhead ? `${name} (${listed.join(', ')})` : name;
    })
    .join(', ');
}

/** Finds jobs of which other schedulers would know two by one name, or one by that of `catch-up`. */
function printedNameDoubts(config: Config): string[] {
  const jobs = [...config.jobs.values()].flatMap(({ name, schedule }) => (schedule ? [name] : []));
  if (jobs.length === 0) return [];
  const all = [...jobs, catchUpName];
  const units = sharedNames(all, unitName).map(
    ([name, names]) =>
      `jobs.${names[0]}: \`schedule --print systemd\` makes ${name}.service and ${name}.timer of ${wordsFor(names)}, of which only one remains; give the job another name`,
  );
  const { isShared } = warehouseOf(config.warehouse);
  const cronJobs = sharedNames(isShared ? jobs : all, cronJobName).map(
    ([name, names]) =>
      `jobs.${names[0]}: \`schedule --print k8s\` makes the CronJob ${name} of ${wordsFor(names)}, and adds a number that depends on their order; give one another name`,
  );
  return [...units, ...cronJobs];
}

function wordsFor(names: readonly string[]): string {
  const words = names.map((name, index) =>
    name === catchUpName && index === names.length - 1 ? 'the command catch-up' : `the job ${name}`,
  );
  return words.join(' and of ');
}

/** Groups names that become the same, and leaves out those that do not. */
function sharedNames(
  names: readonly string[],
  nameOf: (name: string) => string,
): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(nameOf(name), [...(groups.get(nameOf(name)) ?? []), name]);
  return [...groups].filter(([, group]) => group.length > 1);
}
