import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);
const records = [1, 2, 3].map((number) => analyticsRecord(number, recently));
const json = JSON.stringify(records);
const page = '<!doctype html><html><body><h1>Bad Gateway</h1></body></html>';

type Answer = (response: ServerResponse) => void;

function body(text: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer {
  return (response) => response.writeHead(status, headers).end(text);
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return body(JSON.stringify({ code: 'REFUSED', message }), headers, status);
}

/** Sends a part of the answer under the head of the whole one, and goes on with the connection. */
function partly(then: (response: ServerResponse) => void): Answer {
  return (response) => {
    response.writeHead(200, { 'content-length': String(json.length) });
    response.write(json.slice(0, json.length / 2), () => then(response));
  };
}

function second(change: object): Answer {
  return body(
    JSON.stringify(records.map((each, index) => (index === 1 ? { ...each, ...change } : each))),
  );
}

/** Every try of a date range gets one of these, which leave nothing to load. */
const failing: Record<string, Answer> = {
  'reset-at-once': (response) => response.socket?.resetAndDestroy(),
  'closed-at-once': (response) => response.socket?.end(),
  'reset-in-body': partly((response) => response.socket?.resetAndDestroy()),
  'closed-in-body': partly((response) => response.socket?.end()),
  'stalled-in-body': partly(() => undefined),
  silence: () => undefined,
  'huge-header': body(json, { 'x-bomb': 'a'.repeat(1 << 20) }),
  'gzip-garbage': body('this is no gzip', { 'content-encoding': 'gzip' }),
  'gzip-cut': body(gzipSync(json).subarray(0, -12), { 'content-encoding': 'gzip' }),
  'gzip-bomb': body(gzipSync(Buffer.alloc(1 << 27, 0x20)), { 'content-encoding': 'gzip' }),
  'unknown-encoding': body(json, { 'content-encoding': 'zstd' }),
  empty: body(''),
  cut: body(json.slice(0, -1)),
  'not-a-number': body(json.replace(/"likeCount":\d+/, '"likeCount":NaN')),
  'two-documents': body(`${json}\n${json}`),
  'garbage-after': body(`${json}<!-- cache-7 -->`),
  'utf-16': body(Buffer.from(`\ufeff${json}`, 'utf16le')),
  null: body('null'),
  object: body('{}'),
  'error-with-200': body('{"code":"INTERNAL_SERVER_ERROR","message":"Something broke"}'),
  wrapped: body(`{"data":${json},"page":1}`),
  'page-with-200': body(page, { 'content-type': 'text/html' }),
  'page-with-502': body(page, { 'content-type': 'text/html' }, 502),
  redirect: body('', { location: '/api/v1' }, 301),
  'hostile-errors': body(
    '{"message":"Bad \\u001b[31mRequest","data":{"errors":{"__proto__":["x"],"a":5}}}',
    {},
    400,
  ),
  'refused-key': refusal(401, 'Invalid or unauthorized API key'),
  'revoked-key': refusal(403, 'API key was revoked 3 days ago'),
  'not-found': refusal(404, 'Not found'),
  'server-error': refusal(500, 'Internal Server Error'),
  'busy-for-a-year': refusal(503, 'Later', { 'retry-after': '31536000' }),
  'a-part-with-206': body(json, {}, 206),
  'being-prepared': body('[]', { 'retry-after': '1' }, 202),
  'no-content': body('', {}, 204),
};

/** The records of these are loaded, and prove no day. test/api/answer-proof.test.ts has all that tells them. */
const doubted: Record<string, { answer: Answer; posts: number }> = {
  'first-page': { answer: body(json, { link: '</?page=2>; rel="next"' }), posts: 3 },
  'without-an-id': { answer: second({ id: 5 }), posts: 2 },
  'no-objects': {
    answer: body(JSON.stringify([null, 7, 'text', [], ...records, [records]])),
    posts: 3,
  },
  'other-days': {
    answer: body(JSON.stringify([1, 2].map((id) => analyticsRecord(id, '2026-01-01')))),
    posts: 2,
  },
};

/** These are odd, and loaded; what cannot be taken of a record is rejected with a reason. */
const loading: Record<string, { answer: Answer; posts: number }> = {
  'byte-order-mark': { answer: body(`\ufeff${json}`), posts: 3 },
  'html-type': { answer: body(json, { 'content-type': 'text/html' }), posts: 3 },
  doubled: { answer: body(JSON.stringify([...records, ...records])), posts: 3 },
  'unknown-fields': {
    answer: second({ reach: 5, 'odd key "\n': [{ a: null }], __v: 1 }),
    posts: 3,
  },
  'terminal-escapes': { answer: second({ commentary: '\u001b]0;title\u0007\u001b[2J' }), posts: 3 },
  nul: { answer: second({ commentary: 'a\0b' }), posts: 3 },
  'unknown-type': { answer: second({ type: 'Hologram' }), posts: 3 },
  'nested-deep': {
    answer: body(
      json.replace('"likeCount"', `"x":${'{"a":'.repeat(300)}1${'}'.repeat(300)},"likeCount"`),
    ),
    posts: 3,
  },
  'too-large-count': {
    answer: body(json.replace(/"likeCount":\d+/, '"likeCount":9223372036854775808')),
    posts: 3,
  },
  'missing-url': { answer: second({ url: null }), posts: 3 },
  'count-as-text': { answer: second({ likeCount: '12' }), posts: 3 },
  fraction: { answer: second({ likeCount: 1.7 }), posts: 3 },
  'unreadable-time': { answer: second({ publishedAt: 'last Tuesday' }), posts: 3 },
  'link-without-id': { answer: second({ servicePost: { title: 'x', labels: [] } }), posts: 3 },
};

const workspaces = [failing, loading, doubted].flatMap((answers) => Object.keys(answers));

/** A service whose path says which answer it gives, as long as it is hostile. */
async function startService() {
  const service = { isHostile: true, url: '' };
  const server = createServer((request, response) => {
    const name = request.url?.split('/')[1] ?? '';
    const answer = failing[name] ?? (loading[name] ?? doubted[name])?.answer;
    if (service.isHostile) answer?.(response);
    else body(JSON.stringify(askedFor(request.url ?? '')))(response);
  });
  service.url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  onTestFinished(() => server.closeAllConnections());
  return service;
}

/** The records of the dates that are asked for. */
function askedFor(path: string) {
  const { searchParams: query } = new URL(path, 'http://service');
  return records.filter(({ publishedAt }) => {
    const day = String(publishedAt).slice(0, 10);
    return day >= (query.get('startDate') ?? '') && day <= (query.get('endDate') ?? '');
  });
}

function jobsFile(url: string): string {
  const lines = workspaces.map(
    (name, index) => `  ${name}:
    base_url: ${url}/${name}/api/v1
    api_key: \${KEY}
    timeout_seconds: 1
    profiles: [{ id: ${uuid(900 + index)}, name: Main }]
`,
  );
  return `workspaces:
${lines.join('')}jobs:
  daily:
    profiles: [${workspaces.map((name) => `${name}/*`).join(', ')}]
    windows: { start: ${recently}, size_days: 3660, refresh_days: 10 }
    details: false
`;
}

interface Found {
  readonly posts: number;
  readonly likes: number;
  readonly failed: number;
  readonly unproved: number;
  readonly rejected: number;
}

/** Counts what the warehouse has of each workspace. */
async function countByWorkspace(folder: string): Promise<Map<string, Found>> {
  const database = await openWarehouse(join(folder, 'data/postledger.duckdb'));
  try {
    const rows = await database.queryObjects(
      `select distinct workspace,
         (select count(*)::int from linkedin_posts as own where own.workspace = parts.workspace) as posts,
         (select sum(like_count)::double from linkedin_posts as own where own.workspace = parts.workspace) as likes,
         (select count(*)::int from extract_windows as own
           where own.workspace = parts.workspace and status = 'failed' and error <> '') as failed,
         (select count(*)::int from extract_windows as own
           where own.workspace = parts.workspace and last_day is null and part_of is null) as unproved,
         (select count(*)::int from rejected_records as own
           where own.workspace = parts.workspace and reason <> '') as rejected
       from run_parts as parts`,
    );
    return new Map(rows.map((row) => [String(row['workspace']), row as unknown as Found]));
  } finally {
    database.close();
  }
}

it('a workspace whose service answers wrongly fails or rejects on its own account, and the next run makes it good', async () => {
  const service = await startService();
  const folder = await temporaryFolder();
  await writeFiles(folder, { 'jobs.yaml': jobsFile(service.url) });
  const run = () => runCli(['run'], { cwd: folder, env: { KEY: 'plain-key' } });

  expect(await run()).toMatchObject({ code: 3 });
  const hostile = await countByWorkspace(folder);
  for (const name of Object.keys(failing))
    expect([name, hostile.get(name)]).toMatchObject([name, { posts: 0, failed: 1, rejected: 0 }]);
  for (const [name, { posts }] of Object.entries(loading))
    expect([name, hostile.get(name)]).toMatchObject([name, { posts, failed: 0, unproved: 0 }]);
  for (const [name, { posts }] of Object.entries(doubted))
    expect([name, hostile.get(name)]).toMatchObject([name, { posts, unproved: 1 }]);

  service.isHostile = false;
  const second = await run();
  expect([second.code, second.stderr]).toEqual([0, second.stderr]);
  const likes = 3 * Number(records[0]?.['likeCount']);
  for (const [name, found] of await countByWorkspace(folder))
    expect([name, found]).toMatchObject([name, { posts: 3, likes }]);
});
