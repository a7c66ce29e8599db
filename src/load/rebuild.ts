import type { Progress, ProgressTask } from '../core/progress.ts';
import { quoteText } from '../warehouse/sql-text.ts';
import { readErasures } from '../store/erasure.ts';
import { listEventKeys } from '../store/event-store.ts';
import { countResponses } from '../store/run-folder.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { warehouseOf, type Warehouse } from '../warehouse/warehouse.ts';
import type { FinishedFile, StagingDatabase } from '../warehouse/access.ts';
import { addSummaries, nothingNew, type LoadSummary } from './load-summary.ts';
import { findPending, load, loadPending, type LoadOptions } from './load.ts';
import { nothingLoaded } from './pending.ts';
import { fetchRuns } from './raw-bucket.ts';
import { withShares, type Share } from './shares.ts';

export interface RebuildOptions extends LoadOptions {
  readonly progress: Progress;
  /** The responses and events that were erased from the raw store; 0 by default. */
  readonly erased?: number;
}

/** The difference between a table of the rebuilt warehouse and the published one. */
export interface TableDifference {
  readonly table: string;
  /** The rows of the published warehouse, and those that only one of the two has. */
  readonly rows: number;
  readonly missing: number;
  readonly extra: number;
}

export interface Rebuilt extends LoadSummary {
  /** The responses and events that the raw store lacks. If there are any, nothing is published. */
  readonly lost: number;
}

/**
 * Loads the whole raw store into an empty warehouse, which takes the published one's place. That one may be missing,
 * damaged or of any version. In a lake, the shards before one that would lose something stay rebuilt.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function rebuildWarehouse(options: RebuildOptions): Promise<Rebuilt> {
  const { config, log, erased = 0 } = options;
  return withProgress(options, (task) =>
    withShares({ ...options, isWhole: true, purpose: 'rebuilding' }, async (shares) => {
      const { writer, bucket, list } = shares;
      const isConfigured = (workspace: string) => config.workspaces.has(workspace);
      if (bucket) await fetchRuns(bucket, config, log, isConfigured);
      let rebuilt = nothingNew;
      for (const share of list) {
        const fill = (staging: StagingDatabase) => loadAll(staging, share, options, task);
        const { value, lost } = await writer.refill(share.shard, fill, erased);
        if (lost > erased) return { ...rebuilt, isPublished: false, lost };
        rebuilt = addSummaries(rebuilt, { ...value, isPublished: true });
      }
      return { ...rebuilt, lost: 0 };
    }),
  );
}

/**
 * Loads what is pending, then the whole raw store into an empty file beside the warehouse, and compares the two.
 * @throws WarehouseMissingError when there is nothing to compare with
 */
export async function checkRebuild(options: RebuildOptions): Promise<TableDifference[]> {
  const { config, clock, log, waitMs, signal } = options;
  const warehouse = warehouseOf(config.warehouse);
  (await warehouse.open()).close();
  await load(options);
  const { dataDir } = config;
  const lock = { dataDir, clock, log, waitMs, signal, purpose: 'rebuilding' };
  return withProgress(options, (task) =>
    warehouse.fillBeside(
      lock,
      (staging) =>
        loadAll(staging, { config, erasures: () => readErasures(dataDir) }, options, task),
      (file) => compareTables(warehouse, file),
    ),
  );
}

async function withProgress<T>(
  { config: { dataDir }, progress }: RebuildOptions,
  work: (task: ProgressTask) => Promise<T>,
): Promise<T> {
  const total = (await countResponses(dataDir)) + (await listEventKeys(dataDir)).length;
  const task = progress.task('rebuild', total, 'responses and events');
  try {
    return await work(task);
  } finally {
    task.finish();
  }
}

async function loadAll(
  staging: StagingDatabase,
  {
    config,
    workspaces,
    events,
    erasures,
  }: Pick<Share, 'config' | 'workspaces' | 'events' | 'erasures'>,
  options: RebuildOptions,
  task: ProgressTask,
): Promise<LoadSummary> {
  // a run that is under way has loaded what it read so far
  const which = { workspaces, events, takesRunning: true, erased: await erasures() };
  const source = await findPending(config, nothingLoaded, which);
  const onProgress = (count: number) => task.advance(count);
  return loadPending(staging, source, nothingLoaded, { ...options, config, onProgress });
}

async function compareTables(
  warehouse: Warehouse,
  { path, folder }: FinishedFile<LoadSummary>,
): Promise<TableDifference[]> {
  const database = await warehouse.open();
  try {
    await database.run(`set temp_directory = ${quoteText(folder)}`);
    await database.run(`attach ${quoteText(path)} as rebuilt (read_only)`);
    const { rows: tables } = await database.query(await readSql('rebuild/tables.sql'));
    const differences: TableDifference[] = [];
    for (const table of tables.map(([name]) => String(name))) {
      const [row = {}] = await database.queryObjects(await readSql('rebuild/difference.sql'), {
        published: table,
        rebuilt: `rebuilt.${table}`,
      });
      const count = (column: string) => Number(row[column]);
      differences.push({
        table,
        rows: count('rows'),
        missing: count('missing'),
        extra: count('extra'),
      });
    }
    return differences;
  } finally {
    database.close();
  }
}
