import { randomUUID } from 'node:crypto';
import { type Database, quoteText } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { ReportConfig, ReportParameters } from './report-parameters.ts';

/** A profile as jobs.yaml has it. */
interface ScopedProfile {
  /** The workspace's key. */
  readonly workspace: string;
  readonly id: string;
  readonly name: string;
}

/** The profiles that a report is about: nothing of any other appears anywhere in it. */
export interface ReportScope {
  readonly profiles: readonly ScopedProfile[];
  /** Workspaces of which it has every configured profile, unless some profiles were asked for. */
  readonly wholeWorkspaces: readonly string[];
  /** Whether it has all that is configured. */
  readonly isEverything: boolean;
  /** What a filter can name here: workspaces that have a profile, and profiles by each of their names. */
  readonly knownWorkspaces: readonly string[];
  readonly knownProfiles: readonly string[];
}

type Asked = Pick<ReportParameters, 'scope' | 'workspaces' | 'profiles'>;

/** The configured profiles that the parameters let through, in the file's order. */
export function reportScope(
  { workspaces }: Pick<ReportConfig, 'workspaces'>,
  asked: Asked,
): ReportScope {
  const configured = [...workspaces].flatMap(([workspace, { profiles }]) =>
    profiles.map(({ id, name }) => ({ workspace, id, name })),
  );
  const allowed = configured.filter((profile) => isAllowed(profile, asked.scope));
  const nearby = narrowed(allowed, asked.workspaces, ({ workspace }) => [workspace]);
  const profiles = narrowed(nearby, asked.profiles, namesOf);
  return {
    profiles,
    wholeWorkspaces: asked.profiles.length > 0 ? [] : wholeWorkspaces(profiles, configured),
    isEverything: profiles.length === configured.length,
    knownWorkspaces: [...new Set(allowed.map(({ workspace }) => workspace))],
    knownProfiles: nearby.flatMap(namesOf),
  };
}

function wholeWorkspaces(
  profiles: readonly ScopedProfile[],
  configured: readonly ScopedProfile[],
): string[] {
  const missing = configured.filter((profile) => !profiles.includes(profile));
  const partial = new Set(missing.map(({ workspace }) => workspace));
  return [...new Set(profiles.map(({ workspace }) => workspace))].filter(
    (key) => !partial.has(key),
  );
}

/** Those that the filter names. Unknown names are refused elsewhere, and narrow nothing here. */
function narrowed(
  profiles: readonly ScopedProfile[],
  filter: readonly string[],
  namesOfOne: (profile: ScopedProfile) => readonly string[],
): readonly ScopedProfile[] {
  const named = profiles.filter((profile) =>
    namesOfOne(profile).some((name) => filter.includes(name)),
  );
  return named.length === 0 ? profiles : named;
}

function isAllowed(profile: ScopedProfile, scope: ReportParameters['scope']): boolean {
  return (
    scope === null ||
    scope.some(({ workspace, id }) => workspace === profile.workspace && id === profile.id)
  );
}

/** The profiles' names; with its workspace's where two of them share one. */
export function scopeNames({ profiles }: ReportScope): string[] {
  return profiles.map(({ workspace, name }) =>
    profiles.filter((other) => other.name === name).length > 1 ? `${workspace}/${name}` : name,
  );
}

/** All that `--profile` takes for it. */
function namesOf({ workspace, id, name }: ScopedProfile): string[] {
  return [name, id, `${workspace}/${name}`, `${workspace}/${id}`];
}

/**
 * Hides every table of the warehouse behind one of the same name that has the scope's rows alone. The warehouse
 * itself is attached again by a random name, so that no SQL reads past them.
 */
export async function applyScope(
  database: Database,
  scope: ReportScope,
  { firstAskedDays }: Pick<ReportConfig, 'firstAskedDays'>,
): Promise<void> {
  const catalog = await hideCatalog(database);
  const sql = await readSql('report/scope.sql');
  await database.run(sql.replaceAll(/\bwarehouse\.(?=[a-z])/g, `"${catalog}".main.`), {
    scope_workspaces: scope.profiles.map(({ workspace }) => workspace),
    scope_profile_ids: scope.profiles.map(({ id }) => id),
    scope_names: scope.profiles.map(({ name }) => name),
    asked_from: scope.profiles.map(
      ({ workspace, id }) => firstAskedDays.get(`${workspace}/${id}`) ?? '',
    ),
    whole_workspaces: scope.wholeWorkspaces,
    is_everything: scope.isEverything,
  });
}

/** @returns the new name; one in memory, which has no rows of anybody, keeps its own, and a lake has a random one */
async function hideCatalog(database: Database): Promise<string> {
  const [row] = await database.queryObjects('select current_database() as name');
  const name = String(row?.['name']);
  if (database.dataFolders.length > 0)
    await database.run("attach ':memory:' as report (read_write); use report");
  if (database.path === ':memory:') return name;
  const hidden = `warehouse_${randomUUID()}`;
  await database.run(`
    attach ':memory:' as report (read_write);
    use report;
    detach "${name.replaceAll('"', '""')}";
    attach ${quoteText(database.path)} as "${hidden}" (read_only);
  `);
  return hidden;
}
