import { UsageError } from '../core/errors.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { ReportParameters } from './report-parameters.ts';
import type { ReportScope } from './report-scope.ts';

/** @throws UsageError that names each value that is unknown within the report's scope, and the nearest known one */
export async function checkFilterValues(
  database: Database,
  { knownWorkspaces, knownProfiles }: ReportScope,
  parameters: ReportParameters,
): Promise<void> {
  const { rows } = await database.query(await readSql('report/unknown_values.sql'), {
    workspaces: parameters.workspaces,
    profiles: parameters.profiles,
    campaigns: parameters.campaigns,
    labels: parameters.labels,
    types: parameters.types,
    known_workspaces: knownWorkspaces,
    known_profiles: knownProfiles,
  });
  if (rows.length === 0) return;
  const faults = rows.map(
    ([kind, value, nearest]) =>
      `--${String(kind)} ${String(value)}: no ${String(kind)} of that name is known${typeof nearest === 'string' ? `; the nearest is ${nearest}` : ''}`,
  );
  throw new UsageError(faults.join('\n'));
}
