import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { operations } from '../api/schemas/operations.ts';
import type { Log } from '../core/log.ts';
import type { AnswerCap } from './api-routes.ts';
import type { Delivery } from './events/delivery.ts';
import type { EventSender } from './events/event-sender.ts';
import { faultKindNames, faultLevels } from './faults/fault-kinds.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import { badRequest, controlBody, refusal, validate } from './refusal.ts';
import { readJson, refuseLargeBody, takeBody } from './request.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import { metricsSchema } from './state/linkedin-posts.ts';
import type { WorkspaceState } from './state/workspace-state.ts';

export interface Controls {
  readonly state: WorkspaceState;
  readonly clock: SandboxClock;
  readonly events: EventSender;
  readonly faultPlan: FaultPlan;
  readonly cap: AnswerCap;
  readonly log: Log;
  /** The body of `GET /_sandbox`. */
  describe(): object;
}

/** Ten years either way: more is a slip of the hand. */
const daysError = 'Invalid number, expected -3660 to 3660';
const dateTime = z.iso.datetime({ offset: true, error: 'Invalid date-time, expected ISO 8601' });
const moveSchema = z.union(
  [
    controlBody({ now: dateTime }),
    controlBody({ advance_days: z.number(daysError).min(-3660, daysError).max(3660, daysError) }),
  ],
  'expected {"now": "<ISO 8601>"} or {"advance_days": <number>}',
);
const yesOrNo = z.boolean('Invalid boolean, expected true or false');
const inviteSchema = controlBody({
  email: z.email('Invalid email'),
  has_account: yesOrNo.optional(),
});
/** Loose: an event is sent as it is given, so that a receiver can be given wrong ones. */
const eventSchema = z.looseObject(
  {
    type: z.string('Invalid string'),
    data: z.unknown().refine((data) => data !== undefined, 'Missing; any JSON value will do'),
  },
  'Invalid object, expected one with type, data',
);
const duplicatesError = 'Invalid number, expected 0 to 5';
const deliverySchema = controlBody({
  duplicates: z
    .int(duplicatesError)
    .min(0, duplicatesError)
    .max(5, duplicatesError)
    .exactOptional(),
  reorder: yesOrNo.exactOptional(),
  hold: yesOrNo.exactOptional(),
});
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
const capError = 'Invalid number, expected a whole one from 1 to 100000, or null';
const capSchema = controlBody({
  cap: z.int(capError).min(1, capError).max(100_000, capError).nullable(),
});

/** What only a sandbox can do; it needs no key, uses no quota and suffers no faults. */
export function controlRoutes(controls: Controls): Hono {
  const routes = new Hono();
  routes.use(refuseWebPages, takeBody, refuseLargeBody);
  routes.get('/', (context) => context.json(controls.describe()));
  addClockRoute(routes, controls);
  addWorkspaceRoutes(routes, controls);
  addEventRoutes(routes, controls);
  addFaultRoutes(routes, controls);
  routes.post('/analytics', async (context) => {
    controls.cap.posts = validate(capSchema, await readJson(context)).cap;
    return context.json({ cap: controls.cap.posts });
  });
  return routes;
}

function addClockRoute(routes: Hono, { clock, log }: Controls): void {
  routes.post('/clock', async (context) => {
    const move = validate(moveSchema, await readJson(context));
    const target = 'now' in move ? new Date(move.now) : clock.inDays(move.advance_days);
    const year = target.getUTCFullYear();
    // the workspace has to make up every day until then
    if (year < 2000 || year >= 2100) {
      throw badRequest({ now: [`${year} is not within 2000 to 2099`] });
    }
    clock.moveTo(target);
    const now = clock.now().toISOString();
    log.info({ now }, 'the clock of the sandbox was moved');
    return context.json({ now });
  });
}

/** What people do in the workspace and the API has no operation for. */
function addWorkspaceRoutes(routes: Hono, { state }: Controls): void {
  const onItem = (path: string, act: (id: string) => object) =>
    routes.post(path, (context) => {
      const fields = { id: context.req.param('id') };
      const id = validate(operations.getPost.parameters, fields).id.toLowerCase();
      return context.json({ id, ...act(id) });
    });
  onItem('/posts/:id/trash', (id) => ({ archivedAt: state.trashPost(id) }));
  onItem('/posts/:id/restore', (id) => {
    state.restorePost(id);
    return { archivedAt: null };
  });
  onItem('/posts/:id/delete', (id) => ({ deletedAt: state.deletePost(id) }));
  onItem('/ideas/:id/restore', (id) => {
    state.restoreIdea(id);
    return { archivedAt: null };
  });
  routes.get('/examples', (context) => context.json(state.examples()));
  routes.post('/invites', async (context) => {
    const { email, has_account } = validate(inviteSchema, await readJson(context));
    return context.json(state.invite(email, has_account));
  });
  routes.post('/linkedin-posts/:id/metrics', async (context) => {
    const metrics = validate(metricsSchema, await readJson(context));
    return context.json(state.changeMetrics(context.req.param('id'), metrics));
  });
}

/** Events, and how they are delivered. Where to and with which token cannot be changed here. */
function addEventRoutes(routes: Hono, { events, clock }: Controls): void {
  const describe = () => ({
    webhook_url: events.webhookUrl,
    settings: events.settings,
    deliveries: events.deliveries.map(describeDelivery),
  });
  routes.post('/events', async (context) => {
    const given = validate(eventSchema, await readJson(context));
    const event = { createdAt: clock.now().toISOString(), ...given };
    return context.json({ event, deliveries: events.send(event).map(({ id }) => id) }, 202);
  });
  routes.get('/deliveries', (context) => context.json(describe()));
  routes.post('/deliveries', async (context) => {
    events.configure(validate(deliverySchema, await readJson(context)));
    return context.json(describe());
  });
  routes.post('/deliveries/flush', async (context) => {
    await events.flush();
    return context.json(describe());
  });
}

function describeDelivery({ id, copy, state, isHeld, attempts, event }: Delivery): object {
  return { id, copy, state, is_held: isHeld, attempts, event };
}

/** What goes wrong by chance, and what is to go wrong next. */
function addFaultRoutes(routes: Hono, { faultPlan }: Controls): void {
  routes.get('/faults', (context) => context.json(faultPlan.describe()));
  routes.post('/faults', async (context) => {
    const { level, next } = validate(faultsSchema, await readJson(context));
    if (level) faultPlan.level = level;
    if (next) faultPlan.request(next);
    return context.json(faultPlan.describe());
  });
}

/** What a client on this machine calls it. */
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * A page that is open in a browser could send requests here, too, as no key is needed.
 * Browsers name the page in `Origin` with every request that changes something, and in `Host` whatever
 * name the page made point here.
 */
const refuseWebPages: MiddlewareHandler = async (context, next) => {
  const { hostname } = new URL(context.req.url);
  if (context.req.header('origin') !== undefined || !ownNames.has(hostname)) {
    const message = 'Web pages cannot control the sandbox; use a program';
    throw refusal({ status: 403, code: 'FORBIDDEN', message });
  }
  await next();
};
