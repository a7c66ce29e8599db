import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { runJob } from '../../src/pipeline.ts';
import { planNow, waitingJobs } from '../../src/pipeline/plan-now.ts';
import { openIfPresent } from '../../src/warehouse/warehouse.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { failure, startPlainService } from '../support/plain-service.ts';
import { valueReport } from '../support/value-report.ts';

const today = dayOf(new Date(), 'UTC');
const recently = addDays(today, -2);

/** A job of two profiles, each with one date range and one post. */
async function twoProfileJob(reports = '[]', limit = { requests: 1000, perSeconds: 1 }) {
  const service = await startPlainService({
    analytics: new Map([
      [uuid(900), [analyticsRecord(1, recently)]],
      [uuid(901), [analyticsRecord(2, recently)]],
    ]),
  });
  const job = await jobFolder({
    url: service.url,
    profiles: [
      { name: 'Acme', number: 900 },
      { name: 'Careers', number: 901 },
    ],
    windows: `{ start: ${addDays(today, -40)}, size_days: 60, refresh_days: 10 }`,
    details: false,
    limit,
    reports,
  });
  await job.write(valueReport);
  return { service, job };
}

interface Story {
  readonly run_id: string;
  readonly status: string;
  readonly [key: string]: unknown;
}

async function listRuns({ run }: JobFolder, ...args: string[]): Promise<Story[]> {
  return JSON.parse((await run('runs', 'list', '--json', ...args)).stdout) as Story[];
}

async function showRun({ run }: JobFolder, id: string): Promise<Story> {
  return JSON.parse((await run('runs', 'show', id, '--json')).stdout) as Story;
}

