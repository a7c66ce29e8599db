import type { DetailKind } from '../config/config.ts';
import { requestEnd } from '../plan/grid.ts';
import type { PlannedDetail, PlannedWindow, WorkspacePlan } from '../plan/plan.ts';
import { forEachConcurrently } from './concurrently.ts';
import {
  StopRules,
  Tally,
  type ExtractContext,
  type ExtractTools,
  type Failure,
} from './extraction.ts';
import { failedResult, fetchAndStore } from './fetch-and-store.ts';
import { readAgain } from './read-again.ts';
import {
  analyticsRequest,
  readRange,
  wholeRange,
  type Divisible,
  type WindowContext,
} from './read-window.ts';

/**
 * Reads the planned windows, newest first, and stores each answer, with what it proves, before the next is read. A failure
 * is stored too and does not affect the other windows. A failure that every other request of the profile or
 * workspace would share, such as a wrong key, stops that profile or workspace, so that no request is wasted.
 * The windows that are skipped then are stored as failed for the same reason, with no request. After all others, windows
 * that failed or may be cut off are asked for again in parts.
 * @param stops the failures that the same run of the workspace has met so far
 * @throws InterruptedError when the signal aborts; stored answers stay
 */
export async function extractWindows(
  { windows, endsToday, readUntil }: Pick<WorkspacePlan, 'windows' | 'endsToday' | 'readUntil'>,
  tools: ExtractTools,
  stops = new StopRules(),
): Promise<Readonly<Tally>> {
  const outcome = new Tally();
  const context: WindowContext = { ...tools, stops, outcome, endsToday, readUntil };
  const divided: Divisible[] = [];
  const skipped: { planned: PlannedWindow; cause: Failure; isOutage: boolean }[] = [];
  await forEachConcurrently(windows, tools, async (planned) => {
    if (stops.hasEnded(planned.profile.id)) {
      tools.task.grow(-1);
      return;
    }
    const cause = stops.causeFor(planned.profile.id);
    if (cause) {
      skip(context);
      skipped.push({ planned, cause, isOutage: stops.isOutage });
      return;
    }
    const again = await readRange(wholeRange(planned), context).finally(() => tools.task.advance());
    if (again) divided.push(again);
  });
  const waiting = skipped.filter(({ isOutage }) => isOutage).map(({ planned }) => planned);
  const left = new Set(await readAgain(divided, waiting, context));
  for (const { planned, cause, isOutage } of skipped)
    if (!isOutage || left.has(planned)) await storeSkipped(planned, cause, context);
  return outcome;
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
      isAgain: false,
      isProbe: false,
      mayBeGone: false,
      adviceIfGone: null,
      partOf: () => null,
      ask: () => tools.reader.readDetail(kind, postId, { signal: tools.signal }),
    };
    if (stops.causeFor(null)) skip(context);
    else await fetchAndStore(call, context).finally(() => tools.task.advance());
  });
  return context.outcome;
}

/**
 * Stores that a skipped window waits. The record of one that is known to have failed would say nothing new, and an
 * outage of days would store thousands of them.
 */
async function storeSkipped(
  { profile, window, reason }: PlannedWindow,
  cause: Failure,
  { writer, clock }: ExtractContext,
): Promise<void> {
  if (reason === 'failed') return;
  const request = analyticsRequest(profile, { ...window, end: requestEnd(window) });
  const skipped = failedResult({ ...cause, requests: 0 }, clock.now());
  await writer.storeResponse(request, skipped);
}

/** Skips an item that an earlier failure has made pointless. No request is sent for it. */
function skip({ outcome, task }: ExtractContext): void {
  outcome.notRead += 1;
  task.grow(-1);
}
