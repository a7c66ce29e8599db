import { cp, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { readBodyFile, listRunNames, readRunFolder } from '../../src/store/run-folder.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { loadProgram, runUntil, type Death } from '../support/killed-program.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  storeAnalytics,
  storeDetails,
  storeRun,
  load,
  recordOf,
  rowsOf,
} from '../support/stored-run.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';

/** A warehouse with one loaded run, and a second run and an event that are not loaded. */
async function storeSecondRun(config: Config): Promise<void> {
  await storeRun(config, [analyticsRecord()]);
  await load(config);
  const part = await RunWriter.open(config.dataDir, recordOf({ run_id: 'second' }));
  const fetchedAt = new Date('2026-01-16T12:00:00Z');
  const records = [analyticsRecord({ likeCount: 11 }), analyticsRecord({ id: 'b' })];
  await storeAnalytics(part, records, { fetchedAt });
  await storeDetails(part, 'p1', { id: 'p1', title: 'T' }, { fetchedAt });
  await part.finish(finishOf({ requests: 2 }));
  await storeEvents(config, [deletionEvent()]);
}

const deaths: Death[] = (['copyFile', 'rename'] as const).flatMap((operation) =>
  (['before', 'after'] as const).map((when) => ({ when, operation, nth: 1 })),
);

test.each([
  ['load', 4],
  ['rebuildWarehouse', 2],
] as const)(
  'a process that is killed at any point of a %s leaves the old warehouse or the new one, and the next load completes it',
  async (program, deathsMet) => {
    const original = configOf(await temporaryFolder());
    await storeSecondRun(original);
    const untouched = await dumpTables(original);
    const reference = configOf(await temporaryFolder());
    await cp(original.folder, reference.folder, { recursive: true });
    await load(reference);
    const whole = await dumpTables(reference);
    let killed = 0;
    for (const death of deaths) {
      const config = configOf(await temporaryFolder());
      await cp(original.folder, config.folder, { recursive: true });
      if (await runUntil(death, loadProgram(config, program))) killed += 1;
      expect([untouched, whole]).toContainEqual(await dumpTables(config));
      const { log, warnings } = warningLog();
      await load(config, { log });
      expect([death, warnings]).toEqual([death, []]);
      expect([death, await dumpTables(config)]).toEqual([death, whole]);
      expect((await readdir(config.dataDir)).filter((name) => name.includes('.work'))).toEqual([]);
    }
    expect(killed).toBe(deathsMet);
  },
  120_000,
);

test('an extraction that is killed at any point keeps every stored response complete', async () => {
  for (let nth = 1; nth <= 6; nth += 1) {
    const config = configOf(await temporaryFolder());
    const program = `
      const writer = await RunWriter.open(${JSON.stringify(config.dataDir)}, ${JSON.stringify(recordOf())});
      for (const name of ['first', 'second']) {
        const request = { kind: 'post', post_id: name };
        const fetchedAt = new Date('2026-01-15T12:00:01.500Z');
        const body = Buffer.from(JSON.stringify({ post: { id: name } }));
        await writer.storeResponse(request, { outcome: 'succeeded', httpStatus: 200, fetchedAt, requests: 1, error: null, body, records: null, distinctPosts: null, isPlain: false });
      }
      await writer.finish(${JSON.stringify(finishOf())});`;
    expect(await runUntil({ when: 'before', operation: 'rename', nth }, program)).toBe(true);
    // renames: run.json, then a body and a manifest for each response, then finish.json
    const stored = Math.max(0, Math.floor((nth - 2) / 2));
    for await (const name of listRunNames(config.dataDir)) {
      const folder = await readRunFolder(config.dataDir, name);
      expect(folder?.responses ?? []).toHaveLength(stored);
      expect(folder?.damages ?? []).toEqual([]);
      for (const response of folder?.responses ?? []) await readBodyFile(response);
    }
    expect(await load(config)).toMatchObject({ responses: stored, damaged: 0 });
    const status = nth === 1 ? [] : [{ status: 'interrupted' }];
    expect(await rowsOf(config, 'select status from runs')).toEqual(status);
  }
});
