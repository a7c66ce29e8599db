import { cp, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
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
  // renames: the open segment is set apart and sealed, the warehouse published, each of three segments archived
  const published = 3;
  const deaths: Death[] = [1, 2, 3, 4, 5, 6].flatMap((nth) =>
    (['before', 'after'] as const).map((when) => ({ when, operation: 'rename', nth })),
  );
  for (const death of deaths) {
    const { when, nth } = death;
    const isPublished = nth > published || (nth === published && when === 'after');
    const config = configOf(await temporaryFolder());
    await cp(original.folder, config.folder, { recursive: true });
    const killed = await runUntil(death, folder, loadProgram(config));
    expect({ ...death, killed }).toEqual({ ...death, killed: true });
    expect(await dumpAll(config)).toEqual(isPublished ? whole : untouched);
    await load(config);
    expect(await dumpAll(config)).toEqual(whole);
    expect(await readdir(join(config.dataDir, 'inbox'))).toEqual(['keys.bin']);
    expect(await readdir(join(config.dataDir, 'archive', '_events', '2026-01-20'))).toHaveLength(3);
  }
});
