import { isLockHeld } from '../../core/lock.ts';
import { listLanding, type LandedPart } from '../../landing/landed-part.ts';
import { extractLockPath } from '../../landing/layout.ts';
import { cutOffHours } from '../../plan/plan.ts';
import { selectLoadable } from '../loadable-parts.ts';

/** What has landed of one workspace in one run, and is not loaded and archived yet. */
export interface PendingPart {
  readonly workspace: string;
  readonly run_id: string;
  readonly job: string;
  readonly started_at: string;
  readonly responses: number;
  /** `running`: a live process writes it; the others wait for the next load. */
  readonly state: 'running' | 'finished' | 'interrupted';
  /** Of an interrupted one: until then the next run of its job does not ask again for all that has landed. */
  readonly kept_until: string | null;
}

export interface PendingStatus {
  readonly parts: readonly PendingPart[];
  /** Damaged files that the next load sets aside. */
  readonly damaged: number;
}

export async function readPendingParts(dataDir: string, now: Date): Promise<PendingStatus> {
  const landing = await listLanding(dataDir);
  const { damages } = await selectLoadable(dataDir, landing, { ownParts: [] });
  const pending: PendingPart[] = [];
  for (const part of landing.parts) pending.push(await describePart(dataDir, part, now));
  return { parts: pending, damaged: damages.length };
}

async function describePart(
  dataDir: string,
  { record, finish, responses }: LandedPart,
  now: Date,
): Promise<PendingPart> {
  const isHeld = await isLockHeld(extractLockPath(dataDir, record.workspace));
  const state = finish ? 'finished' : isHeld ? 'running' : 'interrupted';
  const landedMs = responses.map(({ manifest }) => new Date(manifest.fetched_at).getTime());
  const keptUntil = new Date(Math.max(...landedMs) + cutOffHours * 3_600_000);
  const isKept = state === 'interrupted' && keptUntil > now;
  return {
    workspace: record.workspace,
    run_id: record.run_id,
    job: record.job,
    started_at: record.started_at,
    responses: responses.length,
    state,
    kept_until: isKept ? keptUntil.toISOString() : null,
  };
}
