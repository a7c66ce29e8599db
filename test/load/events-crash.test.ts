import { cp, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { compileProgram, loadProgram, runUntil, type Death } from '../support/killed-program.ts';
import { analyticsRecord, configOf, landRun, load, rowsOf } from '../support/landed-run.ts';
import {
  deletionEvent,
  inviteEvent,
  spoolEvents,
  writeSegment,
} from '../support/inbox-segments.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function dumpAll(config: Config): Promise<unknown> {
  const tables = ['linkedin_posts', 'posts', 'post_labels', 'webhook_events', 'invites'];
  const sql = tables.map(
    (table) => `select '${table}' as name, to_json(t) as row from ${table} as t`,
  );
  return rowsOf(config, `${sql.join(' union all ')} order by all`);
}

/** A warehouse with a run, a sealed segment, and one that a killed receiver left open with a torn line. */
async function receiveEvents(config: Config): Promise<void> {
  await landRun(config, [analyticsRecord({ servicePost: { id: 'p1', title: 'T', labels: [] } })]);
  await load(config);
  await spoolEvents(config, [deletionEvent(), inviteEvent()]);
  const torn = await spoolEvents(config, [deletionEvent({ id: 'p2' })]);
  const line = await readFile(torn);
  await writeSegment(config, Buffer.concat([line, line.subarray(0, 50)]), '.open');
}

test('no event is lost or taken twice by a load that is killed beside any of its renames', async () => {
  const folder = await compileProgram();
  const original = configOf(await temporaryFolder());
  await receiveEvents(original);
  const untouched = await dumpAll(original);
  const reference = configOf(await temporaryFolder());
  await cp(original.folder, reference.folder, { recursive: true });
  await load(reference);
  const whole = await dumpAll(reference);
  // the open segment is set apart and sealed, the new warehouse announced and published, three segments archived
  const states: unknown[] = [];
  for (let nth = 1; ; nth += 1) {
    for (const when of ['before', 'after'] as const) {
      const config = configOf(await temporaryFolder());
      await cp(original.folder, config.folder, { recursive: true });
      const death: Death = { when, operation: 'rename', nth };
      if (!(await runUntil(death, folder, loadProgram(config)))) {
        expect(nth).toBeGreaterThan(7);
        expect(states).toEqual([untouched, whole]);
        return;
      }
      const state = await dumpAll(config);
      if (!isDeepStrictEqual(states.at(-1), state)) states.push(state);
      await load(config);
      expect([death, await dumpAll(config)]).toEqual([death, whole]);
      expect(await readdir(join(config.dataDir, 'inbox'))).toEqual(['keys.bin']);
      const day = join(config.dataDir, 'archive', '_events', '2026-01-20');
      expect(await readdir(day)).toHaveLength(3);
    }
  }
}, 300_000);
