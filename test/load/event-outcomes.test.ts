import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { discardEvents } from '../../src/status/received-events.ts';
import { readStatus } from '../../src/status/status.ts';
import { verdictsOf } from '../../src/status/problem-sentences.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  analyticsRecord,
  emptyConfig,
  load,
  rowsOf,
  storeRun,
  valuesOf,
} from '../support/stored-run.ts';
import { dumpTables } from '../support/table-dump.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import { warningLog } from '../support/warning-log.ts';

const noEvents = { applied: 0, kept: 0, rejected: 0 };

test('an event is a row, its payload as it came; one of a type that is not known names its workspace in data.workspace, in anything in data, or nowhere', async () => {
  const config = await emptyConfig();
  const payload =
    '{"data":{"post":{"workspace":{"slug":"acme","id":"w1"},"n":12345678901234567890123,"f":1.50}},"createdAt":"2026-01-19T10:00:00.123456+01:00","type":"post.created"}';
  const cases: [object, unknown[]][] = [
    [{ workspace: { id: 'w2', slug: 'other' } }, ['w2', 'other']],
    [{ z: 1, idea: { workspace: { id: 'w2' } } }, ['w2', null]],
    [{ idea: { workspace: 'w2' } }, [null, null]],
  ];
  const eventOf = ([data]: (typeof cases)[number], index: number) => ({
    type: `idea.${index}`,
    createdAt: '2026-01-01T00:00:00Z',
    data,
  });
  await storeEvents(config, [payload, ...cases.map(eventOf)]);
  await load(config);
  const columns = `length(event_key) as key, payload, type, created_at, received_at, workspace_id,
    workspace_slug, workspace, outcome, reason`;
  const created = `select ${columns} from webhook_events where type = 'post.created'`;
  expect(await rowsOf(config, created)).toEqual([
    {
      key: 64,
      payload,
      type: 'post.created',
      created_at: '2026-01-19T09:00:00.123456Z',
      received_at: '2026-01-20T10:00:00.500Z',
      workspace_id: 'w1',
      workspace_slug: 'acme',
      workspace: 'acme',
      outcome: 'kept',
      reason: 'the type "post.created" is not known',
    },
  ]);
  const named = `select workspace_id, workspace_slug from webhook_events
    where type like 'idea.%' order by type`;
  expect(await valuesOf(config, named)).toEqual(cases.map(([, expected]) => expected));
});

describe('an event of a workspace that is not configured', () => {
  test('is kept, warned of, and applied once its slug is configured', async () => {
    const config = await emptyConfig();
    const workspace = { id: 'w2', slug: 'fjord', name: 'Fjord' };
    const unknown = { type: 'post.created', createdAt: '2026-01-01T00:00:00Z' };
    await storeEvents(config, [
      deletionEvent({ workspace }),
      inviteEvent({ workspace }),
      { ...unknown, data: { post: { workspace } } },
    ]);
    const { log, warnings } = warningLog();
    expect((await load(config, { log })).events).toEqual({ ...noEvents, kept: 3 });
    expect(warnings).toEqual([
      [
        { slugs: ['fjord'] },
        'events of workspaces that are not configured were kept; to apply them, add that slug to those of the workspace in jobs.yaml (workspaces.<key>.slug) and run `postledger load`',
      ],
    ]);
    expect(await rowsOf(config, 'select distinct reason from webhook_events order by all')).toEqual(
      [
        { reason: 'the type "post.created" is not known' },
        { reason: 'the workspace "fjord" is not configured' },
      ],
    );
    expect(await rowsOf(config, 'select post_id from posts')).toEqual([]);
    expect((await load(config)).events).toEqual(noEvents);
    const [acme] = config.workspaces.values();
    if (!acme) throw new Error('the config has a workspace');
    const pine = { ...acme, key: 'pine', slugs: ['fjord'], profiles: [] };
    const complete = {
      ...config,
      workspaces: new Map([
        ['acme', acme],
        ['pine', pine],
      ]),
    };
    expect(await load(complete)).toMatchObject({
      events: { ...noEvents, applied: 2 },
      isPublished: true,
    });
    expect(await rowsOf(config, 'select workspace, removed_by from posts')).toEqual([
      { workspace: 'pine', removed_by: 'Ada Byron' },
    ]);
    expect(await rowsOf(config, 'select invite_id from invites')).toEqual([{ invite_id: 'i1' }]);
    expect(
      await valuesOf(config, 'select distinct workspace from webhook_events order by all'),
    ).toEqual([['pine']]);
    expect(await load(complete)).toMatchObject({ events: noEvents, isPublished: false });
  });

  test('follows the slugs of today: its removal is undone when its workspace is taken out', async () => {
    const config = await emptyConfig();
    await storeEvents(config, [deletionEvent()]);
    await load(config);
    expect(await load({ ...config, workspaces: new Map() })).toMatchObject({
      events: { ...noEvents, kept: 1 },
    });
    expect(await rowsOf(config, 'select workspace, outcome from webhook_events')).toEqual([
      { workspace: null, outcome: 'kept' },
    ]);
    for (const table of ['posts', 'labels', 'campaigns'])
      expect(await rowsOf(config, `from ${table}`)).toEqual([]);
  });
});

