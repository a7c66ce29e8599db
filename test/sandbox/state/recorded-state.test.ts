import { describe, expect, it } from 'vitest';
import { recordedContent } from '../../../src/sandbox/recorded-content.ts';
import type { RecordedWorkspace } from '../../../src/sandbox/recorded-workspace.ts';
import { approvalList, inlineComments } from '../strict-shapes.ts';
import { openContent } from './open-workspace.ts';

const profileId = '11111111-1111-4111-8111-111111111111';
const always = { from: '1900-01-01', to: '2999-12-31' };
const noon = '2026-01-15T12:00:00.000Z';
const campaign = { id: '99999999-9999-4999-8999-999999999999', name: 'Recorded campaign' };

type RecordedPost = NonNullable<RecordedWorkspace['posts']>[number];
type RecordedReading = RecordedWorkspace['generations'][number]['records'][number];

function recordedPost(number: number, fields: object): RecordedPost {
  const id = `22222222-2222-4222-8222-${String(number).padStart(12, '0')}`;
  return {
    id,
    url: `https://app.example/${id}`,
    title: `Recorded ${number}`,
    channels: ['LinkedIn', 'Mastodon'],
    createdAt: '2026-01-01T08:00:00.000Z',
    updatedAt: '2026-01-10T08:00:00.000Z',
    publishDate: '2026-01-20',
    publishAt: '2026-01-20T08:00:00.000Z',
    labels: [],
    linkedIn: { profile: { id: profileId, name: 'One', detail: 'one' }, copy: 'Text', assets: [] },
    ...fields,
  };
}

function recordOf(post: RecordedPost, fields: object = {}): RecordedReading {
  const publishedAt = '2026-01-20T08:00:00.000Z';
  const servicePost = { id: post.id, title: 'Recorded', labels: [], campaign };
  return {
    ...{ profile_id: profileId, id: `on-linkedin-${post.id}`, publishedAt },
    ...{ url: 'https://x.example', type: 'Text', servicePost },
    ...fields,
  };
}

/** The profile stands beside the record, not in it. */
function servedOf(reading: RecordedReading): object {
  return Object.fromEntries(Object.entries(reading).filter(([name]) => name !== 'profile_id'));
}

function openRecorded(posts: RecordedPost[], later: RecordedReading[] = []) {
  const content = recordedContent({
    ...{ format: 'postledger-recorded-workspace', version: 1, source: '', licence: '' },
    workspace: { slug: 'w', name: 'W', timezone: 'Asia/Tokyo' },
    profiles: [{ id: profileId, name: 'One', kind: 'page' }],
    posts,
    generations: [
      { at: '2026-01-15T00:00:00Z', records: [] },
      { at: '2026-02-01T00:00:00Z', records: later },
    ],
  });
  return openContent(content, 1, new Date(noon));
}

