import type { LakeConfig } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import { writeOutput } from '../core/private-files.ts';
import { Database } from './database.ts';
import { quoteText } from './sql-text.ts';
import { openLake } from './lake-reader.ts';
import { LakeWriter, type LakeWriterOptions } from './lake-writer.ts';
import { lakeName } from './lake.ts';
import { shardOf } from './shard.ts';
import { fileIdentity } from './published-file.ts';
import { migrate, requireCurrentSchema } from './schema.ts';
import { readSql } from './sql-file.ts';

export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

/** The conditions for a shard's rows in tables whose column `workspace` is missing or does not decide. */
const ownRows: Readonly<Record<string, string>> = {
  webhook_events: "list_contains($workspaces, coalesce(workspace, workspace_slug, ''))",
  invites: 'workspace_slug in (select workspace_slug from webhook_events)',
  // runs of several shards are derived again
  runs: 'list_contains($runs, run_id)',
};

/** What jobs.yaml gave at the last load. */
const settingsTables: readonly string[] = ['load_settings', 'prices'];

const homeOfEvents = "coalesce(workspace, workspace_slug, '')";

/**
 * Copies a warehouse file into the lake, a shard a transaction. The caller holds the file's lock and the lake's.
 * @param isForced whether shards that have something are emptied first
 * @throws UsageError when the lake has something
 */
export async function copyIntoLake(
  path: string,
  options: LakeWriterOptions,
  isForced: boolean,
): Promise<CopiedTable[]> {
  const { tables, shards } = await planCopy(path, options.lake);
  const counts = new Map(tables.map((table) => [table, 0]));
  const writer = new LakeWriter(options);
  try {
    for (const [shard, own] of shards) {
      const copied = await writer.change(shard, async ({ database }) => {
        await emptyShard(database, options.lake, isForced);
        await database.run(`attach if not exists ${quoteText(path)} as source (read_only)`);
        return copyShard(database, tables, own);
      });
      for (const [table, rows] of copied) counts.set(table, (counts.get(table) ?? 0) + rows);
    }
  } finally {
    await writer.close();
  }
  return [...counts].map(([table, rows]) => ({ table, rows }));
}

async function copyShard(
  database: Database,
  tables: readonly string[],
  { workspaces, runs, sharedRuns }: ShardRows,
): Promise<[table: string, rows: number][]> {
  const counts: [string, number][] = [];
  for (const table of tables) {
    const own = ownRows[table] ?? 'list_contains($workspaces, workspace)';
    const { rows } = await database.query(
      `insert into ${table} by name from source.${table} where ${own}`,
      { workspaces, runs },
    );
    counts.push([table, Number(rows[0]?.[0])]);
  }
  // the next load compares it with jobs.yaml, and finds profiles and slugs to be others
  await database.run(
    "insert into load_settings select timezone, '[]', '{}', '[]', '[]' from source.load_settings",
  );
  await database.run(
    'create or replace temp table new_parts as from run_parts where list_contains($runs, run_id)',
    { runs: sharedRuns },
  );
  await database.run(await readSql('load/run_totals.sql'));
  return counts;
}

/** Copies the lake's newest snapshot to a file that is not there yet, whole or not at all. */
export async function copyFromLake(lake: LakeConfig, path: string): Promise<CopiedTable[]> {
  if ((await fileIdentity(path)) !== null)
    throw new UsageError(`${path} exists; name a file that does not`);
  return writeOutput(path, (draft) => copyToFile(lake, draft), { mode: 0o600 });
}

async function copyToFile(lake: LakeConfig, path: string): Promise<CopiedTable[]> {
  const database = await openLake(lake);
  try {
    const [row] = await database.queryObjects('select current_database() as name');
    await database.run(`attach ${quoteText(path)} as target; use target`);
    const copied = await database.transaction(async () => {
      await migrate(database);
      const counts: CopiedTable[] = [];
      for (const table of [...(await listTables(database, 'target')), ...settingsTables]) {
        const { rows } = await database.query(
          `insert into ${table} by name from "${String(row?.['name'])}".main.${table}`,
        );
        if (!settingsTables.includes(table)) counts.push({ table, rows: Number(rows[0]?.[0]) });
      }
      return counts;
    });
    await database.run('use memory; detach target');
    return copied;
  } finally {
    database.close();
  }
}

interface ShardRows {
  readonly workspaces: string[];
  /** The runs of this shard alone. */
  readonly runs: string[];
  /** The runs that other shards have as well. */
  readonly sharedRuns: string[];
}

/** Divides the rows of the file among the shards. */
async function planCopy(path: string, lake: LakeConfig) {
  const database = await Database.open(path, 'READ_ONLY');
  try {
    await requireCurrentSchema(database);
    const tables = await listTables(database, 'main');
    const homes = tables
      .filter((table) => !(table in ownRows))
      .map((table) => `select distinct workspace as home from ${table}`);
    const { rows: workspaces } = await database.query(
      `${homes.join(' union ')} union select distinct ${homeOfEvents} from webhook_events`,
    );
    const shards = new Map<string, ShardRows>();
    const shardRows = (workspace: string): ShardRows => {
      const shard = shardOf(workspace, lake);
      const rows = shards.get(shard) ?? { workspaces: [], runs: [], sharedRuns: [] };
      shards.set(shard, rows);
      return rows;
    };
    for (const [workspace] of workspaces)
      shardRows(String(workspace)).workspaces.push(String(workspace));
    // a lake has one shard at least
    if (shards.size === 0) shardRows('');
    const { rows: runs } = await database.query(
      'select run_id, list(distinct workspace) from runs left join run_parts using (run_id) group by run_id',
    );
    for (const [run, parts] of runs) {
      const owners = (parts as (string | null)[]).map((part) => shardRows(part ?? ''));
      const [first, ...others] = [...new Set(owners)];
      if (others.length === 0) first?.runs.push(String(run));
      else for (const owner of [first, ...others]) owner?.sharedRuns.push(String(run));
    }
    return { tables, shards };
  } finally {
    database.close();
  }
}

/** Events before what refers to them; without what only this file or shard needs. */
async function listTables(database: Database, name: string): Promise<string[]> {
  const { rows } = await database.query(
    `select table_name from information_schema.tables
    where table_type = 'BASE TABLE' and $name in (table_catalog, table_schema)
      and table_name not in ('schema_files', 'load_settings', 'prices')
    order by table_name = 'invites', table_name`,
    { name },
  );
  return rows.map(([table]) => String(table));
}

async function emptyShard(database: Database, lake: LakeConfig, isForced: boolean): Promise<void> {
  const { rows } = await database.query(
    'select count(*) from (select run_id from run_parts union all select event_key from webhook_events)',
  );
  if (Number(rows[0]?.[0]) > 0 && !isForced) {
    throw new UsageError(
      `${lakeName(lake)} is not empty; --force replaces what it has, or copy into another lake`,
    );
  }
  await database.run(await readSql('lake/empty.sql'));
}
