import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { fillBesideFile } from '../../src/warehouse/file-warehouse.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { addLabel, change, labelIds } from '../support/label-warehouse.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const loads = 8;
/** The number of labels that each load adds: a reader that sees another number sees half a load. */
const perLoad = 40;

/** Opens the published file again and again, holds it open for a while, and tells how many labels it has seen. */
function startReader(path: string, holdMs: number) {
  const script = `
    const { DuckDBInstance } = require('@duckdb/node-api');
    let isOver = false;
    process.stdin.once('data', () => (isOver = true));
    (async () => {
      for (;;) {
        const instance = await DuckDBInstance.create(${JSON.stringify(path)}, { access_mode: 'READ_ONLY' });
        const connection = await instance.connect();
        const count = async () =>
          Number((await connection.runAndReadAll('select count(*) from labels')).getRows()[0][0]);
        const first = await count();
        await new Promise((resolve) => setTimeout(resolve, ${holdMs}));
        console.log(first + ' ' + (await count()));
        connection.closeSync();
        instance.closeSync();
        if (isOver) break;
      }
      process.exit(0);
    })();`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const seen: string[] = [];
  createInterface(child.stdout).on('line', (line) => seen.push(line));
  return {
    seen,
    hasSeen: async () => {
      while (seen.length === 0) await once(child.stdout, 'data');
    },
    end: async () => {
      child.stdin.write('over\n');
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(0);
    },
  };
}

async function loadLabels(path: string, load: number): Promise<void> {
  await change(
    path,
    async (space) => {
      for (let label = 0; label < perLoad; label += 1) {
        await space.database.run(addLabel, { id: `${load}-${label}` });
        // only the loader can see what is committed so far
        if (label === perLoad / 2) await space.commitSoFar();
      }
    },
    { clock: systemClock, waitMs: 60_000 },
  );
}

test('readers in other processes that keep the file open during many loads see complete loads and do not block them', async () => {
  const path = `${await temporaryFolder()}/w.duckdb`;
  await loadLabels(path, 0);
  const readers = [0, 300].map((holdMs) => startReader(path, holdMs));
  for (const reader of readers) await reader.hasSeen();
  for (let load = 1; load <= loads; load += 1) await loadLabels(path, load);
  for (const reader of readers) await reader.end();
  for (const { seen } of readers) {
    for (const line of seen) {
      const [first, second] = line.split(' ').map(Number);
      // a reader that has the file open still sees the load with which it opened it
      expect(second).toBe(first);
      expect((first ?? 0) % perLoad).toBe(0);
    }
  }
  const numbers = new Set(readers.flatMap(({ seen }) => seen));
  expect(numbers.size).toBeGreaterThan(1);
  expect(await labelIds(path)).toHaveLength((loads + 1) * perLoad);
});

test('loads, a rebuild and readers in one process take turns, and none loses another’s changes', async () => {
  const path = `${await temporaryFolder()}/w.duckdb`;
  await loadLabels(path, 0);
  const options = { path, clock: systemClock, waitMs: 60_000 };
  const readAll = async () => {
    const database = await openWarehouse(path);
    try {
      const { rows } = await database.query('select count(*) from labels');
      return Number(rows[0]?.[0]);
    } finally {
      database.close();
    }
  };
  const rebuild = () =>
    fillBesideFile(
      options,
      async ({ database }) => {
        for (const id of await labelIds(path)) await database.run(addLabel, { id: String(id) });
      },
      (file) => file.publish(),
    );
  const [counts] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, readAll)),
    ...[1, 2, 3].map((load) => loadLabels(path, load)),
    rebuild(),
  ]);
  for (const count of counts) expect(count % perLoad).toBe(0);
  expect(await labelIds(path)).toHaveLength(4 * perLoad);
});
