import { cp, rename, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import {
  analyticsRecord,
  configOf,
  landAnalytics,
  landRun,
  load,
  recordOf,
} from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';

const lag =
  'the archive has runs that the warehouse does not have: was an older copy of it put back? `postledger rebuild` takes them in';

/** Runs of one day each, loaded and archived. */
async function loadRuns(config: Config, days: readonly number[]): Promise<void> {
  for (const day of days) {
    const started_at = `2026-01-${day}T12:00:00.000Z`;
    await landRun(config, [analyticsRecord()], {}, { run_id: `run-${day}`, started_at });
    await load(config);
  }
}

async function warningsOfLoad(...given: Parameters<typeof load>): Promise<unknown[]> {
  const { log, warnings } = warningLog();
  const [config, change] = given;
  await load(config, { ...change, log });
  return warnings.filter(([, message]) => message === lag).map(([fields]) => fields);
}

test('a warehouse that has all that is archived is loaded without a word', async () => {
  const config = configOf(await temporaryFolder());
  expect(await warningsOfLoad(config)).toEqual([]);
  await loadRuns(config, [15, 16]);
  expect(await warningsOfLoad(config)).toEqual([]);
});

test('an older copy that was put back is told of, with how many runs it lacks', async () => {
  const config = configOf(await temporaryFolder());
  await loadRuns(config, [15]);
  await cp(config.warehouse, `${config.warehouse}.backup`);
  await loadRuns(config, [16, 17]);
  await rename(`${config.warehouse}.backup`, config.warehouse);
  expect(await warningsOfLoad(config)).toEqual([{ missing: 2, newest: 'acme/run-17' }]);
});

test('a warehouse that was lost is told of with the first load of the next one', async () => {
  const config = configOf(await temporaryFolder());
  await loadRuns(config, [15, 16]);
  await rm(config.warehouse);
  expect(await warningsOfLoad(config)).toEqual([{ missing: 2, newest: 'acme/run-16' }]);
});

test('a run is told of it once, not with each of its loads', async () => {
  const config = configOf(await temporaryFolder());
  await loadRuns(config, [15]);
  await rm(config.warehouse);
  const part = await openPart(config.dataDir, recordOf({ run_id: 'run-20' }));
  await landAnalytics(part, [analyticsRecord()]);
  const ownParts = [{ workspace: 'acme', runId: 'run-20' }];
  expect(await warningsOfLoad(config, { ownParts })).toEqual([]);
});
