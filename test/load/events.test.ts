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
  emptyConfig,
} from '../support/stored-run.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';

/** Loads what analytics and details say of p1, or of these posts, on the 15th of January. */
async function loadPost(
  config: Config,
  post: object = {},
  { day = '2026-01-15', ids = ['p1'] } = {},
): Promise<void> {
  const fetchedAt = new Date(`${day}T06:00:00.000Z`);
  const part = await RunWriter.open(config.dataDir, recordOf({ run_id: `run-${day}` }));
  const linked = {
    title: 'Linked',
    labels: [{ labelId: 'l1', name: 'one' }],
    campaign: { id: 'c1', name: 'Old name' },
  };
  const records = ids.map((id) => analyticsRecord({ id, servicePost: { ...linked, id } }));
  await storeAnalytics(part, records, { fetchedAt });
  for (const id of ids)
    await storeDetails(part, id, { ...detailedPost, ...post, id }, { fetchedAt });
  await part.finish(finishOf());
  await load(config);
}

const detailedPost = {
  title: 'Detailed',
  url: 'https://app/p1',
  status: 'Posted',
  channels: ['LinkedIn', 'Twitter'],
  publishDate: '2026-01-09',
  publishAt: '2026-01-09T08:00:00.000Z',
  createdAt: '2026-01-01T07:00:00.000Z',
  updatedAt: '2026-01-08T08:00:00.000Z',
  labels: [{ id: 'l1', name: 'one', color: '#111111', backgroundColor: '#eeeeee' }],
  linkedIn: { copy: 'Hello', assets: [{ id: 'm1', name: 'a.png', size: 10 }] },
  mood: 'calm',
};

const noEvents = { applied: 0, kept: 0, rejected: 0 };

