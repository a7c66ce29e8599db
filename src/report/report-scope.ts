import { randomUUID } from 'node:crypto';
import type { Day } from '../core/calendar.ts';
import type { Database } from '../warehouse/database.ts';
import { quoteText } from '../warehouse/sql-text.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import type { ReportConfig, ReportParameters } from './report-parameters.ts';

/** A profile in jobs.yaml. */
interface ScopedProfile {
  /** The workspace's key. */
  readonly workspace: string;
  readonly id: string;
  readonly name: string;
  /** The last day that counts; null for a profile that has not ended. */
  readonly until: Day | null;
}

/** The profiles that a report is about. Nothing of any other profile appears in it. */
export interface ReportScope {
  readonly profiles: readonly ScopedProfile[];
  /**
   * The workspaces of which the scope contains every configured profile. Empty if profiles were selected by
   * `--profile`.
   */
  readonly wholeWorkspaces: readonly string[];
  /** True if the scope contains every configured profile. */
  readonly isEverything: boolean;
  /** The values that filters can take here: workspaces that have a profile, and each name of each profile. */
  readonly knownWorkspaces: readonly string[];
  readonly knownProfiles: readonly string[];
}

type Asked = Pick<ReportParameters, 'scope' | 'workspaces' | 'profiles'>;

/** Returns the configured profiles that the parameters select, in the order of the file. */
export function reportScope(
  { workspaces }: Pick<ReportConfig, 'workspaces'>,
  asked: Asked,
): ReportScope {
  const configured = [...workspaces].flatMap(([workspace, { profiles }]) =>
    profiles.map(({ id, name, until }) => ({ workspace, id, name, until })),
  );
  const allowed = configured.filter((profile) => isAllowed(profile, asked.scope));
  const inWorkspaces = applyFilter(allowed, asked.workspaces, ({ workspace }) => [workspace]);
  const profiles = applyFilter(inWorkspaces, asked.profiles, namesOf);
  return {
    profiles,
    wholeWorkspaces: asked.profiles.length > 0 ? [] : wholeWorkspaces(profiles, configured),
    isEverything: profiles.length === configured.length,
    knownWorkspaces: [...new Set(allowed.map(({ workspace }) => workspace))],
    knownProfiles: inWorkspaces.flatMap(namesOf),
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

/**
 * Returns the profiles that the filter names. A filter with only unknown names has no effect here; such names
 * are refused elsewhere.
 */
function applyFilter(
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

/** Returns the profiles' names, with the workspace where two profiles share a name. */
export function scopeNames({ profiles }: ReportScope): string[] {
  return profiles.map(({ workspace, name }) =>
    profiles.filter((other) => other.name === name).length > 1 ? `${workspace}/${name}` : name,
  );
}

/** Returns the values by which `--profile` selects the profile. */
function namesOf({ workspace, id, name }: ScopedProfile): string[] {
  return [name, id, `${workspace}/${name}`, `${workspace}/${id}`];
}

/** Returns the parameters of sql/report/scope.sql. */
export function scopeParameters(
  scope: ReportScope,
  { firstAskedDays }: Pick<ReportConfig, 'firstAskedDays'>,
): Parameters {
  return {
    scope_workspaces: scope.profiles.map(({ workspace }) => workspace),
    scope_profile_ids: scope.profiles.map(({ id }) => id),
    scope_names: scope.profiles.map(({ name }) => name),
    asked_from: scope.profiles.map(
      ({ workspace, id }) => firstAskedDays.get(`${workspace}/${id}`) ?? '',
    ),
    asked_until: scope.profiles.map(({ until }) => until ?? ''),
    whole_workspaces: scope.wholeWorkspaces,
    is_everything: scope.isEverything,
  };
}

/** The database in memory that has the tables of the session, and is the current one. */
const sessionDatabase = 'report';

export const useSession = `use ${sessionDatabase}`;

/**
 * Attaches the warehouse under a name that cannot be guessed, so that no SQL can bypass the tables of the scope.
 * @returns the name. A database in memory, which has no rows, keeps its own name; a lake already has a random
 * one.
 */
export async function hideCatalog(database: Database): Promise<string> {
  const [row] = await database.queryObjects('select current_database() as name');
  const name = String(row?.['name']);
  await database.run(`attach ':memory:' as ${sessionDatabase} (read_write); ${useSession}`);
  if (database.dataFolders.length > 0 || database.path === ':memory:') return name;
  const hidden = `warehouse_${randomUUID()}`;
  await database.run(`
    detach "${name.replaceAll('"', '""')}";
    attach ${quoteText(database.path)} as "${hidden}" (read_only);
  `);
  return hidden;
}
