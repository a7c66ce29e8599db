import { Hono } from 'hono';
import { openApiDocument } from '../../api/schemas/open-api.ts';

/**
 * The document of the API, beside the API: it needs no key and uses no quota. Its server is the address
 * that was asked, which is the one that works for whoever asked it.
 */
export function openApiRoutes(basePath: string): Hono {
  const routes = new Hono();
  routes.get('/openapi.json', (context) => {
    const { href } = new URL(basePath, context.req.url);
    return context.json(openApiDocument({ baseUrl: href }));
  });
  return routes;
}
