import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { acquireLock } from '../../src/core/lock.ts';
import { archivedEventsFolder, inboxFolder, inboxLockPath } from '../../src/inbox/spool/layout.ts';
import { deletionEvent, spoolEvents } from '../support/inbox-segments.ts';
import { configOf, load, rowsOf } from '../support/landed-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';

/** One event that fits and one that does not. */
async function configWithEvents(): Promise<Config> {
  const config = configOf(await temporaryFolder());
  await spoolEvents(config, [deletionEvent(), deletionEvent({ id: 5 })]);
  return config;
}

function holdInbox({ dataDir }: Config) {
  return acquireLock(inboxLockPath(dataDir), { purpose: 'test', waitMs: 0, clock: systemClock });
}

const loaded = { applied: 1, kept: 0, rejected: 1, repeats: 0, damaged: 0 };
const rejection = [
  { rejected: 1, for_example: 'data.post.id: expected text, got 5' },
  expect.stringMatching(/^some events do not fit/),
];
function leftInInbox(place: string): unknown[] {
  return [
    { error: expect.stringContaining(place) as string },
    'the events are loaded, but could not be moved to the archive; the next load tries it again',
  ];
}

async function expectArchivedByNextLoad(config: Config): Promise<void> {
  const { log, warnings } = warningLog();
  expect((await load(config, { log })).events).toMatchObject({ applied: 0, rejected: 0 });
  expect(warnings).toEqual([]);
  expect(await readdir(inboxFolder(config.dataDir))).toEqual(['keys.bin']);
  expect(await rowsOf(config, 'select outcome from webhook_events order by all')).toEqual([
    { outcome: 'applied' },
    { outcome: 'rejected' },
  ]);
}

test('a load that cannot archive events has loaded them, tells of all that is odd, and the next one archives them', async () => {
  const config = await configWithEvents();
  const folder = archivedEventsFolder(config.dataDir);
  await mkdir(dirname(folder), { recursive: true });
  await writeFile(folder, 'in the way');
  const { log, warnings } = warningLog();
  expect(await load(config, { log })).toMatchObject({ events: loaded, isPublished: true });
  expect(warnings).toEqual([rejection, leftInInbox(folder)]);
  await rm(folder);
  await expectArchivedByNextLoad(config);
});

test('a load waits for whoever moves events as long as it is told to, and leaves them to the next one', async () => {
  const config = await configWithEvents();
  const lock = await holdInbox(config);
  const { log, warnings } = warningLog();
  expect(await load(config, { log, waitMs: 0 })).toMatchObject({ events: loaded });
  expect(warnings).toEqual([rejection, leftInInbox('inbox.lock')]);
  await lock.release();
  await expectArchivedByNextLoad(config);
});

test('a load that is stopped while it waits for whoever moves events has told of what it loaded', async () => {
  const config = await configWithEvents();
  const lock = await holdInbox(config);
  const { log, warnings } = warningLog();
  const controller = new AbortController();
  const clock = new ManualClock();
  const stopped = load(config, { log, clock, waitMs: 60_000, signal: controller.signal });
  const outcome = stopped.catch((error: unknown) => error);
  while (clock.sleepers === 0) await clock.advance(0);
  controller.abort();
  expect(await outcome).toBeInstanceOf(InterruptedError);
  expect(warnings).toEqual([rejection]);
  await lock.release();
  await expectArchivedByNextLoad(config);
});

test('a load takes in what it can read beside a segment that it cannot, and that one once it can', async () => {
  const config = await configWithEvents();
  const folder = inboxFolder(config.dataDir);
  const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.ndjson'));
  const path = join(folder, name);
  await rename(path, `${path}.kept`);
  await mkdir(path);
  await spoolEvents(config, [deletionEvent({ id: 'p9' })]);
  const { log, warnings } = warningLog();
  expect((await load(config, { log })).events).toMatchObject({ applied: 1 });
  expect(warnings).toEqual([
    [{ segment: path }, expect.stringContaining(`${path} cannot be read (EISDIR`) as string],
  ]);
  await rmdir(path);
  await rename(`${path}.kept`, path);
  expect((await load(config, { log })).events).toMatchObject(loaded);
});
