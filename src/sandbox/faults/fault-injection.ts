import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Clock } from '../../core/clock.ts';
import type { RequestLimit } from '../request-quota.ts';
import { earlyAnswer } from './early-answer.ts';
import type { FaultJournal } from './fault-journal.ts';
import { isEarly, type EarlyFaultKind, type LateFaultKind } from './fault-kinds.ts';
import type { FaultedRequest, FaultPlan, PlannedFault } from './fault-plan.ts';
import { lateAnswer } from './late-answer.ts';

export interface FaultInjection {
  readonly faultPlan: FaultPlan;
  readonly faultJournal: FaultJournal;
  /** What `rate_limited` says. */
  readonly rateLimit: RequestLimit;
  readonly machineClock: Clock;
  /** Of the API, left out of what paths are compared with. */
  readonly basePath: string;
}

/** Stands between authentication and quota: what suffers an early fault uses none. */
export function injectFaults(injection: FaultInjection): MiddlewareHandler {
  return async (context, next) => {
    const request = await readRequest(context, injection.basePath);
    const fault = injection.faultPlan.take(request);
    if (fault && isEarly(fault.kind)) {
      injection.faultJournal.record(request, fault);
      return answerEarly(fault.kind, fault, context, injection.rateLimit);
    }
    await next();
    if (fault && !isEarly(fault.kind)) await spoil(fault.kind, fault, request, context, injection);
    return undefined;
  };
}

async function readRequest(context: Context, basePath: string): Promise<FaultedRequest> {
  const { pathname, search } = new URL(context.req.url);
  const path = `${pathname.slice(basePath.length)}${search}`;
  return { method: context.req.method, path, body: await context.req.text() };
}

function answerEarly(
  kind: EarlyFaultKind,
  fault: PlannedFault,
  context: Context,
  limit: RequestLimit,
): Response {
  return kind === 'reset_before' ? resetConnection(context) : earlyAnswer(kind, fault, limit);
}

async function spoil(
  kind: LateFaultKind,
  fault: PlannedFault,
  request: FaultedRequest,
  context: Context,
  { faultPlan, faultJournal, machineClock }: FaultInjection,
): Promise<void> {
  const spoilt =
    kind === 'reset_after'
      ? resetConnection(context)
      : await lateAnswer(kind, context.res, fault, request, machineClock);
  if (!spoilt) {
    faultPlan.putBack(fault);
    return;
  }
  faultJournal.record(request, fault);
  context.res = undefined; // else the headers of the first answer would be merged into the second
  context.res = spoilt;
}

/** What is answered after that reaches nobody. */
function resetConnection(context: Context): Response {
  const { incoming } = context.env as HttpBindings;
  incoming.socket.resetAndDestroy();
  return new Response(null);
}
