import { firstDay } from '../config/asked-days.ts';
import type { Config, JobConfig, JobReport, ProfileConfig } from '../config/config.ts';
import { dayMs, dayOf, daysBetween, type Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { PostledgerError } from '../core/errors.ts';
import { firstNeededDay, type NeededDay } from '../report/needed-days.ts';
import { resolvePeriod } from '../report/period.ts';
import type { ReportDefinition } from '../report/report-catalog.ts';
import { nextRunAt } from '../schedule/cron-expression.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { withPublished } from '../warehouse/warehouse.ts';

/** A year and a month: in these, a period begins as long before its report as it ever does, but for a leap day. */
const lookAheadDays = 400;

/** What a report needs on one of the days on which its job runs. */
interface Need extends NeededDay {
  readonly today: Day;
}

/** A report with what it needs and its job does not read. */
interface Lack {
  readonly report: JobReport;
  /** The need that lies furthest back. */
  readonly need: Need;
  /** The first day that is needed the next time. */
  readonly nextDay: Day;
}

/**
 * Finds jobs whose windows begin later than what their reports need. Days that were read once do not count as missing,
 * although `days` does not reach them any more.
 * @param definitions the reports by name
 */
export async function windowDoubts(
  config: Config,
  definitions: ReadonlyMap<string, ReportDefinition>,
  clock: Clock,
): Promise<string[]> {
  const jobs = [...config.jobs.values()];
  const firstRead = await readFirstRead(config);
  const lacks = new Map<JobConfig, Map<string, Lack>>();
  for (const job of jobs) {
    const times = runTimes(job, config.timezone, clock.now());
    const known = new Map<string, readonly Need[]>();
    for (const report of job.reports) {
      const key = `${report.report} (${periodText(report.period)}${report.compare === 'year' ? ', compare: year' : ''})`;
      const definition = definitions.get(report.report) ?? null;
      const needs = known.get(key) ?? needsOf(report, definition, times, config.timezone);
      known.set(key, needs);
      for (const profile of (report.client ?? job).profiles) {
        const readers = jobs.filter((each) => each.profiles.some((one) => isSame(one, profile)));
        const reader = readers.includes(job) ? job : readers[0];
        const need = lackOf(needs, readers, firstRead.get(`${profile.workspace}/${profile.id}`));
        if (!reader || !need) continue;
        const ofReader = lacks.get(reader) ?? new Map<string, Lack>();
        lacks.set(reader, ofReader.set(key, { report, need, nextDay: needs[0]?.day ?? need.day }));
      }
    }
  }
  return [...lacks].map(([job, ofJob]) => doubtOf(job, ofJob));
}

function isSame(one: ProfileConfig, other: ProfileConfig): boolean {
  return one.workspace === other.workspace && one.id === other.id;
}

/** Returns the times at which a job runs, at most one a day; one without a schedule may run on any. */
function runTimes({ schedule }: JobConfig, timezone: string, now: Date): Date[] {
  const isDaily = schedule === null || /^\S+\s+\S+\s+\*\s+\*\s+\*$/.test(schedule);
  const first = schedule === null ? now : nextRunAt(schedule, timezone, now);
  const end = now.getTime() + lookAheadDays * dayMs;
  const times: Date[] = [];
  for (let at = first; at !== null && (times.length === 0 || at.getTime() < end);) {
    times.push(at);
    const nextDay = new Date(at.getTime() + dayMs);
    at = isDaily ? nextDay : nextRunAt(schedule, timezone, new Date(nextDay.getTime() - 1));
  }
  return times;
}

/** Returns what the report needs at each of the times; days that jobs.yaml names are read once, at the first of them. */
function needsOf(
  { period, compare }: JobReport,
  definition: ReportDefinition | null,
  times: readonly Date[],
  timezone: string,
): Need[] {
  const isFixed = typeof period !== 'string' || /^\d/.test(period);
  return (isFixed ? times.slice(0, 1) : times).flatMap((at) => {
    const need = firstNeededDay(definition, resolvePeriod(period, at, timezone), compare);
    return need ? { ...need, today: dayOf(at, timezone) } : [];
  });
}

/** Returns the need that lies furthest back among those that the jobs do not reach; null if they reach all. */
function lackOf(
  needs: readonly Need[],
  readers: readonly JobConfig[],
  firstRead: Day | undefined,
): Need | null {
  const isBefore = ({ day, today }: Need) =>
    readers.every(({ windows }) => day < firstDay(windows, today));
  // what is read stays read, and later reports begin later
  const asked = firstRead === undefined ? needs : needs.slice(0, 1);
  return asked
    .filter((need) => isBefore(need) && (firstRead === undefined || need.day < firstRead))
    .reduce<Need | null>(
      (furthest, need) => (furthest && distance(furthest) >= distance(need) ? furthest : need),
      null,
    );
}

/** Returns the number of days up to today that the need takes. */
function distance({ day, today }: Need): number {
  return daysBetween(day, today) + 1;
}

function doubtOf(
  { name, windows: { start, days } }: JobConfig,
  lacks: ReadonlyMap<string, Lack>,
): string {
  const firstNeeded = [...lacks.values()].map(({ nextDay }) => nextDay).sort()[0] ?? '';
  const most = Math.max(...[...lacks.values()].map(({ need }) => distance(need)));
  const reports = [...lacks].map(([report, { need, nextDay }]) => {
    const amount =
      start === null ? `needs up to ${distance(need)} days` : `needs days from ${nextDay} on`;
    return `${report} ${need.reason} and ${amount}`;
  });
  const [key, value] = start === null ? ['days', days] : ['start', start];
  const remedy =
    start === null ? `days: ${most} or more, or start: ${firstNeeded}` : `start: ${firstNeeded}`;
  return `jobs.${name}.windows: ${key}: ${value} does not reach all that is reported: ${reports.join(', ')}; set ${remedy}`;
}

function periodText(period: JobReport['period']): string {
  if (typeof period === 'string') return period;
  return `from ${period.from ?? 'the first day'} to ${period.to ?? 'today'}`;
}

/** Returns the first day that was ever read of each profile; none without a warehouse that can be read. */
async function readFirstRead({ warehouse }: Config): Promise<ReadonlyMap<string, Day>> {
  const sql = await readSql('status/first_read.sql');
  try {
    const rows = await withPublished(
      warehouse,
      async (database) =>
        (await database?.queryObjects<{ workspace: string; profile_id: string; read_from: Day }>(
          sql,
        )) ?? [],
    );
    return new Map(
      rows.map(({ workspace, profile_id: id, read_from: day }) => [`${workspace}/${id}`, day]),
    );
  } catch (error) {
    if (error instanceof PostledgerError) return new Map();
    throw error;
  }
}
