import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../src/api/schemas/analytics.ts';
import { errorBodySchema } from '../../src/api/schemas/error.ts';
import { postDetailsSchema } from '../../src/api/schemas/posts.ts';
import { openApiDocument } from '../../src/api/schemas/open-api.ts';
import { addDays } from '../../src/core/calendar.ts';
import { sandboxKeys, type KeyOutcome } from '../../src/sandbox/identity.ts';
import { runSandbox } from './running-sandbox.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const recordsSchema = z.array(linkedInPostAnalyticsSchema);

function bearer(key: string) {
  return { headers: { authorization: `Bearer ${key}` } };
}

function analyticsPath(profileId: string, query = ''): string {
  return `/analytics/linkedin/${profileId}/posts${query}`;
}

async function runWithFirstProfile() {
  const running = await runSandbox();
  const [profile] = running.sandbox.profiles;
  if (!profile) throw new Error('the sandbox has no profile');
  return { ...running, profile };
}

describe('authentication', () => {
  it.each<[KeyOutcome, string]>([
    ['revoked', 'API key was revoked 3 days ago'],
    ['expired', 'API key is expired'],
    ['disabled', 'Invalid or unauthorized API key'],
    ['insufficient_permissions', 'Insufficient permissions'],
    ['insufficient_credits', 'Insufficient credits'],
    ['usage_exceeded', 'Usage exceeded'],
  ])('answers 403 and the reason to the key that is %s', async (outcome, message) => {
    const { ask } = await runSandbox();
    expect(await ask(`/posts/${unknownId}`, bearer(sandboxKeys(1)[outcome]))).toEqual({
      status: 403,
      body: { code: 'FORBIDDEN', message },
    });
  });

  it.each([
    ['no header', {}],
    ['another scheme', { headers: { authorization: 'Basic c2FuZGJveDo=' } }],
    ['a scheme without a key', { headers: { authorization: 'Bearer ' } }],
  ])('answers 401 when there is no bearer token: %s', async (_name, init) => {
    const { ask } = await runSandbox();
    expect(await ask(`/posts/${unknownId}`, { headers: {}, ...init })).toEqual({
      status: 401,
      body: { code: 'UNAUTHORIZED', message: 'Missing bearer token' },
    });
  });

  it.each(['sandbox-key-2-valid', 'sandbox-key-1-', 'constructor'])(
    'answers 401 to the key %s, which does not exist',
    async (key) => {
      const { ask } = await runSandbox();
      expect(await ask(`/posts/${unknownId}`, bearer(key))).toEqual({
        status: 401,
        body: { code: 'UNAUTHORIZED', message: 'Invalid or unauthorized API key' },
      });
    },
  );

  it('says how long ago a key was revoked by its own clock', async () => {
    const { ask, control, sandbox } = await runSandbox();
    await control('/clock', { advance_days: 60 });
    const { body } = await ask(`/posts/${unknownId}`, bearer(sandbox.keys.revoked));
    expect(body).toEqual({ code: 'FORBIDDEN', message: 'API key was revoked 2 months ago' });
  });

  it('comes before validation and before the check that a path exists', async () => {
    const { ask } = await runSandbox();
    expect((await ask('/posts/no-uuid', { headers: {} })).status).toBe(401);
    expect((await ask('/no/such/path', { headers: {} })).status).toBe(401);
  });
});

