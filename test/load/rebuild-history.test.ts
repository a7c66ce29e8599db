import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { acquireLock } from '../../src/core/lock.ts';
import { receiverLockPath } from '../../src/inbox/spool/layout.ts';
import { configOf, load } from '../support/landed-run.ts';
import { happening, MadeUpHistory } from '../support/made-up-history.ts';
import { compareWithRebuilt, rebuild } from '../support/rebuilding.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('whatever came in whatever order, and whatever was configured when, a rebuild gives the warehouse that the loads have made', async () => {
  const root = await temporaryFolder();
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 14 }), async (happenings) => {
      nth += 1;
      const history = new MadeUpHistory(configOf(join(root, String(nth))));
      const { dataDir } = history.config;
      const receiver = await acquireLock(receiverLockPath(dataDir), {
        purpose: 'receiving',
        waitMs: 0,
        clock: systemClock,
      });
      try {
        for (const each of happenings) await history.live(each);
        await load(history.config);
        const original = await dumpTables(history.config);
        // with what a load has not taken in yet, too
        const later = happenings.slice(0, 2);
        const { tables } = await compareWithRebuilt(history.config);
        expect(
          tables.filter(({ missing, extra, differing }) => missing + extra + differing),
        ).toEqual([]);
        await rm(history.config.warehouse);
        expect(await rebuild(history.config)).toMatchObject({ isPublished: true, damages: [] });
        expect(await dumpTables(history.config)).toEqual(original);
        for (const each of later) if (each.kind !== 'replay') await history.live(each);
        expect(await compareWithRebuilt(history.config)).toMatchObject({ isSame: true });
      } finally {
        await receiver.release();
      }
    }),
    {
      numRuns: Number(process.env['PROPERTY_RUNS'] ?? 4),
      // shrinking stops in time to tell of the smallest case so far
      interruptAfterTimeLimit: 45_000,
      markInterruptAsFailure: false,
    },
  );
});
