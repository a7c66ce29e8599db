import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config, LakeConfig } from '../../../src/config/config.ts';
import type { Clock } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log.ts';
import { packageVersion } from '../../../src/core/package-version.ts';
import { silentProgress } from '../../../src/core/progress.ts';
import { replayEvents } from '../../../src/load/load.ts';
import { rebuildWarehouse } from '../../../src/load/rebuild.ts';
import { Database } from '../../../src/warehouse/database.ts';
import { copyFromLake, copyIntoLake } from '../../../src/warehouse/lake-copy.ts';
import { maintainLake } from '../../../src/warehouse/lake-maintenance.ts';
import { LakeWriter } from '../../../src/warehouse/lake-writer.ts';
import { readSql } from '../../../src/warehouse/sql-file.ts';
import { openWarehouse } from '../../../src/warehouse/warehouse.ts';
import { LakeServers, type TestLake } from '../../support/lake-servers.ts';
import { configured, eventsOf, storeDay, tablesOf } from '../../support/lake-story.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SwiftClock } from '../../support/swift-clock.ts';
import { storeEvents } from '../../support/stored-events.ts';
import { load, rowsOf } from '../../support/stored-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const clock = new ManualClock();
const tools = { clock, log: silentLog, progress: silentProgress, waitMs: 0 };

let servers: LakeServers;
/** A folder of raw data, and a lake into which its first day is loaded; tests leave it as a load leaves it. */
let shared: Config & { readonly warehouse: TestLake };

beforeAll(async () => {
  servers = await LakeServers.start();
  const config = configured(await mkdtemp(join(servers.folder, 'raw-')));
  shared = { ...config, warehouse: servers.newLake('disk') };
  await storeDay(shared, 1);
  await storeEvents(shared, eventsOf(1));
  await load(shared);
});
afterAll(() => servers.stop());

function openWriter(writerClock: Clock = clock): LakeWriter {
  const { warehouse: lake, folder } = shared;
  return new LakeWriter({ lake, folder, clock: writerClock, log: silentLog });
}

test('the tables of every shard have comments on their columns', async () => {
  const [counts] = await rowsOf(
    shared,
    `select count(distinct schema_name)::integer as shards, count(*) filter (where comment is null)::integer as without
    from duckdb_columns() semi join duckdb_tables() using (database_name, schema_name, table_name)
    where starts_with(schema_name, 's') and not internal and table_name <> 'load_fence'`,
  );
  expect(counts).toEqual({ shards: 2, without: 0 });
});

/** The tables of a lake whose rows differ from a file's, in any order. */
async function differencesOf(lake: LakeConfig, path: string): Promise<unknown[]> {
  const database = await openWarehouse(lake);
  try {
    await database.run(`attach '${path}' as file (read_only)`);
    const { rows: tables } = await database.query(
      "select table_name from duckdb_tables() where database_name = 'file' and table_name <> 'load_settings'",
    );
    const found: unknown[] = [];
    for (const [table] of tables.map(([name]) => [String(name)])) {
      const { rows } = await database.query(await readSql('rebuild/difference.sql'), {
        published: table ?? '',
        rebuilt: `file.${table}`,
      });
      found.push([table, ...(rows[0] ?? [])]);
    }
    return found.filter((each) => (each as unknown[])[2] !== 0 || (each as unknown[])[3] !== 0);
  } finally {
    database.close();
  }
}

