import pLimit from 'p-limit';
import { workspacesBySlug, type Config } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { readErasures, type ErasureRecord } from '../store/erasure.ts';
import { listEventKeys } from '../store/event-store.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { RunName } from '../store/run-folder.ts';
import { DamagedFileError } from '../store/stored-file.ts';
import { warehouseOf, type Warehouse } from '../warehouse/warehouse.ts';
import { readEvents } from './load-events.ts';

const requestsAtOnce = 16;

/** Does the work with the bucket in which machines share the raw store; null when there is none. */
export async function withArchive<T>(
  {
    config,
    signal,
  }: { readonly config: Pick<Config, 'warehouse'>; readonly signal?: AbortSignal | undefined },
  work: (archive: RawArchive | null) => Promise<T>,
): Promise<T> {
  const archive = await openArchive(warehouseOf(config.warehouse), signal);
  try {
    return await work(archive);
  } finally {
    archive?.close();
  }
}

async function openArchive(
  { rawBucket }: Pick<Warehouse, 'rawBucket'>,
  signal?: AbortSignal,
): Promise<RawArchive | null> {
  if (rawBucket === null) return null;
  const { url, s3 } = rawBucket;
  const [endpoint, region] = [s3?.endpoint ?? null, s3?.region ?? null];
  const { RawArchive: Archive } = await import('../store/raw-archive.ts');
  return Archive.open(url, { endpoint, region, credentials: s3 }, signal);
}

/** Fetches the run folders of the bucket that this machine lacks. @param wants selects the workspaces */
export async function fetchRuns(
  archive: RawArchive,
  { dataDir }: Pick<Config, 'dataDir'>,
  log: Log,
  wants: (workspace: string) => boolean = () => true,
): Promise<void> {
  const count = await archive.fetchRuns(dataDir, wants);
  log.info({ count }, `fetched ${count} run folders from the bucket`);
}

/** Fetches those of the events that this machine lacks. @param paths where they are in the bucket, by key */
export async function fetchMissingEvents(
  archive: RawArchive,
  paths: ReadonlyMap<string, string>,
  { dataDir }: Pick<Config, 'dataDir'>,
  log: Log,
  keys: Iterable<string> = paths.keys(),
): Promise<void> {
  const here = new Set(await listEventKeys(dataDir));
  await pLimit(requestsAtOnce).map(keys, async (key) => {
    const path = here.has(key) ? undefined : paths.get(key);
    if (path === undefined) return;
    try {
      await archive.fetchEvent(dataDir, key, path);
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      log.warn({}, `${error.message} in the bucket; it was skipped`);
    }
  });
}

/**
 * Reads what was erased by this machine or by any that shares the bucket.
 * @throws UsageError if the two records cannot be compared
 */
export async function sharedErasures(
  archive: RawArchive | null,
  dataDir: string,
): Promise<ErasureRecord> {
  const own = await readErasures(dataDir);
  const shared = await archive?.readErasures();
  if (!shared) return own;
  if (own.erasures.length > 0 && own.salt !== shared.salt) {
    throw new UsageError(
      `${dataDir}/erased.json is of another raw store than _erased.json in the bucket; move it away, and erase what it was about once more`,
    );
  }
  const known = new Set(own.erasures.map(({ id }) => id));
  const others = shared.erasures.filter(({ id }) => !known.has(id));
  return { ...shared, erasures: [...own.erasures, ...others] };
}

/** Puts what is being loaded into the bucket, before it is committed. */
export async function archiveLoaded(
  archive: RawArchive,
  dataDir: string,
  { shard, runs, events }: { shard: string; runs: readonly RunName[]; events: readonly string[] },
): Promise<void> {
  for (const run of runs) await archive.putRun(dataDir, run);
  await pLimit(requestsAtOnce).map(events, async (key) => {
    try {
      await archive.putEvent(dataDir, key, shard);
    } catch (error) {
      // the load has warned of it
      if (!(error instanceof DamagedFileError)) throw error;
    }
  });
}

/**
 * Groups events by the shard of the workspace that has their slug. An event of an unknown slug goes to the shard of a
 * workspace of that name.
 */
export async function groupByShard(
  warehouse: Pick<Warehouse, 'shardOf'>,
  config: Config,
  keys: readonly string[],
): Promise<Map<string, string[]>> {
  const owners = workspacesBySlug(config);
  const readable = await readEvents(config.dataDir, keys, () => undefined);
  const slugs = new Map(readable.map((event) => [event.event_key, event.workspace_slug ?? '']));
  const shards = new Map<string, string[]>();
  for (const key of keys) {
    // the load warns of those that cannot be read
    const slug = slugs.get(key) ?? '';
    const shard = warehouse.shardOf(owners.get(slug) ?? slug);
    shards.set(shard, [...(shards.get(shard) ?? []), key]);
  }
  return shards;
}

/** Returns what puts an event into the bucket that machines share; null when there is none. */
export async function openEventArchive(
  config: Config,
): Promise<((key: string) => Promise<void>) | null> {
  const warehouse = warehouseOf(config.warehouse);
  const archive = await openArchive(warehouse);
  if (archive === null) return null;
  return async (key) => {
    for (const [shard, events] of await groupByShard(warehouse, config, [key]))
      await archiveLoaded(archive, config.dataDir, { shard, events, runs: [] });
  };
}
