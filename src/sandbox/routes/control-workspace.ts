import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { operations } from '../../api/schemas/operations.ts';
import { controlBody } from '../control-body.ts';
import { validate } from '../refusal.ts';
import { readFields, readJson } from '../request.ts';
import { metricsSchema } from '../state/metric-changes.ts';
import type { WorkspaceState } from '../state/workspace-state.ts';

const inviteSchema = controlBody({
  email: z.email('Invalid email'),
  has_account: z.boolean('Invalid boolean, expected true or false').optional(),
});

/** What people do in the workspace and the API has no operation for. */
export function workspaceControlRoutes(state: WorkspaceState): Hono {
  const routes = new Hono();
  routes.get('/examples', (context) => context.json(state.examples()));
  routes.post('/invites', async (context) => {
    const invite = validate(inviteSchema, await readJson(context));
    return context.json(state.invite(invite.email, invite.has_account));
  });
  routes.post('/linkedin-posts/:id/metrics', async (context) => {
    const metrics = validate(metricsSchema, await readJson(context));
    return context.json(state.changeMetrics(context.req.param('id'), metrics));
  });
  routes.post('/ideas/:id/restore', (context) => {
    const id = readId(context);
    state.restoreIdea(id);
    return context.json({ id, archivedAt: null });
  });
  addPostRoutes(routes, state);
  return routes;
}

function addPostRoutes(routes: Hono, state: WorkspaceState): void {
  routes.post('/posts/:id/delete', (context) => {
    const id = readId(context);
    return context.json({ id, deletedAt: state.deletePost(id).toISOString() });
  });
  routes.post('/posts/:id/trash', (context) => {
    const id = readId(context);
    return context.json({ id, archivedAt: state.trashPost(id).toISOString() });
  });
  routes.post('/posts/:id/restore', (context) => {
    const id = readId(context);
    state.restorePost(id);
    return context.json({ id, archivedAt: null });
  });
}

function readId(context: Context): string {
  const { parameters } = operations.getPost;
  return validate(parameters, readFields(context, parameters)).id.toLowerCase();
}
