import { beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import type { LoadSummary } from '../../src/load/load-summary.ts';
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
  type FileConfig,
  valuesOf,
} from '../support/stored-run.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Stores what analytics and details say of these posts, with changes of their details, on a day of January. */
async function storePosts(
  config: Config,
  day: number,
  posts: Readonly<Record<string, object>>,
): Promise<void> {
  const fetchedAt = new Date(`2026-01-${day}T06:00:00.000Z`);
  const part = await RunWriter.open(config.dataDir, recordOf({ run_id: `run-${day}` }));
  const linked = { title: 'Linked', labels: [{ labelId: 'l1', name: 'one' }] };
  const records = Object.keys(posts).map((id) => {
    const campaign = { id: `c-${id}`, name: 'Old name' };
    return analyticsRecord({ id, servicePost: { ...linked, id, campaign } });
  });
  await storeAnalytics(part, records, { fetchedAt });
  for (const [id, change] of Object.entries(posts))
    await storeDetails(part, id, { ...detailedPost, ...change, id }, { fetchedAt });
  await part.finish(finishOf());
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
const removedAt = '2026-01-19T09:00:00.000Z';
const { linkedIn } = detailedPost;
const x = { tweets: [{ copy: 'Known', assets: [{ id: 'm1' }, { id: 'm2' }] }] };
const known = ['LinkedIn m1', 'Twitter m1', 'Twitter m2'];

/** What a deletion has of each channel, and the assets that the post has then. */
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

/** Who deleted, and the name that the post has of it. */
const people: [object | null, string | null][] = [
  [null, null],
  [{ id: 'u1', firstName: ' ', lastName: null, email: 'a@b' }, 'a@b'],
  [{ id: 'u1' }, 'u1'],
  [{ id: 'u1', firstName: 'Ada' }, 'Ada'],
  [{}, '(unknown)'],
];

/** The dates of a campaign, and the days that it has then. */
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

describe('a deletion of 19 January', () => {
  const folder = sharedFolder();
  let config: FileConfig;
  let events: object[];
  let summary: LoadSummary;

  beforeAll(async () => {
    config = await emptyConfig({}, await folder());
    const withChannels = contents.map((_, index) => [`content-${index}`, { x }] as const);
    await storePosts(config, 15, { p1: {}, plain: {}, ...Object.fromEntries(withChannels) });
    await storePosts(config, 25, { newer: {}, again: { linkedIn: { copy: 'Now' } } });
    const missing = await RunWriter.open(config.dataDir, recordOf({ run_id: 'run-20' }));
    await storeDetails(missing, 'missing', null, { fetchedAt: new Date('2026-01-20T06:00:00Z') });
    await missing.finish(finishOf());
    const campaign = { id: 'c-again', name: 'S', startDate: '2026-01-01', endDate: '2026-03-31' };
    events = [
      deletionEvent(),
      deletionEvent({ id: 'plain', campaign: null }),
      deletionEvent({ id: 'newer', linkedIn: { copy: 'Older' } }),
      deletionEvent({ id: 'again', linkedIn, x, campaign }),
      deletionEvent({ id: 'missing' }),
      ...contents.map(([content], index) => deletionEvent({ id: `content-${index}`, ...content })),
      ...people.map(([deletedBy], index) => deletionEvent({ id: `person-${index}`, deletedBy })),
      ...dates.map(([own], index) =>
        deletionEvent({ id: `dates-${index}`, campaign: { id: `c${index}-dates`, ...own } }),
      ),
    ];
    await storeEvents(config, events);
    summary = await load(config);
  });

  test('is applied, whatever its dates are', () => {
    expect(summary.events).toEqual({ ...noEvents, applied: events.length });
  });

  test('removes the post, and says of it what it says, leaving the rest as it was', async () => {
    const columns = `title, url, status, channels, publish_date, publish_at, created_at, updated_at,
      campaign_id, content, missing_since, removed_at, removed_by, extra`;
    expect(await rowsOf(config, `select ${columns} from posts where post_id = 'p1'`)).toEqual([
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
        removed_at: removedAt,
        removed_by: 'Ada Byron',
        extra: '{"mood":"calm"}',
      },
    ]);
  });

  const performance = 'from post_performance where post_id';
  test.each<[string, string, unknown[][]]>([
    [
      'gives labels and campaign',
      `select labels, campaign, is_removed, removed_at ${performance} = 'p1'`,
      [[['nine'], 'Spring', true, removedAt]],
    ],
    [
      'gives the dates of its campaign',
      "select name, start_date, end_date from campaigns where campaign_id = 'c1'",
      [['Spring', '2026-01-01', '2026-03-31']],
    ],
    [
      'gives the colours of labels',
      "select color, background_color from labels where label_id = 'l9'",
      [['#999999', '#dddddd']],
    ],
    ['leaves the assets', "select asset_id from assets where post_id = 'p1'", [['m1']]],
    [
      'without a campaign leaves the known one',
      `select campaign ${performance} = 'plain'`,
      [['Old name']],
    ],
    [
      'that is older than the details changes nothing but the removal',
      `select title, status, url, content->>'$.linkedIn.copy', removed_at
       from posts where post_id = 'newer'`,
      [['Detailed', 'Posted', 'https://app/p1', 'Hello', removedAt]],
    ],
    [
      'stays, though the post is seen again',
      `select title, status, removed_at ${performance} = 'again'`,
      [['Detailed', 'Posted', removedAt]],
    ],
    [
      'gives the dates of a campaign of which later answers have the name alone',
      "select name, start_date, end_date from campaigns where campaign_id = 'c-again'",
      [['Old name', '2026-01-01', '2026-03-31']],
    ],
    [
      'gives content until later answers have other, and assets until these have none',
      `select content, asset_id from posts left join assets using (workspace, post_id)
       where post_id = 'again'`,
      [['{"linkedIn":{"copy":"Now"}}', null]],
    ],
    [
      'and a 404 live side by side',
      "select missing_since, removed_at from posts where post_id = 'missing'",
      [['2026-01-20T06:00:00.000Z', removedAt]],
    ],
    [
      'says by whom, as far as that is known',
      "select removed_by from posts where post_id like 'person-%' order by post_id",
      people.map(([, name]) => [name]),
    ],
    [
      'has dates of its campaign that are days, times or nulls',
      `select start_date, end_date from campaigns where campaign_id like 'c%-dates'
       order by campaign_id`,
      dates.map(([, days]) => days),
    ],
  ])('%s', async (_, sql, expected) => {
    expect(await valuesOf(config, sql)).toEqual(expected);
  });

  test('gives of each channel what it has', async () => {
    const sql = `select content, list(channel || ' ' || asset_id order by channel, asset_id)
      from posts join assets using (workspace, post_id) where post_id like 'content-%'
      group by post_id, content order by post_id`;
    const rows = await valuesOf(config, sql);
    expect(
      rows.map(([content, assets]) => [JSON.parse(String(content)) as object, assets]),
    ).toEqual(contents.map(([content, assets]) => [{ linkedIn, x, ...content }, assets]));
  });
});

