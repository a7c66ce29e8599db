import { cp, link, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BusyError } from '../../src/core/errors.ts';
import { WarehouseFileError } from '../../src/warehouse/warehouse-errors.ts';
import { fillBesideFile, withFileLock } from '../../src/warehouse/file-warehouse.ts';
import { addLabel, insertLabel, labelIds, openElsewhere } from '../support/label-warehouse.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const insertElsewhere = "insert into labels (workspace, label_id) values ('acme', 'elsewhere')";

async function published(...ids: string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'w.duckdb');
  for (const id of ids) await insertLabel(path, id);
  return path;
}

test('a published file keeps what it held under its other names', async () => {
  const path = await published('a');
  await link(path, `${path}.kept`);
  await insertLabel(path, 'b');
  expect(await labelIds(`${path}.kept`)).toEqual(['a']);
  expect(await labelIds(path)).toEqual(['a', 'b']);
});

describe('a log of changes beside the published file', () => {
  test('that a killed program left is taken in', async () => {
    const path = await published('a');
    const { run, kill } = await openElsewhere(path);
    await run(insertElsewhere);
    await expect(insertLabel(path, 'b')).rejects.toThrow(BusyError);
    await kill();
    await insertLabel(path, 'b');
    expect(await labelIds(path)).toEqual(['a', 'b', 'elsewhere']);
  });

  test('of another database is refused, and kept beside the warehouse that is built from the raw store', async () => {
    const path = await published('a');
    await logOfAnother(`${path}.wal`);
    await expect(insertLabel(path, 'b')).rejects.toThrow(WarehouseFileError);
    const options = { path, clock: new ManualClock(), waitMs: 0 };
    await fillBesideFile(
      options,
      ({ database }) => database.run(addLabel, { id: 'a' }),
      (file) => file.publish(),
    );
    expect(await labelIds(path)).toEqual(['a']);
    expect((await readdir(join(path, '..'))).toSorted()).toEqual([
      'w.duckdb',
      expect.stringMatching(/^w\.duckdb\.unreadable-\d{8}T\d{9}Z$/),
      expect.stringMatching(/^w\.duckdb\.unreadable-\d{8}T\d{9}Z\.wal$/),
    ]);
  });

  test('of a warehouse that is gone does not spoil the one that is made', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    await logOfAnother(`${path}.wal`);
    await insertLabel(path, 'a');
    expect(await labelIds(path)).toEqual(['a']);
    await insertLabel(path, 'b');
    expect(await labelIds(path)).toEqual(['a', 'b']);
  });
});

/** Leaves what a killed writer of another database would. */
async function logOfAnother(wal: string): Promise<void> {
  const other = join(await temporaryFolder(), 'other.duckdb');
  const { run, kill } = await openElsewhere(other);
  await run('create table things (n int)');
  await run('checkpoint');
  await run('insert into things values (1)');
  await kill();
  await cp(`${other}.wal`, wal);
}

test('a warehouse that is a link has one lock under both of its names', async () => {
  const path = await published('a');
  const name = join(path, '..', 'link.duckdb');
  await symlink('w.duckdb', name);
  await withFileLock({ path, clock: new ManualClock(), waitMs: 0 }, async () => {
    await expect(insertLabel(name, 'b')).rejects.toThrow(BusyError);
  });
  await insertLabel(name, 'b');
  expect(await labelIds(path)).toEqual(['a', 'b']);
});
