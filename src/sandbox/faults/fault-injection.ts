import type { Context, MiddlewareHandler } from 'hono';
import type { Clock } from '../../core/clock.ts';
import type { RequestLimit } from '../access.ts';
import { traitsOf } from './fault-kinds.ts';
import type { FaultedRequest, FaultPlan } from './fault-plan.ts';

interface FaultInjection {
  readonly faultPlan: FaultPlan;
  /** What `rate_limited` says. */
  readonly rateLimit: RequestLimit;
  readonly machineClock: Clock;
  /** Of the API, left out of what paths are compared with. */
  readonly basePath: string;
}

/** Stands between authentication and quota: what is answered instead of the service uses none. */
export function injectFaults(injection: FaultInjection): MiddlewareHandler {
  const { faultPlan, rateLimit, machineClock, basePath } = injection;
  return async (context, next) => {
    const request = await readRequest(context, basePath);
    const fault = faultPlan.take(request);
    if (!fault) return next();
    const { instead, spoil } = traitsOf(fault.kind);
    const { random, seconds, level } = fault;
    const apiPath = request.path.replace(/\?.*$/, '');
    const isHostile = level === 'hostile';
    const given = { context, apiPath, random, seconds, isHostile };
    const faultCase = { ...given, limit: rateLimit, clock: machineClock };
    if (instead) {
      faultPlan.record(request, fault);
      return instead(faultCase);
    }
    await next();
    const answer = context.res;
    const text = await answer.clone().text();
    const spoilt = text === '' ? null : spoil?.({ ...faultCase, answer, text });
    if (!spoilt) {
      faultPlan.putBack(fault);
      return undefined;
    }
    faultPlan.record(request, fault);
    context.res = undefined; // else the headers of the first answer would be merged into the second
    context.res = spoilt;
    return undefined;
  };
}

async function readRequest(context: Context, basePath: string): Promise<FaultedRequest> {
  const { pathname, search } = new URL(context.req.url);
  const path = `${pathname.slice(basePath.length)}${search}`;
  return { method: context.req.method, path, body: await context.req.text() };
}
