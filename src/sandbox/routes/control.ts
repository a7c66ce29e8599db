import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import { controlBody } from '../control-body.ts';
import { badRequest, refusal, validate } from '../refusal.ts';
import { readJson } from '../request.ts';
import type { SandboxClock } from '../sandbox-clock.ts';

const dateTime = z.iso.datetime({ offset: true, error: 'Invalid date-time, expected ISO 8601' });
/** Ten years either way: more is a slip of the hand. */
const daysError = 'Invalid number, expected -3660 to 3660';
const days = z.number(daysError).min(-3660, daysError).max(3660, daysError);
const moveError = 'expected {"now": "<ISO 8601>"} or {"advance_days": <number>}';
const moveSchema = z.union(
  [controlBody({ now: dateTime }), controlBody({ advance_days: days })],
  moveError,
);

/** What only a sandbox can do; it needs no key and uses no quota. */
export function controlRoutes(describe: () => object, clock: SandboxClock, log: Log): Hono {
  const routes = new Hono();
  routes.get('/', (context) => context.json(describe()));
  routes.post('/clock', async (context) => {
    const move = validate(moveSchema, await readJson(context));
    const target = 'now' in move ? new Date(move.now) : clock.inDays(move.advance_days);
    checkCentury(target);
    clock.moveTo(target);
    const now = clock.now().toISOString();
    log.info({ now }, 'the clock of the sandbox was moved');
    return context.json({ now });
  });
  return routes;
}

/** The workspace has to make up every day until then. */
function checkCentury(target: Date): void {
  const year = target.getUTCFullYear();
  if (year < 2000 || year >= 2100)
    throw badRequest({ now: [`${year} is not within 2000 to 2099`] });
}

/** What a client on this machine calls it. */
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * A page that somebody has open in a browser could send requests here, too, as no key is needed.
 * Browsers name the page in `Origin` with every request that changes something, and in `Host` whatever
 * name the page made point here.
 */
export const refuseWebPages: MiddlewareHandler = async (context, next) => {
  const { hostname } = new URL(context.req.url);
  if (context.req.header('origin') !== undefined || !ownNames.has(hostname)) {
    const message = 'Web pages cannot control the sandbox; use a program';
    throw refusal({ status: 403, code: 'FORBIDDEN', message });
  }
  await next();
};
