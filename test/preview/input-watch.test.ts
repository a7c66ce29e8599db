import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { InputWatch } from '../../src/preview/input-watch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function watched() {
  const root = await temporaryFolder();
  const folder = join(root, 'reach');
  await mkdir(folder);
  const file = join(root, 'jobs.yaml');
  await writeFile(file, 'a');
  await mkdir(join(root, 'disk'));
  await writeFile(join(root, 'disk', 'w.duckdb'), 'a');
  await symlink(join(root, 'disk', 'w.duckdb'), join(root, 'linked.duckdb'));
  await writeFile(join(folder, 'types.sql'), 'select 1');
  const controller = new AbortController();
  const watch = new InputWatch(systemClock, controller.signal);
  watch.follow([file, folder, join(root, 'linked.duckdb'), join(root, 'none', 'yet')]);
  return { root, folder, file, watch, controller };
}

const changes: Readonly<Record<string, (root: string) => Promise<void>>> = {
  'a file is written again, of the same length': (root) => writeFile(join(root, 'jobs.yaml'), 'b'),
  'a file is saved by rename': async (root) => {
    await writeFile(join(root, 'swap'), 'a');
    await rename(join(root, 'swap'), join(root, 'jobs.yaml'));
  },
  'a folder gets a file': (root) => writeFile(join(root, 'reach', '_lede.sql'), ''),
  'a file in a folder is changed': (root) =>
    writeFile(join(root, 'reach', 'types.sql'), 'select 2'),
  'a file goes': (root) => rm(join(root, 'reach', 'types.sql')),
  'the folder goes': (root) => rm(join(root, 'reach'), { recursive: true }),
  'the file behind a link is replaced': async (root) => {
    await writeFile(join(root, 'swap'), 'a');
    await rename(join(root, 'swap'), join(root, 'disk', 'w.duckdb'));
  },
  'a file comes whose folder was not there': async (root) => {
    await mkdir(join(root, 'none'));
    await writeFile(join(root, 'none', 'yet'), '');
  },
};

describe('a watch', () => {
  it.each(Object.entries(changes))('notices when %s', async (_, change) => {
    const { root, watch } = await watched();
    const changed = watch.changed();
    await change(root);
    await changed;
  });

  it('reports a change from before the wait, once', async () => {
    const { file, watch, controller } = await watched();
    await writeFile(file, 'b');
    await watch.changed();
    watch.follow([file]);
    const again = watch.changed();
    controller.abort();
    await expect(again).rejects.toThrow(InterruptedError);
  });
});
