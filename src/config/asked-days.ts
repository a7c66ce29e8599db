import { addDays, type Day } from '../core/calendar.ts';
import type { Config, WindowsConfig } from './config.ts';

/** Returns the first day that a job ever reads. @param last the last day, which is today unless a run was given one */
export function firstDay({ start, days }: WindowsConfig, last: Day): Day {
  return start ?? addDays(last, 1 - (days ?? 1));
}

/** Returns the first day that any job reads, by `<workspace>/<id>` of the profile. Profiles without a job are left out. */
export function firstAskedDays(
  { jobs }: Pick<Config, 'jobs'>,
  today: Day,
): ReadonlyMap<string, Day> {
  const days = new Map<string, Day>();
  for (const job of jobs.values()) {
    const day = firstDay(job.windows, today);
    for (const { workspace, id } of job.profiles) {
      const key = `${workspace}/${id}`;
      const known = days.get(key);
      if (known === undefined || day < known) days.set(key, day);
    }
  }
  return days;
}

/** Returns the parameters of sql/readings/configured_days.sql and read_until.sql. */
export function askedDaysParameters({ jobs }: Pick<Config, 'jobs'>, today: Day) {
  const asked = [...firstAskedDays({ jobs }, today)];
  const profiles = [...jobs.values()].flatMap((job) => job.profiles);
  const untils = new Map(profiles.map(({ workspace, id, until }) => [`${workspace}/${id}`, until]));
  const keys = asked.map(([key]) => key);
  return {
    workspaces: keys.map((key) => key.slice(0, key.indexOf('/'))),
    profiles: keys.map((key) => key.slice(key.indexOf('/') + 1)),
    days: asked.map(([, day]) => day),
    untils: keys.map((key) => untils.get(key) ?? ''),
    today,
  };
}
