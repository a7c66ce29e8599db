import type { Config, JobConfig } from './config.ts';
import { UnsetSecretError } from './secret.ts';

/**
 * Refuses to go on without the API keys of all workspaces, or of those that `jobs` read.
 * @throws UnsetSecretError that names every unset one and its place
 */
export function requireApiKeys(config: Config, jobs?: readonly JobConfig[]): void {
  const used =
    jobs && new Set(jobs.flatMap((job) => job.profiles.map(({ workspace }) => workspace)));
  const unset = [...config.workspaces.values()].filter(
    ({ key, apiKey }) => !apiKey.isSet && (used?.has(key) ?? true),
  );
  if (unset.length === 0) return;
  const places = unset.map(
    ({ apiKey }) => `${apiKey.place}: the environment variable ${apiKey.variable} is not set`,
  );
  const remedy = `set ${unset.length === 1 ? 'it' : 'them'}, or write to ${config.folder}/.env`;
  throw new UnsetSecretError(
    unset.length === 1
      ? `${places.join('')}; ${remedy}`
      : `${places.length} API keys are missing; ${remedy}\n  ${places.join('\n  ')}`,
  );
}