describe('a deletion', () => {
  test('removes the post, and says of it what it says, leaving the rest as it was', async () => {
    const config = await emptyConfig();
    await loadPost(config);
    await storeEvents(config, [deletionEvent()]);
    expect((await load(config)).events).toEqual({ ...noEvents, applied: 1 });
    const columns = `title, url, status, channels, publish_date, publish_at, created_at, updated_at,
      campaign_id, content, missing_since, removed_at, removed_by, extra`;
    expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([
      {
        title: 'Deleted',
        url: 'https://app/p1-deleted',
        status: 'archived',
        channels: ['LinkedIn'],
        publish_date: '2026-01-09',
        publish_at: '2026-01-09T08:00:00.000Z',
        created_at: '2026-01-01T07:00:00.000Z',
        updated_at: '2026-01-08T08:00:00.000Z',
        campaign_id: 'c1',
        content: '{"linkedIn":{"copy":"Hello","assets":[{"id":"m1","name":"a.png","size":10}]}}',
        missing_since: null,
        removed_at: '2026-01-19T09:00:00.000Z',
        removed_by: 'Ada Byron',
        extra: '{"mood":"calm"}',
      },
    ]);
    expect(
      await rowsOf(config, 'select labels, campaign, is_removed, removed_at from post_performance'),
    ).toEqual([
      {
        labels: ['nine'],
        campaign: 'Spring',
        is_removed: true,
        removed_at: '2026-01-19T09:00:00.000Z',
      },
    ]);
    expect(await rowsOf(config, 'select name, start_date, end_date from campaigns')).toEqual([
      { name: 'Spring', start_date: '2026-01-01', end_date: '2026-03-31' },
    ]);
    expect(
      await rowsOf(config, "select color, background_color from labels where label_id = 'l9'"),
    ).toEqual([{ color: '#999999', background_color: '#dddddd' }]);
    expect(await rowsOf(config, 'select asset_id from assets')).toEqual([{ asset_id: 'm1' }]);
  });

  test('that comes before its post is known marks it, and later answers complete it', async () => {
    const config = await emptyConfig();
    await storeEvents(config, [deletionEvent({ mood: 'gone' })]);
    await load(config);
    expect(
      await rowsOf(
        config,
        'select post_id, title, removed_by, extra, detail_fetched_at from posts',
      ),
    ).toEqual([
      {
        post_id: 'p1',
        title: 'Deleted',
        removed_by: 'Ada Byron',
        extra: '{"mood":"gone"}',
        detail_fetched_at: null,
      },
    ]);
    await loadPost(config);
    const sql =
      'select title, status, publish_date, removed_at, extra, content from posts join post_performance using (workspace, post_id, title, status, removed_at)';
    expect(await rowsOf(config, sql)).toEqual([
      {
        title: 'Deleted',
        status: 'archived',
        publish_date: '2026-01-09',
        removed_at: '2026-01-19T09:00:00.000Z',
        extra: '{"mood":"calm"}',
        content: '{"linkedIn":{"copy":"Hello","assets":[{"id":"m1","name":"a.png","size":10}]}}',
      },
    ]);
  });

  test('without a campaign leaves the known one', async () => {
    const config = await emptyConfig();
    await loadPost(config);
    await storeEvents(config, [deletionEvent({ campaign: null })]);
    await load(config);
    expect(await rowsOf(config, 'select campaign from post_performance')).toEqual([
      { campaign: 'Old name' },
    ]);
  });

  const { linkedIn } = detailedPost;
  const x = { tweets: [{ copy: 'Known', assets: [{ id: 'm1' }, { id: 'm2' }] }] };
  const known = ['LinkedIn m1', 'Twitter m1', 'Twitter m2'];

  test('gives of each channel what it has', async () => {
    const contents: [object, string[]][] = [
      [
        { linkedIn: { copy: 'Last', assets: [{ id: 'm7', width: 5 }] } },
        ['LinkedIn m7', 'Twitter m1', 'Twitter m2'],
      ],
      [
        { x: { tweets: [{ copy: 'T', assets: [{ id: 'm8' }, { id: 'm8' }] }] } },
        ['LinkedIn m1', 'Twitter m8'],
      ],
      [
        { linkedIn: { profile: null, assets: [{ id: 'm9', width: null }, {}, { id: '' }] }, x: {} },
        ['LinkedIn m9', 'Twitter m1', 'Twitter m2'],
      ],
      [{ linkedIn: { copy: 'Last', assets: null } }, known],
      [{ x: { tweets: [{ copy: 'T' }, { assets: null }] } }, known],
      [{ x: { tweets: [] } }, known],
      [{ linkedIn: { assets: [] } }, ['Twitter m1', 'Twitter m2']],
      [{ linkedIn: { mood: 'calm' } }, known],
      [{}, known],
    ];
    const config = await emptyConfig();
    await loadPost(config, { x }, { ids: contents.map((_, index) => `p${index}`) });
    await storeEvents(
      config,
      contents.map(([content], index) => deletionEvent({ id: `p${index}`, ...content })),
    );
    expect((await load(config)).events.applied).toBe(contents.length);
    const sql = `select content, list(channel || ' ' || asset_id order by channel, asset_id) as assets
      from posts join assets using (workspace, post_id) group by post_id, content order by post_id`;
    const rows = await rowsOf(config, sql);
    expect(
      rows.map((row) => [JSON.parse(String(row['content'])) as object, row['assets']]),
    ).toEqual(contents.map(([content, assets]) => [{ linkedIn, x, ...content }, assets]));
  });

  test('stays, though the post is seen again, and gives content, assets and the dates of its campaign until later answers have others, or none', async () => {
    const config = await emptyConfig();
    await storeEvents(config, [deletionEvent({ linkedIn, x })]);
    await load(config);
    await loadPost(config, { linkedIn: { copy: 'Now' } }, { day: '2026-01-25' });
    expect(await rowsOf(config, 'select title, status, removed_at from post_performance')).toEqual([
      { title: 'Detailed', status: 'Posted', removed_at: '2026-01-19T09:00:00.000Z' },
    ]);
    // an answer gives the name of a campaign alone
    expect(await rowsOf(config, 'select name, start_date, end_date from campaigns')).toEqual([
      { name: 'Old name', start_date: '2026-01-01', end_date: '2026-03-31' },
    ]);
    expect(await rowsOf(config, 'select content from posts')).toEqual([
      { content: '{"linkedIn":{"copy":"Now"}}' },
    ]);
    expect(await rowsOf(config, 'from assets')).toEqual([]);
  });

  test('that is older than the details changes nothing but the removal', async () => {
    const config = await emptyConfig();
    await loadPost(config, {}, { day: '2026-01-25' });
    await storeEvents(config, [deletionEvent({ linkedIn: { copy: 'Older' } })]);
    await load(config);
    expect(
      await rowsOf(
        config,
        "select title, status, url, content->>'$.linkedIn.copy' as copy, removed_at from posts",
      ),
    ).toEqual([
      {
        title: 'Detailed',
        status: 'Posted',
        url: 'https://app/p1',
        copy: 'Hello',
        removed_at: '2026-01-19T09:00:00.000Z',
      },
    ]);
  });

  test('says by whom, as far as that is known', async () => {
    const people: [object | null, string | null][] = [
      [null, null],
      [{ id: 'u1', firstName: ' ', lastName: null, email: 'a@b' }, 'a@b'],
      [{ id: 'u1' }, 'u1'],
      [{ id: 'u1', firstName: 'Ada' }, 'Ada'],
      [{}, '(unknown)'],
    ];
    const config = await emptyConfig();
    const eventOf = ([deletedBy]: (typeof people)[number], index: number) =>
      deletionEvent({ id: `p${index}`, deletedBy });
    await storeEvents(config, people.map(eventOf));
    await load(config);
    expect(await rowsOf(config, 'select removed_by from posts order by post_id')).toEqual(
      people.map(([, removed_by]) => ({ removed_by })),
    );
  });

  test('of another kind for the same post wins when it is later, whichever is loaded first', async () => {
    const first = (id: string) => deletionEvent({ id, deletedAt: '2026-01-19T09:00:00.000Z' });
    const second = (id: string) =>
      deletionEvent(
        { id, deletedAt: '2026-01-18T09:00:00+02:00', deletedBy: null },
        { createdAt: '2026-01-19T09:00:02Z' },
      );
    const config = await emptyConfig();
    await storeEvents(config, [first('p1'), second('p2')]);
    await load(config);
    await storeEvents(config, [second('p1'), first('p2')]);
    await load(config);
    const later = { removed_at: '2026-01-18T07:00:00.000Z', removed_by: null };
    expect(
      await rowsOf(config, 'select post_id, removed_at, removed_by from posts order by post_id'),
    ).toEqual([
      { post_id: 'p1', ...later },
      { post_id: 'p2', ...later },
    ]);
  });

  test('and a 404 live side by side, and only the deletion removes', async () => {
    const config = await emptyConfig();
    const part = await RunWriter.open(config.dataDir, recordOf());
    await storeDetails(part, 'p1', null, { fetchedAt: new Date('2026-01-20T06:00:00.000Z') });
    await part.finish(finishOf());
    await load(config);
    expect(await rowsOf(config, 'select removed_at from posts')).toEqual([{ removed_at: null }]);
    await storeEvents(config, [deletionEvent()]);
    await load(config);
    expect(await rowsOf(config, 'select missing_since, removed_at from posts')).toEqual([
      { missing_since: '2026-01-20T06:00:00.000Z', removed_at: '2026-01-19T09:00:00.000Z' },
    ]);
  });
});

