import type { WarehouseConfig } from '../config/config.ts';
import type { Log } from '../core/log.ts';
import { plural, thousands } from '../core/wording.ts';
import type { Database } from '../warehouse/database.ts';
import { withPublished } from '../warehouse/warehouse.ts';
import { readSql } from '../warehouse/sql-file.ts';

/** Loaded data that look wrong: a row of `data_warnings`, see docs/data.md. */
export interface DataWarning {
  readonly kind:
    | 'metric_drop'
    | 'empty_window'
    | 'absent_posts'
    | 'superseded_records'
    | 'shared_posts'
    | 'shared_address'
    | 'cut_off_answer'
    | 'outside_dates';
  readonly workspace: string;
  readonly profile_id: string;
  /** Its name, else its id. */
  readonly profile: string;
  /** The column that fell; null where it is about a window. */
  readonly metric: string | null;
  /** The metric's title in a sentence. */
  readonly metric_name: string | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly posts: number;
  /** The names of the profiles that have these posts, too; null where it is not about that. */
  readonly other_profiles: string | null;
  /** ISO 8601 in UTC. */
  readonly seen_at: string;
}

/** Workspaces that are looked at together: the work for all at once takes too much memory. */
const workspacesAtOnce = 200;

/** Reads the warnings, ordered by workspace, profile and kind. */
export async function readWarnings(
  database: Database,
  workspaces: readonly string[],
): Promise<DataWarning[]> {
  await database.run(await readSql('metrics.sql'));
  const sql = await readSql('status/data_warnings.sql');
  const sorted = workspaces.toSorted();
  const warnings: DataWarning[] = [];
  for (let first = 0; first < sorted.length; first += workspacesAtOnce) {
    const some = sorted.slice(first, first + workspacesAtOnce);
    warnings.push(...(await database.queryObjects<DataWarning>(sql, { workspaces: some })));
  }
  return warnings;
}

/**
 * Logs the new data warnings of a load, one line for each profile and kind.
 * @param published the warehouse before the load; its warnings are not repeated
 */
export async function logDataWarnings(
  database: Database,
  published: WarehouseConfig,
  log: Log,
): Promise<DataWarning[]> {
  const warnings = await readNewWarnings(database, published);
  for (const { kind, workspace, profile, text } of describeWarnings(warnings)) {
    log.warn(
      { workspace, profile, kind },
      `${text}; it was loaded as it came, since it may be true: docs/failures.md says what to do`,
    );
  }
  return warnings;
}

async function readNewWarnings(
  database: Database,
  published: WarehouseConfig,
): Promise<DataWarning[]> {
  const { rows } = await database.query('select distinct workspace from new_responses');
  const workspaces = rows.map(([workspace]) => String(workspace));
  const warnings = await readWarnings(database, workspaces);
  if (warnings.length === 0) return [];
  const read = async (before: Database | null) => (before ? readWarnings(before, workspaces) : []);
  const known = await withPublished(published, read, { workspaces });
  const keys = new Set(known.map(warningKey));
  return warnings.filter((warning) => !keys.has(warningKey(warning)));
}

function warningKey(warning: DataWarning): string {
  const { workspace, kind, metric } = warning;
  const place = [warning.profile_id, warning.start_date, warning.end_date];
  return JSON.stringify([workspace, kind, metric, ...place]);
}

/** The warnings of one kind for one profile, as text. */
export interface DescribedWarnings {
  readonly kind: DataWarning['kind'];
  readonly workspace: string;
  readonly profile: string;
  readonly warnings: number;
  /** A sentence without the profile's name and without a full stop. */
  readonly text: string;
}

const windowsNamed = 3;

/** One for each profile and kind, in their order. */
export function describeWarnings(warnings: readonly DataWarning[]): DescribedWarnings[] {
  const groups = new Map<string, [DataWarning, ...DataWarning[]]>();
  for (const warning of warnings) {
    const key = JSON.stringify([warning.workspace, warning.profile_id, warning.kind]);
    const group = groups.get(key);
    if (group) group.push(warning);
    else groups.set(key, [warning]);
  }
  return [...groups.values()].map((group) => {
    const [{ kind, workspace, profile }] = group;
    return { kind, workspace, profile, warnings: group.length, text: warningText(kind, group) };
  });
}

/** A sentence about one warning, without the profile's name and without a full stop. */
export function describeWarning(warning: DataWarning): string {
  return warningText(warning.kind, [warning]);
}

function warningText(kind: DataWarning['kind'], group: readonly DataWarning[]): string {
  if (kind === 'metric_drop') return group.map(drop).join('; ');
  if (kind === 'absent_posts') return group.map(absentPosts).join('; ');
  if (kind === 'superseded_records') return group.map(supersededRecords).join('; ');
  if (kind === 'shared_posts') return group.map(sharedPosts).join('; ');
  if (kind === 'shared_address') return group.map(sharedAddress).join('; ');
  const describe =
    kind === 'empty_window' ? emptyWindow : kind === 'outside_dates' ? outsideDates : cutOffAnswer;
  const named = group.slice(0, windowsNamed).map(describe);
  const others = group.length - named.length;
  return [...named, ...(others > 0 ? [`and ${thousands(others)} more like this`] : [])].join('; ');
}

function drop({ metric_name: name, before, after, posts, end_date }: DataWarning): string {
  const share = before ? Math.round((100 * (before - (after ?? 0))) / before) : 100;
  return `${name} fell by ${share}% on ${end_date}, from ${amount(before)} to ${amount(after)} in ${plural(posts, 'post')}`;
}

function emptyWindow({ start_date, end_date, posts }: DataWarning): string {
  return `the answer for ${days(start_date, end_date)} had no posts, though ${plural(posts, 'post')} of these days are known`;
}

function absentPosts({ start_date, end_date, posts }: DataWarning): string {
  return `${plural(posts, 'post')} of ${days(start_date, end_date)} ${posts === 1 ? 'is' : 'are'} no longer in the answers for these days, and counted as last read`;
}

function supersededRecords({ posts }: DataWarning): string {
  return `${plural(posts, 'record')} ${posts === 1 ? 'was' : 'were'} replaced by later records with the same addresses, which count alone`;
}

function sharedPosts({ posts, start_date, end_date, other_profiles: others }: DataWarning): string {
  return `${plural(posts, 'post')} of ${days(start_date, end_date)} ${posts === 1 ? 'is' : 'are'} in the answers for ${String(others)}, too, and ${posts === 1 ? 'counts' : 'count'} for the profile that had ${posts === 1 ? 'it' : 'them'} first`;
}

function sharedAddress({
  posts,
  start_date,
  end_date,
  other_profiles: others,
}: DataWarning): string {
  return `${plural(posts, 'post')} of ${days(start_date, end_date)} ${posts === 1 ? 'has the address of a post' : 'have the addresses of posts'} of ${String(others)}, and both count`;
}

function cutOffAnswer({ start_date, posts }: DataWarning): string {
  return `the answer for ${start_date} looks cut off at ${plural(posts, 'post')}, and one day cannot be read in halves`;
}

function outsideDates({ start_date, end_date, posts }: DataWarning): string {
  return `the answer for ${days(start_date, end_date)} had ${plural(posts, 'post')} of other days`;
}

function days(start: string, end: string): string {
  return start === end ? start : `${start} to ${end}`;
}

function amount(count: number | null): string {
  return count === null ? 'an unknown number' : thousands(count);
}
