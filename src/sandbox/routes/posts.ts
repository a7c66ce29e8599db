import { Hono } from 'hono';
import { operations } from '../../api/schemas/operations.ts';
import { validate } from '../refusal.ts';
import { readFields, routePath } from '../request.ts';
import type { KnownDetails } from '../workspace-content.ts';
import type { WorkspaceState } from '../state/workspace-state.ts';

const { getPost, unschedulePost } = operations;

export function postRoutes(state: WorkspaceState): Hono {
  const routes = new Hono();
  routes.on(getPost.method, routePath(getPost.path), (context) => {
    const { id } = validate(getPost.parameters, readFields(context, getPost.parameters));
    return context.json({ post: state.getPost(id.toLowerCase()) });
  });
  routes.on(unschedulePost.method, routePath(unschedulePost.path), (context) => {
    const { parameters } = unschedulePost;
    const { id } = validate(parameters, readFields(context, parameters));
    return context.json(withoutContent(state.unschedulePost(id.toLowerCase())));
  });
  return routes;
}

/** Unscheduling gives less of a post than reading it. */
function withoutContent(details: KnownDetails): object {
  const { id, url, title, channels, status, publishDate, publishAt, updatedAt } = details;
  return { id, url, title, channels, status, publishDate, publishAt, updatedAt };
}
