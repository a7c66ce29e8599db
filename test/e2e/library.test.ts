import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runSandbox } from '../sandbox/running-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** Runs a program as a package that depends on this one would have it. */
function runProgram(program: string, env: Record<string, string> = {}) {
  return run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
  });
}

it('the package exports the client under its own name, and its secrets show only their variable', async () => {
  const program = `
    import { ApiError, PostledgerError, Secret, WorkspaceClient } from 'postledger';
    const key = Secret.fromEnvironment('ACME_API_KEY');
    console.log(typeof WorkspaceClient, ApiError.prototype instanceof PostledgerError, JSON.stringify({ key }), String(key), key.reveal().length);
  `;
  const { stdout } = await runProgram(program, { ACME_API_KEY: 'the-key-itself' });
  expect(stdout).toBe('function true {"key":"${ACME_API_KEY}"} ${ACME_API_KEY} 14\n');
});

it('the example in docs/library.md runs', async () => {
  const page = await readFile(resolve(root, 'docs/library.md'), 'utf8');
  const [, example = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  const { sandbox } = await runSandbox({ posts: 2000 });

  const program = example.replace("'./data'", JSON.stringify(await temporaryFolder()));
  const environment = {
    ACME_BASE_URL: sandbox.url,
    ACME_API_KEY: sandbox.keys.valid,
    ACME_PROFILE_ID: sandbox.profiles[0]?.id ?? '',
  };
  const { stdout, stderr } = await runProgram(program, environment);
  expect({ lines: stdout.split('\n').length, stderr }).toEqual({ lines: 2, stderr: '' });
  expect(stdout).toMatch(/^Posted {2}(?:\d+|unknown) impressions {2}\S.*\n$/);

  const refused = runProgram(program, { ...environment, ACME_API_KEY: sandbox.keys.expired });
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('API_KEY_EXPIRED 403 ') as string,
  });
});
