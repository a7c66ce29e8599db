import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { checkRebuild } from '../../src/load/rebuild.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import { instant, response, storeResponses, type Response } from '../support/made-up-responses.ts';
import { assertHolds } from '../support/fuzz.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { configOf, load } from '../support/stored-run.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const workspace = fc.constantFrom('acme', 'acme', 'elsewhere').map((slug) => ({ id: 'w', slug }));
const label = fc.record({ id: fc.constantFrom('l1', 'l4'), name: fc.constantFrom('red', 'grey') });
const event = fc
  .record({
    createdAt: instant.map((moment) => moment.toISOString()),
    isInvite: fc.nat(4).map((nth) => nth === 0),
    change: fc.record({
      id: fc.constantFrom('p1', 'p2', 'p3'),
      title: fc.constantFrom('A', 'D', 7),
      campaign: fc.option(fc.record({ id: fc.constantFrom('c1', 'c2'), name: fc.constant('z') })),
      labels: fc.array(label, { maxLength: 2 }),
      workspace,
    }),
  })
  .map(({ createdAt, isInvite, change }) =>
    isInvite
      ? inviteEvent({ id: change.id, workspace: change.workspace }, { createdAt })
      : deletionEvent(change, { createdAt }),
  );
/** The responses and events that arrive between two loads. */
const arrivals = fc.record({
  runs: fc.array(fc.array(response, { maxLength: 4 }), { maxLength: 2 }),
  events: fc.array(event, { maxLength: 3 }),
});

interface Arrivals {
  readonly runs: readonly (readonly Response[])[];
  readonly events: readonly object[];
}

async function store(config: Config, given: Arrivals, nth: number): Promise<void> {
  for (const [index, run] of given.runs.entries()) {
    // only one process uses a workspace at a time, so no two runs have a response of the same millisecond
    const shiftMs = 10 * nth + index;
    const responses = run.map(({ answer, fetchedAt }) => ({
      answer,
      fetchedAt: new Date(fetchedAt.getTime() + shiftMs),
    }));
    await storeResponses(config.dataDir, `run-${nth}-${index}`, responses);
  }
  await storeEvents(config, given.events);
}

test('the tables are the same in whatever order and batches responses and events are loaded, and after a rebuild', async () => {
  const root = await temporaryFolder();
  let count = 0;
  await assertHolds(
    fc.asyncProperty(fc.array(arrivals, { minLength: 1, maxLength: 3 }), async (all) => {
      count += 1;
      const atOnce = configOf(`${root}/${count}/at-once`);
      for (const [nth, given] of all.entries()) await store(atOnce, given, nth);
      await load(atOnce);
      const whole = await dumpTables(atOnce);
      const inPieces = configOf(`${root}/${count}/in-pieces`);
      for (const [nth, given] of [...all.entries()].toReversed()) {
        await store(inPieces, given, nth);
        // the time zone and the slug differ until the last load
        const [workspaceConfig] = inPieces.workspaces.values();
        if (!workspaceConfig) throw new Error('the config has a workspace');
        const other = { ...workspaceConfig, slug: 'elsewhere' };
        const workspaces = new Map([['acme', other]]);
        if (nth > 0) await load({ ...inPieces, timezone: 'Pacific/Kiritimati', workspaces });
      }
      await load(inPieces);
      expect(await dumpTables(inPieces)).toEqual(whole);
      const tables = await checkRebuild({
        config: inPieces,
        clock: new ManualClock(),
        log: silentLog,
        progress: silentProgress,
        waitMs: 0,
      });
      expect(tables.filter(({ missing, extra }) => missing + extra > 0)).toEqual([]);
    }),
    5,
  );
});
