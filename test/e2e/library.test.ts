import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it('is a library under its own name, whose secrets show their variable alone', async () => {
  const program = `
    import { ApiError, PostledgerError, Secret, WorkspaceClient } from 'postledger';
    const key = new Secret('ACME_API_KEY', 'workspaces.acme.api_key', 'the-key-itself');
    console.log(typeof WorkspaceClient, ApiError.prototype instanceof PostledgerError, JSON.stringify({ key }), String(key));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: resolve(import.meta.dirname, '../..'),
  });
  expect(stdout).toBe('function true {"key":"${ACME_API_KEY}"} ${ACME_API_KEY}\n');
});
