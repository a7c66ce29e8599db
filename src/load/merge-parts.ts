import type { Config } from '../config/config.ts';
import type { DamagedFileError } from '../landing/landing-errors.ts';
import type { WorkSpace } from '../warehouse/warehouse.ts';
import { WarehouseCheckError } from '../warehouse/warehouse-errors.ts';
import { gatherBatches } from './batch.ts';
import type { LoadablePart } from './loadable-parts.ts';
import { mergeBatch, type BatchFigures } from './merge-batch.ts';
import { listPending, mergeChecks, mergeProfiles, mergeRuns } from './run-ledger.ts';

export interface MergeOptions {
  readonly config: Pick<Config, 'timezone' | 'workspaces'>;
  /** Told of each body that is not what was landed; it is left out. */
  readonly onDamage: (damage: DamagedFileError) => void;
  /** Told of so many responses more that are merged. */
  readonly onMerged?: (responses: number) => void;
}

export interface MergedParts extends BatchFigures {
  /** Responses that were not in the ledger. */
  readonly responses: number;
  /** Whether anything was told of runs, checks and profiles, beside what the responses say. */
  readonly isMoreKnown: boolean;
}

/** Manifests of so many responses are in memory at once; those of one part may be more. */
const responsesAtOnce = 1_000;

const nothing: MergedParts = {
  responses: 0,
  postsRead: 0,
  rejected: 0,
  unknownTypes: [],
  isMoreKnown: false,
};

/**
 * Merges what the ledger does not have of these parts, and the profiles of the config, batch by batch. Parts are
 * taken as they come: what is done with them is not kept in memory. Loads and rebuilds have this in common.
 */
export async function mergeParts(
  space: WorkSpace,
  parts: Iterable<LoadablePart> | AsyncIterable<LoadablePart>,
  options: MergeOptions,
): Promise<MergedParts> {
  let merged = nothing;
  for await (const group of groupParts(parts))
    merged = addMerged(merged, await mergeGroup(space, group, options));
  return { ...merged, unknownTypes: merged.unknownTypes.toSorted() };
}

/** At least one group, which may be empty: the config's profiles are merged in any case. */
async function* groupParts(
  parts: Iterable<LoadablePart> | AsyncIterable<LoadablePart>,
): AsyncGenerator<LoadablePart[]> {
  let group: LoadablePart[] = [];
  let responses = 0;
  for await (const loadable of parts) {
    group.push(loadable);
    responses += loadable.part.responses.length;
    if (responses < responsesAtOnce) continue;
    yield group;
    group = [];
    responses = 0;
  }
  yield group;
}

async function mergeGroup(
  space: WorkSpace,
  parts: readonly LoadablePart[],
  { config, onDamage, onMerged }: MergeOptions,
): Promise<MergedParts> {
  let merged = nothing;
  let damaged = 0;
  const pending = await listPending(space.database, parts);
  const leaveOut = (damage: DamagedFileError) => {
    damaged += 1;
    onDamage(damage);
  };
  for await (const batch of gatherBatches(pending, space.folder, leaveOut)) {
    const figures = await mergeBatch(space, batch, config.timezone);
    await space.commitSoFar();
    const responses = batch.responses.length;
    merged = addMerged(merged, { responses, ...figures, isMoreKnown: false });
    onMerged?.(responses);
  }
  requireAll(pending.length, merged.responses, damaged);
  const areRunsNew = await mergeRuns(space.database, parts);
  const areChecksNew = await mergeChecks(space.database, parts);
  const areProfilesNew = await mergeProfiles(space.database, config, parts);
  return { ...merged, isMoreKnown: areRunsNew || areChecksNew || areProfilesNew };
}

/** The parts go to the archive next: what was passed over would never be in the warehouse. */
function requireAll(pending: number, merged: number, damaged: number): void {
  if (pending === merged + damaged) return;
  throw new WarehouseCheckError(
    `of ${pending} responses ${merged} were merged, and ${damaged} were set aside as damaged`,
  );
}

function addMerged(a: MergedParts, b: MergedParts): MergedParts {
  return {
    responses: a.responses + b.responses,
    postsRead: a.postsRead + b.postsRead,
    rejected: a.rejected + b.rejected,
    unknownTypes: [...new Set([...a.unknownTypes, ...b.unknownTypes])],
    isMoreKnown: a.isMoreKnown || b.isMoreKnown,
  };
}