describe('GET /analytics/linkedin/{profileId}/posts', () => {
  it('gives records of the shape that the API describes', async () => {
    const { ask, sandbox } = await runSandbox();
    for (const { id, kind } of sandbox.profiles) {
      if (kind === 'engagement') continue;
      const { status, body } = await ask(analyticsPath(id, '?startDate=2020-01-01'));
      expect(status).toBe(200);
      expect(recordsSchema.parse(body).length).toBeGreaterThan(0);
    }
  });

  it('gives the posts of the requested days, both included, newest first', async () => {
    const { ask, profile } = await runWithFirstProfile();
    const all = recordsSchema.parse(
      (await ask(analyticsPath(profile.id, '?startDate=2020-01-01'))).body,
    );
    const days = all.map(({ publishedAt }) => publishedAt?.slice(0, 10) ?? '');
    expect(days).toEqual(days.toSorted().reverse());
    const [last, first] = [days[2] ?? '', days[5] ?? ''];
    const { body } = await ask(analyticsPath(profile.id, `?startDate=${first}&endDate=${last}`));
    const expected = all.filter((_, index) => {
      const day = days[index] ?? '';
      return day >= first && day <= last;
    });
    expect(body).toEqual(expected);
  });

  it('covers today and the 30 days before it when no dates are given', async () => {
    const { ask, sandbox } = await runSandbox({ posts: 2000 });
    const path = analyticsPath(sandbox.profiles[0]?.id ?? '');
    const today = sandbox.describe().now.slice(0, 10);
    const from = (days: number) =>
      ask(`${path}?startDate=${addDays(today, -days)}&endDate=${today}`);
    const { body } = await ask(path);
    expect(body).toEqual((await from(30)).body);
    const others = [await from(3), await from(60)].map((answer) => answer.body);
    expect(others).not.toContainEqual(body);
  });

  it('gives an empty list for days without posts', async () => {
    const { ask, profile } = await runWithFirstProfile();
    const query = '?startDate=2010-01-01&endDate=2010-12-31';
    expect(await ask(analyticsPath(profile.id, query))).toEqual({ status: 200, body: [] });
  });

  it.each([
    ['?startDate=2026-1-5', { startDate: ['Invalid date, expected YYYY-MM-DD'] }],
    ['?endDate=2026-02-30', { endDate: ['Invalid date, expected YYYY-MM-DD'] }],
    [
      '?startDate=&endDate=yesterday',
      {
        startDate: ['Invalid date, expected YYYY-MM-DD'],
        endDate: ['Invalid date, expected YYYY-MM-DD'],
      },
    ],
    [
      '?startDate=2026-01-02&endDate=2026-01-01',
      { startDate: ['startDate 2026-01-02 is after endDate 2026-01-01'] },
    ],
    ['?endDate=2025-01-01&endDate=2025-01-02', { endDate: ['given more than once'] }],
  ])('answers 400 with the fields that are wrong: %s', async (query, errors) => {
    const { ask, profile } = await runWithFirstProfile();
    expect(await ask(analyticsPath(profile.id, query))).toEqual({
      status: 400,
      body: { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors } },
    });
  });

  it('answers 404 to a profile that the workspace does not have', async () => {
    const { ask } = await runSandbox();
    expect(await ask(analyticsPath(unknownId))).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Profile not found' },
    });
  });

  it('answers 403 to the engagement profile', async () => {
    const { ask, sandbox } = await runSandbox();
    const engagement = sandbox.profiles.find(({ kind }) => kind === 'engagement');
    expect(await ask(analyticsPath(engagement?.id ?? ''))).toEqual({
      status: 403,
      body: { code: 'FORBIDDEN', message: 'Engagement profiles cannot be used for analytics' },
    });
  });
});

describe('GET /posts/{id}', () => {
  it('gives the details of a linked post, which agree with its analytics', async () => {
    const { ask, profile } = await runWithFirstProfile();
    const { body } = await ask(analyticsPath(profile.id, '?startDate=2020-01-01'));
    const linked = recordsSchema.parse(body).filter(({ servicePost }) => servicePost);
    expect(linked.length).toBeGreaterThan(5);
    let onTime = 0;
    for (const record of linked) {
      const answer = await ask(`/posts/${record.servicePost?.id ?? ''}`);
      const { post } = z.strictObject({ post: postDetailsSchema }).parse(answer.body);
      expect(post.title).toBe(record.servicePost?.title);
      expect(post.labels.map(({ id, name }) => ({ labelId: id, name }))).toEqual(
        record.servicePost?.labels,
      );
      expect(post.linkedIn?.copy).toBe(record.commentary ?? '');
      expect(post.linkedIn?.profile.id).toBe(profile.id);
      if (post.publishAt === record.publishedAt) onTime += 1;
      expect(post.status).toBe('Posted');
    }
    expect(onTime).toBeGreaterThan(linked.length / 2);
  });

  it('answers 404 to a post that does not exist, in the error shape', async () => {
    const { ask } = await runSandbox();
    expect(await ask(`/posts/${unknownId}`)).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Post not found' },
    });
  });

  it('does not know the id of the post on LinkedIn', async () => {
    const { ask, profile } = await runWithFirstProfile();
    const { body } = await ask(analyticsPath(profile.id, '?startDate=2020-01-01'));
    const [record] = recordsSchema.parse(body);
    expect((await ask(`/posts/${record?.id ?? ''}`)).status).toBe(404);
  });
});

