import { UsageError } from '../core/errors.ts';
import type { Config, JobConfig } from './config.ts';
import { didYouMean } from './nearest.ts';

/**
 * The jobs of these names, each once, in the order given; all jobs when no name is.
 * @throws UsageError for names that the config does not have, and for a config without jobs
 */
export function selectJobs(config: Config, names: readonly string[]): readonly JobConfig[] {
  const known = [...config.jobs.keys()];
  if (known.length === 0) throw new UsageError(`${config.file} has no jobs; add one under jobs`);
  if (names.length === 0) return [...config.jobs.values()];
  return [...new Set(names)].map((name) => {
    const job = config.jobs.get(name);
    if (job) return job;
    const hint = didYouMean(name, known) || `known are ${known.join(', ')}`;
    throw new UsageError(`no job ${JSON.stringify(name)} in ${config.file}; ${hint}`);
  });
}