it('a run’s story has its date ranges, requests, errors, reports and deliveries', async () => {
  const { service, job } = await twoProfileJob(
    '[{ report: value, period: last_30_days, formats: [csv, html], out: ./out, deliver: [{ command: [touch, sent] }] }]',
    { requests: 1, perSeconds: 1 },
  );
  service.answer(uuid(901), failure(403, 'FORBIDDEN', 'Engagement profiles \u001b[2J'));
  expect((await job.run('run')).code).toBe(3);
  const [only] = await listRuns(job);
  const id = only?.run_id ?? '';
  const story = await showRun(job, id.slice(-6));
  const range = { workspace: 'acme', requests: 1 };
  expect(story).toMatchObject({
    run_id: id,
    job: 'daily',
    status: 'partial',
    requests: 2,
    retries: 0,
    throttled: 0,
    posts_read: 1,
    rejected: 0,
    date_ranges: expect.arrayContaining([
      expect.objectContaining({ ...range, profile: 'Acme', status: 'succeeded', posts_read: 1 }),
      expect.objectContaining({ ...range, profile: 'Careers', status: 'failed', http_status: 403 }),
    ]) as unknown,
    details: [],
    damaged: [],
    reports: [{ report: 'value', client: null, folder: join(job.folder, 'out'), error: null }],
    deliveries: [{ report: 'value', recipient: 'touch sent', state: 'held' }],
  });
  expect(story['waited_seconds']).toBeGreaterThan(0);
  const { stdout } = await job.run('runs', 'show', id);
  expect(stdout).toMatch(/^Status +partial$/m);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/^Failed +acme\/Careers \S+ to \S+: Engagement .* take the profile out/m);
  expect(stdout).toMatch(/^Report +value: \d+ files in .*out$/m);
  expect(stdout).toMatch(/^Delivery +\S+ {2}held {2}value to touch sent: waits for Careers/m);
  expect(await job.run('runs', 'list', '--job', 'daily')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${id} +daily +partial`, 'm')) as unknown,
  });

  // what a machine shows of the runs of another one
  await rm(join(job.folder, 'data/raw/acme'), { recursive: true });
  expect(await showRun(job, id)).toMatchObject({
    date_ranges: story['date_ranges'],
    waited_seconds: null,
  });
});

it('an id may be shortened as long as it is unambiguous, and a killed run is interrupted at once', async () => {
  const { service, job } = await twoProfileJob();
  await job.run('run');
  const started = job.start('run', '--full');
  service.onRequest = () => started.child.kill('SIGKILL');
  await started.finished;
  service.onRequest = null;
  const runs = await listRuns(job);
  expect(runs.map(({ status }) => status)).toEqual(['interrupted', 'succeeded']);
  expect(await listRuns(job, '--last', '1')).toEqual(runs.slice(0, 1));
  const [killed, whole] = runs.map(({ run_id: id }) => id);
  const ambiguous = await job.run('runs', 'show', '20');
  expect(ambiguous.code).toBe(2);
  expect(ambiguous.stderr).toContain(`${killed}, ${whole}`);
  const unknown = await job.run('runs', 'show', `${whole?.slice(0, -1)}x`);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain(`did you mean "${whole}"?`);
  expect((await job.run('runs', 'list', '--job', 'dayly')).stderr).toContain(
    'did you mean "daily"?',
  );
  const { stdout } = await job.run('runs', 'show', killed ?? '');
  expect(stdout).toMatch(/^Status +interrupted$/m);
  expect(stdout).toContain('`postledger run daily` continues from there');
});

it('run --profile reads only the profiles of the pattern, and the reports say what is missing', async () => {
  const { service, job } = await twoProfileJob(
    '[{ report: value, period: last_7_days, formats: [csv], out: ./out }]',
  );
  const planned = await job.run('plan', '--profile', 'acme/Careers');
  expect(planned.stdout).toContain('Careers');
  expect(planned.stdout).not.toContain('Acme');
  const ran = await job.run('run', '--profile', 'acme/Careers');
  expect(ran).toMatchObject({ code: 0 });
  expect(service.requests.map(({ path }) => path.includes(uuid(901)))).toEqual([true]);
  const coverage = await readFile(join(job.folder, 'out/value/_coverage.csv'), 'utf8');
  expect(coverage).toMatch(/^"Incomplete: Acme was not read from /m);
  expect(coverage).toContain('Never read: Acme');

  const misspelt = await job.run('run', '--profile', 'acme/Carers');
  expect(misspelt.code).toBe(2);
  expect(misspelt.stderr).toContain(
    '--profile acme/Carers: the workspace "acme" has no profile "Carers"; did you mean "Careers"?',
  );
  const bare = await job.run('run', '--profile', 'Careers');
  expect(bare.code).toBe(2);
  expect(bare.stderr).toContain('must be <workspace>/<profile name or id or *>');
  expect(service.requests).toHaveLength(1);
});

it('what a wrong key has failed and skipped waits until it is read, whatever runs succeed in between', async () => {
  const { service, job } = await twoProfileJob();
  const jobs = join(job.folder, 'jobs.yaml');
  const long = (await readFile(jobs, 'utf8')).replace(/size_days: 60/, 'size_days: 5');
  await job.write({ 'jobs.yaml': long, '.env': 'PLAIN_KEY=wrong\n' });
  const config = () => loadConfig({ file: jobs, environment: {}, now: new Date() });
  const configAndClock = async () => ({ config: await config(), clock: systemClock });
  const whatWaits = async () => {
    const { jobs: all } = await config();
    const database = await openIfPresent((await config()).warehouse);
    const waiting = await waitingJobs([...all.values()], await configAndClock(), database);
    database?.close();
    const request = { full: false, onlyWaiting: true, from: null, to: null };
    const [planned] = await planNow(waiting, request, await configAndClock());
    return planned?.workspaces.flatMap(({ windows }) => windows).length ?? 0;
  };
  expect(await whatWaits()).toBe(0);
  expect((await job.run('run')).code).not.toBe(0);
  const asked = service.requests.length;
  const all = (await job.query('select * from extract_windows')).length;
  expect(asked).toBeLessThan(all);
  const [failed] = await listRuns(job);
  expect((await job.run('runs', 'show', failed?.run_id ?? '')).stdout).toContain(
    'postledger catch-up',
  );
  expect(await whatWaits()).toBe(all);

  await job.write({ '.env': 'PLAIN_KEY=plain-key\n' });
  const some = ['--from', addDays(today, -3), '--to', addDays(today, -2)];
  expect((await job.run('run', ...some)).code).toBe(0);
  const left = await whatWaits();
  expect(left).toBeGreaterThan(all / 2);
  const status = await job.run('status', '--fail-on', 'failed');
  expect(status.code).toBe(1);
  expect(status.stdout).toMatch(/acme\/\w+ \S+ to \S+ and \d+ more date ranges: .*PLAIN_KEY/);

  service.requests.length = 0;
  const { config: now, clock } = await configAndClock();
  const daily = now.jobs.get('daily');
  if (!daily) throw new Error('the job is not in the config');
  const tools = {
    config: now,
    clock,
    log: silentLog,
    progress: silentProgress,
    signal: new AbortController().signal,
  };
  const rest = { full: false, onlyWaiting: true, from: null, to: null, waitMs: 0, reports: false };
  await runJob(daily, rest, tools);
  expect(service.requests).toHaveLength(left);
  expect(await whatWaits()).toBe(0);
  expect((await job.run('status', '--fail-on', 'failed')).code).toBe(0);
});

it('catch-up continues a run that was killed, and does nothing after it', async () => {
  const { service, job } = await twoProfileJob();
  await job.run('run');
  const started = job.start('run');
  service.onRequest = () => started.child.kill('SIGKILL');
  await started.finished;
  service.onRequest = null;
  expect((await job.run('catch-up')).code).toBe(0);
  expect((await job.run('status', '--fail-on', 'failed')).code).toBe(0);
  expect(await job.run('catch-up')).toMatchObject({ code: 0, stdout: '', stderr: '' });
});
