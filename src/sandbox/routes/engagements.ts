import { Hono } from 'hono';
import { operations } from '../../api/schemas/operations.ts';
import { validate } from '../refusal.ts';
import { readFields, routePath } from '../request.ts';
import type { WorkspaceState } from '../state/workspace-state.ts';

const { method, path, parameters } = operations.deleteEngagement;

export function engagementRoutes(state: WorkspaceState): Hono {
  const routes = new Hono();
  routes.on(method, routePath(path), (context) => {
    const { id } = validate(parameters, readFields(context, parameters));
    state.removeEngagement(id.toLowerCase());
    return context.json({ success: true });
  });
  return routes;
}
