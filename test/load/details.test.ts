import { describe, expect, test } from 'vitest';
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
} from '../support/stored-run.ts';

interface Step {
  /** An answer with p1's approvals; null: 404. */
  readonly approvals?: object[] | null;
  /** An answer with the threads of comments on p1; null: 404. */
  readonly comments?: object[] | null;
  /** An answer about p1's details; null: 404. */
  readonly post?: object | null;
  /** What analytics say of the post that is linked. */
  readonly linked?: object | null;
}

/** Loads one answer a day, from 10 January 2026 on. */
async function loadDaily(config: Config, ...steps: Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const fetchedAt = new Date(`2026-01-${String(10 + index)}T06:00:00.000Z`);
    const record = recordOf({ run_id: `run-${index}`, started_at: fetchedAt.toISOString() });
    const part = await RunWriter.open(config.dataDir, record);
    if (step.post !== undefined) await storeDetails(part, 'p1', step.post, { fetchedAt });
    for (const kind of ['approvals', 'comments'] as const) {
      const records = step[kind];
      if (records !== undefined) await storeDetails(part, 'p1', records, { fetchedAt }, kind);
    }
    if (step.linked !== undefined) {
      await storeAnalytics(part, [analyticsRecord({ servicePost: step.linked })], { fetchedAt });
    }
    await part.finish(finishOf());
  }
  await load(config);
}

