/*
 * The tables of the API's specification, copied by hand: what the document has to say whatever the code
 * says. A name with `?` may be missing, `| null` is null at times, `[]` is a list, and `…` after words
 * means that there may be others.
 */

const contents = { 'linkedIn?': 'LinkedInContent | null', 'x?': 'XContent | null' };
const types =
  'Text Article Image Video Poll Celebration Job Event Document Repost QuotePost MultiImage …';
const statuses = 'Tentative ToDo InProgress ForReview Blocked Finalized Scheduled Posted';
const channels =
  'LinkedIn Twitter Instagram Facebook Threads TikTok Discord Slack Webflow YouTubeShorts';

const post = {
  id: 'uuid',
  url: 'string',
  title: 'string',
  channels: 'string[]',
  status: `${statuses} …`,
  publishDate: 'date | null',
  publishAt: 'date-time | null',
  updatedAt: 'date-time',
};
const person = { id: 'uuid', firstName: 'string', lastName: 'string' };

/** Fields of each resource ("Resources and their fields", "Events"). */
export const specifiedFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Error: { code: 'string', message: 'string', 'data?': '{ errors?: string[] of each }' },
  Post: post,
  PostDetails: { ...post, createdAt: 'date-time', labels: 'Label[]', ...contents },
  LinkedInContent: { profile: 'ProfileReference', copy: 'string', assets: 'Asset[]' },
  XContent: { profile: 'ProfileReference', tweets: '{ copy: string, assets: Asset[] }[]' },
  Label: { id: 'uuid', name: 'string', color: 'string', backgroundColor: 'string' },
  ProfileReference: { id: 'uuid', name: 'string', detail: 'string' },
  Asset: {
    id: 'uuid',
    name: 'string',
    url: 'string',
    mimetype: 'string',
    size: 'integer',
    width: 'integer',
    height: 'integer',
    duration: 'number | null',
  },
  LinkedInPostAnalytics: {
    id: 'uuid',
    url: 'uri',
    type: types,
    'commentary?': 'string | null',
    'publishedAt?': 'date-time | null',
    'likeCount?': 'integer | null',
    'commentCount?': 'integer | null',
    'shareCount?': 'integer | null',
    'clickCount?': 'integer | null',
    'saveCount?': 'integer | null',
    'sendCount?': 'integer | null',
    'impressionCount?': 'integer | null',
    'engagement?': 'number | null',
    'emv?': 'number | null',
    'videoViewCount?': 'integer | null',
    'videoViewerCount?': 'integer | null',
    'videoWatchTimeSeconds?': 'integer | null',
    'servicePost?': 'LinkedPost | null',
  },
  LinkedPost: {
    id: 'uuid',
    title: 'string',
    labels: '{ labelId: uuid, name: string }[]',
    'campaign?': '{ id: uuid, name: string } | null',
  },
  // which fields of a request for an approval are required is not shown: what is left out may be missing
  Approval: {
    id: 'uuid',
    status: 'string',
    isBlocking: 'boolean',
    'message?': 'string | null',
    'dueDate?': 'date-time | null',
    approvedAt: 'date-time | null',
    createdAt: 'date-time',
    user: 'User',
    requestedBy: 'User',
  },
  ApprovalRequest: {
    userId: 'uuid',
    'message?': 'string',
    'dueDate?': 'date-time',
    'isBlocking?': 'boolean',
  },
  User: { ...person, createdAt: 'date-time', 'email?': 'string' },
  ArchivedIdea: { id: 'uuid', workspaceId: 'uuid', archivedAt: 'date-time' },
  InlineCommentThread: {
    id: 'string',
    resolved: 'boolean',
    channel: `${channels} …`,
    highlightedText: 'string',
    replies: 'Reply[]',
    createdAt: 'date-time',
    updatedAt: 'date-time',
  },
  Reply: {
    id: 'string',
    user: 'Account',
    message: 'string',
    createdAt: 'date-time',
    reactions: '{ emoji: string, users: Account[] }[]',
  },
  Account: { ...person, email: 'string' },
  WorkspaceReference: { id: 'uuid', slug: 'string', name: 'string' },
};

/** Fields of `data.post` and of `data.invite`. */
export const specifiedEventFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PostPermanentlyDeleted: {
    id: 'uuid',
    title: 'string',
    status: `${statuses} archived …`,
    channels: 'string[]',
    'campaign?':
      '{ id: uuid, name: string, startDate?: string | null, endDate?: string | null } | null',
    url: 'string',
    labels: 'Label[]',
    workspace: 'WorkspaceReference',
    'deletedBy?': 'Account | null',
    deletedAt: 'date-time',
    ...contents,
  },
  InviteCreated: {
    id: 'uuid',
    email: 'string',
    createdAt: 'date-time',
    invitedBy: 'Account',
    workspace: 'WorkspaceReference',
    sentEmail: 'boolean',
  },
};

/** Method, path, query and statuses of each operation ("Endpoints", "Errors"). */
export const specifiedOperations: readonly string[] = [
  'GET /analytics/linkedin/{profileId}/posts ?startDate=date ?endDate=date: 200 400 401 403 404 429',
  'GET /posts/{id}: 200 400 401 403 404 429',
  'POST /posts/{id}/unschedule: 200 400 401 403 404 429',
  'GET /posts/{postId}/approvals: 200 400 401 403 404 429',
  'POST /approvals: 2XX 400 401 403 404 429',
  'POST /ideas/{id}/archive: 200 400 401 403 404 429',
  'DELETE /engagements/{id}: 200 401 403 404 429',
  `GET /posts/{postId}/inline-comments ?channel=${channels} ?resolved=boolean: 200 400 401 403 404 429`,
];

/** What is answered to every operation by the state of the key ("Authentication failures"). */
export const specifiedKeyRefusals: readonly string[] = [
  '401 UNAUTHORIZED Missing bearer token',
  '401 UNAUTHORIZED Invalid or unauthorized API key',
  '403 FORBIDDEN API key was revoked <duration> ago',
  '403 FORBIDDEN API key is expired',
  '403 FORBIDDEN Invalid or unauthorized API key',
  '403 FORBIDDEN Insufficient permissions',
  '403 FORBIDDEN Insufficient credits',
  '403 FORBIDDEN Usage exceeded',
  '429 TOO_MANY_REQUESTS Rate limit of 100 requests per 60s exceeded. Quota resets in <seconds> seconds',
];
