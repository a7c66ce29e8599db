import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import { openApiDocument } from '../api/schemas/open-api.ts';
import { operations, type Operation } from '../api/schemas/operations.ts';
import { refusals } from '../api/schemas/refusals.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { authenticate, limitRequests, type RequestLimit } from './access.ts';
import { controlRoutes, type Controls } from './control-routes.ts';
import type { FaultLevel } from './faults/fault-kinds.ts';
import { injectFaults } from './faults/fault-injection.ts';
import { defaultSandbox } from './identity.ts';
import {
  badRequest,
  internalError,
  limitBody,
  notFound,
  readFields,
  readJson,
  refusal,
  validate,
} from './request.ts';
import type { DayRange } from './made-up/made-up-content.ts';
import type { WorkspaceState } from './state/workspace-state.ts';

export const basePath = '/api/v1';

interface ServiceParts extends Controls {
  readonly seed: number;
  readonly faults: FaultLevel;
  readonly rateLimit: RequestLimit;
  /** The most posts in an answer of analytics; null means all. Services may have one without documenting it. */
  readonly cap: number | null;
  /** The machine's clock, for the quota. */
  readonly machineClock: Clock;
}

/** Makes the whole service as one request handler: authentication, then the quota, then the operations. */
export function createService(parts: ServiceParts): Hono {
  const { seed, state, clock, log } = parts;
  const service = new Hono();
  service.use(logRequests(log), settleFirst(state));
  service.route('/_sandbox', controlRoutes(parts));
  // the document names the address of the request, which works for its sender
  service.get('/openapi.json', (context) => {
    const { href } = new URL(basePath, context.req.url);
    return context.json(openApiDocument({ baseUrl: href }));
  });
  service.use(
    `${basePath}/*`,
    authenticate(seed, clock),
    limitBody,
    injectFaults(parts, basePath),
    limitRequests(parts.rateLimit, parts.machineClock),
  );
  service.route(basePath, apiRoutes(state, parts.cap));
  service.notFound(() => notFound('Not Found').getResponse());
  service.onError((error) => answerError(error, log));
  return service;
}

/** Settles the state before and after each request, which may move the clock. */
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

const defaultDays = 30;
type Fields<Schema> = Schema extends z.ZodType ? z.output<Schema> : object;

/** Routes every operation of the API. */
function apiRoutes(state: WorkspaceState, cap: number | null): Hono {
  const routes = new Hono();
  /** Handles the parameters of an operation's path and query. */
  const answer = <Asked extends Operation>(
    { method, path, parameters, query }: Asked,
    handle: (
      fields: Fields<Asked['parameters']> & Fields<Asked['query']>,
      context: Context,
    ) => object | Promise<object>,
  ) =>
    routes.on(method, routePath(path), async (context) => {
      const fields = readFields(context, parameters.extend(query?.shape ?? {}));
      return context.json(await handle(fields as Parameters<typeof handle>[0], context));
    });

  answer(operations.listLinkedInAnalytics, ({ profileId, ...days }) => {
    const range = rangeOf(days, dayOf(state.now(), defaultSandbox.workspace.timezone));
    const posts = state.listAnalytics(checkedProfile(state, profileId.toLowerCase()), range);
    return posts.slice(0, cap ?? posts.length);
  });
  answer(operations.getPost, ({ id }) => ({ post: state.getPost(id.toLowerCase()) }));
  answer(operations.unschedulePost, ({ id: asked }) => {
    // unscheduling returns fewer fields of a post than reading it
    const { id, url, title, channels, status, publishDate, publishAt, updatedAt } =
      state.unschedulePost(asked.toLowerCase());
    return { id, url, title, channels, status, publishDate, publishAt, updatedAt };
  });
  answer(operations.listApprovals, ({ postId }) => ({
    approvals: state.listApprovals(postId.toLowerCase()),
  }));
  answer(operations.createApprovals, async (_, context) => {
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
      throw badRequest({ body: ['the content-type must be application/json'] });
    }
    const body = validate(operations.createApprovals.body, await readJson(context));
    return state.createApprovals(body.postId.toLowerCase(), body.approvals);
  });
  answer(operations.archiveIdea, ({ id }) => state.archiveIdea(id.toLowerCase()));
  answer(operations.deleteEngagement, ({ id }) => {
    state.removeEngagement(id.toLowerCase());
    return { success: true };
  });
  answer(operations.listInlineComments, ({ postId, ...filter }) => ({
    inlineComments: state.listInlineComments(postId.toLowerCase(), filter),
  }));
  return routes;
}

/** The router writes `/posts/{id}` as `/posts/:id`. */
function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

interface RequestedDays {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

function rangeOf({ startDate, endDate }: RequestedDays, today: Day): DayRange {
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    throw badRequest({ startDate: [`startDate ${startDate} is after endDate ${endDate}`] });
  }
  return { from: startDate ?? addDays(today, -defaultDays), to: endDate ?? today };
}

function checkedProfile({ profiles }: WorkspaceState, profileId: string): string {
  const profile = profiles.find(({ id }) => id === profileId);
  if (!profile) throw notFound('Profile not found');
  if (profile.kind === 'engagement') throw refusal(refusals.engagementProfile);
  return profileId;
}
