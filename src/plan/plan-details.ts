import { dayMs } from '../core/calendar.ts';
import { coveredDays, type Coverage } from './grid.ts';
import type { DetailReason, KnownPost, PlannedDetail, Window } from './plan.ts';

/** What decides which posts' details a run reads. */
export interface DetailsQuestion extends Coverage {
  /** Linked to by posts of the job's profiles. */
  readonly posts: readonly KnownPost[];
  /** `--full`: all of them, however fresh. */
  readonly full: boolean;
}

const hourMs = 3_600_000;

/** Details are edited for some weeks around publication, then hardly ever. */
const leastIntervalMs = 30 * dayMs;
/** For a post of unknown age. */
const usualIntervalMs = 90 * dayMs;

/**
 * The posts whose details a run of the job reads, newest first; none for a job without details. Posts
 * from before the days that the run covers are left alone, as their figures are, and with `--to` so are
 * those from after.
 * @throws UsageError when the days asked for are not the job's
 */
export function planDetails(question: DetailsQuestion): PlannedDetail[] {
  const { job, posts } = question;
  if (!job.details) return [];
  const covered = coveredDays(question);
  const workspaces = new Set(job.profiles.map(({ workspace }) => workspace));
  return posts
    .filter((post) => workspaces.has(post.workspace) && isCovered(post, covered, question))
    .toSorted(byNewest)
    .flatMap((post) => {
      const reason = detailReason(post, question);
      return reason === null ? [] : [{ workspace: post.workspace, postId: post.postId, reason }];
    });
}

/** On one of the days in some zone of the world: nobody says which zone the API goes by. */
function isCovered(
  { publishedAt }: KnownPost,
  { start, end }: Window,
  { asked }: DetailsQuestion,
): boolean {
  if (publishedAt === null) return true;
  const firstMs = Date.parse(start) - 14 * hourMs;
  const endMs = asked === null ? Infinity : Date.parse(end) + dayMs + 12 * hourMs;
  return publishedAt.getTime() >= firstMs && publishedAt.getTime() < endMs;
}

function byNewest(a: KnownPost, b: KnownPost): number {
  const byTime = (b.publishedAt?.getTime() ?? 0) - (a.publishedAt?.getTime() ?? 0);
  if (byTime !== 0) return byTime;
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

function keyOf({ workspace, postId }: KnownPost): string {
  return `${workspace}/${postId}`;
}

function detailReason(post: KnownPost, question: DetailsQuestion): DetailReason | null {
  if (question.full) return 'asked';
  if (post.isRemoved) return null;
  if (post.detailFetchedAt === null) return 'never-read';
  if (post.hasChanged) return 'changed';
  return isAged(post, post.detailFetchedAt, question) ? 'aged' : null;
}

/**
 * Read again once the last reading is as old as half the post's age. Without an upper bound: thousands of
 * posts that were first read on one day would all come due on one day again. A reading in the future
 * counts as one of now: the warehouse keeps the later reading, so an earlier one would change nothing.
 */
function isAged({ publishedAt }: KnownPost, fetchedAt: Date, { now }: DetailsQuestion): boolean {
  const ageMs = publishedAt === null ? 2 * usualIntervalMs : now.getTime() - publishedAt.getTime();
  return now.getTime() - fetchedAt.getTime() >= Math.max(ageMs / 2, leastIntervalMs);
}
