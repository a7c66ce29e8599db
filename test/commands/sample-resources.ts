import type { Approval } from '../../src/api/schemas/approvals.ts';
import type { InlineComment } from '../../src/api/schemas/inline-comments.ts';
import type { Asset, Label, Post, PostDetails } from '../../src/api/schemas/posts.ts';
import type { ViewPlace } from '../../src/commands/view.ts';

type Reply = InlineComment['replies'][number];

/** Clears the screen, turns the direction of text, goes back to the line's start, and beeps. */
export const hostileText = '\u001b[2J\u202eevil\r\u0007\u009b31m';

const postId = '7f8de9f6-08d8-4f51-9b0d-5f8fbd36a001';
export const userId = '7f8de9f6-08d8-4f51-9b0d-5f8fbd36a0b2';

export function place(changes: Partial<ViewPlace> = {}): ViewPlace {
  return {
    width: 80,
    hasColor: false,
    timezone: 'Europe/Berlin',
    locale: 'en-GB',
    now: new Date('2026-01-15T12:00:00Z'),
    ...changes,
  };
}

export function unscheduledPost(changes: Partial<Post> = {}): Post {
  return {
    id: postId,
    url: 'https://social.example.com/acme/posts/autumn',
    title: 'Autumn collection',
    channels: ['LinkedIn', 'Twitter'],
    status: 'Finalized',
    publishDate: '2026-01-15',
    publishAt: '2026-01-15T12:05:00.000Z',
    updatedAt: '2026-01-12T08:30:00.000Z',
    ...changes,
  };
}

export function label(name: string): Label {
  return { id: postId, name, color: '#ffffff', backgroundColor: '#0b5fa5' };
}

export function asset(changes: Partial<Asset> = {}): Asset {
  return {
    id: postId,
    name: 'autumn.mp4',
    url: 'https://cdn.example.com/autumn.mp4',
    mimetype: 'video/mp4',
    size: 12_345_678,
    width: 1920,
    height: 1080,
    duration: 65.4,
    ...changes,
  };
}

export const image = asset({
  name: 'cover.png',
  url: 'https://cdn.example.com/cover.png',
  mimetype: 'image/png',
  size: 48_200,
  width: 1200,
  height: 627,
  duration: null,
});

export const profile = { id: postId, name: 'Fjord & Pine', detail: '@fjordpine' };

export function postDetails(changes: Partial<PostDetails> = {}): PostDetails {
  return {
    ...unscheduledPost({ status: 'Scheduled' }),
    createdAt: '2026-01-02T09:00:00.000Z',
    labels: [label('Launch'), label('Autumn')],
    linkedIn: {
      profile,
      copy: 'Our autumn collection is here, and it took eleven people and two winters to make.\n\nSee it at https://example.com/autumn',
      assets: [asset(), image],
    },
    x: {
      profile,
      tweets: [
        { copy: 'It is here.', assets: [image] },
        { copy: 'Eleven people, two winters.\nThank you!', assets: [] },
      ],
    },
    ...changes,
  };
}

export function person(firstName: string, lastName: string) {
  const email = `${firstName.toLowerCase()}@example.com`;
  return { id: userId, firstName, lastName, email, createdAt: '2025-01-01T00:00:00.000Z' };
}

export function approval(changes: Partial<Approval> = {}): Approval {
  return {
    id: postId,
    status: 'Requested',
    isBlocking: true,
    message: 'Are the figures right?',
    dueDate: '2026-01-20T16:00:00.000Z',
    approvedAt: null,
    createdAt: '2026-01-10T09:00:00.000Z',
    user: person('Ada', 'Lovelace'),
    requestedBy: person('Bo', 'Ek'),
    ...changes,
  };
}

export function reply(changes: Partial<Reply> = {}): Reply {
  return {
    id: 'reply-1',
    user: person('Ada', 'Lovelace'),
    message: `Is this the right figure, @[Bo Ek](${userId})?`,
    createdAt: '2026-01-12T08:30:00.000Z',
    reactions: [],
    ...changes,
  };
}

export function thread(changes: Partial<InlineComment> = {}): InlineComment {
  return {
    id: 'thread-1',
    resolved: false,
    channel: 'LinkedIn',
    highlightedText: 'eleven people and two winters',
    replies: [reply()],
    createdAt: '2026-01-12T08:30:00.000Z',
    updatedAt: '2026-01-12T09:30:00.000Z',
    ...changes,
  };
}
