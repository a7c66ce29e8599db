import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock, type Clock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { runJob } from '../../src/pipeline.ts';
import { parseRecordedWorkspace } from '../../src/sandbox/recorded-workspace.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { writeFiles } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const fixture = resolve(import.meta.dirname, '../fixtures/linkedin-pages');

/** A row of the statistics as they were published, by the post's URN. */
interface Reading {
  readonly urn: string;
  readonly day: string;
  readonly at: string;
  readonly metrics: readonly (number | null)[];
}

const metricColumns = ['like', 'comment', 'share', 'click', 'impression'] as const;

/** The last reading of each post on each day, straight from the published CSV. */
function lastReadings(): Reading[] {
  const [head = '', ...lines] = readFileSync(join(fixture, 'raw/share_statistic.csv'), 'utf8')
    .trim()
    .split(/\r?\n/);
  const names = head.split(',');
  const byDay = new Map<string, Reading>();
  for (const line of lines) {
    const cells = line.split(',');
    const cell = (name: string) => cells[names.indexOf(name)] ?? '';
    const at = cell('_fivetran_synced');
    const urn = cell('_share_entity_urn');
    const number = (text: string) => (text === '' ? null : Number(text));
    const metrics = [
      ...metricColumns.map((metric) => number(cell(`${metric}_count`))),
      number(cell('engagement')),
    ];
    const key = `${urn} ${at.slice(0, 10)}`;
    if ((byDay.get(key)?.at ?? '') < at) {
      byDay.set(key, { urn, day: at.slice(0, 10), at, metrics });
    }
  }
  return [...byDay.values()];
}

it('keeps the real history of real pages: every reading is a snapshot, the last one the post', async () => {
  const text = readFileSync(join(fixture, 'workspace.json'), 'utf8');
  const data = parseRecordedWorkspace(text, 'workspace.json');
  const sandbox = await startSandbox({
    data,
    rateLimit: { requests: 100_000, perSeconds: 60 },
    clock: systemClock,
    log: silentLog,
  });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryFolder();
  await writeFiles(folder, { 'jobs.yaml': jobsYaml(sandbox) });

  for (const { at } of data.generations) await runAt(at, folder, sandbox);

  const database = await openWarehouse(join(folder, 'data/postledger.duckdb'));
  onTestFinished(() => database.close());
  const snapshots = await database.queryObjects(`
    select
      regexp_extract(url, 'urn:li:share:\\d+') as urn,
      captured_on::varchar as day,
      [s.like_count, s.comment_count, s.share_count, s.click_count, s.impression_count]::varchar as counts,
      s.engagement
    from linkedin_post_snapshots s
    join linkedin_posts using (workspace, linkedin_post_id)`);
  const found = new Map(
    snapshots.map((row) => [`${String(row['urn'])} ${String(row['day'])}`, row]),
  );
  const readings = lastReadings();
  expect(readings.length).toBeGreaterThan(90);
  for (const { urn, day, metrics } of readings) {
    const row = found.get(`${urn} ${day}`);
    const counts = metrics.slice(0, 5).map((value) => (value === null ? 'NULL' : String(value)));
    expect(row, `${urn} on ${day}`).toMatchObject({
      counts: `[${counts.join(', ')}]`,
      engagement: metrics[5],
    });
  }
  const [total] = await database.queryObjects(
    'select count(*) as posts, count(distinct linkedin_post_id) as distinct_posts from linkedin_posts',
  );
  expect(total).toEqual({ posts: 155, distinct_posts: 155 });
});

/** Moves the sandbox's clock, and runs the job as of that time. */
async function runAt(at: string, folder: string, sandbox: Sandbox): Promise<void> {
  await fetch(`http://127.0.0.1:${sandbox.port}/_sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ now: at }),
  });
  const clock: Clock = { ...systemClock, now: () => new Date(at) };
  const config = await loadConfig({
    file: join(folder, 'jobs.yaml'),
    environment: { SANDBOX_API_KEY: sandbox.keys.valid },
    now: clock.now(),
  });
  const [job] = config.jobs.values();
  if (!job) throw new Error('the job is configured');
  const tools = {
    config,
    clock,
    log: silentLog,
    progress: silentProgress,
    signal: new AbortController().signal,
  };
  const options = { full: true, from: null, to: null, reports: false, waitMs: 0 };
  const { workspaces } = await runJob(job, options, tools);
  expect(workspaces.map(({ status }) => status)).toEqual(['succeeded']);
}

function jobsYaml({ url, profiles }: Sandbox): string {
  const list = profiles.map(({ id, name }) => `      - { id: ${id}, name: ${name} }`);
  return `timezone: UTC
workspaces:
  pages:
    base_url: ${url}
    api_key: \${SANDBOX_API_KEY}
    rate_limit: { requests: 100000, per_seconds: 60 }
    profiles:
${list.join('\n')}
jobs:
  daily:
    profiles: [pages/*]
    windows: { start: 2016-01-01, size_days: 700, refresh_days: 35 }
    details: false
`;
}
