import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkspaceClient } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/errors/api-error.ts';
import { OutcomeUnknownError } from '../../src/api/errors/outcome-errors.ts';
import { Secret } from '../../src/config/secret.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  cut,
  drip,
  json,
  refusal,
  reset,
  serve,
  silence,
  text,
  type Behaviour,
} from './bad-service.ts';
import { RecordingClock } from './recording-clock.ts';

const id = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const other = '0e9b6c52-7f57-4f0a-9f43-0c1f5b6f2a10';
const at = '2026-01-15T12:00:00.000Z';
const never = { signal: new AbortController().signal };

const user = { id, firstName: 'Åse', lastName: 'Berg', createdAt: at };
const approval = {
  id,
  status: 'Requested',
  isBlocking: true,
  message: 'Please',
  dueDate: at,
  approvedAt: null,
  createdAt: at,
  user,
  requestedBy: { ...user, id: other },
};
const post = {
  id,
  url: 'https://app.example.com/posts/1',
  title: 'Title',
  channels: ['LinkedIn'],
  status: 'Finalized',
  publishDate: '2026-01-20',
  publishAt: null,
  updatedAt: at,
};
const details = { ...post, createdAt: at, labels: [] };
const idea = { id, workspaceId: other, archivedAt: at };
const thread = {
  id: 'thread_1',
  resolved: false,
  channel: 'LinkedIn',
  highlightedText: 'text',
  replies: [],
  createdAt: at,
  updatedAt: at,
};

async function open(baseUrl: string, timeoutSeconds = 5) {
  const clock = new RecordingClock();
  const client = new WorkspaceClient({
    workspace: {
      key: 'acme',
      baseUrl,
      apiKey: new Secret('ACME_API_KEY', 'jobs.yaml: workspaces.acme.api_key', 'the-key'),
      timeoutSeconds,
    },
    dataDir: await temporaryFolder(),
    clock,
    random: () => 0.5,
  });
  onTestFinished(() => client.close());
  return { client, clock };
}

/** A service that answers as told, and a client of it. */
async function against(...behaviours: readonly Behaviour[]) {
  const bodies: string[] = [];
  const service = await serve(...behaviours);
  service.server.prependListener('request', (request) => {
    request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
  });
  return { ...(await open(service.baseUrl)), service, bodies };
}

async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  throw new Error(`no ApiError: ${String(error)}`);
}

type Act = (client: WorkspaceClient, stop: { signal: AbortSignal }) => Promise<unknown>;

const asked = [{ userId: id, message: 'Please', dueDate: at, isBlocking: true }];

const operations: readonly {
  name: string;
  act: Act;
  sends: string;
  body?: unknown;
  answer: unknown;
  gives: unknown;
}[] = [
  {
    name: 'getPost',
    act: (client, stop) => client.getPost(id, stop),
    sends: `GET /api/v1/posts/${id}`,
    answer: { post: { ...details, campaigns: ['new'] } },
    gives: { post: { ...details, campaigns: ['new'] } },
  },
  {
    name: 'unschedulePost',
    act: (client, stop) => client.unschedulePost(id, stop),
    sends: `POST /api/v1/posts/${id}/unschedule`,
    answer: post,
    gives: { post, isReadBack: false },
  },
  {
    name: 'listApprovals',
    act: (client, stop) => client.listApprovals(id, stop),
    sends: `GET /api/v1/posts/${id}/approvals`,
    answer: { approvals: [approval] },
    gives: { approvals: [approval] },
  },
  {
    name: 'createApprovals',
    act: (client, stop) => client.createApprovals(other, asked, stop),
    sends: 'POST /api/v1/approvals',
    body: { postId: other, approvals: asked },
    answer: { createdApprovals: [approval], existingApprovals: [] },
    gives: { createdApprovals: [approval], existingApprovals: [] },
  },
  {
    name: 'archiveIdea',
    act: (client, stop) => client.archiveIdea(id, stop),
    sends: `POST /api/v1/ideas/${id}/archive`,
    answer: idea,
    gives: { idea },
  },
  {
    name: 'deleteEngagement',
    act: (client, stop) => client.deleteEngagement(id, stop),
    sends: `DELETE /api/v1/engagements/${id}`,
    answer: { success: true },
    gives: {},
  },
  {
    name: 'listInlineComments',
    act: (client, stop) =>
      client.listInlineComments(id, { channel: 'LinkedIn', resolved: false }, stop),
    sends: `GET /api/v1/posts/${id}/inline-comments?channel=LinkedIn&resolved=false`,
    answer: { inlineComments: [thread] },
    gives: { inlineComments: [thread] },
  },
];
const changes = operations.filter(({ sends }) => !sends.startsWith('GET'));
const readings = operations.filter(({ sends }) => sends.startsWith('GET'));

