import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageVersion } from '../../src/core/package-version.ts';
import { commentedLines } from '../docs/shell-lines.ts';
import { runCli, servingAt, startCli, writeFiles } from '../support/cli.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { madeDemo } from './support/made-demo.ts';

// This test is in the desk tier because it installs the package, as package.test.ts does.

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The README without the indentation of what stands in its list. */
async function readReadme(): Promise<string> {
  return (await readFile(join(root, 'README.md'), 'utf8')).replaceAll(/^ {3}/gm, '');
}

/** The block of a language, such as `yaml`. */
function blockOf(page: string, language: string): string {
  const [, text = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  return text;
}

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
  const lines = commentedLines(await readReadme());
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

it('the first mailed month of the README is what its commands show and send', async () => {
  const readme = await readReadme();
  const folder = await temporaryFolder();
  const smtp = await startSmtpServer();
  const sandbox = startCli(
    ['sandbox', 'serve', '--port', '0', '--profiles', '1', '--posts', '300', '--json'],
    { cwd: folder },
  );
  const { base_url, keys, profiles } = await servingAt<{
    base_url: string;
    keys: { valid: string };
    profiles: { id: string }[];
  }>(sandbox);
  const jobs = blockOf(readme, 'yaml')
    .replace('https://social.example.com/api/v1', base_url)
    .replace(/id: [\w-]+/, `id: ${profiles[0]?.id ?? ''}`)
    .replace('smtp.example.com', `127.0.0.1\n  port: ${smtp.port}\n  tls: off`)
    .replace(/^ {2}(user|password): .*\n/gm, '');
  await writeFiles(folder, { 'jobs.yaml': jobs, '.env': `ACME_API_KEY=${keys.valid}\n` });

  const figures = (text: string) => text.replaceAll(`${folder}/`, '').replaceAll(/\d+/g, '0');
  for (const step of blockOf(readme, 'console')
    .split(/^\$ postledger /m)
    .slice(1)) {
    const [command = '', ...shown] = step.trimEnd().split('\n');
    const { code, stdout } = await runCli(command.split(' '), { cwd: folder });
    expect([command, code]).toEqual([command, 0]);
    if (shown.length > 0) expect(figures(stdout).trimEnd().split('\n')).toEqual(shown.map(figures));
  }
  expect(smtp.received.map(({ to }) => to)).toEqual(['you@nord.example', 'you@nord.example']);
}, 120_000);

it('the picture of the README can be made of today’s demo', async () => {
  const out = await temporaryFolder();
  await run('sh', [join(root, 'docs/images/make.sh'), await madeDemo(), out]);
  const picture = await readFile(join(out, 'month.png'));
  // the width and height of a PNG
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([880, 1032]);
  expect(picture.length).toBeLessThan(200_000);
}, 300_000);
