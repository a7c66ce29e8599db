import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listLanding } from '../../src/landing/landed-part.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { gatherBatches, type PendingResponse } from '../../src/load/batch.ts';
import { beginMerging, mergeBatch } from '../../src/load/merge-batch.ts';
import { Database } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/schema.ts';
import { analyticsRecord, landAnalytics, landDetails, recordOf } from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const count = fc.option(fc.integer({ min: -1, max: 3 }));
const label = fc.record({
  labelId: fc.constantFrom('l1', 'l2'),
  name: fc.constantFrom('red', 'blue'),
});
const linkedPost = fc.option(
  fc.record({
    id: fc.constantFrom('p1', 'p2'),
    title: fc.constantFrom('A', 'B'),
    labels: fc.array(label, { maxLength: 2 }),
    campaign: fc.option(
      fc.record({ id: fc.constantFrom('c1', 'c2'), name: fc.constantFrom('x', 'y') }),
    ),
  }),
);
const record = fc
  .record({
    id: fc.constantFrom('a', 'b'),
    type: fc.constantFrom('Image', 'Video', 7),
    commentary: fc.option(fc.constantFrom('one', 'two')),
    likeCount: count,
    impressionCount: count,
    emv: fc.option(fc.constantFrom(1.5, 2.25)),
    servicePost: linkedPost,
  })
  .map(analyticsRecord);
const details = fc.option(
  fc.record({
    title: fc.constantFrom('A', 'C'),
    status: fc.constantFrom('Posted', 'Scheduled'),
    labels: fc.array(
      fc.record({
        id: fc.constantFrom('l1', 'l3'),
        name: fc.constantFrom('red', 'green'),
        color: fc.option(fc.constantFrom('#fff', '#000')),
      }),
      { maxLength: 2 },
    ),
    linkedIn: fc.option(
      fc.record({
        copy: fc.constantFrom('hi', 'ho'),
        assets: fc.array(fc.record({ id: fc.constantFrom('m1', 'm2'), size: fc.nat(2) }), {
          maxLength: 3,
        }),
      }),
    ),
  }),
);
const answer = fc.oneof(
  fc.record({
    kind: fc.constant('analytics' as const),
    records: fc.array(record, { maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('post' as const),
    postId: fc.constantFrom('p1', 'p2'),
    post: details,
  }),
);
/** Few instants, so that some are equal; the runs overlap in time. */
const response = fc.record({
  answer,
  fetchedAt: fc
    .integer({ min: 0, max: 5 })
    .map((hours) => new Date(1_768_500_000_000 + hours * 7_200_000)),
  run: fc.constantFrom('run-a', 'run-b'),
});
type Response = typeof response extends fc.Arbitrary<infer T> ? T : never;

async function landAll(
  dataDir: string,
  responses: readonly Response[],
): Promise<PendingResponse[]> {
  for (const runId of ['run-a', 'run-b']) {
    const part = await openPart(dataDir, recordOf({ run_id: runId }));
    for (const { answer: given, fetchedAt } of responses.filter(({ run }) => run === runId)) {
      if (given.kind === 'analytics') await landAnalytics(part, given.records, { fetchedAt });
      else {
        const post = given.post && { id: given.postId, ...given.post };
        await landDetails(part, given.postId, post, { fetchedAt });
      }
    }
  }
  const { parts } = await listLanding(dataDir);
  return parts.flatMap((part) =>
    part.responses.map((each) => ({ record: part.record, response: each })),
  );
}

async function loadInOrder(
  folder: string,
  chunks: readonly (readonly PendingResponse[])[],
): Promise<Record<string, unknown>> {
  const database = await Database.open(':memory:', 'READ_WRITE', { threads: '2' });
  try {
    await migrate(database);
    const space = { database, folder, commitSoFar: () => Promise.resolve() };
    await beginMerging(space);
    for (const chunk of chunks) {
      for await (const batch of gatherBatches(chunk, folder, (damage) =>
        expect.fail(damage.message),
      )) {
        await mergeBatch(space, batch, 'Europe/Berlin');
      }
    }
    return await dumpTables(database);
  } finally {
    database.close();
  }
}

async function dumpTables(database: Database): Promise<Record<string, unknown>> {
  const { rows } = await database.query(
    'select table_name from duckdb_tables() where not temporary order by table_name',
  );
  const dump: Record<string, unknown> = {};
  for (const [name] of rows) {
    dump[String(name)] = (await database.query(`from ${String(name)} order by all`)).rows;
  }
  return dump;
}

/** The responses in another order, cut into pieces. */
function rearrange<T>(
  items: readonly T[],
  order: readonly number[],
  cuts: readonly number[],
): T[][] {
  const shuffled = items
    .map((item, index) => ({ item, rank: order[index % order.length] ?? 0, index }))
    .sort((a, b) => a.rank - b.rank || b.index - a.index)
    .map(({ item }) => item);
  const chunks: T[][] = [[]];
  for (const [index, item] of shuffled.entries()) {
    if (cuts.includes(index)) chunks.push([]);
    chunks.at(-1)?.push(item);
  }
  return chunks;
}

test('the tables are the same whatever order and pieces the responses are loaded in', async () => {
  const root = await temporaryFolder();
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(response, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(100), { minLength: 8, maxLength: 8 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 4 }),
      async (responses, order, cuts) => {
        nth += 1;
        const folder = join(root, String(nth));
        const pending = await landAll(folder, responses);
        const atOnce = await loadInOrder(folder, [pending]);
        const piecemeal = await loadInOrder(folder, rearrange(pending, order, cuts));
        expect(piecemeal).toEqual(atOnce);
      },
    ),
    {
      numRuns: Number(process.env['PROPERTY_RUNS'] ?? 8),
      // shrinking stops in time to tell of the smallest case so far
      interruptAfterTimeLimit: 45_000,
      markInterruptAsFailure: false,
    },
  );
});
