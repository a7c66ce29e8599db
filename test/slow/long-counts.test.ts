import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A short run of each script with one seed; the long runs are the scripts themselves. */
it.each([
  ['kills', '--kills', '8'],
  ['hostile-service', '--modes', 'reset-in-body', '--mixtures', '1'],
])('a short bench/%s.mjs finds nothing wrong', async (name, ...options) => {
  const entry = resolve(import.meta.dirname, '../../bench', `${name}.mjs`);
  const cwd = await temporaryFolder();
  const { code, stdout } = await runCli([...options, '--seed', '1'], { cwd, entry });
  expect({ code, stdout }).toMatchObject({ code: 0 });
});
