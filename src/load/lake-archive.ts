import pLimit from 'p-limit';
import type { Config, LakeConfig } from '../config/config.ts';
import type { Log } from '../core/log.ts';
import { RawArchive } from '../store/raw-archive.ts';
import type { RunName } from '../store/run-folder.ts';
import { DamagedFileError } from '../store/stored-file.ts';
import { shardOf } from '../warehouse/shard.ts';
import { readEvents } from './load-events.ts';

const requestsAtOnce = 16;

/** The bucket of the raw store that the lake's machines share; null where there is none. Close it. */
export async function openArchive(
  { raw, writer: { s3 } }: LakeConfig,
  signal?: AbortSignal,
): Promise<RawArchive | null> {
  if (raw === null) return null;
  const [endpoint, region] = [s3?.endpoint ?? null, s3?.region ?? null];
  return RawArchive.open(raw, { endpoint, region, credentials: s3 }, signal);
}

/** Gets the run folders of the bucket that this machine lacks, to load them again. */
export async function fetchRuns(
  lake: LakeConfig,
  { dataDir, workspaces }: Config,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  const archive = await openArchive(lake, signal);
  if (archive === null) return;
  try {
    const count = await archive.fetchRuns(dataDir, (workspace) => workspaces.has(workspace));
    log.info({ count }, `fetched ${count} run folders from ${lake.raw}`);
  } finally {
    archive.close();
  }
}

/** Gets events of the bucket that this machine lacks. @param places where they are there, by their key */
export async function fetchEvents(
  archive: RawArchive,
  dataDir: string,
  places: Iterable<readonly [key: string, place: string]>,
  log: Log,
): Promise<void> {
  await pLimit(requestsAtOnce).map(places, async ([key, place]) => {
    try {
      await archive.fetchEvent(dataDir, key, place);
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      log.warn({}, `${error.message} in the bucket; it was skipped`);
    }
  });
}

/** Puts into the bucket what is being loaded, before it is committed. */
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

/** Events go where the workspace is that has their slug; those of an unknown slug to the shard of that name. */
export async function groupByShard(
  lake: LakeConfig,
  { dataDir, workspaces }: Config,
  keys: readonly string[],
): Promise<Map<string, string[]>> {
  const owners = new Map([...workspaces.values()].map(({ slug, key }) => [slug, key]));
  const readable = await readEvents(dataDir, keys, () => undefined);
  const slugs = new Map(readable.map((event) => [event.event_key, event.workspace_slug ?? '']));
  const shards = new Map<string, string[]>();
  for (const key of keys) {
    // the load warns of those that cannot be read
    const slug = slugs.get(key) ?? '';
    const shard = shardOf(owners.get(slug) ?? slug, lake);
    shards.set(shard, [...(shards.get(shard) ?? []), key]);
  }
  return shards;
}