describe('of events that are loaded before others', () => {
  const folder = sharedFolder();
  let config: FileConfig;
  const invites =
    'select invite_id, email, created_at, invited_by, workspace_slug, sent_email from invites';
  const invited = {
    invite_id: 'i1',
    email: 'new@example.com',
    created_at: '2026-01-18T08:00:00.000Z',
    invited_by: 'Ada Byron',
    workspace_slug: 'acme',
    sent_email: true,
  };

  beforeAll(async () => {
    const first = (id: string) => deletionEvent({ id, deletedAt: '2026-01-19T09:00:00.000Z' });
    const second = (id: string) =>
      deletionEvent(
        { id, deletedAt: '2026-01-18T09:00:00+02:00', deletedBy: null },
        { createdAt: '2026-01-19T09:00:02Z' },
      );
    config = await emptyConfig({}, await folder());
    const invite = inviteEvent({ createdAt: '2026-01-18t13:30+05:30' });
    const early = [deletionEvent({ mood: 'gone' }), first('p2'), second('p3'), invite];
    await storeEvents(config, early);
    expect((await load(config)).events.applied).toBe(early.length);
    const deleted = 'select title, removed_by, extra, detail_fetched_at from posts';
    expect(await valuesOf(config, `${deleted} where post_id = 'p1'`)).toEqual([
      ['Deleted', 'Ada Byron', '{"mood":"gone"}', null],
    ]);
    expect(await rowsOf(config, invites)).toEqual([invited]);
    await storePosts(config, 15, { p1: {} });
    await storeEvents(config, [
      second('p2'),
      first('p3'),
      inviteEvent({ sentEmail: false }, { createdAt: '2026-01-18T09:00:00Z' }),
      inviteEvent({ email: 'old@example.com' }, { createdAt: '2026-01-17T09:00:00Z' }),
    ]);
    await load(config);
  });

  test('a deletion marks its post before that is known, and later answers complete it', async () => {
    const sql = `select title, status, publish_date, removed_at, extra, content
      from posts join post_performance using (workspace, post_id, title, status, removed_at)`;
    expect(await valuesOf(config, sql)).toEqual([
      [
        'Deleted',
        'archived',
        '2026-01-09',
        '2026-01-19T09:00:00.000Z',
        '{"mood":"calm"}',
        '{"linkedIn":{"copy":"Hello","assets":[{"id":"m1","name":"a.png","size":10}]}}',
      ],
    ]);
  });

  test('a deletion of another kind for the same post wins when it is later, whichever is loaded first', async () => {
    const later = { removed_at: '2026-01-18T07:00:00.000Z', removed_by: null };
    const sql = `select post_id, removed_at, removed_by from posts
      where post_id <> 'p1' order by post_id`;
    expect(await rowsOf(config, sql)).toEqual([
      { post_id: 'p2', ...later },
      { post_id: 'p3', ...later },
    ]);
  });

  test('an invitation becomes a row, and a later event of it replaces it', async () => {
    expect(await rowsOf(config, invites)).toEqual([{ ...invited, sent_email: false }]);
  });
});
