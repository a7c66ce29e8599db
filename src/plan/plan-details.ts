import type { DetailKind } from '../config/config.ts';
import { dayMs } from '../core/calendar.ts';
import { coveredDays, type Coverage } from './grid.ts';
import type { DetailReason, KnownPost, PlannedDetail, Window } from './plan.ts';

/** The inputs that decide which posts' details a run reads. */
export interface DetailsQuestion extends Coverage {
  /** The workspace posts that LinkedIn posts link to. Those of other profiles than the job's are skipped. */
  readonly posts: readonly KnownPost[];
  /** Set by `--full`: details are read for all posts, however fresh they are. */
  readonly full: boolean;
  /** True if details that were read before are read again only if the post has changed. */
  readonly onlyWaiting?: boolean;
}

const hourMs = 3_600_000;

/** Details are edited for some weeks around publication, then hardly ever. */
const minIntervalMs = 30 * dayMs;
/** The interval for a post of unknown age. */
const usualIntervalMs = 90 * dayMs;

/**
 * Returns the details of posts that a run of the job reads, newest posts first. A job without details has none. Posts
 * published before the days that the run covers are skipped, as their figures are; with `--to`, so are posts
 * published after them.
 * @throws UsageError if the days asked for are not the job's
 */
export function planDetails(question: DetailsQuestion): PlannedDetail[] {
  const { job, posts } = question;
  if (job.details.length === 0) return [];
  const covered = coveredDays(question);
  const profiles = new Set(job.profiles.map(({ workspace, id }) => `${workspace}/${id}`));
  return posts
    .filter(({ workspace, profileIds }) =>
      profileIds.some((id) => profiles.has(`${workspace}/${id}`)),
    )
    .filter((post) => isCovered(post, covered, question))
    .toSorted(byNewest)
    .flatMap((post) =>
      job.details.flatMap((kind) => {
        const reason = detailReason(post, kind, question);
        const { workspace, postId } = post;
        return reason === null ? [] : [{ workspace, postId, kind, reason }];
      }),
    );
}

/**
 * Returns true if the post was published on one of the days in any time zone: the API does not document which
 * one it uses.
 */
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

function detailReason(
  post: KnownPost,
  kind: DetailKind,
  question: DetailsQuestion,
): DetailReason | null {
  if (question.full) return 'asked';
  if (post.isRemoved) return null;
  const fetchedAt = post.fetchedAt[kind];
  if (fetchedAt === null) return 'never-read';
  if (kind === 'post' && post.hasChanged) return 'changed';
  return !question.onlyWaiting && isAged(post, fetchedAt, question) ? 'aged' : null;
}

/**
 * Returns true once the last reading is as old as half the post's age. There is no upper bound: with one,
 * thousands of posts that were first read on one day would all come due together again. A reading in the
 * future counts as one made now: the warehouse keeps the later reading, so an earlier one would change
 * nothing.
 */
function isAged({ publishedAt }: KnownPost, fetchedAt: Date, { now }: DetailsQuestion): boolean {
  const ageMs = publishedAt === null ? 2 * usualIntervalMs : now.getTime() - publishedAt.getTime();
  return now.getTime() - fetchedAt.getTime() >= Math.max(ageMs / 2, minIntervalMs);
}
