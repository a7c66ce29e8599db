import { readLedger } from '../../archive/archive-ledger.ts';
import { SoundArchive } from '../../archive/sound-archive.ts';
import type { Config } from '../../config/config.ts';
import { sealOrphans } from '../../inbox/spool/seal-orphans.ts';
import { listSegments, type Segment } from '../../inbox/spool/segment.ts';
import { listLanding } from '../../landing/landed-part.ts';
import { SlugHistory, type DueSlugs } from '../events/slug-history.ts';
import { slugsOf } from '../events/workspace-slugs.ts';
import { selectLoadable, type LoadableParts } from '../loadable-parts.ts';

/** All that a warehouse is made from, as it stands while the warehouse's lock is held. */
export interface Sources {
  readonly archive: SoundArchive;
  /** What has landed, that of live runs included. */
  readonly landed: LoadableParts;
  /** The inbox's. */
  readonly segments: readonly Segment[];
}

export async function gatherSources({ dataDir }: Pick<Config, 'dataDir'>): Promise<Sources> {
  const landing = await listLanding(dataDir);
  const landed = await selectLoadable(dataDir, landing, { ownParts: [], takesRunning: true });
  await sealOrphans(dataDir);
  const segments = await listSegments(dataDir);
  return { archive: await SoundArchive.open(dataDir), landed, segments };
}

/** @param due what the ledger is still to be told of today's slugs; null when it is told */
export async function readSlugHistory(
  config: Pick<Config, 'dataDir' | 'workspaces'>,
  due: DueSlugs | null,
): Promise<SlugHistory> {
  const { entries } = await readLedger(config.dataDir);
  return new SlugHistory(entries, due?.entries ?? [], slugsOf(config));
}
