import { group } from 'd3-array';
import { askedDaysParameters, firstAskedDays } from '../config/asked-days.ts';
import type { Config } from '../config/config.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { readWarehouseProblems, type WarehouseProblem } from './warehouse-problems.ts';

export type ProfileStatus = Awaited<ReturnType<typeof readProfiles>>['profiles'][number];

/** Both ends are inclusive. */
export interface Gap {
  readonly first_day: Day;
  readonly last_day: Day;
  /** True if its days were read, but before they were over. */
  readonly is_begun: boolean;
}

type OfProfile<Row> = Row & { readonly workspace: string; readonly profile_id: string };

/**
 * Reads how far each configured profile was read, and what the warehouse knows to be wrong.
 * @param database null when nothing was loaded yet
 */
export async function readProfiles(
  { workspaces, jobs, timezone }: Pick<Config, 'workspaces' | 'jobs' | 'timezone'>,
  now: Date,
  database: Database | null,
) {
  const today = dayOf(now, timezone);
  const profiles = [...workspaces.values()].flatMap((workspace) => workspace.profiles);
  const asked = firstAskedDays({ jobs }, today);
  const params = { ...askedDaysParameters({ jobs }, today), timezone };
  const known = database && (await readTables(database, params, now));
  const problems = database ? await readWarehouseProblems(database, { workspaces }, now) : [];
  const byProfile = group(problems, (row) => `${row.workspace}/${row.profile_id}`);
  const statuses = profiles.map(({ workspace, id, name, until }) => {
    const key = `${workspace}/${id}`;
    const reading = known?.readings.get(key)?.[0];
    const problemsOf = (kind: WarehouseProblem['kind']) =>
      (byProfile.get(key) ?? []).filter((row) => row.kind === kind);
    const [ahead] = problemsOf('later_reading');
    const gaps = known
      ? (known.gaps.get(key) ?? []).map(gapOf)
      : wholeGap(asked.get(key), until, today);
    return {
      workspace,
      profile_id: id,
      name,
      /** Null when the warehouse cannot be read, and then nothing is known of the days either. */
      posts: reading ? reading.posts : 0,
      /** When the newest answer with posts of whatever days came, up to now. */
      last_read_at: reading?.last_read_at ?? null,
      // the newest time of an answer that is later than now, since a clock was ahead
      ...(ahead && { read_ahead_at: ahead.since }),
      /** The days up to yesterday that jobs ask for and that were not read, oldest first. */
      gaps,
      // its last day is over, and nothing is missing up to it
      ...(until !== null && until < today && gaps.length === 0 && { has_ended: true }),
      /** Date ranges whose newest answer is a failure, as far as their days were not read since. */
      failed_windows: problemsOf('failed_range').map(failedWindowOf),
      /** The columns of which the newest value could not be read, with the number of posts, and the name in a sentence. */
      unreadable: problemsOf('unreadable_values').map(({ field, noun, records: posts }) => {
        return { field, noun, posts };
      }),
    };
  });
  return { profiles: statuses, problems };
}

async function readTables(
  database: Database,
  params: ReturnType<typeof askedDaysParameters> & { readonly timezone: string },
  now: Date,
) {
  const given = { ...params, from: null, to: null };
  for (const name of [
    'readings/configured_days',
    'readings/unread_days',
    'readings/failed_windows',
  ])
    await database.run(await readSql(`${name}.sql`), given);
  await database.run(await readSql('metrics.sql'));
  const read = async <Row>(name: string, more = {}) =>
    group(
      await database.queryObjects<OfProfile<Row>>(await readSql(`status/${name}.sql`), more),
      (row) => `${row.workspace}/${row.profile_id}`,
    );
  interface Reading {
    readonly posts: number | null;
    readonly last_read_at: string | null;
  }
  return {
    readings: await read<Reading>('profile_readings', { now }),
    gaps: await read<Gap>('gaps'),
  };
}

function gapOf({ first_day, last_day, is_begun }: Gap): Gap {
  return { first_day, last_day, is_begun };
}

function failedWindowOf({ start_date, end_date, since, reason }: WarehouseProblem) {
  return { start: start_date, end: end_date, failed_at: since, error: reason };
}

/** @param first undefined for a profile of no job */
function wholeGap(first: Day | undefined, until: Day | null, today: Day): Gap[] {
  const yesterday = addDays(today, -1);
  const last = until !== null && until < yesterday ? until : yesterday;
  if (first === undefined || first > last) return [];
  return [{ first_day: first, last_day: last, is_begun: false }];
}
