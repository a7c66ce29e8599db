import { basename } from 'node:path';
import type { Config } from '../config/config.ts';
import { didYouMean } from '../config/nearest.ts';
import { UsageError } from '../core/errors.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';

/**
 * The reports that a command names, each once; a broken one that it does not name is let be.
 * @throws ReportDefinitionError for one that is broken
 * @throws UsageError for one that there is not
 */
export async function namedReports(
  config: Pick<Config, 'folder'>,
  names: readonly string[],
): Promise<ReportDefinition[]> {
  const { reports, errors } = await examineReports([builtInReports, userReports(config.folder)]);
  const broken = new Map([...errors].map(([folder, error]) => [basename(folder), error]));
  return [...new Set(names)].map((name) => {
    const error = broken.get(name);
    if (error) throw error;
    const definition = reports.get(name);
    if (definition) return definition;
    const all = [...reports.keys(), ...broken.keys()].sort();
    const hint = didYouMean(name, all) || `known are ${all.join(', ')}`;
    throw new UsageError(`there is no report ${JSON.stringify(name)}; ${hint}`);
  });
}