describe('an event on a post that is known', () => {
  const from = (slug: string) => ({ workspace: { id: 'w', slug, name: slug } });
  const outcomes = `select workspace_slug, workspace, outcome from webhook_events order by all`;
  const removed = 'select workspace, post_id from posts where removed_at is not null order by all';

  /** A config of the workspaces acme and pine. */
  async function twoWorkspaces(slugs: readonly string[] = ['acme']) {
    const config = await emptyConfig();
    const [model] = config.workspaces.values();
    if (!model) throw new Error('the config has a workspace');
    const acme = { ...model, slugs };
    const pine = { ...model, key: 'pine', slugs: ['pine'], profiles: [] };
    return { ...config, workspaces: new Map(Object.entries({ acme, pine })) };
  }

  /** Stores an answer that makes the post known in a workspace. */
  function storePost(config: Config, id: string, workspace = 'acme') {
    const record = analyticsRecord({ id: `of ${id}`, servicePost: { id, title: 'T' } });
    return storeRun(config, [record], {}, { workspace, run_id: `run-${workspace}-${id}` });
  }

  async function expectSameRebuilt(config: Config & { readonly warehouse: string }) {
    const dump = await dumpTables(config);
    await rm(config.warehouse);
    await load(config);
    expect(await dumpTables(config)).toEqual(dump);
  }

  test('is of the workspace that had its slug before', async () => {
    const config = await twoWorkspaces();
    await storePost(config, 'p1');
    await storePost(config, 'p1', 'pine');
    await storeEvents(config, [deletionEvent(from('acme-old')), deletionEvent(from('acme'))]);
    await load(config);
    expect(await valuesOf(config, outcomes)).toEqual([
      ['acme', 'acme', 'applied'],
      ['acme-old', null, 'kept'],
    ]);
    const [acme, pine] = config.workspaces.values();
    if (!acme || !pine) throw new Error('there are two workspaces');
    const listed = { ...acme, slugs: ['acme', 'acme-old'] };
    const renamed = { ...config, workspaces: new Map(Object.entries({ acme: listed, pine })) };
    await load(renamed);
    expect(await valuesOf(config, outcomes)).toEqual([
      ['acme', 'acme', 'applied'],
      ['acme-old', 'acme', 'applied'],
    ]);
    expect(await valuesOf(config, removed)).toEqual([['acme', 'p1']]);
    await expectSameRebuilt(renamed);
  });

  test('in one workspace alone belongs there whatever its slug, whether it came before the post or after it', async () => {
    const dumps: object[] = [];
    for (const order of ['event first', 'post first', 'both at once']) {
      const config = await twoWorkspaces();
      const events = [
        deletionEvent(from('nobody')),
        deletionEvent({ id: 'p2', ...from('pine') }),
        deletionEvent({ id: 'p3', ...from('nobody') }),
      ];
      const steps = [
        () => storeEvents(config, events),
        async () => {
          await storePost(config, 'p1');
          await storePost(config, 'p2');
        },
      ];
      if (order === 'post first') steps.reverse();
      for (const step of steps) {
        await step();
        if (order !== 'both at once') await load(config);
      }
      await load(config);
      expect(await valuesOf(config, outcomes)).toEqual([
        ['nobody', 'acme', 'applied'],
        ['nobody', null, 'kept'],
        ['pine', 'acme', 'applied'],
      ]);
      expect(await valuesOf(config, removed)).toEqual([
        ['acme', 'p1'],
        ['acme', 'p2'],
      ]);
      expect(await valuesOf(config, 'select distinct workspace from labels')).toEqual([['acme']]);
      dumps.push(await dumpTables(config));
    }
    expect(dumps).toEqual([dumps[0], dumps[0], dumps[0]]);
  });

  test('in two workspaces is of the one with its slug, or a verdict of status until it is discarded', async () => {
    const config = await twoWorkspaces();
    const [key = ''] = await storeEvents(config, [deletionEvent(from('nobody'))]);
    await storeEvents(config, [deletionEvent({ id: 'p2', ...from('pine') })]);
    await storePost(config, 'p1');
    await load(config);
    expect(await valuesOf(config, removed)).toEqual([
      ['acme', 'p1'],
      ['pine', 'p2'],
    ]);
    await storePost(config, 'p2');
    for (const id of ['p1', 'p2']) await storePost(config, id, 'pine');
    await load(config);
    expect(await valuesOf(config, removed)).toEqual([['pine', 'p2']]);
    const clock = new ManualClock();
    const warnings = async () =>
      verdictsOf((await readStatus(config, clock)).open_problems, false).warning;
    expect(await warnings()).toEqual([
      '1 deletion kept and not applied, although the posts are known: no workspace in jobs.yaml has the slug "nobody"; add it to the slugs of its workspace (workspaces.<key>.slug) and run `postledger load`, or end it with `postledger webhooks discard` (`postledger webhooks list --outcome kept` has the keys)',
    ]);
    await discardEvents(config.dataDir, [{ event_key: key, workspace_slug: 'nobody' }], clock);
    await load(config);
    expect(await warnings()).toEqual([]);
  });
});

