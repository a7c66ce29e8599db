import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../src/api/schemas/analytics.ts';
import { errorBodySchema } from '../../src/api/schemas/error.ts';
import { postDetailsSchema } from '../../src/api/schemas/posts.ts';
import { sandboxKey, type KeyOutcome } from '../../src/sandbox/identity.ts';
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
    expect(await ask(`/posts/${unknownId}`, bearer(sandboxKey(1, outcome)))).toEqual({
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

  it('comes before validation and before the question whether a path exists', async () => {
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

  it('gives the posts of the days asked for, both included, newest first', async () => {
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
    const profileId = unknownId;
    const days = ['2025-12-15', '2025-12-16', '2026-01-14', '2026-01-15', '2026-01-16'];
    const records = days.map((id) => ({
      id,
      profile_id: profileId,
      publishedAt: `${id}T23:59:59Z`,
    }));
    const { ask } = await runSandbox({
      data: {
        ...{ format: 'postledger-recorded-workspace', version: 1, source: '', licence: '' },
        workspace: { slug: 'w', name: 'W', timezone: 'UTC' },
        profiles: [{ id: profileId, name: 'One', kind: 'page' }],
        generations: [{ at: '2026-01-15T12:00:00Z', records }],
      },
    });
    const { body } = await ask(analyticsPath(profileId));
    const ids = z
      .array(z.object({ id: z.string() }))
      .parse(body)
      .map(({ id }) => id);
    expect(ids).toEqual(['2026-01-15', '2026-01-14', '2025-12-16']);
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

  it('answers 400 to a profile id that is no UUID', async () => {
    const { ask } = await runSandbox();
    expect(await ask(analyticsPath('halden'))).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Bad Request',
        data: { errors: { profileId: ['Invalid uuid'] } },
      },
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

  it('takes a profile id in capitals', async () => {
    const { ask, profile } = await runWithFirstProfile();
    const upper = await ask(analyticsPath(profile.id.toUpperCase()));
    expect(upper).toEqual(await ask(analyticsPath(profile.id)));
  });
});

describe('GET /posts/{id}', () => {
  it('gives the details of a linked post, which agree with what analytics says of it', async () => {
    const { ask, profile } = await runWithFirstProfile();
    const { body } = await ask(analyticsPath(profile.id, '?startDate=2020-01-01'));
    const linked = recordsSchema.parse(body).filter(({ servicePost }) => servicePost);
    expect(linked.length).toBeGreaterThan(5);
    for (const record of linked) {
      const answer = await ask(`/posts/${record.servicePost?.id ?? ''}`);
      const { post } = z.strictObject({ post: postDetailsSchema }).parse(answer.body);
      expect(post.title).toBe(record.servicePost?.title);
      expect(post.labels.map(({ id, name }) => ({ labelId: id, name }))).toEqual(
        record.servicePost?.labels,
      );
      expect(post.linkedIn?.copy).toBe(record.commentary ?? '');
      expect(post.linkedIn?.profile.id).toBe(profile.id);
      expect(post.publishAt).toBe(record.publishedAt);
      expect(post.status).toBe('Posted');
    }
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

  it('answers 400 to an id that is no UUID', async () => {
    const { ask } = await runSandbox();
    const { status, body } = await ask('/posts/42');
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 'BAD_REQUEST',
      message: 'Bad Request',
      data: { errors: { id: ['Invalid uuid'] } },
    });
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

  it('answers HEAD as GET, without a body', async () => {
    const { ask, sandbox, profile } = await runWithFirstProfile();
    const init = { method: 'HEAD', ...bearer(sandbox.keys.valid) };
    expect(await ask(analyticsPath(profile.id), init)).toEqual({ status: 200, body: null });
  });
});
