import { execFile } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../support/temporary-folder.ts';

// This test is in the desk tier because it installs packages, from npm's cache if npm ci filled it, else from the registry.

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const manifestSchema = z.object({
  version: z.string(),
  overrides: z.object({ exceljs: z.record(z.string(), z.string()) }),
});
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string() })) });

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

// npm applies overrides only in a root package, so the overridden packages are bundled.
it('the package installs from its tarball with exactly the tested versions', async () => {
  const folder = await temporaryFolder();
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const [tarball = ''] = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`];
  await run('npm', install, { cwd: folder });

  const { version, overrides } = manifestSchema.parse(await readJson(join(root, 'package.json')));
  const lock = lockSchema.parse(await readJson(join(folder, 'node_modules/.package-lock.json')));
  const tree = Object.entries(lock.packages).map(
    ([path, { version: found }]) => `${path.replace(/^.*node_modules\//, '')}@${found}`,
  );
  for (const [name, wanted] of Object.entries(overrides.exceljs)) {
    expect(tree.filter((each) => each.startsWith(`${name}@`))).toEqual([`${name}@${wanted}`]);
  }
  expect(tree).toContain(`postledger@${version}`);
  expect(tree.filter((each) => /^(vitest|typescript|eslint)@/.test(each))).toEqual([]);
  const page = await readdir(join(folder, 'node_modules', 'postledger', 'dist/render/html/page'));
  expect(page).toEqual(expect.arrayContaining(['page.css', 'page.js', 'print.css', 'tokens.css']));
  const bin = join(folder, 'node_modules', '.bin', 'postledger');
  expect((await run(bin, ['--version'])).stdout.trim()).toBe(version);
});