describe('a deletion', () => {
  test('that has no more than an id, a slug and its time removes the post, of which all else stays known', async () => {
    const config = await emptyConfig();
    await storeEvents(config, [deletionEvent({ id: 'p2' })]);
    const least = { id: 'p1', workspace: { slug: 'acme' } };
    const createdAt = '2026-01-19T09:00:01.000Z';
    const event = (post: object) => ({
      type: 'post.permanently_deleted',
      createdAt,
      data: { post },
    });
    const nothing = { title: null, url: null, labels: null, deletedAt: null, channels: null };
    await storeEvents(config, [event(least), event({ ...least, id: 'p2', ...nothing })], {
      receivedAt: '2026-01-21T10:00:00.000Z',
    });
    expect(await load(config)).toMatchObject({
      events: { ...noEvents, applied: 3 },
      rejectedDeletions: 0,
    });
    const columns = 'post_id, title, url, status, channels, campaign_id, removed_at, removed_by';
    expect(await rowsOf(config, `select ${columns} from posts order by post_id`)).toEqual([
      {
        post_id: 'p1',
        title: null,
        url: null,
        status: null,
        channels: null,
        campaign_id: null,
        removed_at: '2026-01-19T09:00:01.000Z',
        removed_by: null,
      },
      {
        post_id: 'p2',
        title: 'Deleted',
        url: 'https://app/p1-deleted',
        status: 'archived',
        channels: ['LinkedIn'],
        campaign_id: 'c1',
        removed_at: '2026-01-19T09:00:01.000Z',
        removed_by: null,
      },
    ]);
    expect(await rowsOf(config, 'select post_id, label_id from post_labels')).toEqual([
      { post_id: 'p2', label_id: 'l9' },
    ]);
  });

  test('that was rejected is warned of, and kept once a person discards it, also by a rebuild', async () => {
    const config = await emptyConfig();
    const [key = ''] = await storeEvents(config, [deletionEvent({ deletedAt: 'soon' })]);
    const { log, warnings } = warningLog();
    expect(await load(config, { log })).toMatchObject({ rejectedDeletions: 1 });
    expect(warnings).toEqual([
      [
        {
          rejected: 1,
          deletions: 1,
          for_example: 'data.post.deletedAt: expected an ISO 8601 time, got "soon"',
        },
        '1 deletion was rejected and not applied; `postledger webhooks list --outcome rejected` says why, `postledger webhooks replay --rejected` tries again after an upgrade, `postledger webhooks discard` ends it',
      ],
    ]);
    const rejected = { event_key: key, workspace_slug: 'acme' };
    await discardEvents(config.dataDir, [rejected], new ManualClock());
    const outcomes = 'select outcome, reason from webhook_events order by all';
    const discarded = [
      { outcome: 'applied', reason: null },
      { outcome: 'kept', reason: 'discarded by hand' },
    ];
    expect(await load(config)).toMatchObject({ rejectedDeletions: 0 });
    expect(await rowsOf(config, outcomes)).toEqual(discarded);
    await rm(config.warehouse);
    await load(config);
    expect(await rowsOf(config, outcomes)).toEqual(discarded);
  });
});

const acme = { id: 'w1', slug: 'acme' };
const shown = (asset: object) => ({ linkedIn: { assets: [asset] } });
const tweeted = (asset: object) => ({ x: { tweets: [{ assets: [asset] }] } });

