import { appendFile, copyFile, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { acquireLock } from '../../src/core/lock.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { archivedPartFolder, extractLockPath } from '../../src/landing/layout.ts';
import { Database } from '../../src/warehouse/database.ts';
import { WarehouseMissingError } from '../../src/warehouse/warehouse-errors.ts';
import { archivedData, seal } from '../support/archived-data.ts';
import {
  analyticsRecord,
  finishOf,
  landAnalytics,
  load,
  recordOf,
  rowsOf,
} from '../support/landed-run.ts';
import { compareWithRebuilt, rebuild } from '../support/rebuilding.ts';
import { dumpTables } from '../support/table-dump.ts';

const partFolder = (config: Config) => archivedPartFolder(config.dataDir, recordOf());
const bodyPath = (config: Config) => join(partFolder(config), '000001.body.gz');

async function flipBit(path: string): Promise<void> {
  const data = await readFile(path);
  const at = Math.floor(data.length / 2);
  data[at] = (data[at] ?? 0) ^ 1;
  await writeFile(path, data);
}

async function edit(path: string, sql: string): Promise<void> {
  const database = await Database.open(path, 'READ_WRITE');
  await database.run(sql);
  database.close();
}

describe('where the archive is damaged', () => {
  test('a body that was changed is named, and the warehouse that has its records stays', async () => {
    const config = await archivedData();
    const before = await dumpTables(config);
    await flipBit(bodyPath(config));
    const summary = await rebuild(config);
    expect(summary).toMatchObject({ refusal: 'damage', isPublished: false });
    expect(summary.damages.map(({ path }) => path)).toEqual([bodyPath(config)]);
    expect(summary.losses).toMatchObject({ responses: 1, runs: [`acme ${recordOf().run_id}`] });
    expect(await dumpTables(config)).toEqual(before);
  });

  test('its siblings are rebuilt when that is accepted, or when there is no warehouse', async () => {
    for (const isThere of [true, false]) {
      const config = await archivedData();
      await flipBit(bodyPath(config));
      if (!isThere) await rm(config.warehouse);
      const summary = await rebuild(config, { acceptsDamage: isThere });
      expect(summary).toMatchObject({ refusal: null, isPublished: true, responses: 3 });
      expect(summary.damages).toHaveLength(1);
      expect(await rowsOf(config, 'select like_count from linkedin_posts')).toEqual([
        { like_count: 11 },
      ]);
    }
  });

  test('a manifest that was changed and still reads well is not taken', async () => {
    const config = await archivedData();
    const path = join(partFolder(config), '000001.manifest.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"requests": 1', '"requests": 7'));
    const summary = await rebuild(config);
    expect(summary).toMatchObject({ refusal: 'damage', losses: { responses: 1 } });
    expect(summary.damages.map((damage) => damage.path)).toEqual([path]);
  });

  test('an end of a run that was changed costs the run its end, and not its answers', async () => {
    const config = await archivedData();
    const path = join(partFolder(config), 'finish.json');
    await writeFile(path, '{}');
    const summary = await rebuild(config, { acceptsDamage: true });
    expect(summary).toMatchObject({ isPublished: true, responses: 4, damages: [{ path }] });
    expect(await rowsOf(config, 'select status from runs order by started_at')).toEqual([
      { status: 'interrupted' },
      { status: 'interrupted' },
    ]);
  });

  test('a response whose files are gone, and a part that is gone, are missed', async () => {
    const config = await archivedData();
    for (const name of ['000001.manifest.json', '000001.body.gz'])
      await rm(join(partFolder(config), name));
    expect((await rebuild(config)).damages.map(({ kind }) => kind)).toEqual(['missing', 'missing']);
    await rm(partFolder(config), { recursive: true });
    expect(await rebuild(config)).toMatchObject({
      refusal: 'damage',
      damages: [{ kind: 'missing', path: partFolder(config) }],
      losses: { responses: 3 },
    });
  });

  test('a line of the ledger that was changed is told of, since it may say where events belong', async () => {
    const config = await archivedData();
    const path = join(config.dataDir, 'archive', 'ledger.ndjson');
    const ledger = await readFile(path, 'utf8');
    await writeFile(path, ledger.replace('"slugs":{"acme"', '"slugs":{"acne"'));
    expect(await rebuild(config)).toMatchObject({ refusal: 'damage', damages: [{ path }] });
    await seal(config);
    expect(await rebuild(config)).toMatchObject({ isPublished: true, damages: [] });
  });

  test('what is gone from an archive without a ledger is missed by what the warehouse has', async () => {
    const config = await archivedData();
    await rm(join(config.dataDir, 'archive', 'ledger.ndjson'));
    await rm(partFolder(config), { recursive: true });
    expect(await rebuild(config)).toMatchObject({
      refusal: 'damage',
      damages: [],
      losses: { responses: 3, events: 0 },
    });
  });

  test('an event that cannot be read any more is missed, and its neighbours are rebuilt', async () => {
    const config = await archivedData();
    const folder = join(config.dataDir, 'archive', '_events', '2026-01-20');
    const [name = ''] = (await readdir(folder)).sort();
    const path = join(folder, name);
    const text = gunzipSync(await readFile(path)).toString();
    await writeFile(path, gzipSync(text.replace('new@example.com', 'old@example.com')));
    expect(await rebuild(config)).toMatchObject({
      refusal: 'damage',
      damages: [{ path }],
      losses: { events: 1, responses: 0 },
    });
    expect(await rebuild(config, { acceptsDamage: true })).toMatchObject({
      isPublished: true,
      events: { applied: 2, kept: 0, rejected: 0 },
    });
  });
});