test('the dates of a campaign may be days, times or nulls, and those that are none cost no event', async () => {
  const dates: [object, unknown[]][] = [
    [{ startDate: '2026-01-01', endDate: '2026-02-28' }, ['2026-01-01', '2026-02-28']],
    [
      { startDate: '2026-01-01T23:30:00-08:00', endDate: '2026-02-01T00:00:00.000Z' },
      ['2026-01-01', '2026-02-01'],
    ],
    [{ startDate: null, endDate: null }, [null, null]],
    [{}, [null, null]],
    ...['', 'soon', '2026-02-30', '2026-02-01 25:00'].map((startDate): [object, unknown[]] => [
      { startDate, endDate: '2026-03-01 00:00:00' },
      [null, '2026-03-01'],
    ]),
  ];
  const config = await emptyConfig();
  const eventOf = ([own]: (typeof dates)[number], index: number) =>
    deletionEvent({ id: `p${index}`, campaign: { id: `c${index}`, name: 'C', ...own } });
  await storeEvents(config, dates.map(eventOf));
  expect((await load(config)).events).toEqual({ ...noEvents, applied: dates.length });
  const rows = await rowsOf(
    config,
    'select start_date, end_date from campaigns order by campaign_id',
  );
  expect(rows.map(Object.values)).toEqual(dates.map(([, expected]) => expected));
});

describe('an invitation', () => {
  test('becomes a row, and a later event of it replaces it', async () => {
    const config = await emptyConfig();
    await storeEvents(config, [inviteEvent()]);
    expect((await load(config)).events.applied).toBe(1);
    const sql =
      'select invite_id, email, created_at, invited_by, workspace_slug, sent_email from invites';
    const row = {
      invite_id: 'i1',
      email: 'new@example.com',
      created_at: '2026-01-18T08:00:00.000Z',
      invited_by: 'Ada Byron',
      workspace_slug: 'acme',
      sent_email: true,
    };
    expect(await rowsOf(config, sql)).toEqual([row]);
    await storeEvents(config, [
      inviteEvent({ sentEmail: false }, { createdAt: '2026-01-18T09:00:00Z' }),
      inviteEvent({ email: 'old@example.com' }, { createdAt: '2026-01-17T09:00:00Z' }),
    ]);
    await load(config);
    expect(await rowsOf(config, sql)).toEqual([{ ...row, sent_email: false }]);
  });
});
