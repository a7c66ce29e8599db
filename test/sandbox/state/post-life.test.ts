import { HTTPException } from 'hono/http-exception';
import { describe, expect, it } from 'vitest';
import { postStatuses } from '../../../src/api/schemas/vocabulary.ts';
import { post as strictPost } from '../strict-shapes.ts';
import {
  listLinkedInPosts,
  openWorkspace,
  stageOf,
  stages,
  type OpenWorkspace,
} from './open-workspace.ts';

function readPost({ state }: OpenWorkspace, id: string) {
  return strictPost.parse(state.getPost(id));
}

function scheduledOnLinkedIn(workspace: OpenWorkspace): string {
  const id = workspace.state
    .examples()
    .posts.Scheduled.find((each) => readPost(workspace, each).linkedIn);
  if (!id) throw new Error('no post is scheduled for LinkedIn');
  return id;
}

describe('the posts of a workspace', () => {
  it.each([0, 60, 2000])(
    'are there in every status on any day, with %d posts on LinkedIn',
    (posts) => {
      const { state, clock } = openWorkspace({ posts });
      for (let day = 0; day < 60; day += 1) {
        const examples = state.examples().posts;
        for (const status of postStatuses) {
          expect(examples[status].length, `${status} on day ${day}`).toBeGreaterThan(0);
        }
        expect(examples.Scheduled).toHaveLength(5);
        clock.moveTo(clock.inDays(day < 30 ? 0.29 : 7.13));
      }
    },
  );

  it('have the days and times that go with their status', () => {
    const workspace = openWorkspace();
    const examples = workspace.state.examples().posts;
    for (const status of postStatuses) {
      for (const id of examples[status]) {
        const { publishDate, publishAt, createdAt, updatedAt, ...post } = readPost(workspace, id);
        expect(post.status).toBe(status);
        expect(publishDate === null).toBe(status === 'Tentative');
        expect(publishAt === null).toBe(status !== 'Scheduled' && status !== 'Posted');
        if (publishAt) expect(publishAt.slice(0, 10)).toBe(publishDate);
        expect(createdAt <= updatedAt).toBe(true);
        expect(updatedAt <= workspace.state.now().toISOString()).toBe(true);
      }
    }
  });

  it('go from status to status up to their publication, and never back', () => {
    const workspace = openWorkspace();
    const { Tentative, ToDo } = workspace.state.examples().posts;
    const ids = [...Tentative, ...ToDo];
    const seen = new Map(ids.map((id) => [id, [readPost(workspace, id)]]));
    for (let step = 0; step < 32 * 8; step += 1) {
      workspace.clock.moveTo(workspace.clock.inDays(1 / 8));
      for (const id of ids) seen.get(id)?.push(readPost(workspace, id));
    }
    for (const states of seen.values()) {
      const passed = states.map(({ status }) => stageOf(status));
      expect(passed).toEqual(passed.toSorted((one, other) => one - other));
      expect(new Set(passed).size).toBe(stages.length - (passed[0] ?? 0));
      const updates = states.map(({ updatedAt }) => updatedAt);
      expect(updates).toEqual(updates.toSorted());
    }
  });

  it('appear on LinkedIn at the moment for which they are scheduled', () => {
    const workspace = openWorkspace();
    const id = scheduledOnLinkedIn(workspace);
    const publishAt = readPost(workspace, id).publishAt ?? '';
    const published = () =>
      listLinkedInPosts(workspace).filter(({ servicePost }) => servicePost?.id === id);
    workspace.clock.moveTo(new Date(Date.parse(publishAt) - 1));
    expect(published()).toEqual([]);
    expect(readPost(workspace, id).status).toBe('Scheduled');
    workspace.clock.moveTo(new Date(publishAt));
    expect(published()).toMatchObject([{ publishedAt: publishAt, impressionCount: null }]);
    expect(readPost(workspace, id)).toMatchObject({
      status: 'Posted',
      publishAt,
      updatedAt: publishAt,
    });
  });

  it('are for LinkedIn and for other channels, and show content only for X among these', () => {
    const workspace = openWorkspace();
    const ids = Object.values(workspace.state.examples().posts).flat();
    const posts = ids.map((id) => readPost(workspace, id));
    for (const { channels, linkedIn, x } of posts) {
      expect(linkedIn !== undefined).toBe(channels.includes('LinkedIn'));
      expect(x !== undefined).toBe(channels.includes('Twitter'));
    }
    expect(new Set(posts.flatMap(({ channels }) => channels)).size).toBeGreaterThan(5);
  });
});

describe('unscheduling', () => {
  it('sets the post back to Finalized at once, and keeps its day', () => {
    const workspace = openWorkspace();
    const id = scheduledOnLinkedIn(workspace);
    const before = readPost(workspace, id);
    const after = {
      ...before,
      status: 'Finalized',
      publishAt: null,
      updatedAt: '2026-01-15T12:00:00.000Z',
    };
    expect(workspace.state.unschedulePost(id)).toEqual(after);
    expect(workspace.state.getPost(id)).toEqual(after);
  });

  it('cancels the publication for good', () => {
    const workspace = openWorkspace();
    const untouched = openWorkspace();
    const id = scheduledOnLinkedIn(workspace);
    workspace.state.unschedulePost(id);
    for (const { clock } of [workspace, untouched]) clock.moveTo(clock.inDays(400));
    expect(readPost(workspace, id)).toMatchObject({ status: 'Finalized', publishAt: null });
    const others = listLinkedInPosts(untouched).filter(({ servicePost }) => servicePost?.id !== id);
    expect(others).toHaveLength(listLinkedInPosts(untouched).length - 1);
    expect(listLinkedInPosts(workspace)).toEqual(others);
  });

  it.each(postStatuses.filter((status) => status !== 'Scheduled'))(
    'is refused for a post that is %s',
    async (status) => {
      const { state } = openWorkspace();
      const [id = ''] = state.examples().posts[status];
      const before = state.getPost(id);
      await expect(refusalOf(() => state.unschedulePost(id))).resolves.toEqual({
        status: 400,
        body: {
          code: 'BAD_REQUEST',
          message: 'Bad Request',
          data: {
            errors: {
              status: [`The status is ${status}: only a Scheduled post can be unscheduled`],
            },
          },
        },
      });
      expect(state.getPost(id)).toEqual(before);
    },
  );
});

async function refusalOf(call: () => unknown): Promise<{ status: number; body: unknown }> {
  try {
    call();
  } catch (error) {
    if (error instanceof HTTPException) {
      const response = error.getResponse();
      return { status: response.status, body: await response.json() };
    }
    throw error;
  }
  throw new Error('it was not refused');
}
