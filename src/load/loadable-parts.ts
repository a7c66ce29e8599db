import { isLockHeld } from '../core/lock.ts';
import { rereadPart, type LandedPart, type Landing } from '../landing/landed-part.ts';
import type { DamagedFileError } from '../landing/landing-errors.ts';
import { extractLockPath } from '../landing/layout.ts';

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
  readonly damages: readonly DamagedFileError[];
}

/**
 * The parts that may be loaded now: those with an end, those that were cut off (no end, and nobody alive
 * extracts for the workspace), and the caller's own.
 */
export async function selectLoadable(
  dataDir: string,
  landing: Landing,
  selection: PartSelection,
): Promise<LoadableParts> {
  const parts: LoadablePart[] = [];
  const damages = [...landing.damages];
  for (const part of landing.parts) {
    const loadable = await judge(dataDir, part, selection, damages);
    if (loadable) parts.push(loadable);
  }
  return { parts, inProgress: landing.parts.length - parts.length, damages };
}

async function judge(
  dataDir: string,
  part: LandedPart,
  { ownParts, takesRunning = false }: PartSelection,
  damages: DamagedFileError[],
): Promise<LoadablePart | null> {
  const { workspace, run_id: runId } = part.record;
  if (part.finish) return { part, state: 'finished' };
  if (ownParts.some((own) => own.workspace === workspace && own.runId === runId)) {
    return { part, state: 'running' };
  }
  // whoever writes a part holds its workspace's lock, so no other part of it can still be growing
  const isOurs = ownParts.some((own) => own.workspace === workspace);
  if (!isOurs && (await isLockHeld(extractLockPath(dataDir, workspace))))
    return takesRunning ? { part, state: 'running' } : null;
  // its writer may have gone on, and ended, after it was listed and before its lock was seen to be free
  const known = new Set(damages.flatMap((damage) => damage.files));
  const found: DamagedFileError[] = [];
  const whole = await rereadPart(part, found);
  damages.push(...found.filter((damage) => !damage.files.some((file) => known.has(file))));
  return whole && { part: whole, state: whole.finish ? 'finished' : 'interrupted' };
}
