import { didYouMean } from './nearest.ts';

interface NamedProfile {
  /** Lower case. */
  readonly id: string;
  readonly name: string;
}

type Match<Profile> = { readonly profiles: readonly Profile[] } | { readonly problem: string };

/**
 * The profiles that `<workspace>/<profile name or id or *>` names. A name that several profiles share
 * names all of them; letter case counts in names.
 */
export function matchProfiles<Profile extends NamedProfile>(
  pattern: string,
  workspaces: ReadonlyMap<string, readonly Profile[]>,
): Match<Profile> {
  const slash = pattern.indexOf('/');
  const [key, wanted] = [pattern.slice(0, slash), pattern.slice(slash + 1)];
  const profiles = workspaces.get(key);
  if (!profiles) return { problem: `no workspace ${quoted(key, [...workspaces.keys()])}` };
  if (profiles.length === 0)
    return { problem: `the workspace ${JSON.stringify(key)} has no profiles` };
  const matching = profiles.filter(
    ({ id, name }) => wanted === '*' || wanted.toLowerCase() === id || wanted === name,
  );
  if (matching.length > 0) return { profiles: matching };
  const names = profiles.flatMap(({ id, name }) => [name, id]);
  return {
    problem: `the workspace ${JSON.stringify(key)} has no profile ${quoted(wanted, names)}`,
  };
}

function quoted(wanted: string, known: readonly string[]): string {
  const hint = didYouMean(wanted, known);
  return `${JSON.stringify(wanted)}${hint === '' ? '' : `; ${hint}`}`;
}
