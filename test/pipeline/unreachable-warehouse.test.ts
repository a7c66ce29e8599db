import { writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { load } from '../../src/load/load.ts';
import { rebuildWarehouse } from '../../src/load/rebuild.ts';
import { exitCodeOf, runSummary } from '../../src/pipeline/run-summary.ts';
import { runWatched } from '../../src/pipeline/watched-run.ts';
import { jobFolder } from '../support/job-folder.ts';
import { openElsewhere } from '../support/label-warehouse.ts';
import { analyticsRecord, postDetails, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';
import { SwiftClock } from '../support/swift-clock.ts';
import { startWebhookEndpoint } from '../support/webhook-endpoint.ts';

/** It looks again at a file that others have open only every few seconds. */
class PatientClock extends SwiftClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(Math.max(ms, 3000), signal);
  }
}

/** A site that was read on 14 January, whose service has another figure on the 15th. Both days begin at 05:15. */
async function siteOfTwoDays() {
  const servicePost = { id: uuid(501), title: 'A', labels: [], campaign: null };
  const record = analyticsRecord(1, '2026-01-10', { likeCount: 1, servicePost });
  const service = await startPlainService({
    analytics: new Map([[uuid(900), [record]]]),
    posts: new Map([[uuid(501), postDetails(501)]]),
  });
  const chat = await startWebhookEndpoint();
  const told = () => chat.arrivals.map(({ body }) => (JSON.parse(body) as { text: string }).text);
  const { folder, write, query } = await jobFolder({
    url: service.url,
    limit: { requests: 1, perSeconds: 1 },
    windows: '{ start: 2025-10-01, size_days: 10, refresh_days: 25 }',
    top: 'timezone: UTC\nnotify: [{ post: "${CHAT}", as: json }]',
    reports: '[{ report: emv, period: all, formats: [csv], out: ./out }]',
  });
  await write({ '.env': `PLAIN_KEY=plain-key\nHOOK_TOKEN=token\nCHAT=${chat.url}\n` });
  const clock = new PatientClock('2026-01-14T05:15:00Z');
  const file = join(folder, 'jobs.yaml');
  const config = await loadConfig({ file, environment: {}, now: clock.now() });
  const job = config.jobs.get('daily');
  if (!job) throw new Error('there is a job');
  const tools = { config, clock, log: silentLog, progress: silentProgress };
  const run = async ({ reports = true, signal = new AbortController().signal } = {}) => {
    const before = service.requests.length;
    const options = { full: false, from: null, to: null, reports, waitMs: 0 };
    const outcome = await runWatched(job, options, { ...tools, signal });
    const asked = service.requests.slice(before).map(({ path }) => path);
    return { code: exitCodeOf(outcome), outcome, asked };
  };
  expect((await run({ reports: false })).code).toBe(0);
  clock.pass(86_400_000);
  Object.assign(record, { likeCount: 2 });
  const snapshots = () =>
    query(
      `select captured_on::varchar as day, like_count::int as likes from linkedin_post_snapshots order by all`,
    );
  const warehouse = join(folder, 'data/postledger.duckdb');
  return { service, told, run, tools, warehouse, snapshots, query };
}

const bothDays = [
  { day: '2026-01-14', likes: 1 },
  { day: '2026-01-15', likes: 2 },
];
/** Those of the young date ranges, newest first. */
const young = ['2026-01-09', '2025-12-30', '2025-12-20'].map((day): unknown =>
  expect.stringContaining(`startDate=${day}`),
);

it('a warehouse that another program has open for writing costs no reading: what is due is stored, one is told, and the next load takes it in', async () => {
  const { told, run, tools, warehouse, snapshots, query, service } = await siteOfTwoDays();
  const holder = await openElsewhere(warehouse);
  const stop = new AbortController();
  const before = service.requests.length;
  service.onRequest = () => {
    if (service.requests.length > before) stop.abort();
  };
  await expect(run({ signal: stop.signal })).rejects.toThrow(InterruptedError);
  service.onRequest = null;

  const held = await run();
  expect(held.code).toBe(3);
  expect(held.asked).toEqual(young.slice(1));
  expect(held.outcome).toMatchObject({ reports: [], deliveries: [], loaded: { responses: 0 } });
  expect(runSummary(held.outcome)).toMatch(
    /\n {2}not loaded: .*postledger\.duckdb is in use by another program: .*\(PID \d+\).*; what was read is in .*data\/raw, and the next run, or `postledger load`, loads it\n/,
  );
  expect(told()).toEqual([runSummary(held.outcome)]);
  tools.clock.pass(120_000);
  expect((await run()).asked).toEqual([]);

  await holder.kill();
  await load({ ...tools, waitMs: 0 });
  expect(await snapshots()).toEqual(bothDays);
  expect(
    await query('select status, count(*)::int as n from runs group by all order by all'),
  ).toEqual([
    { status: 'interrupted', n: 1 },
    { status: 'succeeded', n: 3 },
  ]);
  expect(await run({ reports: false })).toMatchObject({ code: 0, asked: young });
  expect(told()).toHaveLength(2);
});

it('a warehouse whose blocks are damaged is named with its remedy, and a rebuild has what was read', async () => {
  const { told, run, tools, warehouse, snapshots } = await siteOfTwoDays();
  const bytes = await readFile(warehouse);
  await writeFile(warehouse, bytes.fill('x', 3 * 4096));
  const { code, asked } = await run();
  expect({ code, asked }).toEqual({ code: 3, asked: young });
  expect(told()).toEqual([expect.stringMatching(/not loaded: .*`postledger rebuild`/)]);
  await rebuildWarehouse({ ...tools, waitMs: 0 });
  expect(await snapshots()).toEqual(bothDays);
});

it('a warehouse that is lost while a run reads costs no reading', async () => {
  const { run, tools, warehouse, snapshots, service } = await siteOfTwoDays();
  service.onRequest = () => writeFileSync(warehouse, 'gone');
  const { code, asked, outcome } = await run();
  expect({ code, asked, reports: outcome.reports }).toEqual({ code: 3, asked: young, reports: [] });
  await rebuildWarehouse({ ...tools, waitMs: 0 });
  expect(await snapshots()).toEqual(bothDays);
});
