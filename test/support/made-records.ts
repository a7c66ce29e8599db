export type JsonObject = Record<string, unknown>;

/** `00000000-0000-4000-8000-0000000000NN`: ids that a reader can tell apart. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** An analytics record as the API gives it, of a post of `day`. */
export function analyticsRecord(number: number, day: string, fields: JsonObject = {}): JsonObject {
  return {
    id: uuid(number),
    url: `https://www.linkedin.com/feed/update/urn:li:share:${typeof fields['id'] === 'string' ? fields['id'] : number}`,
    commentary: `Post ${number}`,
    type: 'Text',
    publishedAt: `${day}T09:00:00.000Z`,
    likeCount: 10,
    commentCount: 2,
    shareCount: 1,
    clickCount: 5,
    saveCount: null,
    sendCount: null,
    impressionCount: 1000,
    engagement: 0.018,
    emv: 30,
    videoViewCount: null,
    videoViewerCount: null,
    videoWatchTimeSeconds: null,
    servicePost: null,
    ...fields,
  };
}

/** Post details as the API gives them. */
export function postDetails(number: number, fields: JsonObject = {}): JsonObject {
  return {
    id: uuid(number),
    url: `https://social.example.com/posts/${number}`,
    title: `Title ${number}`,
    channels: ['LinkedIn'],
    status: 'Posted',
    publishDate: '2026-01-05',
    publishAt: '2026-01-05T09:00:00.000Z',
    updatedAt: '2026-01-05T09:01:00.000Z',
    createdAt: '2026-01-01T08:00:00.000Z',
    labels: [],
    linkedIn: {
      profile: { id: uuid(900), name: 'Acme', detail: 'acme' },
      copy: `Post ${number}`,
      assets: [],
    },
    ...fields,
  };
}
