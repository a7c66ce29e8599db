import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { dayMs } from '../core/calendar.ts';
import { errorMessage } from '../core/errors.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { AnswerCap } from './answer-cap.ts';
import { authenticate } from './authentication.ts';
import { refuseLargeBody, takeBody } from './body-limit.ts';
import type { EventSender } from './events/event-sender.ts';
import { injectFaults } from './faults/fault-injection.ts';
import type { FaultJournal } from './faults/fault-journal.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import { internalError, notFound, refusal } from './refusal.ts';
import { limitRequests, type RequestLimit } from './request-quota.ts';
import { analyticsRoutes } from './routes/analytics.ts';
import { approvalRoutes } from './routes/approvals.ts';
import { analyticsControlRoutes } from './routes/control-analytics.ts';
import { deliveryRoutes } from './routes/control-deliveries.ts';
import { faultRoutes } from './routes/control-faults.ts';
import { workspaceControlRoutes } from './routes/control-workspace.ts';
import { controlRoutes, refuseWebPages } from './routes/control.ts';
import { engagementRoutes } from './routes/engagements.ts';
import { ideaRoutes } from './routes/ideas.ts';
import { inlineCommentRoutes } from './routes/inline-comments.ts';
import { openApiRoutes } from './routes/open-api.ts';
import { postRoutes } from './routes/posts.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { WorkspaceState } from './state/workspace-state.ts';

export const basePath = '/api/v1';
const controlPath = '/_sandbox';

export interface ServiceParts {
  readonly seed: number;
  readonly state: WorkspaceState;
  readonly rateLimit: RequestLimit;
  readonly cap: AnswerCap;
  /** The machine's, for the quota. */
  readonly machineClock: Clock;
  readonly clock: SandboxClock;
  readonly log: Log;
  readonly events: EventSender;
  readonly faultPlan: FaultPlan;
  readonly faultJournal: FaultJournal;
  /** The body of `GET /_sandbox`. */
  describe(): object;
}

const operationRoutes = [
  postRoutes,
  approvalRoutes,
  ideaRoutes,
  engagementRoutes,
  inlineCommentRoutes,
];

const revokedBeforeStartDays = 3;

/** The whole service as one request handler: who may ask, how often, then what is asked. */
export function createService(parts: ServiceParts): Hono {
  const { state, clock, log, events, faultPlan, faultJournal } = parts;
  const service = new Hono();
  service.use(logRequests(log));
  service.use(keepUpWithTime(state));
  service.use(`${controlPath}/*`, refuseWebPages, takeBody, refuseLargeBody);
  service.route(
    controlPath,
    controlRoutes(() => parts.describe(), clock, log),
  );
  service.route(controlPath, workspaceControlRoutes(state));
  service.route(controlPath, deliveryRoutes(events, clock));
  service.route(controlPath, faultRoutes(faultPlan, faultJournal));
  service.route(controlPath, analyticsControlRoutes(parts.cap));
  service.route('/', openApiRoutes(basePath));
  service.use(`${basePath}/*`, authenticate(keyRing(parts)), takeBody);
  service.use(`${basePath}/*`, injectFaults({ ...parts, basePath }));
  service.use(`${basePath}/*`, limitRequests(parts.rateLimit, parts.machineClock));
  service.use(`${basePath}/*`, refuseLargeBody);
  service.route(basePath, analyticsRoutes(state, parts.cap));
  for (const routes of operationRoutes) service.route(basePath, routes(state));
  service.notFound(() => notFound('Not Found').getResponse());
  service.onError((error) => answerError(error, log));
  return service;
}

function keyRing({ seed, clock }: ServiceParts) {
  const revokedAt = new Date(clock.now().getTime() - revokedBeforeStartDays * dayMs);
  return { seed, revokedAt, now: () => clock.now() };
}

/** Nobody sees a state that time has overtaken, also when the request moves the clock. */
function keepUpWithTime(state: WorkspaceState): MiddlewareHandler {
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
