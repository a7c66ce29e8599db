import type { WorkspaceConfig } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { ReportParameters } from './report-parameters.ts';

/** @throws UsageError that names each value that neither the warehouse nor the config knows, and its nearest */
export async function checkFilterValues(
  database: Database,
  config: { readonly workspaces: ReadonlyMap<string, Pick<WorkspaceConfig, 'profiles'>> },
  parameters: ReportParameters,
): Promise<void> {
  const profiles = [...config.workspaces.values()].flatMap((workspace) => workspace.profiles);
  const { rows } = await database.query(await readSql('report/unknown_values.sql'), {
    workspaces: parameters.workspaces,
    profiles: parameters.profiles,
    campaigns: parameters.campaigns,
    labels: parameters.labels,
    types: parameters.types,
    configured_workspaces: [...config.workspaces.keys()],
    configured_profiles: profiles.flatMap(({ id, name }) => [id, name]),
  });
  if (rows.length === 0) return;
  const faults = rows.map(
    ([kind, value, nearest]) =>
      `--${String(kind)} ${String(value)}: no ${String(kind)} of that name is known${typeof nearest === 'string' ? `; the nearest is ${nearest}` : ''}`,
  );
  throw new UsageError(faults.join('\n'));
}
