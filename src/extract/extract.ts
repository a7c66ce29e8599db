import { InterruptedError } from '../core/errors.ts';
import type { PlannedDetail, WorkspacePlan } from '../plan/plan.ts';
import { TruncationChecks } from '../plan/truncation.ts';
import {
  emptyTally,
  StopRules,
  type ExtractContext,
  type ExtractOutcome,
  type ExtractTools,
} from './extraction.ts';
import { fetchAndStore } from './fetch-and-store.ts';
import { readWindow } from './read-window.ts';

/**
 * Reads the planned windows, newest first, and stores each answer before going on. A failure is stored
 * too, and does not affect the others; one that must repeat for its profile or its workspace (a wrong key)
 * stops these, so that no request is spent that buys nothing. Answers that may be cut off are checked.
 * @param stops by what the same run of the workspace has met before
 * @throws InterruptedError when the signal aborts; what is stored stays
 */
export async function extractWindows(
  { windows, checks }: Pick<WorkspacePlan, 'windows' | 'checks'>,
  tools: ExtractTools,
  stops = new StopRules(),
): Promise<ExtractOutcome> {
  const context = {
    ...tools,
    stops,
    outcome: emptyTally(),
    checks: new TruncationChecks(checks),
  };
  await forEachConcurrently(windows, tools, async ({ profile, window }) => {
    if (stops.covers(profile.id)) skip(context);
    else await readWindow(profile, window, context).finally(() => tools.task.advance());
  });
  return context.outcome;
}

/** Reads the planned posts' details; a post that is not found is an answer, not a failure. */
export async function extractDetails(
  details: readonly PlannedDetail[],
  tools: ExtractTools,
  stops = new StopRules(),
): Promise<ExtractOutcome> {
  const context: ExtractContext = { ...tools, stops, outcome: emptyTally() };
  await forEachConcurrently(details, tools, async ({ workspace, postId }) => {
    const call = {
      request: { kind: 'post' as const, post_id: postId },
      workspace,
      subject: `${workspace} post ${postId}`,
      profileId: null,
      ask: () => tools.reader.readPost(postId, { signal: tools.signal }),
    };
    if (stops.covers(null)) skip(context);
    else await fetchAndStore(call, context).finally(() => tools.task.advance());
  });
  return context.outcome;
}

/** Leaves out what an earlier failure has made pointless: no request is sent for it. */
function skip({ outcome, task }: ExtractContext): void {
  outcome.notRead += 1;
  task.grow(-1);
}

/**
 * Takes the items in order, at most `concurrency` at once, and waits for those under way before the first
 * error goes up, so that nothing is left running.
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
