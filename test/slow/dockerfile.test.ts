import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageVersion } from '../../src/core/package-version.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// No registry of images is needed: the stages are folders, in which the steps of deploy/Dockerfile run as they are. npm
// takes the packages from its cache if npm ci filled it, else from the registry.

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The steps of each stage, without FROM; the last stage has no name. */
async function readStages(): Promise<Map<string, string[]>> {
  const text = await readFile(join(root, 'deploy/Dockerfile'), 'utf8');
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const [, ...stages] = lines.split(/^FROM /m);
  return new Map(
    stages.map((stage) => {
      const [from = '', ...steps] = stage.split('\n').filter(Boolean);
      return [/ AS (\w+)$/.exec(from)?.[1] ?? '', steps];
    }),
  );
}

it('deploy/Dockerfile makes an image of a release tarball, whose program runs as a user without rights', async () => {
  const stages = await readStages();
  const folder = await temporaryFolder();
  const context = join(folder, 'context');
  await mkdir(context);
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', context], { cwd: root });

  const [workdir, copy, ...commands] = stages.get('package') ?? [];
  expect([workdir, copy]).toEqual(['WORKDIR /package', 'COPY . .']);
  for (const command of commands) {
    const own = command.replace(/^RUN /, '').replace('/installed', join(folder, 'installed'));
    const offline = { ...process.env, NPM_CONFIG_PREFER_OFFLINE: 'true' };
    await run('/bin/sh', ['-ec', own], { cwd: context, env: offline });
  }
  expect(stages.get('base')).toContain('COPY --from=package /installed /usr/local');
  const local = join(folder, 'usr/local');
  await cp(join(folder, 'installed'), local, { recursive: true, verbatimSymlinks: true });

  const data = join(folder, 'data');
  await mkdir(data);
  const postledger = (...args: string[]) => run(join(local, 'bin/postledger'), args, { cwd: data });
  expect((await postledger('--version')).stdout.trim()).toBe(packageVersion);
  await postledger('init');
  expect((await postledger('check', '--no-secrets')).stdout).toMatch(/ is valid: /);
  for (const target of ['pdf', '']) expect(stages.get(target)?.at(-1)).toBe('USER node');
});

it('.dockerignore leaves out no file of the repository', async () => {
  const args = ['ls-files', '--cached', '--ignored', '--exclude-from=.dockerignore'];
  expect((await run('git', args, { cwd: root })).stdout).toBe('');
});
