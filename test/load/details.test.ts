import { beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import {
  analyticsRecord,
  finishOf,
  storeAnalytics,
  storeDetails,
  load,
  recordOf,
  rowsOf,
  profileId,
  historyOf,
  emptyConfig,
  type FileConfig,
  valuesOf,
} from '../support/stored-run.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

interface Step {
  /** An answer with the post's approvals; null: 404. */
  readonly approvals?: object[] | null;
  /** An answer with the threads of comments on it; null: 404. */
  readonly comments?: object[] | null;
  /** An answer about its details; null: 404. */
  readonly post?: object | null;
  /** What analytics say of the post that is linked. */
  readonly linked?: object;
}

/** Loads what is answered about posts by id, an answer of each a day, from 10 January 2026 on. */
async function loadDaily(config: Config, stories: Record<string, readonly Step[]>): Promise<void> {
  for (const [id, steps] of Object.entries(stories)) {
    for (const [index, step] of steps.entries()) {
      const fetchedAt = new Date(`2026-01-${String(10 + index)}T06:00:00.000Z`);
      const run = { run_id: `run-${index}-${id}`, started_at: fetchedAt.toISOString() };
      const part = await RunWriter.open(config.dataDir, recordOf(run));
      const { post, linked } = step;
      if (post !== undefined) await storeDetails(part, id, post && { id, ...post }, { fetchedAt });
      for (const kind of ['approvals', 'comments'] as const) {
        const records = step[kind];
        if (records !== undefined) await storeDetails(part, id, records, { fetchedAt }, kind);
      }
      if (linked) {
        const record = analyticsRecord({ id: `of-${id}`, servicePost: { id, ...linked } });
        await storeAnalytics(part, [record], { fetchedAt });
      }
      await part.finish(finishOf());
    }
  }
  await load(config);
}

function linkedPost(change: object = {}): object {
  return {
    title: 'Linked',
    labels: [{ labelId: 'l1', name: 'one' }],
    campaign: null,
    ...change,
  };
}

const image = {
  id: 'm1',
  name: 'a.png',
  url: 'https://x/a.png',
  mimetype: 'image/png',
  size: 10,
  width: 3,
  height: 2,
  duration: null,
};

function postDetails(change: object = {}): object {
  return {
    url: 'https://app/p1',
    title: 'Detailed',
    channels: ['LinkedIn', 'Twitter'],
    status: 'Posted',
    publishDate: '2026-01-09',
    publishAt: '2026-01-09T08:00:00.000Z',
    createdAt: '2026-01-01T08:00:00+01:00',
    updatedAt: '2026-01-08T08:00:00.123Z',
    labels: [{ id: 'l2', name: 'two', color: '#111111', backgroundColor: '#eeeeee' }],
    linkedIn: { profile: { id: 'x', name: 'n', detail: 'd' }, copy: 'Hello', assets: [image] },
    x: { tweets: [{ copy: 'Hi', assets: [{ ...image, id: 'm2', duration: 1.5 }, image] }] },
    ...change,
  };
}

const anna = {
  id: 'u1',
  firstName: 'Anna',
  lastName: 'Lind',
  email: 'a@x',
  createdAt: '2020-01-01T00:00:00Z',
};
const odd = { ...anna, id: 'u2', firstName: ' ', lastName: '' };

function approval(change: object = {}): object {
  return {
    id: 'a1',
    status: 'Requested',
    isBlocking: true,
    message: 'Please',
    dueDate: '2026-01-08T08:00+01:00',
    approvedAt: null,
    createdAt: '2026-01-05T08:00:00.000Z',
    user: anna,
    requestedBy: odd,
    ...change,
  };
}

function thread(change: object = {}): object {
  return {
    id: 't1',
    resolved: false,
    channel: 'LinkedIn',
    highlightedText: 'cable',
    createdAt: '2026-01-05T08:00:00.000Z',
    updatedAt: '2026-01-05T09:00:00Z',
    replies: [
      {
        id: 'r1',
        user: anna,
        message: 'Which? @[Odd](u2)',
        createdAt: '2026-01-05T08:00:00.000Z',
        reactions: [{ emoji: '👍', users: [anna, odd] }],
      },
      { id: 'r2', user: null, message: null, createdAt: null, reactions: [] },
    ],
    ...change,
  };
}

const misfits: Record<string, object> = {
  'post.id: expected misfit, got p2': { id: 'p2' },
  'post.publishAt: expected an ISO 8601 time, got "soon"': { publishAt: 'soon' },
  'post.publishDate: expected a date, YYYY-MM-DD, got "2026-02-30"': { publishDate: '2026-02-30' },
  'post.title: expected text, got 5': { title: 5 },
};
const misfitPosts = Object.values(misfits).map((change) => ({
  id: 'misfit',
  ...postDetails(change),
}));
const misfitApproval = approval({ id: 'a2', isBlocking: 'yes' });
const misfitThread = thread({ createdAt: 'soon' });
const given = { status: 'Approved', approvedAt: '2026-01-06T08:00:00Z' };

/** Posts of one warehouse, by what is told of them. */
const missing = { post: null };
const colours = { color: '#222222', backgroundColor: '#dddddd' };
const stories = {
  whole: [{ post: postDetails({ mood: 'calm' }) }],
  misfit: misfitPosts.map((post) => ({ post })),
  asked: [{ approvals: [approval({ mood: 1 })], comments: [thread()] }],
  'asked again': [
    { approvals: [approval(), approval({ id: 'a2' })], comments: [thread()] },
    { approvals: [approval({ id: 'a3' }), approval(), approval(given)] },
    { approvals: null, comments: [] },
    { comments: null },
  ],
  'asked badly': [{ approvals: [misfitApproval, approval()], comments: [misfitThread] }],
  detailed: [
    { linked: linkedPost({ campaign: { id: 'c1', name: 'C' } }) },
    { post: postDetails() },
  ],
  renamed: [
    { post: postDetails({ labels: [{ id: 'l3', name: 'three', ...colours }] }) },
    { linked: linkedPost({ labels: [{ labelId: 'l3', name: 'renamed' }] }) },
  ],
  illustrated: [
    { post: postDetails() },
    { post: postDetails({ x: null, linkedIn: { copy: 'new', assets: [{ ...image, id: 'm3' }] } }) },
  ],
  lost: [{ linked: linkedPost() }, missing, { post: postDetails() }, missing, missing],
  found: [missing, { post: postDetails() }],
  reviewed: [{ linked: linkedPost() }, { approvals: [] }, { comments: null }],
  unasked: [{ linked: linkedPost() }],
  same: [{ linked: linkedPost() }, { post: postDetails() }, { linked: linkedPost() }],
  ...Object.fromEntries(
    Object.entries({
      title: { title: 'New' },
      labels: { labels: [] },
      campaign: { campaign: { id: 'c', name: 'C' } },
    }).map(([what, change]): [string, Step[]] => [
      what,
      [{ linked: linkedPost() }, missing, { linked: linkedPost(change) }],
    ]),
  ),
};

const folder = sharedFolder();
let config: FileConfig;
let known: ReadonlyMap<string, object>;

beforeAll(async () => {
  config = await emptyConfig({}, await folder());
  await loadDaily(config, stories);
  const { posts } = await historyOf(config);
  known = new Map(posts.get('acme')?.map((post) => [post.postId, post]));
});

test('details become a post with its labels and assets', async () => {
  const columns = `title, url, status, channels, publish_date, publish_at, created_at, updated_at,
    campaign_id, content, detail_fetched_at, missing_since, removed_at, extra`;
  expect(await rowsOf(config, `select ${columns} from posts where post_id = 'whole'`)).toEqual([
    {
      title: 'Detailed',
      url: 'https://app/p1',
      status: 'Posted',
      channels: ['LinkedIn', 'Twitter'],
      publish_date: '2026-01-09',
      publish_at: '2026-01-09T08:00:00.000Z',
      created_at: '2026-01-01T07:00:00.000Z',
      updated_at: '2026-01-08T08:00:00.123Z',
      campaign_id: null,
      content: JSON.stringify({
        linkedIn: { profile: { id: 'x', name: 'n', detail: 'd' }, copy: 'Hello', assets: [image] },
        x: { tweets: [{ copy: 'Hi', assets: [{ ...image, id: 'm2', duration: 1.5 }, image] }] },
      }),
      detail_fetched_at: '2026-01-10T06:00:00.000Z',
      missing_since: null,
      removed_at: null,
      extra: '{"mood":"calm"}',
    },
  ]);
  const labels = `select label_id, name, color, background_color
    from labels join post_labels using (label_id) where post_id = 'whole'`;
  expect(await valuesOf(config, labels)).toEqual([['l2', 'two', '#111111', '#eeeeee']]);
  const assets = `select asset_id, channel, size, width, duration from assets
    where post_id = 'whole' order by all`;
  expect(await valuesOf(config, assets)).toEqual([
    ['m1', 'LinkedIn', 10, 3, null],
    ['m1', 'Twitter', 10, 3, null],
    ['m2', 'Twitter', 10, 3, 1.5],
  ]);
});

test('details that do not fit are rejected', async () => {
  const sql = `select source, reason, payload from rejected_records
    where source = 'acme GET /posts/{id}' order by reason`;
  expect(await rowsOf(config, sql)).toEqual(
    Object.keys(misfits).map((reason, index) => {
      const payload = JSON.stringify({ post: misfitPosts[index] });
      return { source: 'acme GET /posts/{id}', reason, payload };
    }),
  );
  expect(await rowsOf(config, "from posts where post_id = 'misfit'")).toEqual([]);
});

describe('of several answers about a post', () => {
  test.each<[string, keyof typeof stories, string, unknown[][]]>([
    [
      'title and labels come from the last one, and details leave the campaign alone',
      'detailed',
      'select title, labels, campaign, status from post_performance',
      [['Detailed', ['two'], 'C', 'Posted']],
    ],
    [
      'title and labels of later analytics replace those of the details',
      'renamed',
      'select title, labels, status from post_performance',
      [['Linked', ['renamed'], 'Posted']],
    ],
    [
      'whose labels keep their colours',
      'renamed',
      'select name, color from labels join post_labels using (label_id)',
      [['renamed', '#222222']],
    ],
    ['the last has all assets', 'illustrated', 'select asset_id from assets', [['m3']]],
    [
      'a post is missing since the first 404 of those without another answer since, and keeps what was known',
      'lost',
      'select title, missing_since, detail_fetched_at, removed_at from posts',
      [['Detailed', '2026-01-13T06:00:00.000Z', '2026-01-14T06:00:00.000Z', null]],
    ],
    ['and is not removed', 'lost', 'select is_removed from post_performance', [[false]]],
    [
      'a post that is found again is missing no more',
      'found',
      'select missing_since from posts',
      [[null]],
    ],
  ])('%s', async (_, id, sql, expected) => {
    expect(await valuesOf(config, `${sql} where post_id = '${id}'`)).toEqual(expected);
  });

  const at = (day: number) => new Date(`2026-01-${day}T06:00:00.000Z`);
  const none = { post: null, approvals: null, comments: null };
  test.each([
    ['the time of the last answer of each kind, 404 included', 'reviewed', false],
    ['details that were never asked for', 'unasked', false],
    ['nothing has changed when analytics say what they said before the details', 'same', false],
    ['another title in the analytics since', 'title', true],
    ['other labels in the analytics since', 'labels', true],
    ['another campaign in the analytics since', 'campaign', true],
  ])('a plan is told: %s', (_, postId, hasChanged) => {
    const fetchedAt =
      postId === 'reviewed'
        ? { ...none, approvals: at(11), comments: at(12) }
        : { ...none, post: postId === 'unasked' ? null : at(11) };
    expect(known.get(postId)).toEqual({
      workspace: 'acme',
      postId,
      publishedAt: new Date('2026-01-10T08:30:00.000Z'),
      isRemoved: false,
      profileIds: [profileId],
      fetchedAt,
      hasChanged,
    });
  });
});

test('a known label takes the colours, and a known campaign the dates, that come later', async () => {
  const config = await emptyConfig();
  const campaign = { id: 'c1', name: 'C' };
  const first = { id: 'l1', name: 'one', color: '#111111', backgroundColor: '#eeeeee' };
  const second = { ...first, id: 'l2' };
  const labelled = (...labels: object[]) => ({ post: postDetails({ labels }) });
  await loadDaily(config, {
    p1: [{ linked: linkedPost({ campaign }) }, labelled(first, second)],
  });
  await storeEvents(config, [
    deletionEvent({ campaign: { ...campaign, startDate: '2026-01-01', endDate: '2026-03-31' } }),
  ]);
  const { color, backgroundColor } = colours;
  await loadDaily(config, {
    p2: [{}, {}, labelled({ ...first, color }, { ...second, backgroundColor })],
  });
  const labels = `select color, background_color from labels where label_id < 'l3' order by label_id`;
  expect(await valuesOf(config, labels)).toEqual([
    ['#222222', '#eeeeee'],
    ['#111111', '#dddddd'],
  ]);
  const days = 'select name, start_date, end_date from campaigns';
  expect(await valuesOf(config, days)).toEqual([['C', '2026-01-01', '2026-03-31']]);
});

describe('approvals and inline comments', () => {
  test('become rows with every field', async () => {
    expect(await rowsOf(config, "from approvals where post_id = 'asked'")).toEqual([
      {
        workspace: 'acme',
        post_id: 'asked',
        approval_id: 'a1',
        status: 'Requested',
        is_blocking: true,
        message: 'Please',
        due_date: '2026-01-08T07:00:00.000Z',
        approved_at: null,
        created_at: '2026-01-05T08:00:00.000Z',
        user_id: 'u1',
        user_name: 'Anna Lind',
        requested_by_id: 'u2',
        requested_by_name: 'a@x',
        extra: '{"mood":1}',
        fetched_at: '2026-01-10T06:00:00.000Z',
      },
    ]);
    expect(
      await rowsOf(
        config,
        `select * replace (replies::json::varchar as replies) from inline_comments
         where post_id = 'asked'`,
      ),
    ).toEqual([
      {
        workspace: 'acme',
        post_id: 'asked',
        thread_id: 't1',
        resolved: false,
        channel: 'LinkedIn',
        highlighted_text: 'cable',
        created_at: '2026-01-05T08:00:00.000Z',
        updated_at: '2026-01-05T09:00:00.000Z',
        replies: JSON.stringify([
          {
            reply_id: 'r1',
            user_id: 'u1',
            user_name: 'Anna Lind',
            message: 'Which? @[Odd](u2)',
            created_at: '2026-01-05 08:00:00+00',
            reactions: [{ emoji: '👍', users: 2 }],
          },
          {
            reply_id: 'r2',
            user_id: null,
            user_name: null,
            message: null,
            created_at: null,
            reactions: [],
          },
        ]),
        extra: null,
        fetched_at: '2026-01-10T06:00:00.001Z',
      },
    ]);
  });

  test('are those of the last answer that was found, also when a 404 comes later', async () => {
    const again = "where post_id = 'asked again'";
    const sql = `select approval_id, status from approvals ${again} order by all`;
    expect(await valuesOf(config, sql)).toEqual([
      ['a1', 'Approved'],
      ['a3', 'Requested'],
    ]);
    expect(await rowsOf(config, `from inline_comments ${again}`)).toEqual([]);
    const read = `select source, kind, count(*) from review_readings ${again}
      group by all order by all`;
    expect(await valuesOf(config, read)).toEqual([
      ['approvals', 'found', 2],
      ['approvals', 'missing', 1],
      ['comments', 'found', 2],
      ['comments', 'missing', 1],
    ]);
    expect(known.has('asked again')).toBe(false);
  });

  test('load without the records that do not fit', async () => {
    const approvals = "select approval_id from approvals where post_id = 'asked badly'";
    expect(await valuesOf(config, approvals)).toEqual([['a1']]);
    const sql = `select source, reason, payload from rejected_records
      where source like '%{postId}%' order by source`;
    expect(await valuesOf(config, sql)).toEqual([
      [
        'acme GET /posts/{postId}/approvals',
        'isBlocking: expected true or false, got "yes"',
        JSON.stringify(misfitApproval),
      ],
      [
        'acme GET /posts/{postId}/inline-comments',
        'createdAt: expected an ISO 8601 time, got "soon"',
        JSON.stringify(misfitThread),
      ],
    ]);
  });
});
