import { group } from 'd3-array';
import { askedDaysParameters, firstAskedDays } from '../config/asked-days.ts';
import type { Config } from '../config/config.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';

export type ProfileStatus = Awaited<ReturnType<typeof readProfiles>>[number];

/** Both ends are inclusive. */
export interface Gap {
  readonly first_day: Day;
  readonly last_day: Day;
  /** True if its days were read, but before they were over. */
  readonly is_begun: boolean;
}

type OfProfile<Row> = Row & { readonly workspace: string; readonly profile_id: string };

/** Reads how far each configured profile was read. @param database null when nothing was loaded yet */
export async function readProfiles(
  { workspaces, jobs, timezone }: Pick<Config, 'workspaces' | 'jobs' | 'timezone'>,
  clock: Clock,
  database: Database | null,
) {
  const today = dayOf(clock.now(), timezone);
  const profiles = [...workspaces.values()].flatMap((workspace) => workspace.profiles);
  const asked = firstAskedDays({ jobs }, today);
  const params = { ...askedDaysParameters({ jobs }, today), timezone };
  const known = database && (await readTables(database, params, clock.now()));
  return profiles.map(({ workspace, id, name, until }) => {
    const key = `${workspace}/${id}`;
    const reading = known?.readings.get(key)?.[0];
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
      ...(reading?.read_ahead_at && { read_ahead_at: reading.read_ahead_at }),
      /** The days up to yesterday that jobs ask for and that were not read, oldest first. */
      gaps,
      // its last day is over, and nothing is missing up to it
      ...(until !== null && until < today && gaps.length === 0 && { has_ended: true }),
      /** Date ranges whose newest answer is a failure, as far as their days were not read since. */
      failed_windows: (known?.failures.get(key) ?? []).map(failedWindowOf),
      /** The columns of which the newest value could not be read, with the number of posts, and the name in a sentence. */
      unreadable: (known?.unreadable.get(key) ?? []).map(({ field, noun, posts }) => {
        return { field, noun, posts };
      }),
    };
  });
}

interface UnreadableRow {
  readonly field: string;
  readonly noun: string;
  readonly posts: number;
}

interface FailureRow {
  readonly start_date: Day;
  readonly end_date: Day;
  readonly failed_at: string;
  readonly error: string | null;
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
    readonly read_ahead_at: string | null;
  }
  return {
    readings: await read<Reading>('profile_readings', { now }),
    gaps: await read<Gap>('gaps'),
    failures: await read<FailureRow>('failed_windows'),
    unreadable: await read<UnreadableRow>('unreadable_values'),
  };
}

function gapOf({ first_day, last_day, is_begun }: Gap): Gap {
  return { first_day, last_day, is_begun };
}

function failedWindowOf({ start_date, end_date, failed_at, error }: FailureRow) {
  return { start: start_date, end: end_date, failed_at, error };
}

/** @param first undefined for a profile of no job */
function wholeGap(first: Day | undefined, until: Day | null, today: Day): Gap[] {
  const yesterday = addDays(today, -1);
  const last = until !== null && until < yesterday ? until : yesterday;
  if (first === undefined || first > last) return [];
  return [{ first_day: first, last_day: last, is_begun: false }];
}
