import { randomUUID } from 'node:crypto';
import type { LakeAccess, LakeConfig } from '../config/config.ts';
import type { Database } from './database.ts';
import { engineSettings } from './engine-limits.ts';
import {
  attachLake,
  type Catalog,
  connectLake,
  differentShards,
  lakeName,
  requireSnapshot,
} from './lake.ts';
import { shardOf } from './shard.ts';
import { quoteText } from './sql-text.ts';
import { isCurrentSchema, readViews, requireCurrentSchema } from './schema.ts';
import { readSql } from './sql-file.ts';
import { LakeError, WarehouseMissingError } from './warehouse-errors.ts';
import type { ReadOptions } from './access.ts';

/** Each shard has a part of their rows. */
const mergedTables = new Set(['runs', 'load_settings', 'prices', 'schema_files']);

/**
 * Opens the lake's newest snapshot for reading; whatever is loaded meanwhile is not seen. Its tables are views, over
 * those of the shards, in a database of a random name, which is the current one.
 * @throws WarehouseMissingError when nothing has been loaded yet
 * @throws LakeError for a reader that may write, and for what of the lake cannot be reached
 */
export async function openLake(
  lake: LakeConfig,
  { limits, workspaces, isForAnySql = false }: ReadOptions = {},
): Promise<Database> {
  const access = lake.reader ?? lake.writer;
  const settings = limits && engineSettings(limits);
  const { database, catalog } = await connectLake(lake, access, settings);
  try {
    // a managed server may not let anybody take locks and large objects from a role, which reports do not need
    const isAny = isForAnySql || (lake.reader !== null && catalog.excess?.startsWith('write'));
    if (catalog.excess !== null && isAny) refuseWriter(lake, catalog.excess);
    const name = `lake_${randomUUID()}`;
    await attachLake(database, lake, access, name, requireSnapshot(catalog, lake));
    if (access.s3 && isForAnySql) await refuseWritingKeys(database, lake, access.s3);
    database.dataFolders.push(lake.data);
    await makeViews(database, lake, name, catalog, workspaces);
    if (limits) database.interruptOn(limits.signal);
    await requireCurrentSchema(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function refuseWriter(lake: LakeConfig, excess: string): never {
  const { catalog } = lake.reader ?? lake.writer;
  const origin = lake.reader ? catalog.origin : 'warehouse.reader is missing in jobs.yaml';
  throw new LakeError(
    `${origin}: SQL of others reads ${lakeName(lake)} by a role that may only SELECT, and the role of ${catalog.toString()} may ${excess}; make one as docs/lake.md says, and name it at warehouse.reader.catalog`,
  );
}

/** Tries: what keys may do, no server says. */
async function refuseWritingKeys(
  database: Database,
  { data }: LakeConfig,
  { accessKeyId }: NonNullable<LakeAccess['s3']>,
): Promise<void> {
  const probe = `${data}written-by-a-reader.csv`;
  try {
    await database.run(`copy (select 1) to ${quoteText(probe)}`);
  } catch (error) {
    if (error instanceof LakeError && /\b403\b|AccessDenied/.test(error.message)) return;
    throw error;
  }
  throw new LakeError(
    `${accessKeyId.origin}: SQL of others reads the lake by keys that may only read, and those of ${accessKeyId.toString()} could write ${probe}; remove it, and name others at warehouse.reader.s3`,
  );
}

/**
 * Makes views over the shards' tables in a database of a random name, which becomes the current one.
 * @param name the name by which the lake is attached
 * @param workspaces those whose shards are read; left out: all
 */
export async function makeViews(
  database: Database,
  lake: LakeConfig,
  name: string,
  catalog: Catalog,
  workspaces?: readonly string[],
): Promise<void> {
  const shards = catalog.shards.map((shard) => shard.name);
  if (shards.length === 0)
    throw new WarehouseMissingError(`nothing has been loaded into ${lakeName(lake)} yet`);
  const asked = workspaces && new Set(workspaces.map((workspace) => shardOf(workspace, lake)));
  const scope = asked ? shards.filter((shard) => asked.has(shard)) : shards;
  // they say who took part in a run and how it ended
  const wholeTables = new Map([
    ['runs', shards],
    ['run_parts', shards],
    ['schema_files', differentShards(catalog).map((shard) => shard.name)],
  ]);
  // a shard whose schema is an older one lacks tables or columns, and requireCurrentSchema then refuses the lake
  const tables = (catalog.shards[0]?.tables ?? []).filter((table) =>
    catalog.shards.every((shard) => shard.tables.includes(table)),
  );
  const unions = tables.map(async (table) => {
    const read = wholeTables.get(table) ?? scope;
    const parts = (read.length > 0 ? read : shards.slice(0, 1)).map(
      (shard) => `from "${name}".${shard}.${table}`,
    );
    const isEmpty = read.length === 0 ? ' where false' : '';
    const union = `from (${parts.join(' union all by name ')})${isEmpty}`;
    const view = mergedTables.has(table)
      ? `with shard_rows as (${union}) ${await readSql(`lake/${table}.sql`)}`
      : union;
    return `create view ${table} as ${view};`;
  });
  const hidden = `warehouse_${randomUUID()}`;
  const ofTables = await Promise.all(unions);
  await database.run(`attach ':memory:' as "${hidden}"; use "${hidden}"`);
  await database.transaction(async () => {
    await database.run(ofTables.join('\n'));
    if (!(await isCurrentSchema(database))) return;
    for (const { sql } of await readViews(database)) await database.run(sql);
  });
}

/** Returns the size of all tables' files in the snapshot. */
export async function lakeBytes(database: Database): Promise<number> {
  const lakes = await database.query(
    "select database_name from duckdb_databases() where type = 'ducklake'",
  );
  const { rows } = await database.query(
    'select coalesce(sum(file_size_bytes), 0) from ducklake_table_info($name)',
    { name: String(lakes.rows[0]?.[0]) },
  );
  return Number(rows[0]?.[0]);
}