describe('everything else', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/profiles'],
    ['DELETE', `/posts/${unknownId}`],
    ['POST', analyticsPath(unknownId)],
  ])('answers 404 in the error shape: %s %s', async (method, path) => {
    const { ask, sandbox } = await runSandbox();
    const answer = await ask(path, { method, ...bearer(sandbox.keys.valid) });
    expect(answer).toEqual({ status: 404, body: { code: 'NOT_FOUND', message: 'Not Found' } });
    expect(errorBodySchema.safeParse(answer.body).success).toBe(true);
  });
});

it('serves the document of the API with its own address, without a key', async () => {
  const { sandbox } = await runSandbox();
  const response = await fetch(new URL('/openapi.json', sandbox.url));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(
    JSON.parse(JSON.stringify(openApiDocument({ baseUrl: sandbox.url }))),
  );
});

const tooLarge = {
  code: 'BAD_REQUEST',
  message: 'Bad Request',
  data: { errors: { body: ['the body is larger than 1048576 bytes'] } },
};

describe('a body', () => {
  it('is refused when it is too large, on every path, with or without its length', async () => {
    const { send, control, sandbox } = await runSandbox();
    const body = JSON.stringify({ postId: unknownId, approvals: [], more: 'x'.repeat(1_048_576) });
    expect(await send('POST', '/approvals', body)).toEqual({ status: 400, body: tooLarge });
    expect(await send('POST', `/posts/${unknownId}/unschedule`, body)).toEqual({
      status: 400,
      body: tooLarge,
    });
    expect(await control('/events', { type: body })).toEqual({ status: 400, body: tooLarge });
    const chunked = new Response(body).body;
    const response = await fetch(`${sandbox.url}/approvals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.keys.valid}` },
      body: chunked,
      duplex: 'half',
    });
    expect(await response.json()).toEqual(tooLarge);
  });

  it.each([undefined, 'text/plain', 'multipart/form-data', 'application/jsonp'])(
    'needs the content-type of JSON for an operation, not %s',
    async (type) => {
      const { ask, sandbox } = await runSandbox();
      const headers = new Headers({ authorization: `Bearer ${sandbox.keys.valid}` });
      if (type !== undefined) headers.set('content-type', type);
      const body = new TextEncoder().encode(JSON.stringify({ postId: unknownId, approvals: [] }));
      expect(await ask('/approvals', { method: 'POST', headers, body })).toEqual({
        status: 400,
        body: {
          code: 'BAD_REQUEST',
          message: 'Bad Request',
          data: { errors: { body: ['the content-type must be application/json'] } },
        },
      });
    },
  );
});

describe('a parameter', () => {
  it('may be given once', async () => {
    const { ask } = await runSandbox();
    const path = `/posts/${unknownId}/inline-comments?resolved=true&resolved=banana`;
    expect(await ask(path)).toMatchObject({
      status: 400,
      body: { data: { errors: { resolved: ['given more than once'] } } },
    });
  });
});

describe('the control path', () => {
  it.each([
    ['evil.example', 403],
    ['localhost', 200],
    ['[::1]:8080', 200],
  ])('answers under the name %s with %i', async (host, status) => {
    const { sandbox } = await runSandbox();
    const answer = await new Promise<[number | undefined, string]>((done, fail) => {
      get(new URL('/_sandbox', sandbox.url), { headers: { host } }, (response) => {
        text(response).then((body) => done([response.statusCode, body]), fail);
      }).on('error', fail);
    });
    expect(answer[0]).toBe(status);
    expect(answer[1].includes(sandbox.keys.valid)).toBe(status === 200);
  });
});
