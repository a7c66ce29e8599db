import { basename, dirname } from 'node:path';
import { isLockHeld } from '../core/lock.ts';
import { isWhole, readLandedPart, type LandedPart, type Landing } from '../landing/landed-part.ts';
import type { DamagedFileError } from '../landing/landing-errors.ts';
import { extractLockPath, partFolderOf } from '../landing/layout.ts';

/** One workspace's part of one run. */
export interface PartName {
  readonly workspace: string;
  readonly runId: string;
}

/** `finished` and `interrupted` parts are archived once they are loaded; a `running` one is still being written. */
export interface LoadablePart {
  readonly part: LandedPart;
  readonly state: 'finished' | 'interrupted' | 'running';
}

export interface PartSelection {
  /** Of the caller's own run, which goes on. */
  readonly ownParts: readonly PartName[];
  /** Whether those of other live processes are taken as well, as far as they have landed. */
  readonly takesRunning?: boolean;
}

export interface LoadableParts {
  readonly parts: readonly LoadablePart[];
  /** How many another live process is still writing. */
  readonly inProgress: number;
  /** Of parts that nobody writes any more. */
  readonly damages: readonly DamagedFileError[];
}

interface ListedPart extends PartName {
  readonly folder: string;
  /** Null where its run.json or its finish.json is damaged. */
  readonly part: LandedPart | null;
}

/**
 * The parts that may be loaded now: those with an end, those that were cut off (no end, and nobody alive
 * extracts for the workspace), and the caller's own. What looks damaged in a part that is being written is left: its
 * folder may have been listed in the middle of it.
 */
export async function selectLoadable(
  dataDir: string,
  landing: Landing,
  { ownParts, takesRunning = false }: PartSelection,
): Promise<LoadableParts> {
  const parts: LoadablePart[] = [];
  const damages: DamagedFileError[] = [];
  let inProgress = 0;
  for (const listed of listedParts(dataDir, landing)) {
    const writer = await findWriter(dataDir, listed, ownParts);
    const isTaken = writer === 'caller' || takesRunning;
    if (writer === null) parts.push(...(await settle(listed, damages)));
    else if (!isTaken) inProgress += 1;
    else if (listed.part) parts.push({ part: listed.part, state: 'running' });
  }
  return { parts, inProgress, damages };
}

function listedParts(dataDir: string, { parts, damages }: Landing): ListedPart[] {
  const read = parts.map((part): ListedPart => {
    const { workspace, run_id: runId } = part.record;
    return { workspace, runId, folder: part.folder, part };
  });
  const folders = new Set(damages.flatMap(({ files }) => files.map((file) => partFolderOf(dataDir, file)))); // prettier-ignore
  for (const { folder } of parts) folders.delete(folder);
  const unread = [...folders].map((folder): ListedPart => {
    return { workspace: basename(dirname(folder)), runId: basename(folder), folder, part: null };
  });
  return [...read, ...unread];
}

/** Who may be writing it; null where nobody is. */
async function findWriter(
  dataDir: string,
  { workspace, runId, part }: ListedPart,
  ownParts: readonly PartName[],
): Promise<'caller' | 'other' | null> {
  if (part?.finish) return null;
  // whoever writes a part holds its workspace's lock, so no other part of it can still be growing
  const own = ownParts.filter((each) => each.workspace === workspace);
  if (own.length > 0) return own.some((each) => each.runId === runId) ? 'caller' : null;
  return (await isLockHeld(extractLockPath(dataDir, workspace))) ? 'other' : null;
}

/**
 * A part that nobody writes any more, as it is now: its writer may have gone on, and ended, while its folder was
 * listed, or before its lock was seen to be free.
 */
async function settle(
  { folder, part }: ListedPart,
  damages: DamagedFileError[],
): Promise<LoadablePart[]> {
  if (part?.finish && (await isWhole(part))) return [{ part, state: 'finished' }];
  const settled = await readLandedPart(folder, damages);
  return settled ? [{ part: settled, state: settled.finish ? 'finished' : 'interrupted' }] : [];
}
