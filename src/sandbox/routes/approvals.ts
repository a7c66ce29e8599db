import { Hono } from 'hono';
import { operations } from '../../api/schemas/operations.ts';
import { validate } from '../refusal.ts';
import { readFields, readJsonBody, routePath } from '../request.ts';
import type { WorkspaceState } from '../state/workspace-state.ts';

const { listApprovals, createApprovals } = operations;

export function approvalRoutes(state: WorkspaceState): Hono {
  const routes = new Hono();
  routes.on(listApprovals.method, routePath(listApprovals.path), (context) => {
    const { parameters } = listApprovals;
    const { postId } = validate(parameters, readFields(context, parameters));
    return context.json({ approvals: state.listApprovals(postId.toLowerCase()) });
  });
  routes.on(createApprovals.method, routePath(createApprovals.path), async (context) => {
    const { postId, approvals } = validate(createApprovals.body, await readJsonBody(context));
    return context.json(state.createApprovals(postId.toLowerCase(), approvals));
  });
  return routes;
}
