import type { DetailKind } from '../config/config.ts';
import { InterruptedError } from '../core/errors.ts';
import type { PlannedDetail, PlannedWindow, WorkspacePlan } from '../plan/plan.ts';
import { TruncationChecks } from '../plan/truncation.ts';
import {
  StopRules,
  Tally,
  type ExtractContext,
  type ExtractTools,
  type Failure,
} from './extraction.ts';
import { failedResult, fetchAndStore } from './fetch-and-store.ts';
import { analyticsRequest, readWindow } from './read-window.ts';

/**
 * Reads the planned windows, newest first, and stores each answer before the next is read. A failure is
 * stored too and does not affect the other windows. A failure that every other request of the profile or
 * workspace would share, such as a wrong key, stops that profile or workspace, so that no request is wasted.
 * The windows that are skipped then are stored as failed for the same reason, with no request. Answers that may be truncated are checked.
 * @param stops the failures that the same run of the workspace has met so far
 * @throws InterruptedError when the signal aborts; stored answers stay
 */
export async function extractWindows(
  { windows, checks }: Pick<WorkspacePlan, 'windows' | 'checks'>,
  tools: ExtractTools,
  stops = new StopRules(),
): Promise<Readonly<Tally>> {
  const context = {
    ...tools,
    stops,
    outcome: new Tally(),
    checks: new TruncationChecks(checks),
  };
  await forEachConcurrently(windows, tools, async (planned) => {
    const { profile, window } = planned;
    const cause = stops.causeFor(profile.id);
    if (cause) await skipWindow(planned, cause, context);
    else await readWindow(profile, window, context).finally(() => tools.task.advance());
  });
  return context.outcome;
}

const subjects: Readonly<Record<DetailKind, string>> = {
  post: 'post',
  approvals: 'approvals of post',
  comments: 'comments on post',
};

/** Reads the details of the planned posts. A post that is not found counts as an answer, not as a failure. */
export async function extractDetails(
  details: readonly PlannedDetail[],
  tools: ExtractTools,
  stops = new StopRules(),
): Promise<Readonly<Tally>> {
  const context: ExtractContext = { ...tools, stops, outcome: new Tally() };
  await forEachConcurrently(details, tools, async ({ workspace, postId, kind }) => {
    const call = {
      request: { kind, post_id: postId },
      workspace,
      subject: `${workspace} ${subjects[kind]} ${postId}`,
      profileId: null,
      ask: () => tools.reader.readDetail(kind, postId, { signal: tools.signal }),
    };
    if (stops.causeFor(null)) skip(context);
    else await fetchAndStore(call, context).finally(() => tools.task.advance());
  });
  return context.outcome;
}

/**
 * Skips a window, and stores that it waits. The record of one that is known to have failed would say nothing new, and an
 * outage of days would store thousands of them.
 */
async function skipWindow(
  { profile, window, reason }: PlannedWindow,
  cause: Failure,
  context: ExtractContext,
): Promise<void> {
  skip(context);
  if (reason === 'failed') return;
  const request = analyticsRequest(profile, window);
  const skipped = failedResult({ ...cause, requests: 0 }, context.clock.now());
  await context.writer.storeResponse(request, skipped);
}

/** Skips an item that an earlier failure has made pointless. No request is sent for it. */
function skip({ outcome, task }: ExtractContext): void {
  outcome.notRead += 1;
  task.grow(-1);
}

/**
 * Works on the items in order, at most `concurrency` at a time. It waits for running work before it throws
 * the first error, so that nothing is left running.
 */
async function forEachConcurrently<T>(
  items: readonly T[],
  { concurrency, signal }: ExtractTools,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  });
  const results = await Promise.allSettled(workers);
  const rejected = results.find((result) => result.status === 'rejected');
  if (rejected) throw rejected.reason;
  if (signal.aborted) throw new InterruptedError('stopped while reading the API');
}
