import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/** The daily runs of the demo before that of today: enough for the page of growth. */
export const demoDays = 28;

/** Packs this project and installs the package in an empty one. @returns the folder of that project */
export function installedPackage(): Promise<string> {
  return madeOnce('installed', async (folder) => {
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: root });
    await writeFile(join(folder, 'pack.json'), stdout);
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', filename];
    await run('npm', install, { cwd: folder });
  });
}

/** Has the installed package make the demo: a year of five profiles. @returns its folder, which is only to be read */
export async function madeDemo(): Promise<string> {
  const program = join(await installedPackage(), 'node_modules/.bin/postledger');
  const folder = await madeOnce('demo', async (cwd) => {
    await run(program, ['demo', '--days', String(demoDays), '--quiet'], { cwd });
  });
  return join(folder, 'demo');
}

/** Makes a shared folder unless another test has or does; the others wait until it is whole. */
async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const whole = join(inject('sharedFolder'), name);
  const failure = `${whole}.failure`;
  const work = `${whole}.work`;
  const isFirst = await mkdir(`${whole}.begun`).then(
    () => true,
    () => false,
  );
  if (isFirst) await makeFirst().catch((error: unknown) => writeFile(failure, String(error)));
  while (!existsSync(whole)) {
    if (existsSync(failure)) throw new Error(await readFile(failure, 'utf8'));
    await delay(50);
  }
  return whole;

  async function makeFirst(): Promise<void> {
    await mkdir(work);
    await make(work);
    await rename(work, whole);
  }
}
