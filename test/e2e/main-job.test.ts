import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, postDetails, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';

const today = dayOf(new Date(), 'UTC');
const recently = addDays(today, -2);
const earlier = addDays(today, -45);

const spring = { id: uuid(700), name: 'Spring' };
const news = { name: 'News', labelId: uuid(800) };

function linked(number: number) {
  return { id: uuid(number), title: `Title ${number}`, labels: [news], campaign: spring };
}

describe('a run', () => {
  it('reads, loads, joins and reports, and a second run picks up the changes', async () => {
    const records = [
      analyticsRecord(1, recently, { servicePost: linked(501) }),
      analyticsRecord(2, earlier, { emv: null, impressionCount: 2000 }),
    ];
    const analytics = new Map([[uuid(900), records]]);
    const posts = new Map([[uuid(501), postDetails(501, { title: 'From the details' })]]);
    const service = await startPlainService({ analytics, posts });
    const job = await jobFolder({
      url: service.url,
      profiles: [{ name: 'Acme', number: 900, cpm: 20 }],
      reports: '[{ report: emv, period: all, formats: [csv, xlsx, html], out: ./out }]',
    });

    const first = await job.run('run');
    expect(first.stderr).not.toContain('error');
    expect(first.code).toBe(0);
    expect(await performance(job)).toEqual([
      {
        linkedin_post_id: uuid(1),
        title: 'From the details',
        campaign: 'Spring',
        labels: [],
        emv: 30,
        emv_source: 'api',
        interactions: 18,
        status: 'Posted',
      },
      {
        linkedin_post_id: uuid(2),
        title: null,
        campaign: null,
        labels: [],
        emv: 40,
        emv_source: 'profile_cpm',
        interactions: 18,
        status: null,
      },
    ]);
    expect((await readdir(join(job.folder, 'out'))).sort()).toEqual([
      'emv',
      'emv.html',
      'emv.xlsx',
      'index.html',
    ]);

    records[0] = analyticsRecord(1, recently, { impressionCount: 5000, emv: null });
    const asked = service.requests.length;
    const second = await job.run('run');
    expect(second.code).toBe(0);
    const again = service.requests.slice(asked).map(({ path }) => path);
    expect(again.every((path) => path.includes(`endDate=${addDays(today, 1)}`))).toBe(true);
    expect(
      await job.query(
        'select impression_count, emv, post_id, title from post_performance order by all',
      ),
    ).toEqual([
      { impression_count: 2000, emv: 40, post_id: null, title: null },
      { impression_count: 5000, emv: 30, post_id: uuid(501), title: 'From the details' },
    ]);
    expect(await job.query('select count(*) as n from linkedin_post_snapshots')).toEqual([
      { n: 2 },
    ]);
    const summary = await readFile(join(job.folder, 'out/emv/summary.csv'), 'utf8');
    expect(summary.split('\r\n')[1] ?? summary.split('\n')[1]).toMatch(/^2,7000,70/);
  });

  it('sends exactly the requests that plan announced', async () => {
    const analytics = new Map([[uuid(900), [analyticsRecord(1, recently)]]]);
    const service = await startPlainService({ analytics });
    const job = await jobFolder({ url: service.url });

    const plan = JSON.parse((await job.run('plan', '--json')).stdout) as { requests: number };
    expect(service.requests).toEqual([]);
    await job.run('run', '--no-reports');
    expect(service.requests).toHaveLength(plan.requests);
  });

  it('reads approvals and inline comments by a request each, which plan announces', async () => {
    const analytics = new Map([
      [uuid(900), [analyticsRecord(1, recently, { servicePost: linked(501) })]],
    ]);
    const approvals = [{ id: uuid(600), status: 'Requested', approvedAt: null }];
    const inlineComments = [{ id: 't1', resolved: false, replies: [] }];
    const posts = new Map([[uuid(501), postDetails(501)]]);
    const service = await startPlainService({ analytics, posts });
    service.answer('/approvals', { status: 200, body: JSON.stringify({ approvals }) });
    service.answer('/inline-comments', { status: 200, body: JSON.stringify({ inlineComments }) });
    const job = await jobFolder({ url: service.url, details: '[post, approvals, comments]' });
    expect((await job.run('run', '--no-reports')).code).toBe(0);
    expect(await job.query('select approval_id, status from approvals')).toEqual([
      { approval_id: uuid(600), status: 'Requested' },
    ]);
    expect(await job.query('select thread_id, resolved from inline_comments')).toEqual([
      { thread_id: 't1', resolved: false },
    ]);
    expect((await job.run('verify')).code).toBe(0);
    expect((await job.run('rebuild', '--check')).code).toBe(0);
    const plan = await job.run('plan', '--full');
    expect(plan.stdout).toContain('3 post details (post, approvals, comments) known to be due');
    const asked = service.requests.length;
    await job.run('run', '--no-reports', '--full');
    const again = service.requests.slice(asked).map(({ path }) => path);
    expect(again.filter((path) => path.includes(uuid(501))).sort()).toEqual([
      `/api/v1/posts/${uuid(501)}`,
      `/api/v1/posts/${uuid(501)}/approvals`,
      `/api/v1/posts/${uuid(501)}/inline-comments`,
    ]);
  });
});

async function performance(job: Awaited<ReturnType<typeof jobFolder>>) {
  return job.query(
    `select linkedin_post_id, title, campaign, labels, emv, emv_source, interactions, status
     from post_performance order by linkedin_post_id`,
  );
}
