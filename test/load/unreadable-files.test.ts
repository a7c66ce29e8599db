import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { UnreadableFileError } from '../../src/landing/landing-errors.ts';
import { listLanding } from '../../src/landing/landed-part.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { readPendingParts } from '../../src/load/status/pending-parts.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  load,
  recordOf,
  rowsOf,
} from '../support/landed-run.ts';
import { rebuild } from '../support/rebuilding.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Reading it fails with EIO from its first byte, as on a disk that fails. */
const failingFile = '/proc/self/mem';

async function landCheckedRun(): Promise<{ config: Config; folder: string }> {
  const config = configOf(await temporaryFolder());
  const part = await openPart(config.dataDir, recordOf());
  await landAnalytics(part, [analyticsRecord({ id: 'first' })]);
  await landAnalytics(part, [analyticsRecord({ id: 'second' })]);
  await part.landCheck({
    seq: 1,
    profile_id: recordOf().profiles[0]?.profile_id ?? '',
    start_date: '2026-01-01',
    end_date: '2026-01-30',
    kind: 'agreed',
    checked_at: '2026-01-15T12:00:02.000Z',
    records_whole: 1,
    posts_whole: 1,
    posts_first_half: 1,
    posts_second_half: 0,
    posts_halves: 1,
    missing: 0,
  });
  await part.finish(finishOf());
  return { config, folder: part.folder };
}

test.each([
  'run.json',
  'finish.json',
  '000001.manifest.json',
  '000001.check.json',
  '000001.body.gz',
])('a landed %s that the disk does not give stays, and is loaded once it does', async (name) => {
  const { config, folder } = await landCheckedRun();
  const path = join(folder, name);
  await rename(path, join(config.folder, name));
  await symlink(failingFile, path);
  const names = await readdir(folder);
  for (const work of [load, rebuild]) {
    const error: unknown = await work(config).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(UnreadableFileError);
    expect(error).toMatchObject({
      message: `${path} cannot be read: EIO: i/o error, read; the disk has failed: check it`,
    });
  }
  if (!name.endsWith('.gz')) {
    await expect(readPendingParts(config.dataDir, new Date())).rejects.toThrow(path);
  }
  expect(await readdir(folder)).toEqual(names);
  expect(await readdir(config.dataDir)).not.toContain('quarantine');

  await rename(join(config.folder, name), path);
  expect(await load(config)).toMatchObject({ responses: 2, damaged: 0, archived: 1 });
  expect(await rowsOf(config, 'select status, posts_read from runs')).toEqual([
    { status: 'succeeded', posts_read: 2 },
  ]);
  expect(await rowsOf(config, 'from window_checks')).toHaveLength(1);
});

test('bytes that are no text, and a folder in the place of a manifest, are damaged', async () => {
  const { config, folder } = await landCheckedRun();
  const [first, second] = [
    join(folder, '000001.manifest.json'),
    join(folder, '000002.manifest.json'),
  ];
  const manifest = await readFile(first);
  manifest[manifest.indexOf('succeeded')] = 0xff;
  await writeFile(first, manifest);
  await rm(second);
  await mkdir(second);
  const { damages } = await listLanding(config.dataDir);
  expect(damages.map(({ message }) => message)).toEqual([
    `${first} is damaged: The encoded data was not valid for encoding utf-8`,
    `${second} is a folder`,
  ]);
  expect(await load(config)).toMatchObject({ responses: 0, damaged: 2, archived: 1 });
});
