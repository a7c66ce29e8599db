import { Hono } from 'hono';
import { z } from 'zod';
import { notFound, validate } from '../refusal.ts';
import type { SandboxClock } from '../sandbox-clock.ts';
import type { WorkspaceContent } from '../workspace-content.ts';

const requestSchema = z.object({ id: z.guid('Invalid uuid') });

export function postRoutes(content: WorkspaceContent, clock: SandboxClock): Hono {
  const routes = new Hono();
  routes.get('/:id', (context) => {
    const { id } = validate(requestSchema, context.req.param());
    const post = content.findPost(id.toLowerCase(), clock.now());
    if (!post) throw notFound('Post not found');
    return context.json({ post });
  });
  return routes;
}
