import { cp, link, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BusyError } from '../../src/core/errors.ts';
import { Database } from '../../src/warehouse/database.ts';
import { readProvenance } from '../../src/warehouse/publish-record.ts';
import { remakeWarehouse, withWarehouseLock } from '../../src/warehouse/warehouse.ts';
import {
  addLabel,
  change,
  editPublished,
  insertLabel,
  labelIds,
  openElsewhere,
} from '../support/label-warehouse.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';

const insertElsewhere = "insert into labels (workspace, label_id) values ('acme', 'elsewhere')";
const isForeign =
  /^the warehouse is not the file that was published: .*`postledger rebuild --check`/;

async function published(...ids: string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'w.duckdb');
  for (const id of ids) await insertLabel(path, id);
  return path;
}

/** What a load warns of that changes nothing. */
async function warningsOfLoad(path: string): Promise<string[]> {
  const { log, warnings } = warningLog();
  await change(path, () => Promise.resolve({ value: null, isChanged: false }), { log });
  return warnings.map(([, message]) => message);
}

describe('a published file', () => {
  test('that nobody has touched is known as ours, after any number of loads', async () => {
    const path = await published('a', 'b', 'c');
    expect(await readProvenance(path)).toBe('ours');
    expect(await warningsOfLoad(path)).toEqual([]);
    const reader = await Database.open(path, 'READ_WRITE');
    await reader.query('from labels');
    reader.close();
    expect(await readProvenance(path)).toBe('ours');
  });

  test('that another program has changed is reported until a load has published onto it', async () => {
    const path = await published('a');
    await editPublished(path, insertElsewhere);
    expect(await readProvenance(path)).toBe('foreign');
    expect(await warningsOfLoad(path)).toEqual([expect.stringMatching(isForeign)]);
    await insertLabel(path, 'b');
    expect(await labelIds(path)).toEqual(['a', 'b', 'elsewhere']);
    expect(await readProvenance(path)).toBe('ours');
    expect(await warningsOfLoad(path)).toEqual([]);
  });

  test('that was restored from a copy is reported, whatever its times', async () => {
    const path = await published('a');
    await cp(path, `${path}.backup`, { preserveTimestamps: true });
    await insertLabel(path, 'b');
    await rename(`${path}.backup`, path);
    expect(await warningsOfLoad(path)).toEqual([expect.stringMatching(isForeign)]);
  });

  test('that is built from the raw store is ours again', async () => {
    const path = await published('a');
    await editPublished(path, insertElsewhere);
    await warningsOfLoad(path);
    const options = { path, clock: new ManualClock(), waitMs: 0 };
    await withWarehouseLock(options, () =>
      remakeWarehouse(
        options,
        ({ database }) => database.run(addLabel, { id: 'a' }),
        (file) => file.publish(),
      ),
    );
    expect(await readProvenance(path)).toBe('ours');
    expect(await warningsOfLoad(path)).toEqual([]);
  });

  test.each([
    ['of an earlier version of this program, which noted nothing', ''],
    ['whose note nobody can read', '{"version":1,"files":'],
    ['whose note is of another form', '{"version":2}'],
  ])('%s is not suspected', async (_, note) => {
    const path = await published('a');
    if (note === '') await rm(`${path}.published.json`);
    else await writeFile(`${path}.published.json`, note);
    expect(await readProvenance(path)).toBe('unrecorded');
    expect(await warningsOfLoad(path)).toEqual([]);
    await insertLabel(path, 'b');
    expect(await readProvenance(path)).toBe('ours');
  });

  test('that is missing is reported as such', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    expect(await readProvenance(path)).toBe('missing');
  });

  test('keeps what it held under its other names', async () => {
    const path = await published('a');
    await link(path, `${path}.kept`);
    await insertLabel(path, 'b');
    expect(await labelIds(`${path}.kept`)).toEqual(['a']);
    expect(await labelIds(path)).toEqual(['a', 'b']);
  });
});

describe('a log of changes beside the published file', () => {
  test('that a killed program left is taken in, and told of', async () => {
    const path = await published('a');
    const { run, kill } = await openElsewhere(path);
    await run(insertElsewhere);
    await expect(insertLabel(path, 'b')).rejects.toThrow(BusyError);
    await kill();
    const { log, warnings } = warningLog();
    await insertLabel(path, 'b', { log });
    expect(warnings).toEqual([[{ warehouse: path }, expect.stringMatching(isForeign)]]);
    expect(await labelIds(path)).toEqual(['a', 'b', 'elsewhere']);
  });

  test.each([
    ['of another database', null],
    ['that makes no sense', 'no log of anything'.repeat(50)],
  ])('%s is set aside, and the file can be read again', async (_, text) => {
    const path = await published('a');
    if (text === null) await logOfAnother(`${path}.wal`);
    else await writeFile(`${path}.wal`, text);
    const before = await readFile(`${path}.wal`);
    const { log, warnings } = warningLog();
    await insertLabel(path, 'b', { log });
    expect(await labelIds(path)).toEqual(['a', 'b']);
    const aside = (await readdir(join(path, '..'))).filter((name) => name.includes('.wal'));
    expect(aside).toEqual([expect.stringMatching(/^w\.duckdb\.wal\.foreign-\d{8}T\d{9}Z$/)]);
    expect(await readFile(join(path, '..', aside[0] ?? ''))).toEqual(before);
    expect(warnings).toEqual([
      [
        { file: join(path, '..', aside[0] ?? '') },
        'changes of another program that are no part of the warehouse lay beside it; they were set aside',
      ],
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

  test('of a writer whose file was replaced under it is taken in where it fits, and told of', async () => {
    const path = await published('a');
    const { run, kill } = await openElsewhere(path);
    // what a load does, if the writer came in the moment after it had looked
    await cp(path, `${path}.next`);
    await editPublished(`${path}.next`, insertElsewhere.replace('elsewhere', 'b'));
    await rename(`${path}.next`, path);
    await run(insertElsewhere);
    await kill();
    expect(await readdir(join(path, '..'))).toContain('w.duckdb.wal');
    const { log, warnings } = warningLog();
    await insertLabel(path, 'c', { log });
    expect(await labelIds(path)).toEqual(['a', 'b', 'c', 'elsewhere']);
    expect(warnings).toEqual([[{ warehouse: path }, expect.stringMatching(isForeign)]]);
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

describe('a warehouse that is a link', () => {
  test('to a file that is not there yet is made where the link points to', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'link.duckdb');
    await symlink(join('elsewhere', 'real.duckdb'), path);
    await insertLabel(path, 'a');
    await insertLabel(path, 'b');
    expect(await labelIds(join(folder, 'elsewhere', 'real.duckdb'))).toEqual(['a', 'b']);
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([
      'real.duckdb',
      'real.duckdb.published.json',
    ]);
    expect(await readProvenance(path)).toBe('ours');
  });

  test('has one lock under both of its names', async () => {
    const path = await published('a');
    const name = join(path, '..', 'link.duckdb');
    await symlink('w.duckdb', name);
    const options = { path, clock: new ManualClock(), waitMs: 0 };
    await withWarehouseLock(options, async () => {
      await expect(insertLabel(name, 'b')).rejects.toThrow(BusyError);
    });
    await insertLabel(name, 'b');
    expect(await labelIds(path)).toEqual(['a', 'b']);
  });
});
