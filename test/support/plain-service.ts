import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './loopback.ts';

type JsonObject = Record<string, unknown>;

/** A response of the service in place of its data. */
export interface CannedAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

export interface PlainServiceOptions {
  readonly key?: string;
  readonly limit?: { readonly requests: number; readonly perMs: number };
  /** Analytics records by profile id. */
  readonly analytics: Map<string, JsonObject[]>;
  /** Details by post id. */
  readonly posts?: Map<string, JsonObject>;
}

/**
 * A service of the API that shares nothing with the sandbox: the least that the spec asks for, with
 * a log of what arrived and when. Its limit counts the arrivals of any interval.
 */
export interface PlainService {
  readonly url: string;
  readonly requests: { readonly atMs: number; readonly path: string; readonly status: number }[];
  /** Answers requests whose path (with query) contains `part` with `answer`; null ends that. */
  answer(part: string, answer: CannedAnswer | null): void;
  /** Answers a request in place of its data, where it returns an answer. */
  respond: ((url: URL, data: JsonObject[]) => CannedAnswer | null) | null;
  /** The maximum number of records in an analytics response, the newest ones; null for all. */
  cap: number | null;
  /** Called for each request before it is answered. */
  onRequest: ((path: string) => void) | null;
}

export async function startPlainService(options: PlainServiceOptions): Promise<PlainService> {
  const canned = new Map<string, CannedAnswer>();
  const admitted: number[] = [];
  const requests: PlainService['requests'] = [];
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    service.onRequest?.(path);
    const answer =
      refusal(request, options, admitted) ??
      cannedFor(path, canned) ??
      service.respond?.(new URL(path, 'http://service'), recordsFor(path, options) ?? []) ??
      dataFor(path, options, service.cap);
    requests.push({ atMs: performance.now(), path, status: answer.status });
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  };
  const server = createServer(respond);
  const port = await listenOnLoopback(server);
  const service: PlainService = {
    url: `http://127.0.0.1:${port}/api/v1`,
    requests,
    answer: (part, answer) => {
      if (answer) canned.set(part, answer);
      else canned.delete(part);
    },
    respond: null,
    cap: null,
    onRequest: null,
  };
  return service;
}

function refusal(
  request: IncomingMessage,
  options: PlainServiceOptions,
  admitted: number[],
): CannedAnswer | null {
  if (request.headers.authorization !== `Bearer ${options.key ?? 'plain-key'}`) {
    return failure(401, 'UNAUTHORIZED', 'Invalid or unauthorized API key');
  }
  if (!options.limit) return null;
  const { requests, perMs } = options.limit;
  const now = performance.now();
  while (admitted[0] !== undefined && admitted[0] <= now - perMs) admitted.shift();
  if (admitted.length >= requests) {
    const seconds = Math.ceil(((admitted[0] ?? now) + perMs - now) / 1000);
    return failure(
      429,
      'TOO_MANY_REQUESTS',
      `Rate limit of ${requests} requests per ${perMs / 1000}s exceeded. Quota resets in ${seconds} seconds`,
    );
  }
  admitted.push(now);
  return null;
}

function cannedFor(path: string, canned: Map<string, CannedAnswer>): CannedAnswer | null {
  for (const [part, answer] of canned) if (path.includes(part)) return answer;
  return null;
}

function dataFor(path: string, options: PlainServiceOptions, cap: number | null): CannedAnswer {
  const url = new URL(path, 'http://service');
  const records = recordsFor(path, options);
  if (records) return success(newest(records, cap));
  const post = options.posts?.get(/\/posts\/([^/]+)$/.exec(url.pathname)?.[1] ?? '');
  if (post) return success({ post });
  return failure(404, 'NOT_FOUND', 'Not found');
}

/** The records of the profile and the dates that are asked for; undefined if there is no such profile. */
function recordsFor(path: string, { analytics }: PlainServiceOptions): JsonObject[] | undefined {
  const url = new URL(path, 'http://service');
  const profile = /\/analytics\/linkedin\/([^/]+)\/posts$/.exec(url.pathname)?.[1];
  const records = profile === undefined ? undefined : analytics.get(profile);
  return records && inWindow(records, url.searchParams);
}

function inWindow(records: JsonObject[], query: URLSearchParams): JsonObject[] {
  const start = query.get('startDate') ?? '';
  const end = query.get('endDate') ?? '9999';
  return records.filter((record) => {
    const day = (typeof record['publishedAt'] === 'string' ? record['publishedAt'] : '').slice(
      0,
      10,
    );
    return day >= start && day <= end;
  });
}

function newest(records: JsonObject[], cap: number | null): JsonObject[] {
  if (cap === null) return records;
  const timeOf = (record: JsonObject) => String(record['publishedAt']);
  return records.toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1)).slice(0, cap);
}

function success(body: unknown): CannedAnswer {
  return { status: 200, body: JSON.stringify(body) };
}

export function failure(status: number, code: string, message: string): CannedAnswer {
  return { status, body: JSON.stringify({ code, message }) };
}
