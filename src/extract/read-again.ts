import { forEachConcurrently } from './concurrently.ts';
import {
  lastDays,
  readRange,
  wholeRange,
  type Divisible,
  type Range,
  type WindowContext,
} from './read-window.ts';
import type { PlannedWindow } from '../plan/plan.ts';

/** The largest number of ranges of a workspace that a run asks for again. */
const maxAgain = 64;

/**
 * Asks again, with one attempt each, for the parts of windows that failed or may be cut off, and for the parts of these,
 * down to single days. Where the service seems to be down, it is asked for two days first.
 * @param skipped windows that were not asked for since the service seemed to be down
 * @returns those of them that were not asked for now either
 */
export async function readAgain(
  divided: readonly Divisible[],
  skipped: readonly PlannedWindow[],
  context: WindowContext,
): Promise<readonly PlannedWindow[]> {
  const { stops, outcome, task } = context;
  if (divided.length === 0) return skipped;
  if ((stops.isOutage || outcome.succeeded === 0) && !(await answersTwoDays(divided, context)))
    return skipped;
  stops.endOutage();
  let left = maxAgain;
  const take = (ranges: readonly Range[]) => {
    if (ranges.length > left) return [];
    left -= ranges.length;
    return ranges;
  };
  const divide = (found: readonly Divisible[]) =>
    found.flatMap((each) => {
      const ranges = take(partsOf(each));
      // what the parts say takes its place
      if (ranges.length > 0 && each.failure) withdraw(each.failure, outcome.failures);
      return ranges;
    });
  let found = divided;
  const parts = divide(found);
  const resumed = skipped.flatMap((planned) => take([{ ...wholeRange(planned), isAgain: true }]));
  outcome.notRead -= resumed.length;
  let ranges = [...parts, ...resumed];
  while (ranges.length > 0) {
    task.grow(ranges.length);
    const next: Divisible[] = [];
    await forEachConcurrently(ranges, context, async (range) => {
      if (stops.causeFor(range.planned.profile.id)) return;
      const again = await readRange(range, context).finally(() => task.advance());
      if (again) next.push(again);
    });
    for (const { doubted } of found) if (doubted) reportCutOff(doubted, context);
    found = next;
    ranges = divide(found);
  }
  return skipped.slice(resumed.length);
}

/** Asks for the last two days of the newest window that failed. */
async function answersTwoDays(
  divided: readonly Divisible[],
  context: WindowContext,
): Promise<boolean> {
  const [newest] = divided.toSorted((a, b) => (a.range.window.end < b.range.window.end ? 1 : -1));
  if (!newest) return false;
  const { range } = newest;
  const { outcome, stops } = context;
  const before = outcome.succeeded;
  stops.endOutage();
  const window = lastDays(range.window);
  await readRange({ ...range, window, isAgain: true, isProbe: true }, context);
  return outcome.succeeded > before;
}

function partsOf({ range, parts, doubted }: Divisible): Range[] {
  return parts.map((window) => ({
    planned: range.planned,
    window,
    isAgain: true,
    doubted: doubted ?? range.doubted,
  }));
}

function withdraw<T>(item: T, list: T[]): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

function reportCutOff(
  { subject, postIds, missing }: NonNullable<Divisible['doubted']>,
  { outcome, log }: WindowContext,
): void {
  if (missing.size === 0) return;
  const sentence = `${subject}: the answer was cut off at ${postIds.size} posts, ${missing.size} more were in its parts; it is read in parts from now on`;
  outcome.cutOff.push(sentence);
  log.warn({ posts: postIds.size, missing: missing.size }, sentence);
}
