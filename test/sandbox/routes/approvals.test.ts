import { describe, expect, it } from 'vitest';
import { runSandbox, type RunningSandbox } from '../running-sandbox.ts';
import { approvalList, askedApprovals } from '../strict-shapes.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const noon = '2026-01-15T12:00:00.000Z';

async function listApprovals({ ask }: RunningSandbox, postId: string) {
  const { status, body } = await ask(`/posts/${postId}/approvals`);
  expect(status).toBe(200);
  return approvalList.parse(body).approvals;
}

async function request({ send }: RunningSandbox, postId: string, approvals: readonly object[]) {
  const { status, body } = await send('POST', '/approvals', { postId, approvals });
  expect(status).toBe(200);
  return askedApprovals.parse(body);
}

/** A post that nobody was asked about, and the users. */
async function runWithTentativePost() {
  const running = await runSandbox();
  const { posts, users } = await running.examples();
  const [postId = ''] = posts.Tentative;
  expect(await listApprovals(running, postId)).toEqual([]);
  return { running, postId, users: users.map(({ id }) => id) };
}

function badRequest(errors: object) {
  return { status: 400, body: { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors } } };
}

describe('GET /posts/{postId}/approvals', () => {
  it('gives approvals by the status of the post: none at first, then pending, then given', async () => {
    const running = await runSandbox({
      posts: 2000,
      rateLimit: { requests: 1000, perSeconds: 60 },
    });
    const { posts } = await running.examples();
    for (const id of [...posts.Tentative, ...posts.ToDo, ...posts.InProgress]) {
      expect(await listApprovals(running, id)).toEqual([]);
    }
    for (const id of [...posts.ForReview, ...posts.Blocked]) {
      const approvals = await listApprovals(running, id);
      const waiting = approvals.filter(({ status }) => status === 'Requested');
      expect(waiting.some(({ isBlocking }) => isBlocking)).toBe(true);
    }
    const later = await Promise.all(
      [...posts.Finalized, ...posts.Scheduled, ...posts.Posted].map((id) =>
        listApprovals(running, id),
      ),
    );
    expect(later.filter((approvals) => approvals.length > 0).length).toBeGreaterThan(5);
    expect(later.filter((approvals) => approvals.length === 0).length).toBeGreaterThan(0);
    for (const { isBlocking, status } of later.flat()) {
      if (isBlocking) expect(status).toBe('Approved');
    }
  });

  it('gives a time of approval exactly with the status Approved, and never a future one', async () => {
    const running = await runSandbox();
    const { posts_with_approvals: ids } = await running.examples();
    const approvals = (await Promise.all(ids.map((id) => listApprovals(running, id)))).flat();
    expect(approvals.length).toBeGreaterThan(ids.length - 1);
    for (const { status, approvedAt, createdAt, user, requestedBy } of approvals) {
      expect(status).toBe(approvedAt === null ? 'Requested' : 'Approved');
      expect(createdAt <= noon).toBe(true);
      if (approvedAt) expect(createdAt <= approvedAt && approvedAt <= noon).toBe(true);
      expect(requestedBy.email).toBe('anna.lindqvist@halden-grid.example');
      expect(user.id).not.toBe(requestedBy.id);
    }
  });

  it('answers 404 to an unknown post and 400 to an id that is not a UUID', async () => {
    const { ask } = await runSandbox();
    expect(await ask(`/posts/${unknownId}/approvals`)).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Post not found' },
    });
    expect(await ask('/posts/42/approvals')).toEqual(badRequest({ postId: ['Invalid uuid'] }));
  });
});

