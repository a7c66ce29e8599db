import type { PostStatus } from '../../api/schemas/vocabulary.ts';
import { dayMs } from '../../core/calendar.ts';
import type { Period } from '../workspace-content.ts';

/** The times of a post that nobody intervenes with. */
export interface PostLife {
  readonly createdAt: Date;
  readonly publishedAt: Date;
  /** After publication: when the service has noted it. */
  readonly updatedAt: Date;
  /** Whether its review says no at first. */
  readonly isBlocked: boolean;
}

interface Stage {
  readonly status: PostStatus;
  readonly since: Date;
}

/**
 * Days before publication at which each stage begins. Each stage is at least two days long, so that a
 * workspace with one publication a day has posts in all of them at any time.
 */
const beginnings: readonly (readonly [status: PostStatus, daysBefore: number])[] = [
  ['Tentative', Infinity],
  ['ToDo', 17],
  ['InProgress', 15],
  ['ForReview', 13],
  ['Finalized', 9],
  ['Scheduled', 7],
  ['Posted', 0],
];
const reviewDaysBefore = { from: 13, to: 9 } as const;

/** The stage of a post that exists at `now`; one that is made late skips the first stages. */
export function stageAt(life: PostLife, now: Date): Stage {
  const [status, daysBefore] = beginnings.findLast(
    ([, days]) => now.getTime() >= timeBefore(life, days),
  ) ?? ['Tentative', 0];
  return {
    status: status === 'ForReview' && life.isBlocked ? 'Blocked' : status,
    since: new Date(Math.max(life.createdAt.getTime(), timeBefore(life, daysBefore))),
  };
}

/** When it is reviewed; null for a post that is made too late for it. */
export function reviewOf(life: PostLife): Period | null {
  const from = Math.max(life.createdAt.getTime(), timeBefore(life, reviewDaysBefore.from));
  const to = timeBefore(life, reviewDaysBefore.to);
  return from < to ? { from: new Date(from), to: new Date(to) } : null;
}

function timeBefore({ publishedAt }: PostLife, days: number): number {
  return publishedAt.getTime() - days * dayMs;
}