describe('a recorded workspace', () => {
  it('keeps a post as it was recorded until somebody intervenes', () => {
    const post = recordedPost(1, { status: 'Scheduled', colour: 'blue' });
    const { state, clock } = openRecorded([post]);
    expect(state.getPost(post.id)).toEqual(post);
    clock.moveTo(clock.inDays(100));
    expect(state.getPost(post.id)).toEqual(post);
    const now = clock.now().toISOString();
    expect(state.unschedulePost(post.id)).toEqual({
      ...post,
      status: 'Finalized',
      publishAt: null,
      updatedAt: now,
    });
  });

  it('leaves out what was recorded of a publication that is cancelled before it', () => {
    const [kept, unscheduled, deleted] = [1, 2, 3].map((number) =>
      recordedPost(number, { status: 'Scheduled' }),
    ) as [RecordedPost, RecordedPost, RecordedPost];
    const { state, clock } = openRecorded(
      [kept, unscheduled, deleted],
      [recordOf(kept), recordOf(unscheduled), recordOf(deleted)],
    );
    state.unschedulePost(unscheduled.id);
    state.deletePost(deleted.id);
    clock.moveTo(clock.inDays(30));
    const served = servedOf(recordOf(kept));
    expect(state.listAnalytics(profileId, always)).toEqual([served]);
    state.deletePost(kept.id);
    expect(state.listAnalytics(profileId, always)).toEqual([{ ...served, servicePost: null }]);
  });

  it('links records to their posts also where their ids are recorded in upper case', () => {
    const post = recordedPost(1, { id: 'abcdefab-cdef-4bcd-8bcd-abcdefabcdef', status: 'Posted' });
    const servicePost = { id: post.id.toUpperCase(), title: 'Recorded', labels: [], campaign };
    const { state, clock, events } = openRecorded([post], [recordOf(post, { servicePost })]);
    clock.moveTo(clock.inDays(30));
    const links = () => state.listAnalytics(profileId, always).map((record) => record.servicePost);
    expect(links()).toMatchObject([{ id: post.id }]);
    state.deletePost(post.id);
    expect(links()).toEqual([null]);
    expect(events).toMatchObject([{ data: { post: { campaign: { id: campaign.id } } } }]);
  });

  it('tells of a deletion what was recorded, and nothing where nothing was', () => {
    const full = recordedPost(1, { status: 'Posted' });
    const bare = { id: '33333333-3333-4333-8333-333333333333' };
    const { state, events } = openRecorded([full, bare], [recordOf(full)]);
    const workspace = { slug: 'w', name: 'W' };
    const deletedBy = { email: 'anna.lindqvist@halden-grid.example' };
    for (const { id } of [full, bare]) state.deletePost(id);
    expect(events).toMatchObject([
      {
        data: {
          post: {
            ...{ id: full.id, title: 'Recorded 1', status: 'Posted', url: full['url'] },
            channels: ['LinkedIn', 'Mastodon'],
            campaign: { ...campaign, startDate: null, endDate: null },
            ...{ labels: [], workspace, deletedBy, deletedAt: noon },
            ...{ linkedIn: full['linkedIn'], x: null },
          },
        },
      },
      {
        data: {
          post: {
            ...{ id: bare.id, title: '', status: '', url: '', channels: [], campaign: null },
            ...{ labels: [], workspace, deletedBy, deletedAt: noon, linkedIn: null, x: null },
          },
        },
      },
    ]);
  });

  it('takes a post that lacks everything through trash, approvals and comments', () => {
    const bare = { id: '33333333-3333-4333-8333-333333333333' };
    const { state } = openRecorded([bare]);
    state.trashPost(bare.id);
    expect(state.getPost(bare.id)).toEqual(bare);
    expect(state.listApprovals(bare.id)).toEqual([]);
    expect(state.listInlineComments(bare.id, {})).toEqual([]);
    expect(() => state.unschedulePost(bare.id)).toThrow('Bad Request');
  });

  it('has approvals for posts that came to a review, waiting as long as it goes on', () => {
    const post = (number: number, status: string) => recordedPost(number, { status });
    const { state, clock } = openRecorded([
      ...[post(1, 'InProgress'), post(2, 'ForReview'), post(3, 'Posted')],
    ]);
    clock.moveTo(clock.inDays(500));
    const [early, waiting, over] = [1, 2, 3].map(
      (number) =>
        approvalList.parse({ approvals: state.listApprovals(post(number, '').id) }).approvals,
    );
    expect(early).toEqual([]);
    expect(waiting?.some(({ isBlocking, status }) => isBlocking && status === 'Requested')).toBe(
      true,
    );
    const blocking = over?.filter(({ isBlocking }) => isBlocking).map(({ status }) => status);
    expect(new Set(blocking)).toEqual(new Set(['Approved']));
  });

  it('has comments on the recorded posts, on channels that the API names', () => {
    const posts = Array.from({ length: 30 }, (_, number) => recordedPost(number, {}));
    const { state } = openRecorded(posts);
    const threads = posts.flatMap(
      ({ id }) =>
        inlineComments.parse({ inlineComments: state.listInlineComments(id, {}) }).inlineComments,
    );
    expect(threads.length).toBeGreaterThan(5);
    expect(new Set(threads.map(({ channel }) => channel))).toEqual(new Set(['LinkedIn']));
    expect(new Set(threads.map((thread) => thread.highlightedText))).toEqual(new Set(['Text']));
  });

  it('serves records with a linked post of no known form as they are', () => {
    const records = ['text', 7, [], {}].map((servicePost, index) =>
      recordOf(recordedPost(index, {}), { servicePost }),
    );
    const { state, clock } = openRecorded([], records);
    clock.moveTo(clock.inDays(30));
    expect(state.listAnalytics(profileId, always).map(({ servicePost }) => servicePost)).toEqual([
      'text',
      7,
      [],
      {},
    ]);
  });

  it('has users, ideas and engagements of the seed', () => {
    const { state } = openRecorded(
      Array.from({ length: 10 }, (_, number) => recordedPost(number, { status: 'Scheduled' })),
    );
    const { users, ideas, engagements, posts } = state.examples();
    expect([users.length, ideas.length, posts.Scheduled.length]).toEqual([8, 5, 5]);
    state.removeEngagement(engagements[0]?.id ?? '');
    expect(state.examples().engagements).not.toContainEqual(engagements[0]);
  });
});