describe('POST /approvals', () => {
  it('creates approvals with the given fields, and lists them afterwards', async () => {
    const { running, postId, users } = await runWithTentativePost();
    const { createdApprovals, existingApprovals } = await request(running, postId, [
      {
        userId: users[1],
        message: 'Bitte prüfen 🙏',
        dueDate: '2026-02-01T10:00:00+01:00',
        isBlocking: true,
      },
    ]);
    expect(existingApprovals).toEqual([]);
    expect(createdApprovals).toMatchObject([
      {
        status: 'Requested',
        isBlocking: true,
        message: 'Bitte prüfen 🙏',
        dueDate: '2026-02-01T09:00:00.000Z',
        approvedAt: null,
        createdAt: noon,
        user: { id: users[1], firstName: 'Tomasz', lastName: 'Bielak' },
        requestedBy: { id: users[0], firstName: 'Anna', lastName: 'Lindqvist' },
      },
    ]);
    const [listed] = await listApprovals(running, postId);
    expect(listed).toMatchObject(createdApprovals[0] ?? {});
    expect(listed?.user.email).toBe('tomasz.bielak@halden-grid.example');
  });

  it('fills in defaults: no message, three days, and not blocking', async () => {
    const { running, postId, users } = await runWithTentativePost();
    const { createdApprovals } = await request(running, postId, [{ userId: users[1] }]);
    expect(createdApprovals).toMatchObject([
      { message: '', dueDate: '2026-01-18T12:00:00.000Z', isBlocking: false },
    ]);
  });

  it('leaves existing approvals unchanged, also within one request', async () => {
    const { running, postId, users } = await runWithTentativePost();
    const [first, second] = [users[1], users[2]];
    const once = await request(running, postId, [
      { userId: first, message: 'one' },
      { userId: first?.toUpperCase(), message: 'two' },
    ]);
    expect(once.createdApprovals).toMatchObject([{ message: 'one' }]);
    expect(once.existingApprovals).toEqual([]);
    await running.control('/clock', { advance_days: 1 });
    const again = await request(running, postId, [
      { userId: first, message: 'three', isBlocking: true },
      { userId: second },
    ]);
    expect(again.existingApprovals).toEqual(once.createdApprovals);
    expect(again.createdApprovals.map(({ user }) => user.id)).toEqual([second]);
    expect(await listApprovals(running, postId)).toHaveLength(2);
  });

  it('names every field that is wrong, and creates nothing', async () => {
    const { running, postId, users } = await runWithTentativePost();
    const approvals = [
      { userId: users[1] },
      { userId: 'x', message: 7, dueDate: '2026-02-01', isBlocking: 'yes' },
      {},
    ];
    expect(await running.send('POST', '/approvals', { postId, approvals })).toEqual(
      badRequest({
        'approvals.1.userId': ['Invalid uuid'],
        'approvals.1.message': ['Invalid string'],
        'approvals.1.dueDate': ['Invalid date-time, expected ISO 8601 with an offset'],
        'approvals.1.isBlocking': ['Invalid boolean, expected true or false'],
        'approvals.2.userId': ['Invalid uuid'],
      }),
    );
    expect(await running.send('POST', '/approvals', {})).toEqual(
      badRequest({ postId: ['Invalid uuid'], approvals: ['Invalid array'] }),
    );
    expect(await listApprovals(running, postId)).toEqual([]);
  });

  it('refuses people who are not members of the workspace, and creates nothing', async () => {
    const { running, postId, users } = await runWithTentativePost();
    const approvals = [{ userId: users[1] }, { userId: unknownId }];
    expect(await running.send('POST', '/approvals', { postId, approvals })).toEqual(
      badRequest({ 'approvals.1.userId': ['This user is not a member of the workspace'] }),
    );
    expect(await listApprovals(running, postId)).toEqual([]);
  });

  it.each(['', '{', 'postId=1'])('answers 400 to a body that is not JSON: %j', async (body) => {
    const { send } = await runSandbox();
    expect(await send('POST', '/approvals', body)).toEqual(
      badRequest({ body: ['the body is not JSON'] }),
    );
  });

  it('answers 404 to a post that does not exist', async () => {
    const { send } = await runSandbox();
    expect(await send('POST', '/approvals', { postId: unknownId, approvals: [] })).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Post not found' },
    });
  });
});