describe('each operation', () => {
  it.each(operations)(
    '$name asks as the API documents and gives the typed answer',
    async (each) => {
      const { client, service, bodies } = await against(json(200, each.answer));
      const result = await each.act(client, never);
      expect(result).toMatchObject({ ...(each.gives as object), requests: 1, retries: 0 });
      expect(JSON.parse((result as { body: Buffer }).body.toString())).toEqual(each.answer);
      expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([each.sends]);
      const headers = service.requests[0]?.headers;
      expect(headers?.authorization).toBe('Bearer the-key');
      expect(headers?.['content-type']).toBe(each.body ? 'application/json' : undefined);
      expect(bodies.join('')).toBe(each.body ? JSON.stringify(each.body) : '');
    },
  );

  it.each(operations)('$name says where an answer is not of the documented form', async (each) => {
    const { client, service } = await against(json(200, { post: { labels: 'none' } }));
    const error = await failureOf(each.act(client, never));
    expect(error.message).toMatch(/the answer has another form than documented \(.+\)/);
    expect(sentChanges(service.requests)).toBe(each.sends.startsWith('GET') ? 0 : 1);
  });

  it.each(operations)('$name tells a refusal, and asks once', async (each) => {
    const { client, service } = await against(refusal(404, 'NOT_FOUND', 'Not found'));
    expect(await failureOf(each.act(client, never))).toMatchObject({
      code: 'API_NOT_FOUND',
      requests: 1,
    });
    expect(service.requests).toHaveLength(1);
  });

  it('takes any success, as the status of a creation is not documented', async () => {
    const answer = { createdApprovals: [], existingApprovals: [approval] };
    const { client } = await against(json(201, answer));
    expect(await client.createApprovals(id, asked, never)).toMatchObject(answer);
  });
});

describe('values that the API does not document', () => {
  it.each<[string, Act, Record<string, string[]>]>([
    ['an id', (client, stop) => client.getPost('1', stop), { id: ['Invalid uuid'] }],
    ['a post', (client, stop) => client.listApprovals('1', stop), { postId: ['Invalid uuid'] }],
    ['an idea', (client, stop) => client.archiveIdea('', stop), { id: ['Invalid uuid'] }],
    [
      'a time and a person',
      (client, stop) => client.createApprovals('x', [{ userId: 'y', dueDate: '2026-01-15' }], stop),
      {
        postId: ['Invalid uuid'],
        'approvals.0.userId': ['Invalid uuid'],
        'approvals.0.dueDate': ['Invalid date-time, expected ISO 8601 with an offset'],
      },
    ],
    [
      'a channel',
      (client, stop) => client.listInlineComments(id, { channel: 'Fax' as 'X' & 'Slack' }, stop),
      {
        channel: [
          'Invalid channel, expected one of LinkedIn, Twitter, Instagram, Facebook, Threads, TikTok, Discord, Slack, Webflow, YouTubeShorts',
        ],
      },
    ],
  ])('are refused before a request is spent: %s', async (_, act, fieldErrors) => {
    const { client, service } = await against(json(200, {}));
    const error = await failureOf(act(client, never));
    expect(error).toMatchObject({
      code: 'API_REQUEST_INVALID',
      exitCode: 2,
      requests: 0,
      fieldErrors,
    });
    expect(error.explain().split('\n  ')).toHaveLength(Object.keys(fieldErrors).length + 1);
    expect(service.requests).toHaveLength(0);
    expect(client.requests).toBe(0);
  });
});

