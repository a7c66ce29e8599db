import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';
import { changeFile } from '../../src/warehouse/file-warehouse.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import type { ChangeOptions, StagingDatabase } from '../../src/warehouse/access.ts';
import { ManualClock } from './manual-clock.ts';

/** The shortest change of a warehouse, for tests of how it is published: a label comes in. */

export const addLabel = "insert into labels (workspace, label_id) values ('acme', $id)";

export async function change<T>(
  path: string,
  work: (staging: StagingDatabase) => Promise<T>,
  more: Partial<ChangeOptions> = {},
): Promise<T> {
  const options = { path, clock: new ManualClock(), waitMs: 0, ...more };
  return changeFile(options, (writer) =>
    writer.change('', () => Promise.resolve({ change: work })),
  );
}

export async function insertLabel(
  path: string,
  id: string,
  more: Partial<ChangeOptions> = {},
): Promise<void> {
  const work = async ({ database }: StagingDatabase) => {
    await database.run(addLabel, { id });
  };
  await change(path, work, more);
}

export async function labelIds(path: string): Promise<unknown[]> {
  const database = await openWarehouse(path);
  try {
    return (await database.query('select label_id from labels order by all')).rows.flat();
  } finally {
    database.close();
  }
}

/** Another program that opens the published file, from beginning to end. */
export async function editPublished(path: string, sql: string): Promise<void> {
  const database = await Database.open(path, 'READ_WRITE');
  await database.run(sql);
  database.close();
}

export interface Elsewhere {
  /** Runs a statement there, which commits it without a checkpoint. */
  readonly run: (sql: string) => Promise<void>;
  readonly kill: () => Promise<void>;
}

/** A separate process that has the file open for writing. */
export async function openElsewhere(path: string): Promise<Elsewhere> {
  const script = `
    const { DuckDBInstance } = require('@duckdb/node-api');
    const { createInterface } = require('node:readline');
    (async () => {
      const instance = await DuckDBInstance.create(${JSON.stringify(path)});
      const connection = await instance.connect();
      console.log('open');
      for await (const sql of createInterface(process.stdin)) {
        await connection.run(sql);
        console.log('done');
      }
      setInterval(() => undefined, 1000);
    })();`;
  const child = spawn(process.execPath, ['-e', script], {
    cwd: process.cwd(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const hasEnded = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const answer = () => new Promise((resolve) => child.stdout.once('data', resolve));
  const kill = async () => {
    child.kill('SIGKILL');
    await hasEnded;
  };
  onTestFinished(kill);
  await answer();
  return {
    kill,
    run: async (sql) => {
      child.stdin.write(`${sql}\n`);
      await answer();
    },
  };
}
