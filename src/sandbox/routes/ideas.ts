import { Hono } from 'hono';
import { operations } from '../../api/schemas/operations.ts';
import { validate } from '../refusal.ts';
import { readFields, routePath } from '../request.ts';
import type { WorkspaceState } from '../state/workspace-state.ts';

const { method, path, parameters } = operations.archiveIdea;

export function ideaRoutes(state: WorkspaceState): Hono {
  const routes = new Hono();
  routes.on(method, routePath(path), (context) => {
    const { id } = validate(parameters, readFields(context, parameters));
    return context.json(state.archiveIdea(id.toLowerCase()));
  });
  return routes;
}