describe('an id that a URL takes for a step along its path', () => {
  it.each<[string, Act]>([
    ['..', (client, stop) => client.deleteEngagement('..', stop)],
    ['.', (client, stop) => client.deleteEngagement('.', stop)],
    ['of a post', (client, stop) => client.readPost('..', stop)],
  ])('goes nowhere: %s', async (_, act) => {
    const { client, service } = await against(json(200, { success: true, post: {} }));
    const error = await failureOf(act(client, never));
    expect(error).toMatchObject({
      code: 'API_REQUEST_INVALID',
      fieldErrors: { id: ['Invalid id'] },
    });
    expect(service.requests).toHaveLength(0);
  });
});

describe('what only reads', () => {
  it.each(readings)('is tried again: $name', async (each) => {
    const { client, service } = await against(reset, cut, json(503, {}), json(200, each.answer));
    expect(await each.act(client, never)).toMatchObject({ requests: 4, retries: 3 });
    expect(service.requests).toHaveLength(4);
  });
});

const broken: readonly [string, Behaviour, string][] = [
  ['a connection that breaks', reset, 'no answer'],
  ['a cut answer', cut, 'the answer was cut short'],
  ['a problem of the service', refusal(500, 'INTERNAL_SERVER_ERROR', 'Oh no'), 'Oh no (500)'],
  ['a web page', text(200, '<html>Log in</html>'), 'the answer is not JSON'],
];

/** Counts requests that are no reading. */
function sentChanges(requests: readonly { method?: string | undefined }[]): number {
  return requests.filter(({ method }) => method !== 'GET').length;
}

/** A service whose first answer has a head, and a body that never comes to its end. */
async function withoutWords(status: number) {
  const head: Behaviour = (response) => {
    response.writeHead(status, { 'content-length': '500' }).write('{"code":');
  };
  const service = await serve(head, json(200, idea));
  return { ...(await open(service.baseUrl, 0.5)), service };
}

describe('what changes something', () => {
  it.each([301, 400, 404, 409, 500])(
    'goes out once also when the words of a %i do not come',
    async (status) => {
      const { client, service } = await withoutWords(status);
      const error = await failureOf(client.archiveIdea(id, never));
      expect(error.status).toBe(status);
      expect(error.code === 'API_OUTCOME_UNKNOWN').toBe(status === 500);
      expect(service.requests).toHaveLength(1);
    },
  );

  it('waits for the whole window when the words of a 429 do not come', async () => {
    const { client, clock, service } = await withoutWords(429);
    const startMs = clock.monotonicMs();
    expect(await client.archiveIdea(id, never)).toMatchObject({ requests: 2, idea });
    expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(60_000);
    expect(service.requests).toHaveLength(2);
  });

  for (const { name, act } of changes) {
    it.each(broken)(`goes out once, ${name}: %s`, async (_, behaviour, problem) => {
      const { client, service, clock } = await against(
        behaviour,
        refusal(404, 'NOT_FOUND', 'Gone'),
      );
      const error = await failureOf(act(client, never));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      const { length } = service.requests;
      expect(error).toMatchObject({ code: 'API_OUTCOME_UNKNOWN', exitCode: 1, requests: length });
      expect(error.message).toContain(problem);
      expect(error.message).toContain('it is unknown whether this was carried out');
      expect(sentChanges(service.requests)).toBe(1);
      expect(clock.sleptMs).toEqual([]);
    });

    it(`goes out once, ${name}: an answer that does not come in time`, async () => {
      const service = await serve(silence, refusal(404, 'NOT_FOUND', 'Gone'));
      const { client } = await open(service.baseUrl, 0.5);
      const error = await failureOf(act(client, never));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.message).toContain('no whole answer in 0.5 s');
      expect(sentChanges(service.requests)).toBe(1);
    });

    it(`waits for the limit and goes then, since a 429 changes nothing: ${name}`, async () => {
      const answer = changes.find((each) => each.name === name)?.answer;
      const limited = refusal(429, 'TOO_MANY_REQUESTS', 'Quota resets in 2 seconds');
      const { client, service } = await against(limited, json(200, answer));
      expect(await act(client, never)).toMatchObject({ requests: 2, retries: 0 });
      expect(service.requests).toHaveLength(2);
    });

    it(`says that the outcome is unknown when it is stopped: ${name}`, async () => {
      const { client, service } = await against(drip);
      const controller = new AbortController();
      service.server.on('request', () => setImmediate(() => controller.abort()));
      const stopped = act(client, { signal: controller.signal });
      const error = await failureOf(stopped);
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.message).toContain('stopped before the answer came');
      expect(service.requests).toHaveLength(1);
    });
  }

  it('is tried again when it never went out', async () => {
    const { client } = await open('http://127.0.0.1:1/api/v1');
    const error = await failureOf(client.archiveIdea(id, never));
    expect(error).toMatchObject({ code: 'API_UNREACHABLE', requests: 5, retries: 4 });
  });
});

