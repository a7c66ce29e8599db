import type { PostDetails } from '../../api/schemas/posts.ts';
import { dayOf } from '../../core/calendar.ts';
import type { PostPlan } from '../workspace-content.ts';
import type { PlannedPost } from './planned-post.ts';
import { reviewOf, stageAt } from './post-life.ts';

/** What goes out on each channel. */
export type PostContent = Pick<PostDetails, 'channels' | 'linkedIn' | 'x'>;

/** @param content made when it is asked for, as assets are many */
export function planOf(planned: PlannedPost, content: () => PostContent): PostPlan {
  return {
    id: planned.id,
    campaign: planned.campaign,
    work: { from: planned.createdAt, to: planned.publishedAt },
    review: reviewOf(planned),
    detailsAt: (now) => postDetails(planned, content(), now),
  };
}

function postDetails(planned: PlannedPost, content: PostContent, now: Date): PostDetails {
  const { status } = stageAt(planned, now);
  const hasTime = status === 'Scheduled' || status === 'Posted';
  const { channels, ...contents } = content;
  return {
    id: planned.id,
    url: `https://app.halden-grid.example/posts/${planned.id}`,
    title: planned.title,
    channels,
    status,
    publishDate: status === 'Tentative' ? null : dayOf(planned.publishedAt, 'UTC'),
    publishAt: hasTime ? planned.publishedAt.toISOString() : null,
    createdAt: planned.createdAt.toISOString(),
    updatedAt: updatedAt(planned, now).toISOString(),
    labels: planned.labels.map((label) => ({ ...label })),
    ...contents,
  };
}

/** The last change of its status; publication is noted some seconds later. */
function updatedAt(planned: PlannedPost, now: Date): Date {
  return planned.updatedAt <= now ? planned.updatedAt : stageAt(planned, now).since;
}
