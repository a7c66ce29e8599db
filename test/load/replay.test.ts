import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { BusyError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log.ts';
import { eventsFolder, listEventKeys } from '../../src/store/event-store.ts';
import { replayEvents, type ReplaySummary } from '../../src/load/load.ts';
import { Database } from '../../src/warehouse/database.ts';
import { withFileLock } from '../../src/warehouse/file-warehouse.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import { type FileConfig, load, rowsOf, emptyConfig } from '../support/stored-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const clock = new ManualClock();

function replay(config: FileConfig, isRejectedOnly = false): Promise<ReplaySummary> {
  return replayEvents({ config, clock, log: silentLog, waitMs: 0 }, isRejectedOnly);
}

const tables = ['webhook_events', 'posts', 'post_labels', 'labels', 'campaigns', 'invites'];
const dump = tables
  .map((table) => `select '${table}' as name, to_json(t) as row from ${table} as t`)
  .join(' union all ');
const dumpOf = () => rowsOf(config, `${dump} order by all`);
const summary = { events: 3, changed: 0, applied: 1, kept: 1, rejected: 1 };

const folder = sharedFolder();
let config: FileConfig;
let loaded: object[];

beforeAll(async () => {
  config = await emptyConfig({}, await folder());
  await storeEvents(config, [
    deletionEvent(),
    inviteEvent({ sentEmail: 'no' }),
    { type: 'post.created', createdAt: '2026-01-01T00:00:00Z', data: {} },
  ]);
  await load(config);
  loaded = await dumpOf();
});

test('a replay changes nothing while the rules are the same', async () => {
  expect(await replay(config)).toEqual(summary);
  expect(await replay(config)).toEqual(summary);
  expect(await dumpOf()).toEqual(loaded);
  expect(await replay(config, true)).toEqual({ ...summary, events: 1, applied: 0, kept: 0 });
});

test('a replay beside a load finds the warehouse in use', async () => {
  await withFileLock({ path: config.warehouse, clock, waitMs: 0 }, async () => {
    await expect(replay(config)).rejects.toThrow(BusyError);
  });
});

test('a replay by a version that reads an event otherwise takes what this one reads', async () => {
  const database = await Database.open(config.warehouse, 'READ_WRITE');
  await database.run(
    `update webhook_events set outcome = 'rejected', problem = 'of old' where type <> 'post.created';
    update posts set title = 'misread', status = null, removed_by = 'nobody';
    update labels set name = 'misread'; delete from post_labels`,
  );
  database.close();
  expect(await replay(config)).toEqual({ ...summary, changed: 1 });
  expect(await dumpOf()).toEqual(loaded);
});

test('an event whose file is damaged stays as it was loaded', async () => {
  for (const key of await listEventKeys(config.dataDir))
    await writeFile(join(eventsFolder(config.dataDir), key.slice(0, 2), `${key}.json`), 'damaged');
  expect(await replay(config)).toMatchObject({ events: 0 });
  expect(await dumpOf()).toEqual(loaded);
});
