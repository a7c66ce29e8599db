import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeLeftFolders, withPrivateFolder } from '../../src/core/private-files.ts';
import { builtUrl } from '../support/built-module.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Starts a process that has a private folder with a file in `parent` until it is killed. */
async function startOwner(parent: string) {
  const program = `
    import { writeFileSync } from 'node:fs';
    import { withPrivateFolder } from '${builtUrl('core/private-files.js')}';
    await withPrivateFolder(${JSON.stringify(parent)}, async (folder) => {
      writeFileSync(folder + '/report.html', '');
      console.log('ready');
      await new Promise(() => setInterval(() => undefined, 60_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

it('a private folder is its owner’s alone, and nothing of it is left', async () => {
  const parent = await temporaryFolder();
  const mode = await withPrivateFolder(parent, async (folder) => (await stat(folder)).mode);
  expect(mode & 0o777).toBe(0o700);
  expect(await readdir(parent)).toEqual([]);
});

it('the private folder of a killed process is removed by the next process, and no folder of a live one', async () => {
  const parent = await temporaryFolder();
  const [killed] = [await startOwner(parent), await startOwner(parent)];
  const before = await readdir(parent);
  expect(before).toHaveLength(4);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await withPrivateFolder(parent, async (folder) => {
    const others = (await readdir(parent)).filter((name) => !name.startsWith(basename(folder)));
    expect(others).toHaveLength(2);
    expect(before).toEqual(expect.arrayContaining(others));
  });
});

it('what earlier versions left is removed while it is empty, to the depth of folders of reports', async () => {
  const parent = await temporaryFolder();
  for (const name of ['', 'acme', 'acme/2026', 'acme/2026/emv'])
    await mkdir(join(parent, name, '.postledger-Ab12Cd'), { recursive: true });
  await mkdir(join(parent, '.postledger-backup'));
  await writeFile(join(parent, '.postledger-backup/jobs.yaml'), '');
  await removeLeftFolders(parent, 2);
  const left = (await readdir(parent, { recursive: true })).filter((name) =>
    /-Ab|backup$/.test(name),
  );
  expect(left.sort()).toEqual(['.postledger-backup', 'acme/2026/emv/.postledger-Ab12Cd']);
});
