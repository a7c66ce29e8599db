import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { readBody } from '../../src/landing/landed-body.ts';
import { listLanding } from '../../src/landing/landed-part.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { compileProgram, loadProgram, runUntil, type Death } from '../support/killed-program.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landDetails,
  landRun,
  load,
  recordOf,
  rowsOf,
} from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';

async function dumpAll(config: Config): Promise<unknown> {
  const tables = ['linkedin_posts', 'linkedin_post_snapshots', 'posts', 'runs', 'extract_windows'];
  const sql = tables.map(
    (table) => `select '${table}' as name, to_json(t) as row from ${table} as t`,
  );
  return rowsOf(config, `${sql.join(' union all ')} order by all`);
}

/** A warehouse with one loaded run, and a second run in landing. */
async function landSecondRun(config: Config): Promise<void> {
  await landRun(config, [analyticsRecord()]);
  await load(config);
  const part = await openPart(config.dataDir, recordOf({ run_id: 'second' }));
  await landAnalytics(part, [analyticsRecord({ likeCount: 11 }), analyticsRecord({ id: 'b' })]);
  await landDetails(part, 'p1', { id: 'p1', title: 'T' });
  await part.finish(finishOf({ requests: 2 }));
}

test('a load that is killed at any point is seen whole or not at all, and the next one completes it', async () => {
  const folder = await compileProgram();
  const original = configOf(await temporaryFolder());
  await landSecondRun(original);
  const untouched = await dumpAll(original);
  const reference = configOf(await temporaryFolder());
  await cp(original.folder, reference.folder, { recursive: true });
  await load(reference);
  const whole = await dumpAll(reference);
  // renames: it is told what is published, the warehouse is, the part gets its list of contents, the part is moved
  const deaths: [Death, unknown][] = [
    [{ when: 'before', operation: 'copyFile', nth: 1 }, untouched],
    [{ when: 'after', operation: 'copyFile', nth: 1 }, untouched],
    [{ when: 'before', operation: 'rename', nth: 1 }, untouched],
    [{ when: 'after', operation: 'rename', nth: 1 }, untouched],
    [{ when: 'before', operation: 'rename', nth: 2 }, untouched],
    [{ when: 'after', operation: 'rename', nth: 2 }, whole],
    [{ when: 'before', operation: 'rename', nth: 3 }, whole],
    [{ when: 'after', operation: 'rename', nth: 3 }, whole],
    [{ when: 'before', operation: 'rename', nth: 4 }, whole],
    [{ when: 'after', operation: 'rename', nth: 4 }, whole],
  ];
  for (const [death, published] of deaths) {
    const config = configOf(await temporaryFolder());
    await cp(original.folder, config.folder, { recursive: true });
    // of the file that this one is a copy of
    await rm(`${config.warehouse}.published.json`);
    expect({ ...death, killed: await runUntil(death, folder, loadProgram(config)) }).toEqual({
      ...death,
      killed: true,
    });
    expect(await dumpAll(config)).toEqual(published);
    const { log, warnings } = warningLog();
    await load(config, { log });
    expect(warnings).toEqual([]);
    expect(await dumpAll(config)).toEqual(whole);
    expect((await listLanding(config.dataDir)).parts).toEqual([]);
    expect(await readdir(join(config.dataDir, 'archive', 'acme', '2026-01-15'))).toHaveLength(2);
    expect(await readdir(config.dataDir)).toEqual([
      'archive',
      'landing',
      'locks',
      'postledger.duckdb',
      'postledger.duckdb.published.json',
    ]);
    expect(await readdir(join(config.dataDir, 'locks'))).toEqual([]);
  }
}, 300_000);

test('an extraction that is killed at any point keeps every response that was landed, whole', async () => {
  const folder = await compileProgram();
  for (let nth = 1; nth <= 6; nth += 1) {
    const config = configOf(await temporaryFolder());
    const program = `
      const part = await openPart(${JSON.stringify(config.dataDir)}, ${JSON.stringify(recordOf())});
      for (const name of ['first', 'second']) {
        const request = { kind: 'post', post_id: name };
        const fetchedAt = new Date('2026-01-15T12:00:01.500Z');
        const body = Buffer.from(JSON.stringify({ post: { id: name } }));
        await part.landResponse(request, { outcome: 'succeeded', httpStatus: 200, fetchedAt, requests: 1, error: null, body, records: null });
      }
      await part.finish(${JSON.stringify(finishOf())});`;
    expect(await runUntil({ when: 'before', operation: 'rename', nth }, folder, program)).toBe(
      true,
    );
    const { parts, damages } = await listLanding(config.dataDir);
    expect(damages).toEqual([]);
    const responses = parts.flatMap((part) => part.responses);
    // renames: run.json, then a body and a manifest for each response, then finish.json
    expect(responses).toHaveLength(Math.max(0, Math.floor((nth - 2) / 2)));
    for (const response of responses) await readBody(response);
    expect(await load(config)).toMatchObject({ responses: responses.length, damaged: 0 });
    const status = nth === 1 ? [] : [{ status: 'interrupted' }];
    expect(await rowsOf(config, 'select status from runs')).toEqual(status);
  }
});