describe('a rebuild', () => {
  test('takes the place of a warehouse that was edited, one with a rule broken and one of a newer version', async () => {
    const config = await archivedData();
    const before = await dumpTables(config);
    for (const damage of [
      "update posts set title = 'by hand'",
      'insert into labels select * from labels',
      "insert into schema_files values ('migrations/9999_later.sql', 'x')",
    ]) {
      await edit(config.warehouse, damage);
      expect(await rebuild(config)).toMatchObject({ isPublished: true, setAsideTo: null });
      expect(await dumpTables(config)).toEqual(before);
    }
  });

  test('makes a warehouse that is gone', async () => {
    const config = await archivedData();
    const before = await dumpTables(config);
    await rm(config.warehouse);
    expect(await rebuild(config)).toMatchObject({ isPublished: true, setAsideTo: null });
    expect(await dumpTables(config)).toEqual(before);
  });

  test('keeps what is no warehouse under another name: a text, and the database of another program', async () => {
    const config = await archivedData();
    const before = await dumpTables(config);
    await writeFile(config.warehouse, 'minutes of the meeting');
    const { setAsideTo } = await rebuild(config);
    expect(await readFile(setAsideTo ?? '', 'utf8')).toBe('minutes of the meeting');
    expect(await dumpTables(config)).toEqual(before);
    await rm(config.warehouse);
    await edit(config.warehouse, 'create table invoices (amount double)');
    const foreign = await rebuild(config);
    expect(foreign).toMatchObject({ isPublished: true, refusal: null });
    expect(foreign.setAsideTo).toContain('.unreadable-');
    expect(await dumpTables(config)).toEqual(before);
  });

  test('is done beside those who read the old file', async () => {
    const config = await archivedData();
    const reader = await Database.open(config.warehouse, 'READ_ONLY');
    await rebuild(config);
    expect((await reader.query('select count(*) from linkedin_posts')).rows).toEqual([[1]]);
    reader.close();
  });

  test('takes a run that is under way as far as it has landed, and the run goes on in the new file', async () => {
    const config = await archivedData();
    const held = { purpose: 'running', waitMs: 0, clock: systemClock };
    const lock = await acquireLock(extractLockPath(config.dataDir, 'acme'), held);
    const record = recordOf({ run_id: 'live', started_at: '2026-01-17T12:00:00.000Z' });
    const part = await openPart(config.dataDir, record);
    await landAnalytics(part, [analyticsRecord({ likeCount: 12 })]);
    const status = "select status, posts_read from runs where run_id = 'live'";
    expect(await compareWithRebuilt(config)).toMatchObject({ isSame: true });
    expect(await rebuild(config)).toMatchObject({ isPublished: true, archived: 0 });
    expect(await rowsOf(config, status)).toEqual([{ status: 'running', posts_read: 1 }]);
    await landAnalytics(part, [analyticsRecord({ likeCount: 13 })]);
    await part.finish(finishOf());
    await lock.release();
    expect(await load(config)).toMatchObject({ responses: 1, archived: 1 });
    expect(await rowsOf(config, status)).toEqual([{ status: 'succeeded', posts_read: 2 }]);
    expect(await compareWithRebuilt(config)).toMatchObject({ isSame: true });
  });

  test('of an archive of an earlier version gives the same: no ledger, no lists, events not compressed', async () => {
    const config = await archivedData();
    const before = await dumpTables(config);
    const archive = join(config.dataDir, 'archive');
    await rm(join(archive, 'ledger.ndjson'));
    for (const name of await readdir(archive, { recursive: true })) {
      const path = join(archive, name);
      if (name.endsWith('contents.json')) await rm(path);
      if (!name.endsWith('.ndjson.gz')) continue;
      await writeFile(path.slice(0, -'.gz'.length), gunzipSync(await readFile(path)));
      await rm(path);
    }
    expect(await compareWithRebuilt(config)).toMatchObject({ isSame: true, damages: [] });
    await rm(config.warehouse);
    expect(await rebuild(config)).toMatchObject({ isPublished: true, damages: [] });
    expect(await dumpTables(config)).toEqual(before);
  });

  test('leaves a file that was never archived out, and is not held up by it', async () => {
    const config = await archivedData();
    const before = await dumpTables(config);
    await copyFile(bodyPath(config), join(partFolder(config), '000009.body.gz'));
    const manifest = await readFile(join(partFolder(config), '000001.manifest.json'), 'utf8');
    const foreign = manifest.replace('"seq": 1', '"seq": 9').replace('000001.body', '000009.body');
    await writeFile(join(partFolder(config), '000009.manifest.json'), foreign);
    expect(await rebuild(config)).toMatchObject({ isPublished: true, damages: [] });
    expect(await dumpTables(config)).toEqual(before);
  });
});

