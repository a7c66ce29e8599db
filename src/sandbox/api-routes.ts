import { Hono, type Context } from 'hono';
import type { z } from 'zod';
import { operations } from '../api/schemas/operations.ts';
import { refusals } from '../api/schemas/refusals.ts';
import { addDays, dayOf } from '../core/calendar.ts';
import { badRequest, notFound, refusal, validate } from './refusal.ts';
import { readFields, readJsonBody, routePath } from './request.ts';
import type { WorkspaceState } from './state/workspace-state.ts';
import type { DayRange, KnownDetails } from './workspace-content.ts';

/** How much one answer holds at most, as services limit it without saying so. The API's documentation has no such limit. */
export interface AnswerCap {
  /** Posts in an answer of analytics, the newest ones; null: all that there are. */
  posts: number | null;
}

const defaultDays = 30;
const analyticsFields = operations.listLinkedInAnalytics.parameters.extend(
  operations.listLinkedInAnalytics.query.shape,
);
const commentFields = operations.listInlineComments.parameters.extend(
  operations.listInlineComments.query.shape,
);

/** Every operation of the API. */
export function apiRoutes(state: WorkspaceState, cap: AnswerCap): Hono {
  const routes = new Hono();
  const answer = (
    { method, path }: { method: string; path: string },
    handle: (context: Context) => object | Promise<object>,
  ) => routes.on(method, routePath(path), async (context) => context.json(await handle(context)));

  answer(operations.listLinkedInAnalytics, (context) => {
    const request = fieldsOf(context, analyticsFields);
    const range = rangeOf(request, dayOf(state.now(), state.workspace.timezone));
    const profileId = request.profileId.toLowerCase();
    checkProfile(state, profileId);
    const posts = state.listAnalytics(profileId, range);
    return posts.slice(0, cap.posts ?? posts.length);
  });
  answer(operations.getPost, (context) => {
    const { id } = fieldsOf(context, operations.getPost.parameters);
    return { post: state.getPost(id.toLowerCase()) };
  });
  answer(operations.unschedulePost, (context) => {
    const { id } = fieldsOf(context, operations.unschedulePost.parameters);
    return withoutContent(state.unschedulePost(id.toLowerCase()));
  });
  answer(operations.listApprovals, (context) => {
    const { postId } = fieldsOf(context, operations.listApprovals.parameters);
    return { approvals: state.listApprovals(postId.toLowerCase()) };
  });
  answer(operations.createApprovals, async (context) => {
    const body = await readJsonBody(context);
    const { postId, approvals } = validate(operations.createApprovals.body, body);
    return state.createApprovals(postId.toLowerCase(), approvals);
  });
  answer(operations.archiveIdea, (context) => {
    const { id } = fieldsOf(context, operations.archiveIdea.parameters);
    return state.archiveIdea(id.toLowerCase());
  });
  answer(operations.deleteEngagement, (context) => {
    const { id } = fieldsOf(context, operations.deleteEngagement.parameters);
    state.removeEngagement(id.toLowerCase());
    return { success: true };
  });
  answer(operations.listInlineComments, (context) => {
    const { postId, ...filter } = fieldsOf(context, commentFields);
    return { inlineComments: state.listInlineComments(postId.toLowerCase(), filter) };
  });
  return routes;
}

function fieldsOf<Schema extends z.ZodObject>(context: Context, schema: Schema): z.output<Schema> {
  return validate(schema, readFields(context, schema));
}

interface RequestedDays {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

function rangeOf({ startDate, endDate }: RequestedDays, today: string): DayRange {
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    throw badRequest({ startDate: [`startDate ${startDate} is after endDate ${endDate}`] });
  }
  return { from: startDate ?? addDays(today, -defaultDays), to: endDate ?? today };
}

function checkProfile({ profiles }: WorkspaceState, profileId: string): void {
  const profile = profiles.find(({ id }) => id === profileId);
  if (!profile) throw notFound('Profile not found');
  if (profile.kind === 'engagement') throw refusal(refusals.engagementProfile);
}

/** Unscheduling gives less of a post than reading it. */
function withoutContent(details: KnownDetails): object {
  const { id, url, title, channels, status, publishDate, publishAt, updatedAt } = details;
  return { id, url, title, channels, status, publishDate, publishAt, updatedAt };
}
