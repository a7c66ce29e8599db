import { afterAll, expect, it, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log.ts';
import { silentProgress } from '../../../src/core/progress.ts';
import { Leases } from '../../../src/warehouse/leases.ts';
import { runShards } from '../../../src/pipeline/fleet-run.ts';
import { LakeServers } from '../../support/lake-servers.ts';
import { planJobConfig } from '../../support/plan-question.ts';
import { configOf } from '../../support/stored-run.ts';
import { SwiftClock } from '../../support/swift-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const servers = await LakeServers.start();
afterAll(() => servers.stop());

const run = { job: 'daily', slot: '2026-01-01T06:00:00Z' };
const work = ['read s00', 'read s01'];

function machines() {
  const { writer } = servers.newLake('disk');
  return async (clock: Clock = new SwiftClock('2026-01-01T06:00:00Z')) => {
    const dataDir = await temporaryFolder();
    const leases = await Leases.open({ catalog: writer.catalog, dataDir, clock, log: silentLog });
    onTestFinished(() => leases.close());
    return leases;
  };
}

it('each piece of work belongs to one machine until it is released, and is done once per run', async () => {
  const machine = machines();
  const [a, b] = [await machine(), await machine()];
  const claims = await Promise.all([a.claim(work, run), b.claim(work, run)]);
  expect(claims.map((lease) => lease?.name).sort()).toEqual(work);
  const [first, second] = claims;
  if (!first || !second) throw new Error('no lease');
  expect(await b.claim(work, run)).toBeNull();
  await a.finish(first.name, run);
  await first.release();
  expect(await b.claim(work, run)).toBeNull();
  expect(await b.unfinished(work, run)).toEqual([
    { name: second.name, host: expect.any(String) as string },
  ]);
  const next = { ...run, slot: '2026-01-02T06:00:00Z' };
  const taken = await b.claim(work, next);
  expect(taken).toMatchObject({ name: first.name, token: 2 });
  expect(taken?.idleMs).toBeGreaterThanOrEqual(0);
  await taken?.release();
  expect(await b.claim([first.name], next)).toMatchObject({ token: 3, idleMs: null });
});

it('a machine waits while the catalog restarts, and its lease goes on', async () => {
  const machine = machines();
  const a = await machine(systemClock);
  const lease = await a.claim(work, run);
  await servers.stopCatalog();
  const others = [a.claim(work, run), a.unfinished(work, run), machine(systemClock)] as const;
  await systemClock.sleep(1_000);
  await servers.startCatalog();
  const [second, unfinished] = await Promise.all(others);
  expect([lease?.name, second?.name].sort()).toEqual(work);
  expect(unfinished).toHaveLength(2);
  expect(lease?.signal.aborted).toBe(false);
  await a.finish(lease?.name ?? '', run);
  await lease?.release();
});

it('reports that a machine had begun when it died are made by a machine that waited for them', async () => {
  const warehouse = servers.newLake('disk');
  const config = { ...configOf(await temporaryFolder()), warehouse };
  const log = silentLog;
  const dead = await Leases.open({
    catalog: warehouse.writer.catalog,
    dataDir: await temporaryFolder(),
    clock: new SwiftClock('2026-01-01T06:00:00Z'),
    log,
  });
  const lease = await dead.claim(['reports daily'], { job: 'daily', slot: '2026-01-01T00:00:00Z' });
  const clock: Clock = {
    now: () => new Date('2026-01-01T06:00:00Z'),
    monotonicMs: () => 0,
    // its lease ends while the other machine waits
    sleep: async () => lease?.release(),
  };
  const tools = {
    config,
    clock,
    log,
    progress: silentProgress,
    signal: new AbortController().signal,
  };
  const profiles = [...config.workspaces.values()].flatMap((workspace) => workspace.profiles);
  const job = planJobConfig({}, { profiles });
  let parts = 0;
  const share = () =>
    runShards(
      job,
      { isShared: true, slot: '2026-01-01', waitMs: 0 },
      tools,
      () => Promise.resolve(void (parts += 1)),
      () => Promise.resolve('made'),
    );
  expect([await share(), parts]).toEqual(['made', 1]);
  expect([await share(), parts]).toEqual([null, 1]);
  await dead.close();
});
