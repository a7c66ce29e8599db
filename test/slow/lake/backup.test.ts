import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LakeServers } from '../../support/lake-servers.ts';
import { configured, eventsOf, storeDay, tablesOf } from '../../support/lake-story.ts';
import { storeEvents } from '../../support/stored-events.ts';
import { load } from '../../support/stored-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let servers: LakeServers;
beforeAll(async () => {
  servers = await LakeServers.start();
});
afterAll(() => servers.stop());

test('a lake in a bucket that is lost is what it was once catalog and data are restored, and the next load continues', async () => {
  const file = configured(await temporaryFolder());
  const config = { ...file, warehouse: servers.newLake('s3') };
  const { database } = config.warehouse;
  const data = join(servers.folder, 's3', 'lakes', database);
  const backup = await temporaryFolder();
  await storeDay(config, 1);
  await storeEvents(config, eventsOf(1));
  await load(config);
  const before = await tablesOf(config);

  const dump = await servers.dump(database);
  // what a load writes after the dump is in no snapshot of it
  await storeDay(config, 2);
  await load(config);
  await cp(data, join(backup, 'data'), { recursive: true });
  const after = await tablesOf(config);
  expect(after).not.toEqual(before);

  servers.sql('postgres', `drop database ${database} with (force)`);
  await rm(data, { recursive: true });
  await servers.restore(database, dump);
  await cp(join(backup, 'data'), data, { recursive: true });
  expect(await tablesOf(config)).toEqual(before);
  await load(config);
  expect(await tablesOf(config)).toEqual(after);
});
