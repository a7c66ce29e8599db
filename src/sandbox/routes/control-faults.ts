import { Hono } from 'hono';
import { z } from 'zod';
import { controlBody } from '../control-body.ts';
import type { FaultJournal } from '../faults/fault-journal.ts';
import { faultKindNames, faultLevels } from '../faults/fault-kinds.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { validate } from '../refusal.ts';
import { readJson } from '../request.ts';

const pathError = 'Invalid path, expected one below the base URL, such as /posts';
const timesError = 'Invalid number, expected a whole one from 1 to 1000';
const secondsError = 'Invalid number, expected 0 to 600';
const requestedFaultSchema = controlBody({
  kind: z.enum(faultKindNames, `Invalid kind, expected one of ${faultKindNames.join(', ')}`),
  path: z
    .string(pathError)
    .regex(/^\/(?!api\/)[^?]+$/, pathError)
    .optional(),
  method: z
    .enum(['GET', 'POST', 'DELETE'], 'Invalid method, expected GET, POST or DELETE')
    .optional(),
  times: z.int(timesError).min(1, timesError).max(1000, timesError).default(1),
  seconds: z.number(secondsError).min(0, secondsError).max(600, secondsError).optional(),
});
const faultsSchema = controlBody({
  level: z.enum(faultLevels, `Invalid level, expected ${faultLevels.join(', ')}`).optional(),
  next: z.array(requestedFaultSchema, 'Invalid list, expected faults').optional(),
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
