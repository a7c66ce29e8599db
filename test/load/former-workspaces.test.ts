import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { readStatus } from '../../src/load/status.ts';
import { analyticsRecord, configOf, landRun, load } from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';

test('a workspace that was given another key is told of by loads and by status, until it has its own again', async () => {
  const config = configOf(await temporaryFolder());
  await landRun(config, [analyticsRecord()]);
  await load(config);
  const [acme] = config.workspaces.values();
  if (!acme) throw new Error('no workspace');
  const renamed = { ...config, workspaces: new Map([['beta', { ...acme, key: 'beta' }]]) };

  const told = async (of: typeof config) => {
    const { log, warnings } = warningLog();
    await load(of, { log });
    const { warehouse } = await readStatus(of, systemClock);
    return { warnings, former: warehouse.former_workspaces };
  };
  const former = { former_workspace: 'acme', workspace: 'beta', profiles: 1, posts: 1 };
  expect(await told(renamed)).toEqual({
    warnings: [[former, expect.stringContaining('; call beta acme again, or give reports')]],
    former: [former],
  });
  expect(await told(config)).toEqual({ warnings: [], former: [] });
});
