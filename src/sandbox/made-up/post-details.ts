import type { PostDetails } from '../../api/schemas/posts.ts';
import type { CommentChannel } from '../../api/schemas/vocabulary.ts';
import { dayOf } from '../../core/calendar.ts';
import type { PostPlan } from '../workspace-content.ts';
import type { PlannedPost } from './planned-post.ts';
import { reviewOf, stageAt } from './post-life.ts';

/** What goes out on the channels of which the API shows it. */
export type PostContent = Pick<PostDetails, 'linkedIn' | 'x'>;

/** @param content made when it is asked for, as assets are many */
export function planOf(
  planned: PlannedPost,
  channels: readonly CommentChannel[],
  content: () => PostContent,
): PostPlan {
  return {
    id: planned.id,
    channels,
    campaign: planned.campaign,
    work: { from: planned.createdAt, to: planned.publishedAt },
    review: reviewOf(planned),
    statusAt: (now) => stageAt(planned, now).status,
    detailsAt: (now) => postDetails(planned, channels, content(), now),
  };
}

function postDetails(
  planned: PlannedPost,
  channels: readonly CommentChannel[],
  content: PostContent,
  now: Date,
): PostDetails {
  const { status } = stageAt(planned, now);
  const hasTime = status === 'Scheduled' || status === 'Posted';
  return {
    id: planned.id,
    url: `https://app.halden-grid.example/posts/${planned.id}`,
    title: planned.title,
    channels: [...channels],
    status,
    publishDate: status === 'Tentative' ? null : dayOf(planned.publishedAt, 'UTC'),
    publishAt: hasTime ? planned.publishedAt.toISOString() : null,
    createdAt: planned.createdAt.toISOString(),
    updatedAt: updatedAt(planned, now).toISOString(),
    labels: planned.labels.map((label) => ({ ...label })),
    ...content,
  };
}

/** The last change of its status; publication is noted some seconds later. */
function updatedAt(planned: PlannedPost, now: Date): Date {
  return planned.updatedAt <= now ? planned.updatedAt : stageAt(planned, now).since;
}
