import { Hono } from 'hono';
import { addDays, dayOf } from '../../core/calendar.ts';
import { operations } from '../../api/schemas/operations.ts';
import { refusals } from '../../api/schemas/refusals.ts';
import type { AnswerCap } from '../answer-cap.ts';
import { badRequest, notFound, refusal, validate } from '../refusal.ts';
import { readFields, routePath } from '../request.ts';
import type { DayRange } from '../workspace-content.ts';
import type { WorkspaceState } from '../state/workspace-state.ts';

const defaultDays = 30;
const { method, path, parameters, query } = operations.listLinkedInAnalytics;
const requestSchema = parameters.extend(query.shape);

export function analyticsRoutes(state: WorkspaceState, cap: AnswerCap): Hono {
  const routes = new Hono();
  routes.on(method, routePath(path), (context) => {
    const request = validate(requestSchema, readFields(context, requestSchema));
    const range = rangeOf(request, dayOf(state.now(), state.workspace.timezone));
    const profileId = request.profileId.toLowerCase();
    checkProfile(state, profileId);
    const posts = state.listAnalytics(profileId, range);
    return context.json(posts.slice(0, cap.posts ?? posts.length));
  });
  return routes;
}

interface RequestedDays {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

function rangeOf(request: RequestedDays, today: string): DayRange {
  const { startDate, endDate } = request;
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    throw badRequest({ startDate: [`startDate ${startDate} is after endDate ${endDate}`] });
  }
  return { from: startDate ?? addDays(today, -defaultDays), to: endDate ?? today };
}

function checkProfile({ profiles }: WorkspaceState, profileId: string): void {
  const profile = profiles.find(({ id }) => id === profileId);
  if (!profile) throw notFound('Profile not found');
  if (profile.kind === 'engagement') {
    throw refusal(refusals.engagementProfile);
  }
}
