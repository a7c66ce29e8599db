import { describe, expect, it } from 'vitest';
import { deletionEvent, inviteEvent, post as strictPost } from '../strict-shapes.ts';
import { listLinkedInPosts, openWorkspace, type OpenWorkspace } from './open-workspace.ts';

const noon = '2026-01-15T12:00:00.000Z';

function eventsOf({ events }: OpenWorkspace) {
  return events.map((event) => deletionEvent.parse(event));
}

/** A post that is published on LinkedIn, with its analytics. */
function publishedPost(workspace: OpenWorkspace) {
  const [id = ''] = workspace.state.examples().posts.Posted;
  const record = listLinkedInPosts(workspace).find(({ servicePost }) => servicePost?.id === id);
  if (!record) throw new Error(`the post ${id} is not on LinkedIn`);
  return { id, record };
}

function scheduledPost({ state }: OpenWorkspace): string {
  const [id = ''] = state.examples().posts.Scheduled;
  expect(strictPost.parse(state.getPost(id)).linkedIn).toBeDefined();
  return id;
}

describe('deleting a post for good', () => {
  it('sends one event with all fields of the post and the user who deleted it', () => {
    const workspace = openWorkspace();
    const { state } = workspace;
    const { id, record } = publishedPost(workspace);
    const post = strictPost.parse(state.getPost(id));
    const [owner] = state.examples().users;
    expect(state.deletePost(id)).toEqual(new Date(noon));
    const [event] = eventsOf(workspace);
    const { campaign, deletedBy, workspace: where, ...rest } = event?.data.post ?? {};
    expect(rest).toEqual({
      id,
      title: post.title,
      status: 'Posted',
      channels: post.channels,
      url: post.url,
      labels: post.labels,
      deletedAt: noon,
      linkedIn: post.linkedIn,
      x: post.x ?? null,
    });
    expect(event?.createdAt).toBe(noon);
    expect(where).toMatchObject({ slug: 'halden', name: 'Halden Grid' });
    expect({
      id: deletedBy?.id,
      name: `${deletedBy?.firstName ?? ''} ${deletedBy?.lastName ?? ''}`,
      email: deletedBy?.email,
    }).toEqual(owner);
    expect(campaign && { id: campaign.id, name: campaign.name }).toEqual(
      record.servicePost?.campaign,
    );
    expect(workspace.events).toHaveLength(1);
  });

  it('names campaigns with their dates, and content for X alone', () => {
    const workspace = openWorkspace();
    const posts = Object.values(workspace.state.examples().posts).flat();
    for (const id of posts) workspace.state.deletePost(id);
    const deleted = eventsOf(workspace).map(({ data }) => data.post);
    expect(deleted.map(({ id }) => id)).toEqual(posts);
    expect(deleted.some(({ campaign }) => campaign !== null)).toBe(true);
    expect(deleted.some(({ campaign }) => campaign === null)).toBe(true);
    expect(deleted.some(({ linkedIn, x }) => linkedIn === null && x !== null)).toBe(true);
    expect(deleted.some(({ linkedIn, x }) => linkedIn === null && x === null)).toBe(true);
  });

  it('leaves only the post on LinkedIn, without a link', () => {
    const workspace = openWorkspace();
    const { state, clock } = workspace;
    const { id, record } = publishedPost(workspace);
    const engagements = state.examples().engagements;
    state.deletePost(id);
    for (const read of [
      () => state.getPost(id),
      () => state.unschedulePost(id),
      () => state.listApprovals(id),
      () => state.createApprovals(id, []),
      () => state.listInlineComments(id, {}),
      () => state.trashPost(id),
      () => state.restorePost(id),
      () => state.deletePost(id),
    ]) {
      expect(read).toThrow('Post not found');
    }
    expect(engagements.some(({ post_id }) => post_id === id)).toBe(false);
    const find = () => listLinkedInPosts(workspace).find((each) => each.id === record.id);
    expect(find()).toEqual({ ...record, servicePost: null });
    clock.moveTo(clock.inDays(-1));
    expect(() => state.getPost(id)).toThrow('Post not found');
    clock.moveTo(clock.inDays(300));
    expect(find()).toMatchObject({ id: record.id, servicePost: null });
    expect(workspace.events).toHaveLength(1);
  });
});

