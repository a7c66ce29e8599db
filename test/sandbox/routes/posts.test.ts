import { describe, expect, it } from 'vitest';
import { runSandbox } from '../running-sandbox.ts';
import { postAnswer, unscheduledPost } from '../strict-shapes.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

describe('GET /posts/{id}', () => {
  it('gives posts of every status, with every field and no other', async () => {
    const running = await runSandbox();
    const { posts } = await running.examples();
    for (const [status, ids] of Object.entries(posts)) {
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) {
        const { status: httpStatus, body } = await running.ask(`/posts/${id}`);
        expect(httpStatus).toBe(200);
        expect(postAnswer.parse(body).post).toMatchObject({ id, status });
      }
    }
  });
});

describe('POST /posts/{id}/unschedule', () => {
  it('answers the post without its content, and changes it', async () => {
    const running = await runSandbox();
    const [id = ''] = (await running.examples()).posts.Scheduled;
    const before = postAnswer.parse((await running.ask(`/posts/${id}`)).body).post;
    const { status, body } = await running.send('POST', `/posts/${id}/unschedule`);
    expect(status).toBe(200);
    expect(unscheduledPost.parse(body)).toEqual({
      id,
      url: before.url,
      title: before.title,
      channels: before.channels,
      status: 'Finalized',
      publishDate: before.publishDate,
      publishAt: null,
      updatedAt: '2026-01-15T12:00:00.000Z',
    });
    const after = postAnswer.parse((await running.ask(`/posts/${id}`)).body).post;
    expect(after).toEqual({ ...before, ...(body as object) });
    await running.control('/clock', { advance_days: 30 });
    const later = postAnswer.parse((await running.ask(`/posts/${id}`)).body).post;
    expect(later).toEqual(after);
  });

  it('answers 400 the second time', async () => {
    const running = await runSandbox();
    const [id = ''] = (await running.examples()).posts.Scheduled;
    await running.send('POST', `/posts/${id}/unschedule`);
    expect(await running.send('POST', `/posts/${id}/unschedule`)).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Bad Request',
        data: {
          errors: {
            status: ['The status is Finalized: only a Scheduled post can be unscheduled'],
          },
        },
      },
    });
  });

  it('answers 404 to a post that does not exist, and 400 to an id that is not a UUID', async () => {
    const running = await runSandbox();
    expect(await running.send('POST', `/posts/${unknownId}/unschedule`)).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Post not found' },
    });
    expect(await running.send('POST', '/posts/42/unschedule')).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Bad Request',
        data: { errors: { id: ['Invalid uuid'] } },
      },
    });
  });
});
