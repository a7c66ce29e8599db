import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { readReceivedEvents, type EventQuery } from '../../src/status/received-events.ts';
import { eventKey, eventsFolder } from '../../src/store/event-store.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import { configOf, load } from '../support/stored-run.ts';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.ts';

const all: EventQuery = {
  key: '',
  types: [],
  outcomes: [],
  workspace: null,
  since: null,
  until: null,
  limit: null,
};

const unknownEvent = {
  type: 'campaign.renamed',
  createdAt: '2026-01-17T09:00:00.000+02:00',
  data: { campaign: { n: 1 } },
};
const elsewhere = inviteEvent({ id: 'i2', workspace: { id: 'w2', slug: 'fjord', name: 'Fjord' } });
const unfit = deletionEvent({ title: 7 });

async function emptyConfig(): Promise<Config> {
  return configOf(await temporaryFolder());
}

/** One event of each outcome, loaded, and one more of each type that waits. */
const folder = sharedFolder();
let filled: Config;
beforeAll(async () => {
  filled = configOf(await folder());
  await storeEvents(filled, [deletionEvent()], { receivedAt: '2026-01-20T10:00:00.500Z' });
  await storeEvents(filled, [unknownEvent], { receivedAt: '2026-01-20T11:00:00.000Z' });
  await storeEvents(filled, [unfit], { receivedAt: '2026-01-20T12:00:00.000Z' });
  await storeEvents(filled, [elsewhere], { receivedAt: '2026-01-20T13:00:00.000Z' });
  await load(filled);
  await storeEvents(filled, [inviteEvent()], { receivedAt: '2026-01-20T14:00:00.000Z' });
});

async function listed(config: Config, query: Partial<EventQuery>): Promise<string[]> {
  const { events } = await readReceivedEvents(config, { ...all, ...query });
  return events.map(({ type, outcome }) => `${type} ${outcome}`);
}

const removed = 'post.permanently_deleted applied';
const renamed = 'campaign.renamed kept';
const misfit = 'post.permanently_deleted rejected';
const foreign = 'invite.created kept';
const waiting = 'invite.created pending';

