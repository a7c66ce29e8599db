import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { acquireLock, type Lock } from '../../src/core/lock.ts';
import { archivePart } from '../../src/landing/archive.ts';
import { listLanding } from '../../src/landing/landed-part.ts';
import { openPart, type LandingPart } from '../../src/landing/landing-part.ts';
import { extractLockPath } from '../../src/landing/layout.ts';
import { readPendingParts } from '../../src/load/status/pending-parts.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landRun,
  load,
  recordOf,
} from '../support/landed-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { pauseAt } from '../support/paused-file.ts';
import { rebuild } from '../support/rebuilding.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface LiveRun {
  readonly config: Config;
  readonly part: LandingPart;
  readonly lock: Lock;
}

/** A run that is under way in another process, with two answers. */
async function liveRun(): Promise<LiveRun> {
  const config = configOf(await temporaryFolder());
  const lock = await acquireLock(extractLockPath(config.dataDir, 'acme'), {
    purpose: 'extracting',
    waitMs: 0,
    clock: new ManualClock(),
  });
  const part = await openPart(config.dataDir, recordOf());
  await landAnalytics(part, [analyticsRecord()]);
  await landAnalytics(part, [analyticsRecord({ likeCount: 11 })]);
  return { config, part, lock };
}

/** Takes the second answer's body away. @returns what puts it there again */
async function hideBody({ folder }: LandingPart): Promise<() => Promise<void>> {
  const path = join(folder, '000002.body.gz');
  const body = await readFile(path);
  await rm(path);
  return () => writeFile(path, body);
}

const now = new Date('2026-01-15T13:00:00Z');

describe('a part that another live process writes', () => {
  test('is not damaged where its folder is listed in the middle of a response', async () => {
    const { config, part, lock } = await liveRun();
    const showBody = await hideBody(part);
    expect(await load(config)).toMatchObject({ damaged: 0, inProgress: 1 });
    expect(await rebuild(config)).toMatchObject({ isPublished: true, responses: 1 });
    expect(await readPendingParts(config.dataDir, now)).toMatchObject({ damaged: 0 });
    await showBody();
    await part.finish(finishOf());
    await lock.release();
    expect(await load(config)).toMatchObject({ responses: 1, damaged: 0, archived: 1 });
    expect(await readdir(config.dataDir)).not.toContain('quarantine');
  });

  test('keeps a body that was read by a rebuild and is not what was landed, until it has ended', async () => {
    const { config, part, lock } = await liveRun();
    await writeFile(join(part.folder, '000002.body.gz'), '');
    const names = await readdir(part.folder);
    expect(await rebuild(config)).toMatchObject({ isPublished: true, responses: 1 });
    expect(await readdir(part.folder)).toEqual(names);
    await lock.release();
    expect(await load(config)).toMatchObject({ responses: 0, damaged: 1, archived: 1 });
  });

  test('is read again where it ended while it was listed, and nothing of it is left out', async () => {
    const { config, part, lock } = await liveRun();
    const showBody = await hideBody(part);
    const first = await pauseAt(join(part.folder, '000001.manifest.json'));
    const loading = load(config);
    await first.during(async () => {
      await showBody();
      await landAnalytics(part, [analyticsRecord({ likeCount: 12 })]);
      await part.finish(finishOf());
      await lock.release();
    });
    expect(await loading).toMatchObject({ responses: 3, damaged: 0, archived: 1 });
  });

  test('is read again where its end was listed and not all that came before it', async () => {
    const { config, part, lock } = await liveRun();
    await part.finish(finishOf());
    const first = await pauseAt(join(part.folder, '000001.manifest.json'));
    const loading = load(config);
    await first.during(async () => {
      await landAnalytics(part, [analyticsRecord({ likeCount: 12 })]);
      await lock.release();
    });
    expect(await loading).toMatchObject({ responses: 3, damaged: 0, archived: 1 });
  });

  test('costs a damaged one of an earlier run nothing: that one is set aside', async () => {
    const { config } = await liveRun();
    await landRun(config, [analyticsRecord()], {}, { run_id: 'earlier' });
    await writeFile(join(config.dataDir, 'landing/acme/earlier/000001.manifest.json'), '{');
    expect(await readPendingParts(config.dataDir, now)).toMatchObject({ damaged: 1 });
    expect(await load(config)).toMatchObject({ damaged: 1, archived: 1, inProgress: 1 });
    expect(await readdir(join(config.dataDir, 'landing/acme'))).toEqual([recordOf().run_id]);
  });
});

test.each([1, 2])(
  'a part that is archived while its answer %i is read is passed over, and nothing of it is damaged',
  async (seq) => {
    const config = configOf(await temporaryFolder());
    const opened = await openPart(config.dataDir, recordOf());
    for (const likeCount of [1, 2, 3])
      await landAnalytics(opened, [analyticsRecord({ likeCount })]);
    await opened.finish(finishOf());
    const [part] = (await listLanding(config.dataDir)).parts;
    if (!part) throw new Error('there is no part');
    const manifest = await pauseAt(join(part.folder, `00000${seq}.manifest.json`));
    const reading = readPendingParts(config.dataDir, now);
    await manifest.during(() => archivePart(config.dataDir, part));
    expect(await reading).toEqual({ parts: [], damaged: 0 });
  },
);
