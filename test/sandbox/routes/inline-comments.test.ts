import { describe, expect, it } from 'vitest';
import { commentChannels } from '../../../src/api/schemas/vocabulary.ts';
import { runSandbox, type RunningSandbox } from '../running-sandbox.ts';
import { inlineComments, postAnswer } from '../strict-shapes.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

async function listThreads({ ask }: RunningSandbox, postId: string, query = '') {
  const { status, body } = await ask(`/posts/${postId}/inline-comments${query}`);
  expect(status).toBe(200);
  return inlineComments.parse(body).inlineComments;
}

/** All posts with threads among the newest hundred of a large workspace. */
async function readThreads() {
  const running = await runSandbox({ posts: 2000, rateLimit: { requests: 5000, perSeconds: 60 } });
  const { posts, posts_with_comments: commented, users } = await running.examples();
  const ids = [...new Set([...commented, ...Object.values(posts).flat()])];
  const found = await Promise.all(
    ids.map(async (id) => {
      const { post } = postAnswer.parse((await running.ask(`/posts/${id}`)).body);
      return { post, threads: await listThreads(running, id) };
    }),
  );
  return { running, users, found: found.filter(({ threads }) => threads.length > 0) };
}

describe('GET /posts/{postId}/inline-comments', () => {
  it('gives threads on the channels of their post, in order, by users of the workspace', async () => {
    const { users, found } = await readThreads();
    expect(found.length).toBeGreaterThan(8);
    const people = new Set(users.map(({ id }) => id));
    for (const { post, threads } of found) {
      for (const { channel, createdAt, updatedAt, replies } of threads) {
        expect(post.channels).toContain(channel);
        expect(post.createdAt <= createdAt && createdAt <= updatedAt).toBe(true);
        const times = replies.map((reply) => reply.createdAt);
        expect(times).toEqual(times.toSorted());
        expect(times[0]).toBe(createdAt);
        expect([...times, updatedAt].every((time) => time <= '2026-01-15T12:00:00.000Z')).toBe(
          true,
        );
        for (const { user, reactions } of replies) {
          expect(people.has(user.id)).toBe(true);
          expect(reactions.flatMap(({ users: by }) => by).every(({ id }) => people.has(id))).toBe(
            true,
          );
        }
      }
    }
  });

  it('has resolved and open threads, reactions, and mentions of users as the API writes them', async () => {
    const { users, found } = await readThreads();
    const threads = found.flatMap((each) => each.threads);
    expect(new Set(threads.map(({ resolved }) => resolved))).toEqual(new Set([true, false]));
    const replies = threads.flatMap((thread) => thread.replies);
    expect(replies.some(({ reactions }) => reactions.length > 0)).toBe(true);
    const names = new Map(users.map(({ id, name }) => [id, name]));
    const mentions = replies.flatMap(({ message }) => [
      ...message.matchAll(/@\[(.+?)\]\((.+?)\)/gu),
    ]);
    expect(mentions.length).toBeGreaterThan(2);
    for (const [, name, id = ''] of mentions) expect(names.get(id)).toBe(name);
    expect(replies.every(({ message }) => !message.includes('{mention}'))).toBe(true);
    const ids = [...threads, ...replies].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('filters by channel, by the resolution of a thread, and by both', async () => {
    const { running, found } = await readThreads();
    for (const { post, threads } of found.slice(0, 6)) {
      const list = (query: string) => listThreads(running, post.id, query);
      for (const channel of commentChannels) {
        expect(await list(`?channel=${channel}`)).toEqual(
          threads.filter((thread) => thread.channel === channel),
        );
      }
      for (const resolved of [true, false]) {
        const matching = threads.filter((thread) => thread.resolved === resolved);
        expect(await list(`?resolved=${resolved}`)).toEqual(matching);
        expect(await list(`?resolved=${resolved}&channel=LinkedIn`)).toEqual(
          matching.filter(({ channel }) => channel === 'LinkedIn'),
        );
      }
    }
  });

  it.each([
    [
      '?channel=linkedin',
      'channel',
      `Invalid channel, expected one of ${commentChannels.join(', ')}`,
    ],
    ['?resolved=1', 'resolved', 'Invalid boolean, expected true or false'],
    ['?resolved=', 'resolved', 'Invalid boolean, expected true or false'],
    ['?resolved=TRUE', 'resolved', 'Invalid boolean, expected true or false'],
  ])('answers 400 to %s, whether the post exists or not', async (query, field, message) => {
    const { ask } = await runSandbox();
    expect(await ask(`/posts/${unknownId}/inline-comments${query}`)).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Bad Request',
        data: { errors: { [field]: [message] } },
      },
    });
  });

  it('answers 404 to an unknown post and 400 to an id that is not a UUID', async () => {
    const { ask } = await runSandbox();
    expect(await ask(`/posts/${unknownId}/inline-comments`)).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Post not found' },
    });
    expect((await ask('/posts/42/inline-comments?resolved=x')).body).toMatchObject({
      data: { errors: { postId: ['Invalid uuid'], resolved: [expect.any(String)] } },
    });
  });
});
