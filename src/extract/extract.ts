import { InterruptedError } from '../core/errors.ts';
import type { PlannedDetail, WorkspacePlan } from '../plan/plan.ts';
import { carryOut, detailCall } from './call.ts';
import { emptyTally, type ExtractOutcome } from './extract-outcome.ts';
import type { ExtractTools } from './extract-tools.ts';
import { StopRules } from './stop-rules.ts';
import { WindowReadings } from './window-readings.ts';

/**
 * Reads the planned windows, newest first, and lands each answer before going on. A failure is landed
 * too, and costs the others nothing; one that must repeat for its profile or its workspace (a wrong key)
 * stops these, so that no request is spent that buys nothing. Answers that look cut off are checked.
 * @param stops by what the same run of the workspace has met before
 * @throws InterruptedError when the signal aborts; what has landed stays
 */
export async function extractWindows(
  { windows, past }: Pick<WorkspacePlan, 'windows' | 'past'>,
  tools: ExtractTools,
  stops = new StopRules(),
): Promise<ExtractOutcome> {
  const desk = { tools, stops, outcome: emptyTally() };
  const readings = new WindowReadings(past, desk);
  await workThrough(windows, tools, async ({ profile, window }) => {
    if (desk.stops.covers(profile.id)) desk.outcome.notRead += 1;
    else await readings.read(profile, window);
    tools.task.advance();
  });
  for (let due = readings.due(); due.length > 0; due = readings.due()) {
    await workThrough(due, tools, async (answer) => {
      await readings.check(answer);
    });
  }
  return desk.outcome;
}

/** Reads the planned posts' details; a post that is not found is an answer, not a failure. */
export async function extractDetails(
  details: readonly PlannedDetail[],
  tools: ExtractTools,
  stops = new StopRules(),
): Promise<ExtractOutcome> {
  const desk = { tools, stops, outcome: emptyTally() };
  await workThrough(details, tools, async (detail) => {
    const call = detailCall(detail, tools);
    if (desk.stops.covers(call.profileId)) desk.outcome.notRead += 1;
    else await carryOut(call, desk);
    tools.task.advance();
  });
  return desk.outcome;
}

/** In order, so many at once as the tools say. */
async function workThrough<T>(
  items: readonly T[],
  tools: ExtractTools,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const workOn = async () => {
    for (const item of queue) {
      if (tools.signal.aborted) return;
      await work(item);
    }
  };
  await settleAll(Array.from({ length: tools.concurrency }, workOn));
  if (tools.signal.aborted) throw new InterruptedError('stopped while reading the API');
}

/** Waits for every worker before the first error goes up, so that nothing is left running. */
async function settleAll(workers: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(workers);
  const rejected = results.find((result) => result.status === 'rejected');
  if (rejected) throw rejected.reason;
}
