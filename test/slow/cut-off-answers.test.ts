import { describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, startCli, writeFiles, type Running } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService, type PlainService } from '../support/plain-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Description {
  readonly base_url: string;
  readonly keys: { readonly valid: string };
  readonly profiles: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: string;
  }[];
}

/** Waits for the description that a serving sandbox prints. */
async function describedBy({ child }: Running): Promise<Description> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.endsWith('}\n')) break;
  }
  return JSON.parse(text) as Description;
}

/** A job over two years of a sandbox of 800 posts and two profiles. */
async function sandboxJob(...flags: string[]) {
  const folder = await temporaryFolder();
  const made = [
    '--port',
    '0',
    '--posts',
    '800',
    '--profiles',
    '2',
    '--now',
    '2026-01-15T12:00:00Z',
  ];
  const args = ['sandbox', 'serve', ...made, '--limit', '100000', '--json', ...flags];
  const sandbox = await describedBy(startCli(args, { cwd: folder }));
  const profiles = sandbox.profiles.filter(({ kind }) => kind !== 'engagement');
  await writeFiles(folder, {
    '.env': `KEY=${sandbox.keys.valid}\n`,
    'jobs.yaml': `timezone: UTC
workspaces:
  acme:
    base_url: ${sandbox.base_url}
    api_key: \${KEY}
    rate_limit: { requests: 100000, per_seconds: 60 }
    profiles:
${profiles.map(({ id, name }) => `      - { id: ${id}, name: ${name} }`).join('\n')}
jobs:
  daily:
    profiles: [acme/*]
    windows: { start: 2023-11-01, size_days: 365 }
    details: false
`,
  });
  const run = (...words: string[]) => runCli(words, { cwd: folder });
  const query = async (sql: string) => {
    const { stdout } = await run('sql', sql, '--format', 'json');
    return JSON.parse(stdout) as Record<string, unknown>[];
  };
  const allIds = async () => {
    const cap = new URL('/_sandbox/analytics', sandbox.base_url);
    await fetch(cap, { method: 'POST', body: JSON.stringify({ cap: null }) });
    const headers = { authorization: `Bearer ${sandbox.keys.valid}` };
    const lists = profiles.map(async ({ id }) => {
      const days = 'startDate=2020-01-01&endDate=2026-12-31';
      const answer = await fetch(`${sandbox.base_url}/analytics/linkedin/${id}/posts?${days}`, {
        headers,
      });
      return (await answer.json()) as { id: string }[];
    });
    return (await Promise.all(lists)).flat().map(({ id }) => id);
  };
  const planned = async (...words: string[]) => {
    const { stdout } = await run('plan', '--json', ...words);
    return (JSON.parse(stdout) as { requests: number }).requests;
  };
  return { run, query, allIds, planned };
}

const spent = 'select requests::integer as requests from runs order by started_at, run_id';
const loadedIds = 'select linkedin_post_id as id from linkedin_posts order by id';

describe('a service that may truncate responses without saying so', () => {
  it('loses no post, and is asked for halves from the second run on', async () => {
    const { run, query, allIds, planned } = await sandboxJob('--cap', '100');
    const windows = await planned();
    const first = await run('run');
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(
      /the answer was cut off at 100 posts, \d+ more were in its halves/,
    );
    expect(first.stderr).toMatch(/it is read in halves from now on/);
    const [extra] = await query(spent);
    expect(Number(extra?.['requests'])).toBeGreaterThan(2 * windows);

    const shown = await run('plan', '--full');
    expect(shown.stdout).toMatch(/in halves \(\d+ requests\), as the service cuts/);
    const inHalves = await planned('--full');
    expect(inHalves).toBeGreaterThan(windows);
    const second = await run('run', '--full');
    expect(second.stdout).not.toContain('cut off');
    expect((await query(spent))[1]).toEqual({ requests: inHalves });
    const [kinds] = await query(
      "select count(*) > 5 as many from window_checks where kind = 'cut_off'",
    );
    expect(kinds).toEqual({ many: true });

    const all = await allIds();
    expect(all).toHaveLength(800);
    expect((await query(loadedIds)).map(({ id }) => id)).toEqual(all.toSorted());
  });

  it('gets no further requests if it does not', async () => {
    const { run, query, planned } = await sandboxJob();
    const windows = await planned();
    expect((await run('run')).code).toBe(0);
    const again = await planned('--full');
    expect((await run('run', '--full')).code).toBe(0);
    expect(again).toBe(windows);
    expect(await query(spent)).toEqual([{ requests: windows }, { requests: windows }]);
    expect(await query('select count(*)::integer as checks from window_checks')).toEqual([
      { checks: 0 },
    ]);
  });
});

const today = dayOf(new Date(), 'UTC');
const firstDay = addDays(today, -29);

/** 150 posts in one date range of 30 days, of which the service returns 100. */
async function cappedJob() {
  const records = Array.from({ length: 150 }, (_, index) =>
    analyticsRecord(index + 1, addDays(firstDay, index % 30)),
  );
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  service.cap = 100;
  const job = await jobFolder({
    url: service.url,
    windows: `{ start: ${firstDay}, size_days: 60 }`,
    details: false,
  });
  const posts = async () => {
    const [row] = await job.query('select count(*)::integer as n from linkedin_posts');
    return row?.['n'];
  };
  return { service, job, posts };
}

/** Kills the run when its nth request arrives. */
async function killAtRequest(nth: number, service: PlainService, running: Running): Promise<void> {
  await new Promise<void>((resolve) => {
    service.onRequest = () => {
      if (service.requests.length + 1 === nth) {
        running.child.kill('SIGKILL');
        resolve();
      }
    };
  });
  expect((await running.finished).signal).toBe('SIGKILL');
  service.onRequest = null;
}

describe('a run that is killed while it checks a response', () => {
  it('is completed by the next one', async () => {
    const { service, job, posts } = await cappedJob();
    await killAtRequest(3, service, job.start('run'));
    const plan = await job.run('plan');
    expect(plan.stdout).toContain('Unchecked');
    const healed = await job.run('run');
    expect(healed.code).toBe(0);
    expect(healed.stdout).toContain('50 more were in its halves');
    expect(await posts()).toBe(150);
  });

  it('or whose half fails says so, and the next run checks again', async () => {
    const { service, job, posts } = await cappedJob();
    const half = `startDate=${addDays(firstDay, -1)}`;
    const refusal = { status: 400, body: '{"code":"BAD_REQUEST","message":"no"}' };
    service.onRequest = () => {
      // the whole has been answered, and its earlier half is yet to be
      if (service.requests.length === 1) service.answer(half, refusal);
    };
    const failed = await job.run('run');
    expect(failed.code).toBe(3);
    expect(await job.query('from window_checks')).toEqual([]);
    service.onRequest = null;
    service.answer(half, null);
    const healed = await job.run('run');
    expect(healed.code).toBe(0);
    expect(await posts()).toBe(150);
    const status = await job.run('status', '--json');
    const { profiles } = JSON.parse(status.stdout) as {
      profiles: { failed_windows: unknown[]; gaps: unknown[] }[];
    };
    expect(profiles.map(({ failed_windows, gaps }) => [failed_windows, gaps])).toEqual([[[], []]]);
  });
});
