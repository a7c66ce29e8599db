import { askedDaysParameters } from '../config/asked-days.ts';
import type { Config } from '../config/config.ts';
import { dayOf, type Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { PostledgerError } from '../core/errors.ts';
import { plural } from '../core/wording.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { withPublished } from '../warehouse/warehouse.ts';

type OfProfile<Row> = Row & { readonly workspace: string; readonly profile_id: string };
type KnownProfile = OfProfile<{
  readonly name: string;
  readonly posts: number;
  readonly refusal: number | null;
}>;
type ReadUntil = OfProfile<{ readonly read_until: Day | null; readonly has_ended: boolean }>;

/** The answers for a profile that has gone. */
const refusals: readonly (number | null)[] = [403, 404];

/**
 * Finds profiles of which jobs.yaml most likely says something else than intended, by what the warehouse has. Without a
 * warehouse that can be read there are none.
 */
export async function profileDoubts(config: Config, clock: Clock): Promise<string[]> {
  const find = (database: Database | null) => (database ? findDoubts(config, clock, database) : []);
  try {
    return await withPublished(config.warehouse, async (database) => find(database));
  } catch (error) {
    if (error instanceof PostledgerError) return [];
    throw error;
  }
}

async function findDoubts(config: Config, clock: Clock, database: Database): Promise<string[]> {
  const { timezone } = config;
  const params = {
    ...askedDaysParameters(config, dayOf(clock.now(), timezone)),
    timezone,
  };
  for (const name of ['configured_days', 'unread_days'])
    await database.run(await readSql(`readings/${name}.sql`), params);
  const readUntil = await database.queryObjects<ReadUntil>(
    await readSql('readings/read_until.sql'),
    params,
  );
  const known = await database.queryObjects<KnownProfile>(
    await readSql('status/known_profiles.sql'),
  );
  return [
    ...endDoubts(config, known, new Map(readUntil.map((row) => [keyOf(row), row])), params.today),
    ...unaskedDoubts(config, known, params.today),
  ];
}

/** Days that the service no longer gives are missing for ever. */
function endDoubts(
  { workspaces }: Config,
  known: readonly KnownProfile[],
  readUntil: ReadonlyMap<string, ReadUntil>,
  today: Day,
): string[] {
  const refusedBy = new Map(known.map((row) => [keyOf(row), row.refusal]));
  return [...workspaces.values()].flatMap(({ key, profiles }) =>
    profiles.flatMap(({ id, name, until }, index) => {
      const profile = { workspace: key, profile_id: id };
      const read = readUntil.get(keyOf(profile));
      const refusal = refusedBy.get(keyOf(profile)) ?? null;
      const isMissing = until !== null && until < today && read !== undefined && !read.has_ended;
      if (!isMissing || !refusals.includes(refusal)) return [];
      const subject = `workspaces.${key}.profiles[${index}].until: ${until} of ${name} (${id})`;
      const last = read.read_until;
      // a day before it is missing
      if (last === until) return [];
      return last === null
        ? `${subject} is over, but no day of the profile was ever read, and the service answers ${refusal}; reports wait for them for ever`
        : `${subject} is later than the last day that counts as read, ${last}, and the service answers ${refusal}, so reports wait for the days after it for ever; set it to ${last}`;
    }),
  );
}

/** Posts that reports leave out, or to which nothing is added any more. */
function unaskedDoubts(
  { workspaces, jobs }: Config,
  known: readonly KnownProfile[],
  today: Day,
): string[] {
  const configured = new Map(
    [...workspaces.values()].flatMap(({ profiles }) =>
      profiles.map((profile) => [`${profile.workspace}/${profile.id}`, profile]),
    ),
  );
  const asked = new Set(
    [...jobs.values()].flatMap(({ profiles }) =>
      profiles.map(({ workspace, id }) => `${workspace}/${id}`),
    ),
  );
  return known.flatMap((row) => {
    const key = keyOf(row);
    const profile = configured.get(key);
    const until = profile?.until ?? null;
    const hasEnded = until !== null && until < today;
    if (row.posts === 0 || asked.has(key) || hasEnded) return [];
    const subject = `${row.workspace}/${profile?.name ?? row.name} (${row.profile_id})`;
    const posts = `has ${plural(row.posts, 'post')} in the warehouse`;
    return profile
      ? `${subject} ${posts} and is in no job, so its later posts are not read; add it to a job, or give it until, its last day that counts`
      : `${subject} ${posts} and is not in jobs.yaml any more, so reports leave them out; put it back with until, its last day that counts, if they are to stay`;
  });
}

function keyOf({ workspace, profile_id: id }: OfProfile<object>): string {
  return `${workspace}/${id}`;
}
