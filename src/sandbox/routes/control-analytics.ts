import { Hono } from 'hono';
import { z } from 'zod';
import type { AnswerCap } from '../answer-cap.ts';
import { controlBody } from '../control-body.ts';
import { validate } from '../refusal.ts';
import { readJson } from '../request.ts';

const capError = 'Invalid number, expected a whole one from 1 to 100000, or null';
const capSchema = controlBody({
  cap: z.int(capError).min(1, capError).max(100_000, capError).nullable(),
});

/** What is left out of answers of analytics. */
export function analyticsControlRoutes(cap: AnswerCap): Hono {
  const routes = new Hono();
  routes.post('/analytics', async (context) => {
    cap.posts = validate(capSchema, await readJson(context)).cap;
    return context.json({ cap: cap.posts });
  });
  return routes;
}
