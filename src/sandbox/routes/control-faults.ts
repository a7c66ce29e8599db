import { Hono } from 'hono';
import { z } from 'zod';
import type { FaultJournal } from '../faults/fault-journal.ts';
import { faultKindNames, faultLevels } from '../faults/fault-kinds.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { validate } from '../refusal.ts';
import { readJson } from '../request.ts';

const requestedFaultSchema = z.strictObject({
  kind: z.enum(faultKindNames, `Invalid kind, expected one of ${faultKindNames.join(', ')}`),
  path: z
    .string()
    .regex(/^\/(?!api\/)[^?]+$/, 'Invalid path, expected one below the base URL, such as /posts')
    .optional(),
  method: z
    .enum(['GET', 'POST', 'DELETE'], 'Invalid method, expected GET, POST or DELETE')
    .optional(),
  times: z.int().min(1).max(1000).default(1),
  seconds: z.number().min(0).max(600).optional(),
});
const faultsSchema = z.strictObject({
  level: z.enum(faultLevels, `Invalid level, expected ${faultLevels.join(', ')}`).optional(),
  next: z.array(requestedFaultSchema).optional(),
});

/** What goes wrong by chance, and what is to go wrong next. */
export function faultRoutes(plan: FaultPlan, journal: FaultJournal): Hono {
  const routes = new Hono();
  const describe = () => ({
    level: plan.level,
    next: plan.requested,
    counts: journal.counts,
    injected: journal.entries,
  });
  routes.get('/faults', (context) => context.json(describe()));
  routes.post('/faults', async (context) => {
    const { level, next } = validate(faultsSchema, await readJson(context));
    if (level) plan.level = level;
    if (next) plan.request(next);
    return context.json(describe());
  });
  return routes;
}
