import { join } from 'node:path';
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
  const [first = ''] = places;
  const file = join(config.folder, '.env');
  throw new UnsetSecretError(
    places.length === 1
      ? `${first}; set it, or write it to ${file}`
      : `${places.length} API keys are missing; set them, or write them to ${file}\n  ${places.join('\n  ')}`,
  );
}
