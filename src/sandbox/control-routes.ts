import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { countFields } from '../api/schemas/analytics.ts';
import { operations } from '../api/schemas/operations.ts';
import type { Log } from '../core/log.ts';
import type { EventSender } from './event-sender.ts';
import { badRequest, controlBody, limitBody, readJson, refusal, validate } from './request.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { WorkspaceState } from './state/workspace-state.ts';

export interface Controls {
  readonly state: WorkspaceState;
  readonly clock: SandboxClock;
  readonly events: EventSender;
  readonly log: Log;
  /** The body of `GET /_sandbox`. */
  describe(): object;
}

const moveSchema = z.union(
  [
    controlBody({ now: z.iso.datetime({ offset: true }) }),
    // more than ten years either way is a typing mistake
    controlBody({ advance_days: z.number().min(-3660).max(3660) }),
  ],
  'expected {"now": "<ISO 8601>"} or {"advance_days": <number>}',
);
const inviteSchema = controlBody({
  email: z.email('Invalid email'),
  has_account: z.boolean().optional(),
});
/** Metrics by their names in the API. Values that no service would give this post are allowed. */
const metricsSchema = controlBody({
  ...Object.fromEntries(countFields.map((field) => [field, z.int().nullish()])),
  engagement: z.number().nullish(),
  emv: z.number().nullish(),
});
/** The schema is loose, so that wrong events can be sent to a receiver. */
const eventSchema = z.looseObject({
  type: z.string(),
  data: z.unknown().refine((data) => data !== undefined, 'Missing; any JSON value will do'),
});

/** The control paths, which only a sandbox has. They need no key, use no quota and suffer no faults. */
export function controlRoutes(controls: Controls): Hono {
  const { state, clock, events, log } = controls;
  const routes = new Hono();
  const onJson = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    act: (body: z.output<Schema>, context: Context) => object,
    status: 200 | 202 = 200,
  ) =>
    routes.post(path, async (context) =>
      context.json(act(validate(schema, await readJson(context)), context), status),
    );
  /** Adds an action on a post that people can take and the API does not offer. */
  const onPost = (path: string, act: (id: string) => object) =>
    routes.post(path, (context) => {
      const fields = { id: context.req.param('id') };
      const id = validate(operations.getPost.parameters, fields).id.toLowerCase();
      return context.json({ id, ...act(id) });
    });
  const describeEvents = () => ({
    webhook_url: events.webhookUrl,
    deliveries: events.deliveries,
  });

  routes.use(refuseWebPages, limitBody);
  routes.get('/', (context) => context.json(controls.describe()));
  routes.get('/examples', (context) => context.json(state.examples()));
  onJson('/clock', moveSchema, (move) => {
    const target = 'now' in move ? new Date(move.now) : clock.inDays(move.advance_days);
    const year = target.getUTCFullYear();
    // every day until then has to be made up
    if (year < 2000 || year >= 2100) {
      throw badRequest({ now: [`${year} is not within 2000 to 2099`] });
    }
    clock.moveTo(target);
    const now = clock.now().toISOString();
    log.info({ now }, 'the clock of the sandbox was moved');
    return { now };
  });
  onPost('/posts/:id/trash', (id) => ({ archivedAt: state.trashPost(id) }));
  onPost('/posts/:id/delete', (id) => ({ deletedAt: state.deletePost(id) }));
  onJson('/invites', inviteSchema, ({ email, has_account }) => state.invite(email, has_account));
  onJson('/linkedin-posts/:id/metrics', metricsSchema, (metrics, context) =>
    state.changeMetrics(context.req.param('id') ?? '', metrics),
  );
  // the webhook's address and token cannot be changed here
  onJson(
    '/events',
    eventSchema,
    (given) => {
      const event = { createdAt: clock.now().toISOString(), ...given };
      return { event, delivery: events.send(event).id };
    },
    202,
  );
  routes.get('/deliveries', (context) => context.json(describeEvents()));
  routes.post('/deliveries/flush', async (context) => {
    await events.flush();
    return context.json(describeEvents());
  });
  return routes;
}

/**
 * Refuses requests of web pages, since no key is needed here. Browsers name the page in `Origin` with every request
 * that changes something; under another name than this machine's own the server answers nothing.
 */
const refuseWebPages: MiddlewareHandler = async (context, next) => {
  if (context.req.header('origin') !== undefined) {
    const message = 'Web pages cannot control the sandbox; use a program';
    throw refusal({ status: 403, code: 'FORBIDDEN', message });
  }
  await next();
};
