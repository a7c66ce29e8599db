import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledgerPath } from '../../src/archive/layout.ts';
import { measureDiskUse, type Usage } from '../../src/archive/disk-use.ts';
import { makeFolder } from '../../src/core/durable-folder.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { deletionEvent, spoolEvents } from '../support/inbox-segments.ts';
import { analyticsRecord, configOf, landRun, load, recordOf } from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function addUp(folder: string): Promise<Usage> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return { files: files.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

test('adds up landing, archive by workspace, events, inbox and quarantine', async () => {
  const config = configOf(await temporaryFolder());
  await landRun(config, [analyticsRecord()]);
  await landRun(config, [analyticsRecord()], {}, { run_id: 'second' });
  await landRun(config, [], {}, { run_id: 'third', workspace: 'other' });
  await spoolEvents(config, [deletionEvent()]);
  await load(config);
  await openPart(config.dataDir, recordOf({ run_id: 'under-way' }));
  await spoolEvents(config, [deletionEvent({ id: 'p2' })]);
  await makeFolder(join(config.dataDir, 'quarantine', 'acme'));
  await writeFile(join(config.dataDir, 'quarantine', 'acme', 'damaged'), 'four');
  const measured = {
    landing: await addUp(join(config.dataDir, 'landing')),
    archive: [
      { workspace: 'acme', parts: 2, ...(await addUp(join(config.dataDir, 'archive', 'acme'))) },
      { workspace: 'other', parts: 1, ...(await addUp(join(config.dataDir, 'archive', 'other'))) },
    ],
    archived_events: await addUp(join(config.dataDir, 'archive', '_events')),
    inbox: await addUp(join(config.dataDir, 'inbox')),
    quarantine: { files: 1, bytes: 4 },
  };
  expect(measured).toMatchObject({
    landing: { files: 1 },
    archive: [{ files: 10 }, { files: 5 }],
    archived_events: { files: 1 },
    inbox: { files: 2 },
  });
  expect(await measureDiskUse(config.dataDir)).toEqual(measured);
  // as in an archive of an earlier version, of which nothing is known beforehand
  await rm(ledgerPath(config.dataDir));
  expect(await measureDiskUse(config.dataDir)).toEqual(measured);
});

test('takes the word of the ledger for what a part holds, and counts no part that is gone', async () => {
  const config = configOf(await temporaryFolder());
  await landRun(config, [analyticsRecord()]);
  await landRun(config, [analyticsRecord()], {}, { run_id: 'second' });
  await load(config);
  const day = join(config.dataDir, 'archive', 'acme', '2026-01-15');
  const before = (await measureDiskUse(config.dataDir)).archive;
  await writeFile(join(day, 'second', 'note.txt'), 'not counted');
  expect((await measureDiskUse(config.dataDir)).archive).toEqual(before);
  await rename(join(day, 'second'), join(config.dataDir, 'elsewhere'));
  expect((await measureDiskUse(config.dataDir)).archive).toMatchObject([{ parts: 1, files: 5 }]);
});

test('is nothing where there is nothing', async () => {
  expect(await measureDiskUse(await temporaryFolder())).toEqual({
    landing: { files: 0, bytes: 0 },
    archive: [],
    archived_events: { files: 0, bytes: 0 },
    inbox: { files: 0, bytes: 0 },
    quarantine: { files: 0, bytes: 0 },
  });
});
