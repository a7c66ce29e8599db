import { dayOf, daysBetween } from '../core/calendar.ts';
import { coveredDays, lastDay, type Coverage } from './grid.ts';
import type { DetailReason, KnownPost, PlannedDetail, Window } from './plan.ts';

/** What decides which posts' details a run reads. */
export interface DetailsQuestion extends Coverage {
  /** Linked to by posts of the job's profiles. */
  readonly posts: readonly KnownPost[];
  /** `--full`: all of them, however fresh. */
  readonly full: boolean;
}

/** Details are edited for some weeks around publication, then hardly ever. */
const leastIntervalDays = 30;
const mostIntervalDays = 365;
/** For a post of unknown age. */
const usualIntervalDays = 90;

/**
 * The posts whose details a run of the job reads, newest first; none for a job without details. Posts
 * that were published outside the days that the run covers are left alone, as their figures are.
 * @throws UsageError when the days asked for are not the job's
 */
export function planDetails(question: DetailsQuestion): PlannedDetail[] {
  const { job, posts, timezone } = question;
  if (!job.details) return [];
  const covered = coveredDays(question);
  const workspaces = new Set(job.profiles.map(({ workspace }) => workspace));
  return posts
    .filter((post) => workspaces.has(post.workspace) && isCovered(post, covered, timezone))
    .toSorted(byNewest)
    .flatMap((post) => {
      const reason = detailReason(post, question);
      return reason === null ? [] : [{ workspace: post.workspace, postId: post.postId, reason }];
    });
}

/** By the day in the configured zone or in UTC: nobody says which of them the API goes by. */
function isCovered({ publishedAt }: KnownPost, { start, end }: Window, timezone: string): boolean {
  if (publishedAt === null) return true;
  return [timezone, 'UTC'].some((zone) => {
    const day = dayOf(publishedAt, zone);
    return day >= start && day <= end;
  });
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
  if (post.isRemoved) return null;
  if (question.full) return 'asked';
  if (post.detailFetchedAt === null) return 'never-read';
  if (post.hasChanged) return 'changed';
  return isAged(post, post.detailFetchedAt, question) ? 'aged' : null;
}

/**
 * Read again once the last reading is as old as half the post's age. A reading in the future counts as
 * one of today: the warehouse keeps the later reading, so an earlier one would change nothing.
 */
function isAged(post: KnownPost, fetchedAt: Date, { now, timezone }: DetailsQuestion): boolean {
  const today = lastDay(now, timezone);
  return daysBetween(dayOf(fetchedAt, timezone), today) >= intervalDays(post, today, timezone);
}

function intervalDays({ publishedAt }: KnownPost, today: string, timezone: string): number {
  if (publishedAt === null) return usualIntervalDays;
  const ageDays = daysBetween(dayOf(publishedAt, timezone), today);
  return Math.min(Math.max(ageDays / 2, leastIntervalDays), mostIntervalDays);
}