/** Copies one row of each table two thousand times, under other keys. */
async function multiply(path: string): Promise<string[]> {
  const database = await Database.open(path, 'READ_WRITE');
  try {
    await database.run(`
      insert into shared_posts by name
      select workspace, linkedin_post_id as identity, linkedin_post_id, profile_id, last_seen_at as shared_at
      from linkedin_posts;
      -- as a copy has them
      update load_settings set profiles = '[]', slugs = '{}';
      insert into prices select 'list ' || nth, null, 'clicks', 1 from range(2100) as times(nth);
      insert into assets by name
      select workspace, post_id as asset_id, post_id, 'LinkedIn' as channel from posts;
    `);
    const { rows } = await database.query(
      `select table_name, list(column_name) filter (
        where data_type = 'VARCHAR' and regexp_matches(column_name, '_id$|_key$|_sha256$')
          and column_name <> 'workspace_id'
      )
      from duckdb_columns()
      where schema_name = 'main' and not internal
        and table_name in (select table_name from duckdb_tables())
        and table_name not in ('load_settings', 'schema_files', 'prices')
      group by all`,
    );
    for (const [table, ids] of rows) {
      const other = (ids as string[]).map((id) => `${id} || '-' || nth as ${id}`);
      await database.run(
        `insert into ${String(table)}
        select * exclude (nth) replace (${other.join(', ')})
        from (from ${String(table)} order by all limit 1), range(2100) as times(nth)`,
      );
    }
    await database.run('checkpoint');
    return [...rows.map(([table]) => String(table)), 'prices'];
  } finally {
    database.close();
  }
}

test('a load into tables of more than 2,048 rows changes a lake as it changes a file, and the lake can be copied back completely', async () => {
  const folder = await temporaryFolder();
  const file = configured(folder);
  const lake = { ...file, warehouse: servers.newLake('disk') };
  await storeDay(file, 1);
  await storeEvents(file, eventsOf(1));
  await load(file);
  const tables = await multiply(file.warehouse);
  const counts = tables.map((table) => `select count(*) as rows from ${table}`).join(' union all ');
  const [least] = await rowsOf(file, `select min(rows)::integer as least from (${counts})`);
  expect(least?.['least']).toBeGreaterThan(2048);
  const options = { lake: lake.warehouse, folder, clock, log: silentLog };
  await copyIntoLake(file.warehouse, options, false);
  await storeDay(file, 2);
  await storeEvents(file, eventsOf(2));
  await load(file);
  await load(lake);
  expect(await differencesOf(lake.warehouse, file.warehouse)).toEqual([]);
  const copy = join(folder, 'copy.duckdb');
  await copyFromLake(lake.warehouse, copy);
  expect(await differencesOf(lake.warehouse, copy)).toEqual([]);
  await expect(copyIntoLake(file.warehouse, options, false)).rejects.toThrow(
    /is not empty; --force/,
  );
});

/** The files of the tables of a shard. */
function countFiles(shard: string): number {
  const sql = `select count(distinct data_file_id) from ducklake_data_file
    join ducklake_table using (table_id) join ducklake_schema using (schema_id)
    where schema_name = '${shard}' and ducklake_data_file.end_snapshot is null`;
  return Number(servers.sql(shared.warehouse.database, sql));
}

test('a load merges the files of a shard that has many small ones; maintenance merges those of others, removes what nothing needs, and neither changes a row, while others read', async () => {
  const { warehouse: lake, dataDir } = shared;
  const writer = openWriter();
  await writer.change('s00', async ({ database }) => {
    for (let n = 0; n < 200; n += 1)
      await database.run(`insert into labels (workspace, label_id, name) values ('w', $n, 'x')`, {
        n: String(n),
      });
  });
  expect(countFiles('s00')).toBeGreaterThan(200);
  await storeDay(shared, 2);
  await load(shared);
  expect(countFiles('s00')).toBeLessThan(100);
  await writer.change('s00', ({ database }) =>
    database.run(`delete from labels where workspace = 'w'`),
  );
  await writer.close();
  const file = configured(shared.folder);
  await load(file);
  const before = await tablesOf(file);
  expect(await tablesOf(shared)).toEqual(before);

  const options = { ...tools, dataDir };
  const reader = await openWarehouse(lake);
  const count = () => reader.query('select count(*) from post_performance');
  const posts = await count();
  const done = new AbortController();
  const reading = (async () => {
    while (!done.signal.aborted) {
      expect(await count()).toEqual(posts);
      await pause(100);
    }
  })();
  const kept = await maintainLake(lake, 1, options);
  expect(kept).toMatchObject({ snapshotsExpired: 0, filesRemoved: 0 });
  expect(kept.filesWritten).toBeGreaterThan(0);
  done.abort();
  await reading;
  reader.close();
  const removed = await maintainLake(lake, 0, options);
  expect(removed.snapshotsExpired).toBeGreaterThan(5);
  expect(removed.filesRemoved).toBeGreaterThan(5);
  expect(await tablesOf(shared)).toEqual(before);
});

