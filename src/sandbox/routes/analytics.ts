import { Hono } from 'hono';
import { z } from 'zod';
import { addDays, dayOf, isDay } from '../../core/calendar.ts';
import { badRequest, notFound, refusal, validate } from '../refusal.ts';
import type { SandboxClock } from '../sandbox-clock.ts';
import type { DayRange, WorkspaceContent } from '../workspace-content.ts';

const defaultDays = 30;
const day = z.string().refine(isDay, 'Invalid date, expected YYYY-MM-DD');
const requestSchema = z.object({
  profileId: z.guid('Invalid uuid'),
  startDate: day.optional(),
  endDate: day.optional(),
});

export function analyticsRoutes(content: WorkspaceContent, clock: SandboxClock): Hono {
  const routes = new Hono();
  routes.get('/linkedin/:profileId/posts', (context) => {
    const request = validate(requestSchema, { ...context.req.query(), ...context.req.param() });
    const now = clock.now();
    const range = rangeOf(request, dayOf(now, content.workspace.timezone));
    const profileId = request.profileId.toLowerCase();
    checkProfile(content, profileId);
    return context.json(content.listAnalytics(profileId, range, now));
  });
  return routes;
}

function rangeOf(request: z.infer<typeof requestSchema>, today: string): DayRange {
  const range = {
    from: request.startDate ?? addDays(today, -defaultDays),
    to: request.endDate ?? today,
  };
  if (range.from <= range.to) return range;
  throw badRequest({ startDate: [`startDate ${range.from} is after endDate ${range.to}`] });
}

function checkProfile(content: WorkspaceContent, profileId: string): void {
  const profile = content.profiles.find(({ id }) => id === profileId);
  if (!profile) throw notFound('Profile not found');
  if (profile.kind === 'engagement') {
    throw refusal(403, 'FORBIDDEN', 'Engagement profiles cannot be used for analytics');
  }
}
