import { Hono } from 'hono';
import { operations } from '../../api/schemas/operations.ts';
import { validate } from '../refusal.ts';
import { readFields, routePath } from '../request.ts';
import type { WorkspaceState } from '../state/workspace-state.ts';

const { method, path, parameters, query } = operations.listInlineComments;
const requestSchema = parameters.extend(query.shape);

export function inlineCommentRoutes(state: WorkspaceState): Hono {
  const routes = new Hono();
  routes.on(method, routePath(path), (context) => {
    const { postId, ...filter } = validate(requestSchema, readFields(context, requestSchema));
    return context.json({
      inlineComments: state.listInlineComments(postId.toLowerCase(), filter),
    });
  });
  return routes;
}
