import { Hono } from 'hono';
import { z } from 'zod';
import { controlBody } from '../control-body.ts';
import type { Delivery } from '../events/delivery.ts';
import type { EventSender } from '../events/event-sender.ts';
import { validate } from '../refusal.ts';
import { readJson } from '../request.ts';
import type { SandboxClock } from '../sandbox-clock.ts';

/** Loose: an event is sent as it is given, so that a receiver can be given wrong ones. */
const eventSchema = z.looseObject(
  {
    type: z.string('Invalid string'),
    data: z.unknown().refine((data) => data !== undefined, 'Missing; any JSON value will do'),
  },
  'Invalid object, expected one with type, data',
);
const yesOrNo = z.boolean('Invalid boolean, expected true or false');
const settingsSchema = controlBody({
  duplicates: z
    .int('Invalid number, expected 0 to 5')
    .min(0, 'Invalid number, expected 0 to 5')
    .max(5, 'Invalid number, expected 0 to 5')
    .exactOptional(),
  reorder: yesOrNo.exactOptional(),
  hold: yesOrNo.exactOptional(),
});

/** Events, and how they are delivered. Where to and with which token is nothing to be said here. */
export function deliveryRoutes(events: EventSender, clock: SandboxClock): Hono {
  const routes = new Hono();
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
    events.configure(validate(settingsSchema, await readJson(context)));
    return context.json(describe());
  });
  routes.post('/deliveries/flush', async (context) => {
    await events.flush();
    return context.json(describe());
  });
  return routes;
}

function describeDelivery({ id, copy, state, isHeld, attempts, event }: Delivery): object {
  return { id, copy, state, is_held: isHeld, attempts, event };
}