/** Why an event is rejected, by what it says otherwise than it should. */
const deletionMisfits: readonly (readonly [string, object])[] = [
  ['data.post.deletedAt: expected an ISO 8601 time, got "soon"', { deletedAt: 'soon' }],
  ['data.post.id: expected text, got 7', { id: 7 }],
  ['data.post.id: expected text that is not empty, got ""', { id: '' }],
  ['data.post.title: expected text, got 5', { title: 5 }],
  ['data.post.channels: expected a list, got "LinkedIn"', { channels: 'LinkedIn' }],
  ['data.post.labels.0.id: missing', { labels: [{}] }],
  ['data.post.labels.0.color: expected text, got 5', { labels: [{ id: 'l', color: 5 }] }],
  ['data.post.workspace: expected an object, got "acme"', { workspace: 'acme' }],
  ['data.post.workspace.slug: missing', { workspace: { id: 'w1' } }],
  ['data.post.deletedBy: expected an object, got a list', { deletedBy: [] }],
  [
    'data.post.campaign.startDate: expected text, got 20260230',
    { campaign: { id: 'c', startDate: 20260230 } },
  ],
  ['data.post.campaign.id: missing', { campaign: {} }],
  ['data.post.id: expected text, got a list', { id: ['p1'] }],
  ['data.post.workspace.name: expected text, got 7', { workspace: { ...acme, name: 7 } }],
  ['data.post.linkedIn: expected an object, got "x"', { linkedIn: 'x' }],
  ['data.post.linkedIn: expected an object, got a list', { linkedIn: [] }],
  ['data.post.x: expected an object, got true', { x: true }],
  ['data.post.linkedIn.copy: expected text, got 5', { linkedIn: { copy: 5 } }],
  ['data.post.linkedIn.profile: expected an object, got "p"', { linkedIn: { profile: 'p' } }],
  ['data.post.x.profile.detail: expected text, got 1', { x: { profile: { detail: 1 } } }],
  ['data.post.linkedIn.assets: expected a list, got an object', { linkedIn: { assets: {} } }],
  ['data.post.linkedIn.assets.0: expected an object, got null', { linkedIn: { assets: [null] } }],
  ['data.post.x.tweets: expected a list, got "t"', { x: { tweets: 't' } }],
  ['data.post.x.tweets.1: expected an object, got "t"', { x: { tweets: [{}, 't'] } }],
  ['data.post.x.tweets.0.assets.0.id: expected text, got 4', tweeted({ id: 4 })],
  ['data.post.linkedIn.assets.0.width: expected a number, got "7"', shown({ width: '7' })],
  [
    'data.post.linkedIn.assets.0.height: expected an integer of 64 bits, got 1.5',
    shown({ height: 1.5 }),
  ],
  [
    'data.post.linkedIn.assets.0.size: expected an integer of 64 bits, got 9223372036854776000',
    shown({ size: 2 ** 63 }),
  ],
  ['data.post.linkedIn.assets.0.duration: expected a number, got "5"', shown({ duration: '5' })],
];
const inviteMisfits: readonly (readonly [string, object])[] = [
  ['data.invite.email: missing', { email: undefined }],
  ['data.invite.sentEmail: expected true or false, got "no"', { sentEmail: 'no' }],
  ['data.invite.createdAt: expected an ISO 8601 time, got an object', { createdAt: {} }],
  ['data.invite.invitedBy: expected an object, got null', { invitedBy: null }],
  ['data.invite.workspace.slug: missing', { workspace: { id: 'w1' } }],
];

test('events of a known type that do not fit are rejected one by one, with the reason, and discarded by nobody who can only send events', async () => {
  const config = await emptyConfig();
  const deletions = deletionMisfits.map(([, change]) => deletionEvent(change));
  const invites = inviteMisfits.map(([, change]) => inviteEvent(change));
  const keys = await storeEvents(config, [...deletions, ...invites]);
  const data = { event_key: keys[0], workspace: { slug: 'acme' } };
  const createdAt = '2026-01-19T09:00:01.000Z';
  const discarding = { type: 'postledger.event_discarded', createdAt, data };
  await storeEvents(config, [discarding, deletionEvent({ id: 'sibling' })]);
  expect((await load(config)).events).toEqual({
    ...noEvents,
    applied: 1,
    rejected: keys.length + 1,
  });
  const rows = await valuesOf(
    config,
    `select event_key, reason from webhook_events
     where outcome = 'rejected' and type <> 'postledger.event_discarded'`,
  );
  const misfits = [...deletionMisfits, ...inviteMisfits];
  expect(new Map(rows as [string, string][])).toEqual(
    new Map(misfits.map(([reason], index) => [keys[index], reason])),
  );
  expect(await rowsOf(config, 'select post_id from posts')).toEqual([{ post_id: 'sibling' }]);
});