function linkedPost(change: object = {}): object {
  return {
    id: 'p1',
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
    id: 'p1',
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

test('details become a post with its labels and assets', async () => {
  const config = await emptyConfig();
  await loadDaily(config, { post: postDetails({ mood: 'calm' }) });
  const columns = `title, url, status, channels, publish_date, publish_at, created_at, updated_at,
    campaign_id, content, detail_fetched_at, missing_since, removed_at, extra`;
  expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([
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
  expect(
    await rowsOf(config, 'from labels select label_id, name, color, background_color'),
  ).toEqual([{ label_id: 'l2', name: 'two', color: '#111111', background_color: '#eeeeee' }]);
  expect(
    await rowsOf(
      config,
      'select asset_id, channel, size, width, duration from assets order by all',
    ),
  ).toEqual([
    { asset_id: 'm1', channel: 'LinkedIn', size: 10, width: 3, duration: null },
    { asset_id: 'm1', channel: 'Twitter', size: 10, width: 3, duration: null },
    { asset_id: 'm2', channel: 'Twitter', size: 10, width: 3, duration: 1.5 },
  ]);
});

describe('title and labels', () => {
  test('come from whichever answer was last, and details leave the campaign alone', async () => {
    const config = await emptyConfig();
    await loadDaily(
      config,
      { linked: linkedPost({ campaign: { id: 'c1', name: 'C' } }) },
      { post: postDetails() },
    );
    const sql = 'select title, labels, campaign, status from post_performance';
    expect(await rowsOf(config, sql)).toEqual([
      { title: 'Detailed', labels: ['two'], campaign: 'C', status: 'Posted' },
    ]);
  });

  test('of later analytics replace those of the details, whose colours stay known', async () => {
    const config = await emptyConfig();
    await loadDaily(
      config,
      { post: postDetails() },
      { linked: linkedPost({ labels: [{ labelId: 'l2', name: 'renamed' }] }) },
    );
    expect(await rowsOf(config, 'select title, labels, status from post_performance')).toEqual([
      { title: 'Linked', labels: ['renamed'], status: 'Posted' },
    ]);
    expect(await rowsOf(config, 'select name, color from labels')).toEqual([
      { name: 'renamed', color: '#111111' },
    ]);
  });
});

test('assets are replaced with each reading of the details', async () => {
  const config = await emptyConfig();
  await loadDaily(
    config,
    { post: postDetails() },
    { post: postDetails({ x: null, linkedIn: { copy: 'new', assets: [{ ...image, id: 'm3' }] } }) },
  );
  expect(await rowsOf(config, 'select asset_id from assets')).toEqual([{ asset_id: 'm3' }]);
});

describe('a post that is not found', () => {
  test('is missing since the first 404 of the current run of them, and keeps what was known', async () => {
    const config = await emptyConfig();
    const missing = { post: null };
    await loadDaily(
      config,
      { linked: linkedPost() },
      missing,
      { post: postDetails() },
      missing,
      missing,
    );
    expect(
      await rowsOf(config, 'select title, missing_since, detail_fetched_at, removed_at from posts'),
    ).toEqual([
      {
        title: 'Detailed',
        missing_since: '2026-01-13T06:00:00.000Z',
        detail_fetched_at: '2026-01-14T06:00:00.000Z',
        removed_at: null,
      },
    ]);
    expect(await rowsOf(config, 'select is_removed from post_performance')).toEqual([
      { is_removed: false },
    ]);
  });

  test('and is found again is missing no more', async () => {
    const config = await emptyConfig();
    await loadDaily(config, { post: null }, { post: postDetails() });
    expect(await rowsOf(config, 'select missing_since from posts')).toEqual([
      { missing_since: null },
    ]);
  });
});

test('details that do not fit are rejected', async () => {
  const config = await emptyConfig();
  const misfits: Record<string, object> = {
    'post.id: expected p1, got p2': { id: 'p2' },
    'post.publishAt: expected an ISO 8601 time, got "soon"': { publishAt: 'soon' },
    'post.publishDate: expected a date, YYYY-MM-DD, got "2026-02-30"': {
      publishDate: '2026-02-30',
    },
    'post.title: expected text, got 5': { title: 5 },
  };
  const posts = Object.values(misfits).map(postDetails);
  await loadDaily(config, ...posts.map((post) => ({ post })));
  const sql = 'select source, reason, payload from rejected_records order by reason';
  expect(await rowsOf(config, sql)).toEqual(
    Object.keys(misfits).map((reason, index) => {
      const payload = JSON.stringify({ post: posts[index] });
      return { source: 'acme GET /posts/{id}', reason, payload };
    }),
  );
  expect(await rowsOf(config, 'from posts')).toEqual([]);
});

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

describe('approvals and inline comments', () => {
  test('become rows with every field', async () => {
    const config = await emptyConfig();
    await loadDaily(config, { approvals: [approval({ mood: 1 })], comments: [thread()] });
    expect(await rowsOf(config, 'from approvals')).toEqual([
      {
        workspace: 'acme',
        post_id: 'p1',
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
        'select * replace (replies::json::varchar as replies) from inline_comments',
      ),
    ).toEqual([
      {
        workspace: 'acme',
        post_id: 'p1',
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
    const config = await emptyConfig();
    const given = { status: 'Approved', approvedAt: '2026-01-06T08:00:00Z' };
    await loadDaily(
      config,
      { approvals: [approval(), approval({ id: 'a2' })], comments: [thread()] },
      { approvals: [approval({ id: 'a3' }), approval(), approval(given)] },
      { approvals: null, comments: [] },
      { comments: null },
    );
    const sql = 'select approval_id, status from approvals order by all';
    expect(await rowsOf(config, sql)).toEqual([
      { approval_id: 'a1', status: 'Approved' },
      { approval_id: 'a3', status: 'Requested' },
    ]);
    expect(await rowsOf(config, 'from inline_comments')).toEqual([]);
    expect(
      await rowsOf(
        config,
        'select source, kind, count(*) as n from review_readings group by all order by all',
      ),
    ).toEqual([
      { source: 'approvals', kind: 'found', n: 2 },
      { source: 'approvals', kind: 'missing', n: 1 },
      { source: 'comments', kind: 'found', n: 2 },
      { source: 'comments', kind: 'missing', n: 1 },
    ]);
    const { posts } = await historyOf(config);
    expect(posts.get('acme')).toEqual([]);
  });

  test('load without the records that do not fit', async () => {
    const config = await emptyConfig();
    const misfit = approval({ id: 'a2', isBlocking: 'yes' });
    const untimely = thread({ createdAt: 'soon' });
    await loadDaily(config, { approvals: [misfit, approval()], comments: [untimely] });
    expect(await rowsOf(config, 'select approval_id from approvals')).toEqual([
      { approval_id: 'a1' },
    ]);
    expect(
      await rowsOf(config, 'select source, reason, payload from rejected_records order by source'),
    ).toEqual([
      {
        source: 'acme GET /posts/{postId}/approvals',
        reason: 'isBlocking: expected true or false, got "yes"',
        payload: JSON.stringify(misfit),
      },
      {
        source: 'acme GET /posts/{postId}/inline-comments',
        reason: 'createdAt: expected an ISO 8601 time, got "soon"',
        payload: JSON.stringify(untimely),
      },
    ]);
  });
});

describe('what a plan is told of a post', () => {
  test('the time of the last answer of each kind, 404 included', async () => {
    const post = await knownPost({ linked: linkedPost() }, { approvals: [] }, { comments: null });
    expect(post).toMatchObject({
      fetchedAt: {
        post: null,
        approvals: new Date('2026-01-11T06:00:00.000Z'),
        comments: new Date('2026-01-12T06:00:00Z'),
      },
    });
  });

  async function knownPost(...steps: Step[]): Promise<object | undefined> {
    const config = await emptyConfig();
    await loadDaily(config, ...steps);
    const { posts } = await historyOf(config);
    return posts.get('acme')?.[0];
  }

  const known = {
    workspace: 'acme',
    postId: 'p1',
    publishedAt: new Date('2026-01-10T08:30:00.000Z'),
    isRemoved: false,
    profileIds: [profileId],
  };
  const fetchedAt = {
    post: new Date('2026-01-11T06:00:00.000Z'),
    approvals: null,
    comments: null,
  };

  test('details that were never asked for', async () => {
    expect(await knownPost({ linked: linkedPost() })).toEqual({
      ...known,
      fetchedAt: { post: null, approvals: null, comments: null },
      hasChanged: false,
    });
  });

  test('nothing has changed when analytics say what they said when the details were asked for', async () => {
    expect(
      await knownPost({ linked: linkedPost() }, { post: postDetails() }, { linked: linkedPost() }),
    ).toEqual({ ...known, fetchedAt, hasChanged: false });
  });

  test.each([
    ['title', { title: 'New' }],
    ['labels', { labels: [] }],
    ['campaign', { campaign: { id: 'c', name: 'C' } }],
  ])('another %s in the analytics since', async (_what, change) => {
    expect(
      await knownPost({ linked: linkedPost() }, { post: null }, { linked: linkedPost(change) }),
    ).toEqual({ ...known, fetchedAt, hasChanged: true });
  });
});
