import { join } from 'node:path';
import type { LakeConfig, WarehouseConfig } from '../config/config.ts';
import type { Progress } from '../core/progress.ts';
import { fileIdentity } from '../warehouse/published-file.ts';
import { openSideBySide, quoteText } from '../warehouse/database.ts';
import { countResponses } from '../store/run-folder.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { openWarehouse, remakeWarehouse, withWarehouseLock } from '../warehouse/warehouse.ts';
import { QueryError, WarehouseMissingError } from '../warehouse/warehouse-errors.ts';
import { addSummaries, nothingNew, type LoadSummary } from './load-summary.ts';
import { findPending, load, loadPending, type LoadOptions } from './load.ts';
import { fetchRuns } from './lake-archive.ts';
import { nothingLoaded } from './pending.ts';

export interface RebuildOptions extends LoadOptions {
  readonly progress: Progress;
}

/** How a table of the rebuilt warehouse compares with the published one's. */
export interface TableDifference {
  readonly table: string;
  /** Rows of the published warehouse, and those that only one of the two has. */
  readonly rows: number;
  readonly missing: number;
  readonly extra: number;
}

export interface Rebuilt extends LoadSummary {
  /** Responses and events that the published warehouse has and the raw store lacks: why nothing was published. */
  readonly lost: number;
}

/**
 * Loads the whole raw store into an empty warehouse, and puts it in the published one's place. That one may be
 * missing, damaged or of any version.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function rebuildWarehouse(options: RebuildOptions): Promise<Rebuilt> {
  const { warehouse } = options.config;
  if (typeof warehouse !== 'string') return rebuildShards(warehouse, options);
  return buildBeside(options, warehouse, async (file) => {
    const lost = await countLost(warehouse, file.path, file.folder);
    if (lost > 0) return { ...file.value, lost };
    await file.publish();
    return { ...file.value, lost: 0, isPublished: true };
  });
}

/** Aborts the transaction of a shard that has more than the raw store. */
class LostRecords extends Error {
  readonly lost: number;

  constructor(lost: number) {
    super(`${lost} would be lost`);
    this.lost = lost;
  }
}

/** A shard is emptied and loaded in one transaction; those before one that would lose something stay rebuilt. */
async function rebuildShards(lake: LakeConfig, options: RebuildOptions): Promise<Rebuilt> {
  const { inShards } = await import('./shards.ts');
  const shards = { ...options, isWhole: true };
  await fetchRuns(lake, options.config, options.log, options.signal);
  try {
    const summaries = await inShards(lake, shards, async (staging, share) => {
      await staging.database.run(await readSql('lake/empty.sql'));
      const { config } = share;
      const source = await findPending(config, nothingLoaded, { ...share, takesRunning: true });
      const summary = await loadPending(staging, source, nothingLoaded, { ...options, config });
      const { rows } = await staging.database.query(await readSql('lake/lost.sql'));
      const lost = Number(rows[0]?.[0]);
      if (lost > 0) throw new LostRecords(lost);
      return { value: { ...summary, isPublished: true }, isChanged: true };
    });
    return { ...summaries.reduce(addSummaries, nothingNew), lost: 0 };
  } catch (error) {
    if (error instanceof LostRecords) return { ...nothingNew, lost: error.lost };
    throw error;
  }
}

/**
 * Loads what is pending, then the whole raw store into an empty warehouse beside it, and compares the two.
 * @throws WarehouseMissingError when there is nothing to compare with
 */
export async function checkRebuild(options: RebuildOptions): Promise<TableDifference[]> {
  const { warehouse, dataDir } = options.config;
  const isFile = typeof warehouse === 'string';
  if (isFile && (await fileIdentity(warehouse)) === null) {
    throw new WarehouseMissingError(
      `there is no warehouse at ${warehouse} to compare with; \`postledger load\` makes it`,
    );
  }
  await load(options);
  return buildBeside(
    options,
    isFile ? warehouse : join(dataDir, 'rebuild-check.duckdb'),
    ({ path, folder }) => compareTables(warehouse, path, folder),
  );
}

type BuiltFile = Parameters<Parameters<typeof remakeWarehouse<LoadSummary, unknown>>[2]>[0];

async function buildBeside<T>(
  options: RebuildOptions,
  path: string,
  use: (file: BuiltFile) => Promise<T>,
): Promise<T> {
  const { config, clock, waitMs, signal, log, progress } = options;
  const access = { path, clock, waitMs, signal, log, purpose: 'rebuilding' };
  return withWarehouseLock(access, async () => {
    // a run that is under way has loaded what it read so far
    const source = await findPending(config, nothingLoaded, { takesRunning: true });
    const total = (await countResponses(config.dataDir)) + source.events.length;
    const task = progress.task('rebuild', total, 'responses and events');
    const onProgress = (count: number) => task.advance(count);
    try {
      return await remakeWarehouse(
        access,
        (staging) => loadPending(staging, source, nothingLoaded, { ...options, onProgress }),
        use,
      );
    } finally {
      task.finish();
    }
  });
}

/** 0 where the published file is missing or cannot be read: then nothing of it can be lost. */
async function countLost(published: string, rebuilt: string, folder: string): Promise<number> {
  if ((await fileIdentity(published)) === null) return 0;
  try {
    const database = await openSideBySide({ published, rebuilt }, folder);
    try {
      const { rows } = await database.query(await readSql('rebuild/lost.sql'));
      return Number(rows[0]?.[0]);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof QueryError) return 0;
    throw error;
  }
}

/** Of a lake, each shard has settings of its own: those are not compared. */
async function compareTables(
  published: WarehouseConfig,
  rebuilt: string,
  folder: string,
): Promise<TableDifference[]> {
  const isFile = typeof published === 'string';
  const database = isFile
    ? await openSideBySide({ published, rebuilt }, folder)
    : await openWarehouse(published);
  try {
    if (!isFile) await database.run(`attach ${quoteText(rebuilt)} as rebuilt (read_only)`);
    const tables = await database.query(await readSql('rebuild/tables.sql'));
    const differences: TableDifference[] = [];
    for (const [name] of tables.rows) {
      const table = String(name);
      if (!isFile && table === 'load_settings') continue;
      const [row = {}] = await database.queryObjects(await readSql('rebuild/difference.sql'), {
        published: isFile ? `published.${table}` : table,
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
