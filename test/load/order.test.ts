import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gatherBatches, type PendingResponse } from '../../src/load/batch.ts';
import type { EventCopy } from '../../src/load/events/judge-event.ts';
import { mergeEvents } from '../../src/load/events/merge-events.ts';
import { readStoredEvents, type EventSelection } from '../../src/load/events/stored-events.ts';
import type { WorkspaceSlugs } from '../../src/load/events/workspace-slugs.ts';
import type { LoadablePart } from '../../src/load/loadable-parts.ts';
import { beginMerging, mergeBatch } from '../../src/load/merge-batch.ts';
import { mergeRuns } from '../../src/load/run-ledger.ts';
import { checkRules } from '../../src/warehouse/check-rules.ts';
import { Database } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/schema.ts';
import type { WorkSpace } from '../../src/warehouse/warehouse.ts';
import { eventCopies } from '../support/made-up-events.ts';
import { landAll, response } from '../support/made-up-responses.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Item = PendingResponse | EventCopy;

const someSlugs = new Map([['acme', 'acme']]);
const allSlugs = new Map([...someSlugs, ['elsewhere', 'other']]);

/**
 * @param early how many of the chunks are loaded before all workspaces are configured
 * @param timezones by chunk, from the first again after the last
 */
async function loadInOrder(
  folder: string,
  chunks: readonly (readonly Item[])[],
  early = 0,
  timezones = ['Europe/Berlin'],
): Promise<Record<string, unknown>> {
  const database = await Database.open(':memory:', 'READ_WRITE', { threads: '2' });
  try {
    await migrate(database);
    const space = { database, folder, isUpgraded: false, commitSoFar: () => Promise.resolve() };
    await beginMerging(space);
    for (const [nth, chunk] of chunks.entries())
      await mergeChunk(
        space,
        chunk,
        nth < early ? someSlugs : allSlugs,
        String(timezones[nth % timezones.length]),
      );
    await mergeStored(space, 'waiting');
    const beforeReplay = await dumpTables(database);
    await mergeStored(space, 'all');
    expect(await dumpTables(database)).toEqual(beforeReplay);
    await checkRules(database, 'checks');
    return await dumpTables(database);
  } finally {
    database.close();
  }
}

/** As a load does with events that waited, and a replay with all. */
async function mergeStored(space: WorkSpace, selection: EventSelection): Promise<void> {
  for await (const events of readStoredEvents(space.database, selection, allSlugs))
    await mergeEvents(space, events, allSlugs);
}

async function mergeChunk(
  space: WorkSpace,
  chunk: readonly Item[],
  slugs: WorkspaceSlugs,
  timezone: string,
): Promise<void> {
  const responses = chunk.filter((item) => 'response' in item);
  const onDamage = ({ message }: Error) => expect.fail(message);
  for await (const batch of gatherBatches(responses, space.folder, onDamage)) {
    await mergeBatch(space, batch, timezone);
  }
  await mergeRuns(space.database, partsOf(responses));
  const events = chunk.filter((item) => 'eventKey' in item);
  await mergeEvents(space, events, slugs);
}

/** Cut off, as a part is whose responses are loaded apart from one another. */
function partsOf(responses: readonly PendingResponse[]): LoadablePart[] {
  const records = new Map(responses.map(({ record }) => [record.run_id, record]));
  return [...records.values()].map((record) => ({
    part: { folder: '', record, finish: null, responses: [], checks: [] },
    state: 'interrupted',
  }));
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

test('the tables are the same whatever order, pieces and repeats responses and events are loaded in, and whenever workspaces are configured', async () => {
  const root = await temporaryFolder();
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(response, { maxLength: 7 }),
      eventCopies,
      fc.array(fc.nat(100), { minLength: 8, maxLength: 8 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
      fc.nat(12),
      fc.nat(5),
      async (responses, events, order, cuts, repeated, early) => {
        nth += 1;
        const folder = join(root, String(nth));
        const items: Item[] = [...(await landAll(folder, responses)), ...events];
        const atOnce = await loadInOrder(folder, [items]);
        const pieces = rearrange(items, order, cuts);
        // a response is loaded once, which its ledger sees to
        const again = events.slice(repeated);
        expect(await loadInOrder(folder, [...pieces, again], early)).toEqual(atOnce);
        // days of another zone are other days: the tables differ, and every rule holds
        await loadInOrder(folder, pieces, early, ['Pacific/Kiritimati', 'Etc/GMT+12', 'UTC']);
      },
    ),
    {
      numRuns: Number(process.env['PROPERTY_RUNS'] ?? 5),
      // shrinking stops in time to tell of the smallest case so far
      interruptAfterTimeLimit: 45_000,
      markInterruptAsFailure: false,
    },
  );
});
