import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';
import { engineErrorOf } from '../../src/warehouse/engine-error.ts';
import {
  CatalogLostError,
  QueryError,
  LakeError,
  WarehouseDamagedError,
  WarehouseFileError,
  WarehouseMachineError,
} from '../../src/warehouse/warehouse-errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const manyRows =
  'create table many as select range as n, md5(range::varchar) as text from range(200000)';

async function openMemory(settings: Record<string, string> = {}): Promise<Database> {
  const database = await Database.open(':memory:', 'READ_WRITE', settings);
  onTestFinished(() => database.close());
  return database;
}

async function madeFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'w.duckdb');
  const database = await Database.open(path, 'READ_WRITE');
  await database.run(`${manyRows}; checkpoint`);
  database.close();
  return path;
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error as Error,
  );
}

test('a query that wants more memory than there is says so, and what to do', async () => {
  const database = await openMemory({ memory_limit: '20MB', temp_directory: '' });
  const wide = 'select md5(range::varchar) as text from range(3000000) order by text';
  const error = await errorOf(database.run(`create table sorted as ${wide}`));
  expect(error).toBeInstanceOf(WarehouseMachineError);
  expect(error.message).toMatch(
    /^DuckDB stopped \(Out of Memory Error: [^\n]*\); it has too little memory: give this process more, or end what else uses it; nothing was changed$/,
  );
});

test('a statement that quotes words of the system is to blame itself', async () => {
  const database = await openMemory();
  const error = await errorOf(database.query("select 'No space left on device'::int"));
  expect(error).toBeInstanceOf(QueryError);
  expect(error.message).toContain("Could not convert string 'No space left on device'");
});

test('a block that is not what was written is said to be damage, with the way out', async () => {
  const path = await madeFile();
  const handle = await open(path, 'r+');
  const startOfBlocks = 3 * 4_096;
  await handle.write(Buffer.alloc(64, 0xff), 0, 64, startOfBlocks + 2 * 262_144 + 1_000);
  await handle.close();
  const reader = await Database.open(path, 'READ_ONLY');
  onTestFinished(() => reader.close());
  const error = await errorOf(reader.query('select max(text), sum(n) from many'));
  expect(error).toBeInstanceOf(WarehouseDamagedError);
  expect(error.message).toMatch(
    /Corrupt database file.*; the file is damaged: `postledger rebuild` builds the warehouse from the raw store$/,
  );
});

test('a file that was cut off cannot be opened, and the message says how to get another', async () => {
  const path = await madeFile();
  await truncate(path, 5_000);
  const error = await errorOf(Database.open(path, 'READ_ONLY'));
  expect(error).toBeInstanceOf(WarehouseFileError);
  expect(error.message).toMatch(
    /w\.duckdb cannot be opened as a DuckDB file \(IO Error: .*\); `postledger rebuild` loads it again from the raw store and keeps this file beside it under another name; or name another file$/,
  );
});

const failure = 'Could not write file "/data/w.duckdb.work"';

test.each([
  [`IO Error: ${failure}: No space left on device`, 'the disk is full: free some space'],
  [
    `TransactionContext Error: Failed to commit: ${failure}: Disk quota exceeded`,
    'the disk quota is used up',
  ],
  [
    `FATAL Error: Failed to create checkpoint because of error: ${failure}: Input/output error`,
    'the disk has failed: check it',
  ],
  [
    'FATAL Error: Transaction COMMIT succeeded and is durable, but the autocheckpoint failed: Could not write file "w": No space left on device',
    'free some space',
  ],
  ['IO Error: Cannot open file "/data/w.duckdb": Permission denied', 'give this user permission'],
  [
    'IO Error: Cannot open file "/data/w.duckdb": Too many open files',
    'raise the limit (ulimit -n)',
  ],
  [`IO Error: ${failure}: Read-only file system`, 'mount it for writing'],
  [
    'Out of Memory Error: failed to offload data block of size 256.0 KiB (9.9 GiB/9.9 GiB used).\nThis limit was set by the max_temp_directory_size setting.',
    'the disk is full: free some space',
  ],
])('%s', (text, remedy) => {
  const error = engineErrorOf(new Error(`${text}\n\nStack Trace:\n/usr/lib/duckdb.so(+0x1)`));
  expect(error).toBeInstanceOf(WarehouseMachineError);
  expect(error.message).toContain(remedy);
  expect(error.message).not.toContain('Stack Trace');
});

test.each([
  [
    'Invalid Error: Failed to get global stats information from DuckLake: Failed to prepare COPY "COPY (SELECT 1) TO STDOUT": server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
    CatalogLostError,
    '',
  ],
  [
    'INTERNAL Error: Attempted to access index 3 within vector of size 3\n\nStack Trace:\nx',
    WarehouseMachineError,
    /^DuckDB failed \(INTERNAL Error: Attempted to access index 3 within vector of size 3\); nothing was changed: run it again; if it comes again, run `postledger rebuild`, and report this$/,
  ],
  [
    'Not implemented Error: Scanning a DuckLake table after the transaction has ended - this use case is not yet supported',
    LakeError,
    'the lake changed while it was being read: run it again',
  ],
])('%s is not the fault of the query', (text, type, message) => {
  const error = engineErrorOf(new Error(text));
  expect(error).toBeInstanceOf(type);
  expect(error.message).toMatch(message);
});