describe('received events', () => {
  test('are those of the warehouse and those that are not loaded, the newest first', async () => {
    const { events, hasMore } = await readReceivedEvents(filled, all);
    const deletion = { type: 'post.permanently_deleted', created_at: '2026-01-19T09:00:01.000Z' };
    const invite = { type: 'invite.created', created_at: '2026-01-18T08:00:01.000Z' };
    const acme = { workspace_id: 'w1', workspace_slug: 'acme', workspace: 'acme' };
    const fjord = { workspace_id: 'w2', workspace_slug: 'fjord', workspace: null };
    const nowhere = { workspace_id: null, workspace_slug: null, workspace: null };
    const renaming = { type: 'campaign.renamed', created_at: '2026-01-17T07:00:00.000Z' };
    const unfitting = expect.stringContaining('title') as string;
    const expected: [event: object, receivedAt: string, row: object, reason: string | null][] = [
      [inviteEvent(), '14:00:00.000', { ...invite, ...acme, outcome: 'pending' }, null],
      [
        elsewhere,
        '13:00:00.000',
        { ...invite, ...fjord, outcome: 'kept' },
        'the workspace "fjord" is not configured',
      ],
      [unfit, '12:00:00.000', { ...deletion, ...acme, outcome: 'rejected' }, unfitting],
      [
        unknownEvent,
        '11:00:00.000',
        { ...renaming, ...nowhere, outcome: 'kept' },
        'the type "campaign.renamed" is not known',
      ],
      [deletionEvent(), '10:00:00.500', { ...deletion, ...acme, outcome: 'applied' }, null],
    ];
    expect(events.map(({ payload, ...row }) => [JSON.parse(payload) as object, row])).toEqual(
      expected.map(([event, time, row, reason]) => [
        event,
        { event_key: eventKey(event), received_at: `2026-01-20T${time}Z`, ...row, reason },
      ]),
    );
    expect(hasMore).toBe(false);
  });

  test.each<[string, Partial<EventQuery>, string[]]>([
    ['a key that waits', { key: eventKey(inviteEvent()).slice(0, 12) }, [waiting]],
    ['a loaded key', { key: eventKey(unfit).slice(0, 12) }, [misfit]],
    ['a type', { types: ['invite.created'] }, [waiting, foreign]],
    [
      'several types',
      { types: ['invite.created', 'campaign.renamed'] },
      [waiting, foreign, renamed],
    ],
    ['a type that there is not', { types: ['invite'] }, []],
    ['what is applied', { outcomes: ['applied'] }, [removed]],
    ['what is kept', { outcomes: ['kept'] }, [foreign, renamed]],
    ['what is rejected', { outcomes: ['rejected'] }, [misfit]],
    ['what is applied or rejected', { outcomes: ['applied', 'rejected'] }, [misfit, removed]],
    ['what waits', { outcomes: ['pending'] }, [waiting]],
    ['a workspace', { workspace: 'acme' }, [waiting, misfit, removed]],
    ['the slug of one that is not configured', { workspace: 'fjord' }, [foreign]],
    ['a first moment', { since: new Date('2026-01-20T13:00:00.000Z') }, [waiting, foreign]],
    ['a last moment', { until: new Date('2026-01-20T11:00:00.000Z') }, [renamed, removed]],
    [
      'moments before it waits',
      { until: new Date('2026-01-20T13:59:59.999Z'), limit: 1 },
      [foreign],
    ],
  ])('can be narrowed down to %s', async (_, query, expected) => {
    expect(await listed(filled, query)).toEqual(expected);
  });

  test('are cut at a limit', async () => {
    const read = async (limit: number) => {
      const { events, hasMore } = await readReceivedEvents(filled, { ...all, limit });
      return [events.length, hasMore];
    };
    expect([await read(1), await read(4), await read(5)]).toEqual([
      [1, true],
      [4, true],
      [5, false],
    ]);
  });

  test('are found by a workspace’s key where its slug is another, also while they wait', async () => {
    const acme = filled.workspaces.get('acme');
    if (!acme) throw new Error('the config has no workspace acme');
    const renamedConfig = { ...filled, workspaces: new Map([['main', { ...acme, key: 'main' }]]) };
    expect(await listed(renamedConfig, { workspace: 'main' })).toEqual([waiting, misfit, removed]);
  });

  test('are those that are not loaded while there is no warehouse', async () => {
    const config = await emptyConfig();
    expect(await listed(config, {})).toEqual([]);
    await storeEvents(config, [inviteEvent()]);
    expect(await listed(config, {})).toEqual([waiting]);
    expect(await listed(config, { outcomes: ['kept'] })).toEqual([]);
  });

  test('count once, as they came first', async () => {
    const config = await emptyConfig();
    await storeEvents(config, [inviteEvent()], { receivedAt: '2026-01-20T10:00:00.000Z' });
    await storeEvents(config, [inviteEvent()], { receivedAt: '2026-01-20T12:00:00.000Z' });
    expect(await listed(config, { since: new Date('2026-01-20T11:00:00.000Z') })).toEqual([]);
    expect(await listed(config, { until: new Date('2026-01-20T11:00:00.000Z') })).toEqual([
      waiting,
    ]);
    await load(config);
    await storeEvents(config, [inviteEvent()], { receivedAt: '2026-01-25T10:00:00.000Z' });
    expect(await listed(config, {})).toEqual(['invite.created applied']);
  });

  test('are the newest of many that wait, of any or of one type', async () => {
    const config = await emptyConfig();
    for (let minute = 10; minute < 40; minute += 1) {
      const post = deletionEvent({ id: `p${minute}`, title: `${minute}` });
      const invite = inviteEvent({ id: `i${minute}`, email: `${minute}@example.com` });
      const receivedAt = `2026-01-20T10:${minute}:00.000Z`;
      await storeEvents(config, [post, invite].slice(0, minute % 3), { receivedAt });
    }
    const minutes = async (query: Partial<EventQuery>) => {
      const { events, hasMore } = await readReceivedEvents(config, { ...all, ...query });
      return [events.map(({ received_at: at }) => at.slice(14, 16)), hasMore];
    };
    expect(await minutes({ limit: 4 })).toEqual([['38', '38', '37', '35'], true]);
    const types = ['invite.created'];
    expect(await minutes({ limit: 3, types })).toEqual([['38', '35', '32'], true]);
    const until = new Date('2026-01-20T10:14:00Z');
    expect(await minutes({ limit: 3, types, until })).toEqual([['14', '11'], false]);
  });

  test('are listed beside a damaged one', async () => {
    const config = await emptyConfig();
    const [key = ''] = await storeEvents(config, [deletionEvent(), inviteEvent()]);
    await writeFile(join(eventsFolder(config.dataDir), key.slice(0, 2), `${key}.json`), 'torn\n');
    expect(await listed(config, {})).toEqual([waiting]);
  });
});