describe('the trash', () => {
  it('deletes a post 30 days later, at that moment, also when the clock jumps far beyond it', () => {
    const workspace = openWorkspace();
    const { state, clock } = workspace;
    const { id } = publishedPost(workspace);
    expect(state.trashPost(id)).toEqual(new Date(noon));
    clock.moveTo(new Date('2026-02-14T11:59:59.999Z'));
    state.settle();
    expect(strictPost.parse(state.getPost(id)).status).toBe('Posted');
    expect(workspace.events).toEqual([]);
    clock.moveTo(clock.inDays(365));
    state.settle();
    state.settle();
    const [event, ...others] = eventsOf(workspace);
    expect(event).toMatchObject({
      data: {
        post: { id, status: 'archived', deletedBy: null, deletedAt: '2026-02-14T12:00:00.000Z' },
      },
      createdAt: '2026-02-14T12:00:00.000Z',
    });
    expect(others).toEqual([]);
    expect(() => state.getPost(id)).toThrow('Post not found');
    expect(state.examples()).toMatchObject({ in_trash: { posts: [] }, deleted_posts: [id] });
  });

  it('counts from the first time that a post was moved there', () => {
    const workspace = openWorkspace();
    const { state, clock } = workspace;
    const { id } = publishedPost(workspace);
    state.trashPost(id);
    clock.moveTo(clock.inDays(29));
    expect(state.trashPost(id)).toEqual(new Date(noon));
    clock.moveTo(clock.inDays(1));
    state.settle();
    expect(workspace.events).toHaveLength(1);
  });

  it('names the person who deletes a post from it', () => {
    const workspace = openWorkspace();
    const { state, clock } = workspace;
    const { id } = publishedPost(workspace);
    state.trashPost(id);
    clock.moveTo(clock.inDays(2));
    state.deletePost(id);
    clock.moveTo(clock.inDays(40));
    state.settle();
    const [event, ...others] = eventsOf(workspace);
    expect(event?.data.post).toMatchObject({
      status: 'archived',
      deletedAt: '2026-01-17T12:00:00.000Z',
      deletedBy: { email: 'anna.lindqvist@halden-grid.example' },
    });
    expect(others).toEqual([]);
  });

  it('publishes nothing: a scheduled post comes back as Finalized', () => {
    const workspace = openWorkspace();
    const { state, clock } = workspace;
    const id = scheduledPost(workspace);
    state.trashPost(id);
    clock.moveTo(clock.inDays(10));
    state.settle();
    state.restorePost(id);
    expect(strictPost.parse(state.getPost(id))).toMatchObject({
      status: 'Finalized',
      publishAt: null,
      updatedAt: noon,
    });
    expect(
      listLinkedInPosts(workspace).filter(({ servicePost }) => servicePost?.id === id),
    ).toEqual([]);
  });

  it('stops the plans of a post that is being worked on, and its approvals with them', () => {
    const workspace = openWorkspace();
    const { state, clock } = workspace;
    const [id = ''] = state.examples().posts.ForReview;
    const [post, approvals] = [state.getPost(id), state.listApprovals(id)];
    expect(approvals.some(({ status }) => status === 'Requested')).toBe(true);
    state.trashPost(id);
    clock.moveTo(clock.inDays(20));
    state.settle();
    expect(state.getPost(id)).toEqual({ ...post, updatedAt: noon });
    expect(state.listApprovals(id)).toEqual(approvals);
  });
});

describe('inviting', () => {
  it.each([
    ['someone new', 'new@people.example', undefined, true],
    [
      'a user of the workspace, in another case',
      'Tomasz.Bielak@halden-grid.example',
      undefined,
      false,
    ],
    ['someone who has an account elsewhere', 'new@people.example', true, false],
  ])('says whether an email goes out: %s', (_case, email, hasAccount, sentEmail) => {
    const { state, events } = openWorkspace();
    state.invite(email, hasAccount);
    const [event] = events.map((each) => inviteEvent.parse(each));
    expect(event).toMatchObject({
      data: {
        invite: {
          email,
          sentEmail,
          createdAt: noon,
          invitedBy: { firstName: 'Anna', lastName: 'Lindqvist' },
          workspace: { slug: 'halden' },
        },
      },
      createdAt: noon,
    });
  });
});
