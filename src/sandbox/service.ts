import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { openApiDocument } from '../api/schemas/open-api.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { authenticate, limitRequests, type RequestLimit } from './access.ts';
import { apiRoutes } from './api-routes.ts';
import { controlRoutes, type Controls } from './control-routes.ts';
import { injectFaults } from './faults/fault-plan.ts';
import { internalError, notFound, refusal } from './refusal.ts';
import { refuseLargeBody, takeBody } from './request.ts';
import type { WorkspaceState } from './state/workspace-state.ts';

export const basePath = '/api/v1';

interface ServiceParts extends Controls {
  readonly seed: number;
  readonly rateLimit: RequestLimit;
  /** The machine's, for the quota. */
  readonly machineClock: Clock;
}

/** The whole service as one request handler: who may ask, how often, then what is asked. */
export function createService(parts: ServiceParts): Hono {
  const { seed, state, clock, log } = parts;
  const service = new Hono();
  service.use(logRequests(log), settleFirst(state));
  service.route('/_sandbox', controlRoutes(parts));
  // the server that the document names is the address that was asked, which works for whoever asked
  service.get('/openapi.json', (context) => {
    const { href } = new URL(basePath, context.req.url);
    return context.json(openApiDocument({ baseUrl: href }));
  });
  service.use(
    `${basePath}/*`,
    authenticate(seed, clock),
    takeBody,
    injectFaults({ ...parts, basePath }),
    limitRequests(parts.rateLimit, parts.machineClock),
    refuseLargeBody,
  );
  service.route(basePath, apiRoutes(state, parts.cap));
  service.notFound(() => notFound('Not Found').getResponse());
  service.onError((error) => answerError(error, log));
  return service;
}

/** Nobody sees a state that time has overtaken, also when the request moves the clock. */
function settleFirst(state: WorkspaceState): MiddlewareHandler {
  return async (_context, next) => {
    state.settle();
    await next();
    state.settle();
  };
}

function logRequests(log: Log): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { method, url } = context.req;
    log.debug({ method, url, status: context.res.status }, 'request');
  };
}

function answerError(error: Error, log: Log): Response {
  if (error instanceof HTTPException) return error.getResponse();
  log.error({ stack: error.stack }, `the sandbox failed: ${errorMessage(error)}`);
  return refusal(internalError).getResponse();
}
