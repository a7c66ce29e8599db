import { execFileSync } from 'node:child_process';
import { stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureFolder } from '../../src/core/atomic-file.ts';
import { builtUrl } from '../support/built-module.ts';
import { canMount } from '../support/machine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('creates a folder and those above it, returns the topmost, and keeps one that exists', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a', 'b', 'c');
  expect(await ensureFolder(path)).toBe(join(root, 'a'));
  expect((await stat(path)).isDirectory()).toBe(true);
  expect(await ensureFolder(path)).toBeUndefined();
  await symlink(path, join(root, 'link'));
  expect(await ensureFolder(join(root, 'link'))).toBeUndefined();
  expect(await ensureFolder(join(root, 'link', 'd'))).toBe(join(root, 'link', 'd'));
  await symlink('later', join(root, 'early'));
  expect(await ensureFolder(join(root, 'early'))).toBe(join(root, 'later'));
  expect(await ensureFolder('/')).toBeUndefined();
});

test('fails if a file is in the way', async () => {
  const root = await temporaryFolder();
  await writeFile(join(root, 'file'), '');
  await expect(ensureFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(ensureFolder(join(root, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.skipIf(!canMount).each([
  ['ENOSPC', 'full', 'nr_inodes=1'],
  ['EROFS', 'read-only', 'ro'],
])('says %s on a disk that is %s (wants a tmpfs of its own)', async (code, _, option) => {
  const root = await temporaryFolder();
  const path = JSON.stringify(join(root, 'a', 'b'));
  const program = `
    const { ensureFolder } = await import('${builtUrl('core/atomic-file.js')}');
    await ensureFolder(${path}).catch((error) => console.log(error.code, error.path));`;
  const mount = `mount -t tmpfs -o ${option} none ${root} && exec "$@"`;
  const command = [process.execPath, '--input-type=module', '-e', program];
  const told = execFileSync('unshare', ['-Urm', 'sh', '-c', mount, 'sh', ...command]);
  expect(told.toString()).toBe(`${code} ${join(root, 'a')}\n`);
});
