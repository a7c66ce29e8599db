import type { Config } from '../config/config.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { stagingJson, type PendingResponse } from './batch.ts';
import type { LoadablePart } from './loadable-parts.ts';

/** What of these parts is not in the ledger yet, in the order of reading. */
export async function listPending(
  database: Database,
  parts: readonly LoadablePart[],
): Promise<PendingResponse[]> {
  const pending: PendingResponse[] = [];
  for (const { part } of parts) {
    const { workspace, run_id } = part.record;
    const { rows } = await database.query(
      'select seq from loaded_responses where workspace = $workspace and run_id = $run_id order by seq',
      { workspace, run_id },
    );
    const loaded = new Set(rows.map(([seq]) => seq));
    for (const response of part.responses) {
      if (!loaded.has(response.manifest.seq)) pending.push({ record: part.record, response });
    }
  }
  return pending;
}

/** Records the parts' outcomes and sums them up to runs. @returns whether that told anything new */
export async function mergeRuns(
  database: Database,
  parts: readonly LoadablePart[],
): Promise<boolean> {
  const rows = parts.map(({ part: { record, finish }, state }) => ({
    run_id: record.run_id,
    workspace: record.workspace,
    job: record.job,
    started_at: record.started_at,
    finished_at: finish?.finished_at ?? null,
    status: finish?.status ?? state,
    requests: finish?.requests ?? null,
    retries: finish?.retries ?? null,
    throttled: finish?.throttled ?? null,
  }));
  const changed = await runMerge(database, 'load/run_parts.sql', { parts: stagingJson(rows) });
  await database.run(await readSql('load/runs.sql'));
  return changed;
}

/** Records what became of answers that looked cut off. @returns whether that told anything new */
export async function mergeChecks(
  database: Database,
  parts: readonly LoadablePart[],
): Promise<boolean> {
  const checks = parts.flatMap(({ part }) => part.checks);
  return runMerge(database, 'load/window_checks.sql', { checks: stagingJson(checks) });
}

/**
 * Profiles as the config has them, and those that it no longer has as the newest run had them. One that it had
 * before any run could read it goes with the config: nothing else ever told of it.
 */
export async function mergeProfiles(
  database: Database,
  config: Pick<Config, 'workspaces'>,
  parts: readonly LoadablePart[],
): Promise<boolean> {
  const configured = [...config.workspaces.values()].flatMap((workspace) =>
    workspace.profiles.map(({ id, name, cpm }) => ({
      workspace: workspace.key,
      profile_id: id,
      name,
      cpm,
      told_by: 'config',
    })),
  );
  const told = parts.flatMap(({ part: { record } }) =>
    record.profiles.map((profile) => ({
      workspace: record.workspace,
      ...profile,
      told_by: `${new Date(record.started_at).toISOString()} ${record.run_id}`,
    })),
  );
  const profiles = stagingJson([...configured, ...told]);
  const isMoreTold = await runMerge(database, 'load/profiles.sql', { profiles });
  const params = { profiles: stagingJson(configured) };
  const isAnyUnread = await runMerge(database, 'load/unread_profiles.sql', params);
  return isMoreTold || isAnyUnread;
}

/** @returns whether the script's last statement changed any row */
async function runMerge(
  database: Database,
  name: string,
  params: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { rows } = await database.query(await readSql(name), params);
  return Number(rows[0]?.[0] ?? 0) > 0;
}