/** A new table of numbers in a shard. */
async function numbers() {
  const open = () => openWriter(new SwiftClock());
  const writer = open();
  const read = async () => {
    const found = await writer.change('s00', ({ database }) =>
      database.query('select n from numbers order by n'),
    );
    await writer.close();
    return found.rows.map(([n]) => n);
  };
  await writer.change('s00', ({ database }) =>
    database.run('create or replace table numbers as select 0 as n'),
  );
  return { open, writer, read };
}

test('a change that conflicts with another one is repeated on its result', async () => {
  const { open, writer, read } = await numbers();
  let attempts = 0;
  await writer.change('s00', async ({ database }) => {
    attempts += 1;
    const { rows } = await database.query('select max(n) from numbers');
    if (attempts === 1) {
      const other = open();
      await other.change('s00', (staging) => staging.database.run('update numbers set n = 5'));
      await other.close();
    }
    await database.run('delete from numbers');
    await database.run('insert into numbers values ($n)', { n: Number(rows[0]?.[0]) + 1 });
  });
  expect(attempts).toBe(2);
  expect(await read()).toEqual([6]);
});

test('after a COMMIT without a response, the shard’s contents say whether it took place', async () => {
  const { writer, read } = await numbers();
  const loseCatalog = () =>
    servers.sql(
      'postgres',
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${shared.warehouse.database}'`,
    );
  for (const isCommitted of [true, false]) {
    const n = isCommitted ? 1 : 2;
    let attempts = 0;
    await writer.change('s00', async ({ database }) => {
      attempts += 1;
      const known = await database.query('select n from numbers where n = $n', { n });
      if (known.rows.length > 0) return;
      await database.run('insert into numbers values ($n)', { n });
      if (attempts > 1) return;
      if (isCommitted)
        await database.run('commit; begin transaction; insert into numbers values (9)');
      loseCatalog();
    });
    expect(attempts).toBe(2);
  }
  expect(await read()).toEqual([0, 1, 2]);
});

test('a lake follows new slugs, another time zone and a replay as a file does, and a rebuild reproduces it', async () => {
  const moved = {
    ...configured(shared.folder, { acme: 'elsewhere', echo: 'acme', dune: 'former' }),
    timezone: 'Pacific/Kiritimati',
  };
  shared = { ...moved, warehouse: shared.warehouse };
  await load(moved);
  await load(shared);
  const tables = await tablesOf(moved);
  const options = { config: shared, ...tools };
  expect(await replayEvents(options, false)).toMatchObject({ changed: 0 });
  expect(await tablesOf(shared)).toEqual(tables);
  expect(await rebuildWarehouse(options)).toMatchObject({ lost: 0, isPublished: true });
  await rm(join(shared.dataDir, 'raw', 'acme'), { recursive: true });
  expect(await rebuildWarehouse(options)).toMatchObject({ lost: 13, isPublished: false });
  expect(await tablesOf(shared)).toEqual(tables);
});

// the last one: no load can follow on this lake
test('a program that is older than the lake’s last writer loads nothing, also when it was connected before', async () => {
  const settings = async (sql = 'from lake.main.lake_settings') => {
    const writer = openWriter();
    const found = await writer.change('s00', ({ database }) => database.queryObjects(sql));
    await writer.close();
    return found;
  };
  const setProgram = (version: string) =>
    settings(`update lake.main.lake_settings set program = '${version}'`);
  await setProgram('0.0.9');
  await load(shared);
  expect(await settings()).toEqual([{ shards: 2, program: packageVersion }]);
  const loaded = () =>
    rowsOf(shared, 'select run_id, workspace, seq from loaded_responses order by all');
  const before = await loaded();
  const connected = openWriter();
  await connected.open();
  await setProgram('1000.0.0-rc.1');
  await storeDay(shared, 3);
  const said = 'was last written by postledger 1000.0.0-rc.1';
  await expect(load(shared)).rejects.toThrow(said);
  await expect(connected.change('s00', () => Promise.resolve())).rejects.toThrow(said);
  await connected.close();
  expect(await loaded()).toEqual(before);
});
