import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { BusyError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log.ts';
import { replayEvents, type ReplaySummary } from '../../src/load/events/replay-events.ts';
import { Database } from '../../src/warehouse/database.ts';
import { withWarehouseLock } from '../../src/warehouse/warehouse.ts';
import { deletionEvent, inviteEvent, spoolEvents } from '../support/inbox-segments.ts';
import { configOf, load, rowsOf } from '../support/landed-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const clock = new ManualClock();

function replay(config: Config, isRejectedOnly = false): Promise<ReplaySummary> {
  return replayEvents({ config, clock, log: silentLog, isRejectedOnly, waitMs: 0 });
}

/** A deletion, an invitation that does not fit, and an event of an unknown type. */
async function loadThree(): Promise<Config> {
  const config = configOf(await temporaryFolder());
  await spoolEvents(config, [
    deletionEvent(),
    inviteEvent({ sentEmail: 'no' }),
    { type: 'post.created', createdAt: '2026-01-01T00:00:00Z', data: {} },
  ]);
  await load(config);
  return config;
}

const tables = ['webhook_events', 'posts', 'post_labels', 'labels', 'campaigns', 'invites'];
const dump = tables
  .map((table) => `select '${table}' as name, to_json(t) as row from ${table} as t`)
  .join(' union all ');

test('a replay changes nothing while the rules are the same', async () => {
  const config = await loadThree();
  const before = await rowsOf(config, `${dump} order by all`);
  const summary = { events: 3, changed: 0, applied: 1, kept: 1, rejected: 1 };
  expect(await replay(config)).toEqual(summary);
  expect(await replay(config)).toEqual(summary);
  expect(await rowsOf(config, `${dump} order by all`)).toEqual(before);
  expect(await replay(config, true)).toEqual({ ...summary, events: 1, applied: 0, kept: 0 });
});

test('what an earlier version rejected or did not know is applied by one that takes it', async () => {
  const config = configOf(await temporaryFolder());
  await spoolEvents(config, [deletionEvent(), inviteEvent()]);
  await load(config);
  const database = await Database.open(config.warehouse, 'READ_WRITE');
  await database.run(
    `delete from invites; delete from posts; delete from post_labels;
    update webhook_events set outcome = if(type = 'invite.created', 'rejected', 'kept'), reason = 'of old'`,
  );
  database.close();
  expect(await replay(config, true)).toEqual({
    events: 1,
    changed: 1,
    applied: 1,
    kept: 0,
    rejected: 0,
  });
  expect(await rowsOf(config, 'select invite_id from invites')).toEqual([{ invite_id: 'i1' }]);
  expect(await rowsOf(config, 'select post_id from posts')).toEqual([]);
  expect(await replay(config)).toEqual({ events: 2, changed: 1, applied: 2, kept: 0, rejected: 0 });
  expect(await rowsOf(config, 'select post_id, removed_by from posts')).toEqual([
    { post_id: 'p1', removed_by: 'Ada Byron' },
  ]);
  expect(await rowsOf(config, 'select distinct outcome, reason from webhook_events')).toEqual([
    { outcome: 'applied', reason: null },
  ]);
});

test('what was applied stays applied, though its workspace is not configured any more', async () => {
  const config = await loadThree();
  const summary = await replay({ ...config, workspaces: new Map() });
  expect(summary).toEqual({ events: 3, changed: 0, applied: 1, kept: 1, rejected: 1 });
});

test('a replay by a version that reads an event otherwise takes what this one reads', async () => {
  const config = await loadThree();
  const database = await Database.open(config.warehouse, 'READ_WRITE');
  await database.run(
    `update posts set title = 'misread', status = null, removed_by = 'nobody';
    update labels set name = 'misread'; delete from post_labels`,
  );
  database.close();
  expect(await replay(config)).toEqual({ events: 3, changed: 0, applied: 1, kept: 1, rejected: 1 });
  expect(await rowsOf(config, 'select title, status, removed_by from posts')).toEqual([
    { title: 'Deleted', status: 'archived', removed_by: 'Ada Byron' },
  ]);
  expect(await rowsOf(config, 'select name from labels join post_labels using (label_id)')).toEqual(
    [{ name: 'nine' }],
  );
});

test('a replay beside a load finds the warehouse in use', async () => {
  const config = await loadThree();
  await withWarehouseLock({ path: config.warehouse, clock, waitMs: 0 }, async () => {
    await expect(replay(config)).rejects.toThrow(BusyError);
  });
});

test('of keys that are one after the repair that DuckDB needs, the last counts, time after time', async () => {
  const config = configOf(await temporaryFolder());
  const event = JSON.stringify(deletionEvent({ one: 1, two: 2 }));
  await spoolEvents(config, [event.replace('one', '\\ud800').replace('two', '\\udbff')]);
  await load(config);
  expect(await rowsOf(config, 'select extra from posts')).toEqual([{ extra: '{"\uFFFD":2}' }]);
  expect(await replay(config)).toEqual({ events: 1, changed: 0, applied: 1, kept: 0, rejected: 0 });
  expect(await rowsOf(config, 'select extra from posts')).toEqual([{ extra: '{"\uFFFD":2}' }]);
});

test.each([false, true])(
  'of such keys the same one counts in whichever copy of an event was loaded first (turned: %j)',
  async (isTurned) => {
    const config = configOf(await temporaryFolder());
    const copies = [
      ['\\udbff', '\\ud800'],
      ['\\ud800', '\\udbff'],
    ];
    for (const [nth, copy] of (isTurned ? copies.toReversed() : copies).entries()) {
      const [one = '', two = ''] = copy;
      const valueOf = (half: string) => (half === '\\udbff' ? 'last' : 'first');
      const mood = { one: valueOf(one), two: valueOf(two) };
      const event = JSON.stringify(deletionEvent(mood)).replace('one', one).replace('two', two);
      await spoolEvents(config, [event], { receivedAt: `2026-01-2${5 - nth}T10:00:00.000Z` });
      await load(config);
      expect(await rowsOf(config, 'select extra from posts')).toEqual([
        { extra: '{"\uFFFD":"last"}' },
      ]);
    }
    await replay(config);
    expect(await rowsOf(config, 'select extra from posts')).toEqual([
      { extra: '{"\uFFFD":"last"}' },
    ]);
  },
);