describe('a lost answer to unscheduling', () => {
  const status = (value: string) => json(200, { post: { ...details, status: value } });

  it('is made good by the status of the post', async () => {
    const { client, service } = await against(reset, status('Finalized'));
    const result = await client.unschedulePost(id, never);
    expect(result).toMatchObject({
      isReadBack: true,
      post: { status: 'Finalized' },
      requests: 2,
      retries: 0,
    });
    expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it.each([
    ['Scheduled', 'the post is Scheduled so far; look again before you repeat it'],
    ['Posted', 'the post is Posted; look at its status'],
  ])('stays unknown, with the status, when the post is %s', async (value, message) => {
    const { client, service } = await against(reset, status(value));
    const error = await failureOf(client.unschedulePost(id, never));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain(`it is unknown whether this was carried out; ${message}`);
    expect(sentChanges(service.requests)).toBe(1);
  });

  it('is made good also where nothing but the status can be read', async () => {
    const odd = { ...details, status: 'Finalized', url: null };
    const { client } = await against(json(200, { ...post, title: 7 }), json(200, { post: odd }));
    expect(await client.unschedulePost(id, never)).toMatchObject({
      post: null,
      isReadBack: true,
      requests: 2,
    });
  });

  it('is an answer that says that the post is still scheduled, too', async () => {
    const { client } = await against(json(200, { ...post, status: 'Scheduled' }), status('Posted'));
    const error = await failureOf(client.unschedulePost(id, never));
    expect(error.message).toContain('(status: the post is not Finalized)');
    expect(error.message).toContain('the post is Posted');
  });

  it('leaves the outcome unknown when the post cannot be read', async () => {
    const { client } = await against(reset, refusal(403, 'FORBIDDEN', 'API key is expired'));
    const error = await failureOf(client.unschedulePost(id, never));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain('reading it back failed, too: API key is expired (403)');
    expect(error.message).toContain(`postledger posts get ${id} --workspace acme --json`);
    expect(error.requests).toBe(2);
  });
});

describe('a lost answer to asking for approvals', () => {
  const two = [{ userId: id }, { userId: other }];

  it.each([
    ['nobody', [], 'none of those asked has an approval of the post so far'],
    ['some', [approval], `of those asked, ${other} has no approval of the post so far`],
    [
      'everyone',
      [approval, { ...approval, user: { ...user, id: other } }],
      'everyone asked has an approval of the post now',
    ],
  ])('says who has one now: %s', async (_, approvals, message) => {
    const { client, service } = await against(cut, json(200, { approvals }));
    const error = await failureOf(client.createApprovals(id, two, never));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain(message);
    expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });
});

describe('due dates', () => {
  it('go out in UTC', async () => {
    const answer = {
      createdApprovals: [{ ...approval, user: { ...user, id: other } }],
      existingApprovals: [],
    };
    const { client, bodies } = await against(json(200, answer));
    await client.createApprovals(
      id,
      [{ userId: other, dueDate: '2026-12-01T10:00:00+01:00' }],
      never,
    );
    expect(JSON.parse(bodies.join(''))).toEqual({
      postId: id,
      approvals: [{ userId: other, dueDate: '2026-12-01T09:00:00.000Z' }],
    });
  });
});

describe('a client', () => {
  it('that is closed begins no call, and ends those under way', async () => {
    const { client, service } = await against(silence);
    const reading = client.getPost(id, never);
    const changing = client.archiveIdea(id, never);
    const ended = Promise.allSettled([reading, changing]);
    await new Promise<void>((done) => {
      service.server.on('request', () => {
        if (service.requests.length === 2) setImmediate(done);
      });
    });
    await client.close();
    const [read, changed] = await ended;
    expect(read).toMatchObject({ reason: { code: 'INTERRUPTED' } });
    expect(changed).toMatchObject({ reason: { code: 'API_OUTCOME_UNKNOWN' } });
    await expect(client.getPost(id, never)).rejects.toThrow('the client is closed');
    expect(client.requests).toBe(2);
  });

  it('is not made from options that cannot work, and says which', () => {
    const workspace = { key: '', baseUrl: 'undefined', apiKey: 'the-key', concurrency: 0 };
    expect(() => new WorkspaceClient({ workspace, dataDir: undefined } as never)).toThrow(
      /WorkspaceClient cannot be made: [^]*folder is missing[^]*dataDir[^]*key[^]*http or https URL[^]*baseUrl[^]*Secret[^]*apiKey[^]*concurrency/,
    );
  });

  it.each([
    { concurrency: undefined, rateLimit: undefined, timeoutSeconds: undefined },
    { baseUrl: 'BASE/' },
  ])('takes what is undefined for not given, and a slash at the end: %j', async (odd) => {
    const service = await serve(json(200, { success: true }));
    const apiKey = new Secret('KEY', 'here', 'the-key');
    const baseUrl = odd.baseUrl?.replace('BASE', service.baseUrl) ?? service.baseUrl;
    const workspace = { key: 'acme', apiKey, ...odd, baseUrl } as never;
    const client = new WorkspaceClient({ workspace, dataDir: await temporaryFolder() });
    onTestFinished(() => client.close());
    expect(await client.deleteEngagement(id, never)).toMatchObject({ success: true });
    expect(service.requests[0]?.url).toBe(`/api/v1/engagements/${id}`);
  });

  it.each(['http://a.example/v1?x=1', 'http://me:pw@a.example', 'ftp://a.example', 'http://a/ b'])(
    'does not take %s for an address',
    (baseUrl) => {
      const apiKey = new Secret('KEY', 'here', 'the-key');
      const workspace = { key: 'acme', baseUrl, apiKey };
      expect(() => new WorkspaceClient({ workspace, dataDir: 'data' })).toThrow('baseUrl');
    },
  );

  it('says of wrong values what they are, whatever they are', async () => {
    const { client } = await against(json(200, {}));
    const none = undefined as never;
    expect(await failureOf(client.createApprovals(id, none, never))).toMatchObject({
      fieldErrors: { approvals: ['Invalid array'] },
    });
    expect(await failureOf(client.getPost('\ud800', never))).toMatchObject({
      fieldErrors: { id: ['Invalid uuid'] },
    });
  });

  it('gives up on a service that says to wait, and only to wait', async () => {
    const limited = refusal(429, 'TOO_MANY_REQUESTS', 'Quota resets in 1 seconds');
    const { client } = await against(limited);
    const error = await failureOf(client.deleteEngagement(id, never));
    expect(error).toMatchObject({ code: 'API_TOO_MANY_REQUESTS', requests: 30 });
    expect(error.explain()).toContain('(30 requests)');
  });
});
