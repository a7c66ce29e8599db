import { execFile } from 'node:child_process';
import { copyFile, cp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { readEvent } from '../../src/inbox/events/read-event.ts';
import type { EventQuery, ReceivedEvent } from '../../src/load/received-event.ts';
import { readReceivedEvents } from '../../src/load/received-events.ts';
import { Database } from '../../src/warehouse/database.ts';
import { deletionEvent, inviteEvent, spoolEvents } from '../support/inbox-segments.ts';
import { configOf, load } from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
async function filledConfig(): Promise<Config> {
  const config = await emptyConfig();
  await spoolEvents(config, [deletionEvent()], { receivedAt: '2026-01-20T10:00:00.500Z' });
  await spoolEvents(config, [unknownEvent], { receivedAt: '2026-01-20T11:00:00.000Z' });
  await spoolEvents(config, [unfit], { receivedAt: '2026-01-20T12:00:00.000Z' });
  await spoolEvents(config, [elsewhere], { receivedAt: '2026-01-20T13:00:00.000Z' });
  await load(config);
  await spoolEvents(config, [inviteEvent()], { receivedAt: '2026-01-20T14:00:00.000Z' });
  return config;
}

function keyOf(event: object): string {
  return readEvent(Buffer.from(JSON.stringify(event))).eventKey;
}

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
  test('are those of the warehouse and those that wait in the inbox, the newest first', async () => {
    const { events, hasMore } = await readReceivedEvents(await filledConfig(), all);
    const expected: Omit<ReceivedEvent, 'payload'>[] = [
      {
        event_key: keyOf(inviteEvent()),
        type: 'invite.created',
        created_at: '2026-01-18T08:00:01Z',
        received_at: '2026-01-20T14:00:00Z',
        workspace_id: 'w1',
        workspace_slug: 'acme',
        workspace: 'acme',
        outcome: 'pending',
        reason: null,
      },
      {
        event_key: keyOf(elsewhere),
        type: 'invite.created',
        created_at: '2026-01-18T08:00:01Z',
        received_at: '2026-01-20T13:00:00Z',
        workspace_id: 'w2',
        workspace_slug: 'fjord',
        workspace: null,
        outcome: 'kept',
        reason: 'the workspace "fjord" is not configured',
      },
      {
        event_key: keyOf(unfit),
        type: 'post.permanently_deleted',
        created_at: '2026-01-19T09:00:01Z',
        received_at: '2026-01-20T12:00:00Z',
        workspace_id: 'w1',
        workspace_slug: 'acme',
        workspace: 'acme',
        outcome: 'rejected',
        reason: expect.stringContaining('title') as string,
      },
      {
        event_key: keyOf(unknownEvent),
        type: 'campaign.renamed',
        created_at: '2026-01-17T07:00:00Z',
        received_at: '2026-01-20T11:00:00Z',
        workspace_id: null,
        workspace_slug: null,
        workspace: null,
        outcome: 'kept',
        reason: 'the type "campaign.renamed" is not known',
      },
      {
        event_key: keyOf(deletionEvent()),
        type: 'post.permanently_deleted',
        created_at: '2026-01-19T09:00:01Z',
        received_at: '2026-01-20T10:00:00.500Z',
        workspace_id: 'w1',
        workspace_slug: 'acme',
        workspace: 'acme',
        outcome: 'applied',
        reason: null,
      },
    ];
    expect(events).toMatchObject(expected);
    expect(events.map(({ payload }) => JSON.parse(payload) as object)).toEqual([
      inviteEvent(),
      elsewhere,
      unfit,
      unknownEvent,
      deletionEvent(),
    ]);
    expect(hasMore).toBe(false);
  });

  test.each<[string, Partial<EventQuery>, string[]]>([
    ['a key that waits', { key: keyOf(inviteEvent()).slice(0, 12) }, [waiting]],
    ['a loaded key', { key: keyOf(unfit).slice(0, 12) }, [misfit]],
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
    expect(await listed(await filledConfig(), query)).toEqual(expected);
  });

  test('are cut at a limit, which is told', async () => {
    const config = await filledConfig();
    const read = async (limit: number) => {
      const { events, hasMore } = await readReceivedEvents(config, { ...all, limit });
      return [events.length, hasMore];
    };
    expect([await read(1), await read(4), await read(5)]).toEqual([
      [1, true],
      [4, true],
      [5, false],
    ]);
  });

  test('are found by a workspace’s key where its slug is another, also while they wait', async () => {
    const config = await filledConfig();
    const acme = config.workspaces.get('acme');
    if (!acme) throw new Error('the config has no workspace acme');
    const renamedConfig = { ...config, workspaces: new Map([['main', { ...acme, key: 'main' }]]) };
    expect(await listed(renamedConfig, { workspace: 'main' })).toEqual([waiting, misfit, removed]);
  });

  test('are those of the inbox alone while there is no warehouse', async () => {
    const config = await emptyConfig();
    expect(await listed(config, {})).toEqual([]);
    await spoolEvents(config, [inviteEvent()]);
    expect(await listed(config, {})).toEqual([waiting]);
    expect(await listed(config, { outcomes: ['kept'] })).toEqual([]);
  });

  test('stand there once, as the warehouse has them, while a copy of theirs waits', async () => {
    const config = await emptyConfig();
    await spoolEvents(config, [inviteEvent()]);
    await load(config);
    await spoolEvents(config, [inviteEvent()], { receivedAt: '2026-01-25T10:00:00.000Z' });
    expect(await listed(config, {})).toEqual(['invite.created applied']);
    expect(await listed(config, { outcomes: ['pending'] })).toEqual([]);
  });

  test('are of the time when they came first, where the inbox has two copies', async () => {
    const config = await emptyConfig();
    for (const hour of ['12', '10', '11']) {
      await spoolEvents(config, [inviteEvent()], { receivedAt: `2026-01-20T${hour}:00:00.000Z` });
    }
    const { events } = await readReceivedEvents(config, all);
    expect(events.map(({ received_at: at }) => at)).toEqual(['2026-01-20T10:00:00Z']);
  });

  test('are not of the time when they came again, where the inbox has two copies', async () => {
    const config = await emptyConfig();
    await spoolEvents(config, [inviteEvent()], { receivedAt: '2026-01-20T10:00:00.000Z' });
    await spoolEvents(config, [inviteEvent()], { receivedAt: '2026-01-20T12:00:00.000Z' });
    expect(await listed(config, { since: new Date('2026-01-20T11:00:00Z') })).toEqual([]);
    expect(await listed(config, { until: new Date('2026-01-20T11:00:00Z') })).toEqual([waiting]);
  });

  test('are the newest of many that wait, of any or of one type', async () => {
    const config = await emptyConfig();
    for (let minute = 10; minute < 40; minute += 1) {
      const post = deletionEvent({ id: `p${minute}`, title: `${minute}` });
      const invite = inviteEvent({ id: `i${minute}`, email: `${minute}@example.com` });
      const receivedAt = `2026-01-20T10:${minute}:00.000Z`;
      await spoolEvents(config, [post, invite].slice(0, minute % 3), { receivedAt });
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

  test('are listed beside lines that are none', async () => {
    const config = await emptyConfig();
    const path = await spoolEvents(config, [inviteEvent()]);
    await writeFile(path, 'torn\n', { flag: 'a' });
    expect(await listed(config, {})).toEqual([waiting]);
  });

  test('are seen once, though a load takes them while they are read', async () => {
    const config = await emptyConfig();
    const slow = await spoolEvents(config, [deletionEvent()]);
    const segment = await spoolEvents(config, [inviteEvent()]);
    const loaded = configOf(await temporaryFolder());
    await cp(config.folder, loaded.folder, { recursive: true });
    await rm(join(dirname(loaded.warehouse), 'inbox', basename(slow)));
    await load(loaded);
    const lines = await readFile(slow);
    const makeSlow = async () => {
      await rm(slow);
      await promisify(execFile)('mkfifo', [slow]);
    };
    // whoever reads it waits until this has been done
    const whileRead = async (work: () => Promise<void>) => {
      const writer = await open(slow, 'w');
      await makeSlow();
      await work();
      await writer.writeFile(lines);
      await writer.close();
    };
    await makeSlow();
    const listing = listed(config, {});
    await whileRead(() => Promise.resolve());
    await whileRead(async () => {
      await copyFile(loaded.warehouse, config.warehouse);
      await rm(segment);
    });
    await whileRead(() => Promise.resolve());
    await whileRead(() => Promise.resolve());
    expect(await listing).toEqual(['post.permanently_deleted pending', 'invite.created applied']);
  });

  test('have an outcome of those that there are', async () => {
    const config = await filledConfig();
    const database = await Database.open(config.warehouse, 'READ_WRITE');
    await database.run("update webhook_events set outcome = 'lost' where outcome = 'kept'");
    database.close();
    await expect(listed(config, {})).rejects.toThrow('webhook_events has an outcome that is none');
  });
});
