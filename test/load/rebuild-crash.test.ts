import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { Database } from '../../src/warehouse/database.ts';
import { archivedData, findingsIn } from '../support/archived-data.ts';
import { copyBeforeAll } from '../support/copies-before-operations.ts';
import { deletionEvent, spoolEvents } from '../support/inbox-segments.ts';
import {
  compileProgram,
  programImports,
  pruneProgram,
  rebuildProgram,
  runUntil,
  type Death,
} from '../support/killed-program.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  load,
  recordOf,
} from '../support/landed-run.ts';
import { rebuild } from '../support/rebuilding.ts';
import { startProgram } from '../support/spool-process.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The same files, with workspaces that have no profiles, as the killed programs have it. */
function withoutProfiles(config: Config): Config {
  const workspaces = [...config.workspaces].map(
    ([key, workspace]) => [key, { ...workspace, profiles: [] }] as const,
  );
  return { ...config, workspaces: new Map(workspaces) };
}

/** Another run, in landing. */
async function landAnother(config: Config, day: number): Promise<void> {
  const started_at = `2026-01-${day}T12:00:00.000Z`;
  const part = await openPart(config.dataDir, recordOf({ run_id: `run-${day}`, started_at }));
  const fetchedAt = new Date(started_at);
  await landAnalytics(part, [analyticsRecord({ likeCount: day })], { fetchedAt });
  await part.finish(finishOf());
}

/** A warehouse that somebody has edited, its archive, and a run and an event that wait. */
async function editedData(): Promise<Config> {
  const config = withoutProfiles(await archivedData());
  const database = await Database.open(config.warehouse, 'READ_WRITE');
  await database.run("update posts set title = 'by hand'");
  database.close();
  await landAnother(config, 17);
  await spoolEvents(config, [deletionEvent({ id: 'p3' })]);
  return config;
}

/** Notes tell of what does no harm. */
async function wrongIn(config: Config) {
  return (await findingsIn(config)).filter(([kind]) => kind !== 'note');
}

async function copyOf({ folder }: Config): Promise<Config> {
  const copy = withoutProfiles(configOf(await temporaryFolder()));
  await cp(folder, copy.folder, { recursive: true });
  return copy;
}

test('a rebuild that is killed beside any of its renames leaves the old warehouse or the new one, and the next one completes it', async () => {
  const folder = await compileProgram();
  const original = await editedData();
  const edited = await dumpTables(original);
  const reference = await copyOf(original);
  await rebuild(reference);
  const rebuilt = await dumpTables(reference);
  expect(rebuilt).not.toEqual(edited);
  const seen: string[] = [];
  let isKilled = true;
  for (let nth = 1; isKilled; nth += 1) {
    const death: Death = { when: nth % 2 === 0 ? 'before' : 'after', operation: 'rename', nth };
    const config = await copyOf(original);
    isKilled = await runUntil(death, folder, rebuildProgram(config));
    const now = JSON.stringify(await dumpTables(config));
    seen.push(now === JSON.stringify(edited) ? 'old' : 'new');
    expect(now).toBe(JSON.stringify(seen.at(-1) === 'old' ? edited : rebuilt));
    await rebuild(config);
    expect(await dumpTables(config)).toEqual(rebuilt);
    expect(await findingsIn(config)).toEqual([]);
    expect((await readdir(config.dataDir)).filter((name) => name.includes('.work'))).toEqual([]);
    expect(await readdir(join(config.dataDir, 'landing', 'acme'))).toEqual([]);
  }
  // first the one and then the other
  expect(seen.join(' ')).toMatch(/^(old )+(new ?)+$/);
}, 180_000);

test('pruning that is killed before any of its file operations loses nothing that it should not, and pruning again completes it', async () => {
  const folder = await compileProgram();
  const config = withoutProfiles(await archivedData());
  await landAnother(config, 17);
  await landAnother(config, 18);
  await load(config);
  const now = '2026-03-01T12:00:00Z';
  const reference = await copyOf(config);
  await once(startProgram(`${programImports(folder)}${pruneProgram(reference, now)}`), 'close');
  await rm(reference.warehouse);
  await rebuild(reference);
  const whole = await dumpTables(reference);
  const copies = await temporaryFolder();
  const script = `${programImports(folder)}${copyBeforeAll(config.dataDir, copies)}${pruneProgram(config, now)}`;
  expect(await once(startProgram(script), 'close')).toEqual([0, null]);
  const numbers = (await readdir(copies)).map(Number).sort((a, b) => a - b);
  // for each of two parts the ledger, a record in the place of the body, and that
  expect(numbers.length).toBeGreaterThan(30);
  for (const number of numbers.filter((each) => each % 9 === 0)) {
    const copy = withoutProfiles(configOf(join(copies, String(number))));
    expect([number, await wrongIn(copy)]).toEqual([number, []]);
    await once(startProgram(`${programImports(folder)}${pruneProgram(copy, now)}`), 'close');
    expect([number, await wrongIn(copy)]).toEqual([number, []]);
    await rm(copy.warehouse);
    expect([number, (await rebuild(copy)).damages]).toEqual([number, []]);
    expect([number, await dumpTables(copy)]).toEqual([number, whole]);
  }
}, 180_000);
