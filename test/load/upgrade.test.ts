import { mkdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openPart } from '../../src/landing/landing-part.ts';
import { Database } from '../../src/warehouse/database.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';
import { configOf, finishOf, landDetails, load, recordOf, rowsOf } from '../support/landed-run.ts';
import { deletionEvent, spoolEvents } from '../support/inbox-segments.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A warehouse as the first version made it, with a post whose details were read on the 20th of January. */
async function makeFirstWarehouse(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const database = await Database.open(path, 'READ_WRITE');
  const migration = await readSql('migrations/0001_initial.sql');
  try {
    await database.run(
      'create table schema_files (name varchar not null, sha256 varchar not null)',
    );
    await database.run(migration);
    await database.run('insert into schema_files values ($name, $sha256)', {
      name: 'migrations/0001_initial.sql',
      sha256: createHash('sha256').update(migration).digest('hex'),
    });
    await database.run(`
      insert into posts (
        workspace, post_id, title, url, status, content, title_reading, labels_reading, detail_reading
      ) values (
        'acme', 'p1', 'Detailed', 'https://app/p1', 'Posted', '{"linkedIn":{"copy":"Hello"}}',
        '2026-01-20T06:00:00.000000Z run 000000001', '2026-01-20T06:00:00.000000Z run 000000001',
        '2026-01-20T06:00:00.000000Z run 000000001'
      )`);
    await database.run(`
      insert into assets (workspace, asset_id, post_id, channel)
      values ('acme', 'm1', 'p1', 'LinkedIn')`);
  } finally {
    database.close();
  }
}

const columns = `title, status, content->>'$.linkedIn.copy' as copy, removed_at, removed_by`;

test('a warehouse of the first version keeps all it has, and takes events and answers by their time', async () => {
  const config = configOf(await temporaryFolder());
  await makeFirstWarehouse(config.warehouse);
  expect(await load(config)).toMatchObject({ isUpgraded: true });
  expect(await load(config)).toMatchObject({ isUpgraded: false });
  const known = { title: 'Detailed', status: 'Posted', copy: 'Hello' };
  expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([
    { ...known, removed_at: null, removed_by: null },
  ]);
  await spoolEvents(config, [deletionEvent({ linkedIn: { copy: 'Older' } })]);
  await load(config);
  const removal = { removed_at: '2026-01-19T09:00:00Z', removed_by: 'Ada Byron' };
  expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([{ ...known, ...removal }]);
  expect(await rowsOf(config, 'select asset_id from assets')).toEqual([{ asset_id: 'm1' }]);
  const part = await openPart(config.dataDir, recordOf());
  const post = { id: 'p1', title: 'New', status: 'ToDo', linkedIn: { copy: 'Newer' } };
  await landDetails(part, 'p1', post, { fetchedAt: new Date('2026-01-21T06:00:00Z') });
  await part.finish(finishOf());
  await load(config);
  expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([
    { title: 'New', status: 'ToDo', copy: 'Newer', ...removal },
  ]);
});

test('a warehouse that a load makes is not upgraded', async () => {
  const config = configOf(await temporaryFolder());
  expect(await load(config)).toMatchObject({ isUpgraded: false });
});
