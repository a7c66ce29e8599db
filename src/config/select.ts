import { join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import type { Config, JobConfig, WorkspaceConfig } from './config.ts';
import { hintAmong } from '../core/nearest.ts';
import { UnsetSecretError } from './secret.ts';
import { profilePatternRule } from './value-kinds.ts';
import { matchProfiles } from './workspaces-schema.ts';

/**
 * Returns the jobs of these names, each once and in the given order, or all jobs if no name is given.
 * @throws UsageError for names that the config does not have, and for a config without jobs
 */
export function selectJobs(config: Config, names: readonly string[]): readonly JobConfig[] {
  const known = [...config.jobs.keys()];
  if (known.length === 0) throw new UsageError(`${config.file} has no jobs; add one under jobs`);
  if (names.length === 0) return [...config.jobs.values()];
  return [...new Set(names)].map((name) => {
    const job = config.jobs.get(name);
    if (job) return job;
    const hint = hintAmong(name, known);
    throw new UsageError(`no job ${JSON.stringify(name)} in ${config.file}; ${hint}`);
  });
}

/**
 * Returns the jobs with only those of their profiles that a pattern of `--profile` matches, without jobs that have none.
 * No patterns match all profiles.
 * @throws UsageError for a pattern that matches no profile of the jobs
 */
export function selectProfiles(
  { workspaces }: Config,
  jobs: readonly JobConfig[],
  patterns: readonly string[],
): readonly JobConfig[] {
  if (patterns.length === 0) return jobs;
  const wanted = patterns.flatMap((pattern) => {
    const complaint = profilePatternRule(pattern);
    if (complaint) throw new UsageError(`--profile ${pattern} ${complaint.must}`);
    const match = matchProfiles(pattern, workspaces);
    if ('problem' in match) throw new UsageError(`--profile ${pattern}: ${match.problem}`);
    const names = jobs.map(({ name }) => name).join(', ');
    if (!jobs.some((job) => match.profiles.some((profile) => job.profiles.includes(profile))))
      throw new UsageError(`--profile ${pattern}: it is not among the profiles of ${names}`);
    return match.profiles;
  });
  return jobs
    .map((job) => ({ ...job, profiles: job.profiles.filter((each) => wanted.includes(each)) }))
    .filter(({ profiles }) => profiles.length > 0);
}

/**
 * Returns the workspace of this key, or the only workspace if no key is given.
 * @throws UsageError for a key that the config does not have, and if a key is needed to choose one of several
 */
export function selectWorkspace(config: Config, key: string | undefined): WorkspaceConfig {
  const known = [...config.workspaces.keys()];
  const [only] = config.workspaces.values();
  if (key === undefined && only && known.length === 1) return only;
  if (key === undefined) {
    throw new UsageError(
      known.length === 0
        ? `${config.file} has no workspaces; add one under workspaces`
        : `${config.file} has several workspaces; name one with --workspace: ${known.join(', ')}`,
    );
  }
  const workspace = config.workspaces.get(key);
  if (workspace) return workspace;
  const hint = hintAmong(key, known);
  throw new UsageError(`no workspace ${JSON.stringify(key)} in ${config.file}; ${hint}`);
}

/**
 * Checks that the API keys of all workspaces, or of those that `jobs` read, are set.
 * @throws UnsetSecretError that names every unset key and where the config names it
 */
export function requireApiKeys(config: Config, jobs?: readonly JobConfig[]): void {
  const used =
    jobs && new Set(jobs.flatMap((job) => job.profiles.map(({ workspace }) => workspace)));
  const unset = [...config.workspaces.values()].filter(
    ({ key, apiKey }) => !apiKey.isSet && (used?.has(key) ?? true),
  );
  if (unset.length <= 1) {
    unset[0]?.apiKey.reveal();
    return;
  }
  const sentences = unset.map(
    ({ apiKey }) => `${apiKey.origin}: the environment variable ${apiKey.variable} is not set`,
  );
  const file = join(config.folder, '.env');
  throw new UnsetSecretError(
    `${sentences.length} API keys are missing; set them, or write them to ${file}\n  ${sentences.join('\n  ')}`,
  );
}