describe('a check of the rebuild', () => {
  test('tells of each table what is missing, too much and different, and changes nothing', async () => {
    const config = await archivedData();
    await edit(
      config.warehouse,
      `update posts set title = 'by hand';
      delete from invites;
      insert into campaigns (workspace, campaign_id, reading) values ('acme', 'c9', 'x')`,
    );
    const files = await readdir(config.dataDir, { recursive: true });
    const edited = await dumpTables(config);
    const { isSame, tables } = await compareWithRebuilt(config);
    expect(isSame).toBe(false);
    expect(tables.filter(({ missing, extra, differing }) => missing + extra + differing)).toEqual([
      { table: 'campaigns', rows: 2, missing: 1, extra: 0, differing: 0, examples: ['acme c9'] },
      { table: 'invites', rows: 0, missing: 0, extra: 1, differing: 0, examples: ['i1'] },
      {
        table: 'posts',
        rows: 2,
        missing: 0,
        extra: 0,
        differing: 2,
        examples: ['acme p1', 'acme p2'],
      },
    ]);
    expect(await dumpTables(config)).toEqual(edited);
    expect(await readdir(config.dataDir, { recursive: true })).toEqual(files);
  });

  test('takes what waits for a load into account, and leaves it there', async () => {
    const config = await archivedData();
    const part = await openPart(config.dataDir, recordOf({ run_id: 'waiting' }));
    await landAnalytics(part, [analyticsRecord({ likeCount: 12 })]);
    await part.finish(finishOf());
    const waiting = join(config.dataDir, 'inbox', '20260120T100000.000Z-1-aa-000001.ndjson');
    await appendFile(waiting, 'no event\n');
    expect(await compareWithRebuilt(config)).toMatchObject({ isSame: true });
    expect(await readdir(join(config.dataDir, 'landing', 'acme'))).toEqual(['waiting']);
    expect(await readFile(waiting, 'utf8')).toBe('no event\n');
    expect(await readdir(config.dataDir)).not.toContain('quarantine');
  });

  test('has nothing to compare without a warehouse', async () => {
    const config = await archivedData();
    await rm(config.warehouse);
    await expect(compareWithRebuilt(config)).rejects.toThrow(WarehouseMissingError);
  });
});
