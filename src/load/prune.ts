import { join } from 'node:path';
import { readKnownArchive, type KnownArchive } from '../archive/known-archive.ts';
import { bodiesOf, measureBodies, prunePart } from '../archive/prune-part.ts';
import { verifyPart } from '../archive/verify-part.ts';
import type { Config } from '../config/config.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Progress } from '../core/progress.ts';
import { readPart, type LandedPart } from '../landing/landed-part.ts';
import { archiveFolder } from '../landing/layout.ts';
import { withWarehouseLock } from '../warehouse/warehouse.ts';
import {
  readOlderResponses,
  type OlderResponses,
  type UnneededResponse,
} from './prune/older-responses.ts';
import { PruneRefusedError } from './prune/prune-refused-error.ts';

export interface PruneOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  /** Bodies of responses that were fetched on so many days, today included, stay in any case. */
  readonly keepDays: number;
  /** Only tells what would go. */
  readonly isDryRun: boolean;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface PruneSummary {
  /** The first day, in the configured time zone, of which all bodies stay. */
  readonly keep_from: Day;
  /** Whose bodies went. */
  readonly responses: number;
  /** Of these bodies, as they lay on disk. */
  readonly bytes: number;
  /** Older responses whose bodies stay, since something in the warehouse rests on them. */
  readonly needed: number;
  /** Rows of linkedin_post_snapshots that the warehouse alone has from then on: no rebuild gives them. */
  readonly snapshots: number;
  readonly is_dry_run: boolean;
}

/** What goes of one part. */
interface PartCut {
  readonly part: LandedPart;
  readonly given: readonly UnneededResponse[];
  readonly bytes: number;
}

/**
 * Gives up bodies of old responses on which nothing in the warehouse rests but snapshots. Their manifests stay, and
 * so does all else: a rebuild gives the same tables afterwards, but for snapshots of days before those kept. Nothing
 * is removed that is not proven to be loaded and whole. Done again it changes nothing.
 * @throws PruneRefusedError when the warehouse does not have all that the archive has, or that is damaged
 * @throws WarehouseMissingError when there is no warehouse
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function pruneArchive(options: PruneOptions): Promise<PruneSummary> {
  const { config, clock, waitMs, signal, log, keepDays, isDryRun } = options;
  const keepFrom = addDays(dayOf(clock.now(), config.timezone), 1 - keepDays);
  const access = { path: config.warehouse, clock, waitMs, signal, log, purpose: 'pruning' };
  return withWarehouseLock(access, async () => {
    const older = await readOlderResponses(config, keepFrom);
    const cuts = await verifyCuts(older, options);
    if (!isDryRun) await removeAll(cuts, options);
    const given = cuts.flatMap((cut) => cut.given);
    return {
      keep_from: keepFrom,
      responses: given.length,
      bytes: cuts.reduce((sum, { bytes }) => sum + bytes, 0),
      needed: older.needed,
      snapshots: given.reduce((sum, { snapshots }) => sum + snapshots, 0),
      is_dry_run: isDryRun,
    };
  });
}

/** Reads every byte of each part before anything is removed of any. */
async function verifyCuts(
  { unneeded }: OlderResponses,
  { config: { dataDir }, progress, signal }: PruneOptions,
): Promise<PartCut[]> {
  const known = await readKnownArchive(dataDir);
  const task = progress.task('verify', unneeded.size, 'parts');
  const cuts: PartCut[] = [];
  for (const [place, given] of unneeded) {
    if (signal?.aborted) throw new InterruptedError('stopped while verifying; nothing was pruned');
    const cut = await cutOf(dataDir, place, given);
    if (cut) {
      await requireWhole(dataDir, place, known);
      cuts.push(cut);
    }
    task.advance();
  }
  task.finish();
  return cuts;
}

/** @returns null of a part that has no such bodies, or is not archived yet */
async function cutOf(
  dataDir: string,
  place: string,
  unneeded: readonly UnneededResponse[],
): Promise<PartCut | null> {
  const part = await readPart(join(archiveFolder(dataDir), place), []);
  if (part === null) return null;
  const loaded = unneeded.filter((response) => isSame(part, response));
  const bodies = bodiesOf(part, loaded);
  if (bodies.length === 0) return null;
  const seqs = new Set(bodies.map(({ manifest }) => manifest.seq));
  const given = loaded.filter(({ seq }) => seqs.has(seq));
  return { part, given, bytes: await measureBodies(bodies) };
}

/** The archive has the very response that the warehouse has. */
function isSame({ responses }: LandedPart, { seq, fetchedAtMs }: UnneededResponse): boolean {
  return responses.some(({ manifest }) => {
    return manifest.seq === seq && Date.parse(manifest.fetched_at) === fetchedAtMs;
  });
}

async function requireWhole(dataDir: string, place: string, known: KnownArchive): Promise<void> {
  const { findings } = await verifyPart(dataDir, place, known);
  const damage = findings.find(({ kind }) => kind === 'damaged' || kind === 'missing');
  if (!damage) return;
  throw new PruneRefusedError(
    `${damage.path}: ${damage.problem}; nothing was pruned, \`postledger archive verify\` tells all that is wrong`,
  );
}

async function removeAll(
  cuts: readonly PartCut[],
  { config: { dataDir }, progress, signal }: PruneOptions,
): Promise<void> {
  const task = progress.task('prune', cuts.length, 'parts');
  for (const { part, given } of cuts) {
    if (signal?.aborted) {
      throw new InterruptedError('stopped while pruning; all is whole, prune again to go on');
    }
    await prunePart(dataDir, part, given);
    task.advance();
  }
  task.finish();
}
