import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageVersion } from '../../src/core/package-version.ts';
import { commentedLines } from '../docs/shell-lines.ts';
import { writeFiles } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// This test is in the desk tier because it installs the package, as package.test.ts does.

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** A copy of the project's own files, linked node_modules and what is built, where `npm ci` builds what is stale. */
async function freshCheckout() {
  const folder = await temporaryFolder();
  const checkout = join(folder, 'checkout');
  const { stdout: files } = await run('git', ['ls-files', '-z'], { cwd: root });
  for (const file of files.split('\0').filter(Boolean))
    await cp(join(root, file), join(checkout, file));
  for (const made of ['build', 'dist'])
    await cp(join(root, made), join(checkout, made), { recursive: true });
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const { stdout: npm } = await run('sh', ['-c', 'command -v npm']);
  await writeFiles(folder, {
    'bin/npm': `if [ "$1" = ci ]; then set -- run build:stale; fi; exec "${npm.trim()}" "$@"\n`,
    'empty/.keep': '',
  });
  await run('chmod', ['+x', join(folder, 'bin/npm')]);
  const own = ['bin', 'global/bin'].map((name) => join(folder, name));
  const env = {
    ...process.env,
    PATH: [...own, process.env['PATH']].join(delimiter),
    npm_config_prefix: join(folder, 'global'),
    npm_config_prefer_offline: 'true',
  };
  return { checkout, empty: join(folder, 'empty'), env };
}

it('the commands of the README work as written in a fresh clone', async () => {
  const { checkout, empty, env } = await freshCheckout();
  const lines = commentedLines(await readFile(join(root, 'README.md'), 'utf8'));
  const [demo = '', test = '', ...install] = lines;
  expect([demo, test]).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);

  // demo.test.ts sees it through to its end
  const child = spawn('sh', ['-ec', demo], { cwd: checkout, env, detached: true });
  try {
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (said += text.toString()));
    while (!said.includes('sandbox at '))
      await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
    expect(child.exitCode).toBe(null);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }

  // all tests would take as long as this one is a part of
  const tested = await run('sh', ['-ec', `${test} -- test/core/once.test.ts`], {
    cwd: checkout,
    env,
  });
  expect(tested.stdout).toContain('1 passed');

  for (const line of install) {
    const cwd = line.includes('# in an empty folder') ? empty : checkout;
    await run('sh', ['-ec', line], { cwd, env });
  }
  expect(await readFile(join(empty, 'jobs.yaml'), 'utf8')).toContain('workspaces:');
  const { stdout } = await run('npx', ['postledger', '--version'], { cwd: checkout, env });
  expect(stdout).toBe(`${packageVersion}\n`);
}, 240_000);
