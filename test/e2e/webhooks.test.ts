import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { servingAt } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';

const day = addDays(dayOf(new Date(), 'UTC'), -3);
const deletedAt = `${dayOf(new Date(), 'UTC')}T00:00:01.000Z`;

const campaign = { id: uuid(700), name: 'Fjord cable' };
const linkedPost = (number: number) => ({
  id: uuid(500 + number),
  title: `Post ${number}`,
  labels: [{ labelId: uuid(600), name: 'Careers' }],
  campaign,
});

function deletionOf(number: number, deletedBy: object | null) {
  return {
    type: 'post.permanently_deleted',
    createdAt: deletedAt,
    data: {
      post: {
        id: uuid(500 + number),
        title: `Post ${number}, as it was last`,
        status: 'archived',
        channels: ['LinkedIn'],
        campaign: { ...campaign, startDate: '2026-01-01', endDate: null },
        url: 'https://social.example.com/posts/1',
        labels: [{ id: uuid(600), name: 'Careers', color: '#111', backgroundColor: '#eee' }],
        workspace: { id: uuid(800), slug: 'acme', name: 'Acme' },
        deletedBy,
        deletedAt,
        linkedIn: null,
        x: null,
      },
    },
  };
}

const ada = { id: uuid(900), firstName: 'Ada', lastName: 'Nygård', email: 'ada@example.com' };

it('deletions over HTTP and from a file mark their posts as removed in reports', async () => {
  const records = [1, 2, 3].map((number) =>
    analyticsRecord(number, day, {
      servicePost: linkedPost(number),
      impressionCount: 1000 * number,
      emv: 10 * number,
    }),
  );
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  const job = await jobFolder({
    url: service.url,
    details: false,
    top: 'timezone: UTC\nwebhooks: { token: "${HOOK_TOKEN}" }',
  });
  expect((await job.run('run')).code).toBe(0);

  const serving = job.start('webhooks', 'serve', '--port', '0', '--json');
  const { url } = await servingAt<{ url: string }>(serving);
  const send = async (token: string) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(deletionOf(1, ada)),
    });
    return [response.status, await response.json()];
  };
  expect(await send('wrong')).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
  expect(await send('hook-token-of-a-job')).toEqual([202, { status: 'stored' }]);
  expect(await send('hook-token-of-a-job')).toEqual([200, { status: 'duplicate' }]);

  const lines = [deletionOf(1, ada), deletionOf(2, null)].map((event) => JSON.stringify(event));
  await job.write({ 'events.ndjson': lines.join('\n') });
  const ingested = await job.run('webhooks', 'ingest', 'events.ndjson', '--json');
  expect(ingested).toMatchObject({ code: 0 });
  expect(JSON.parse(ingested.stdout)).toMatchObject({ stored: 1, duplicate: 1, rejected: [] });
  const pending = JSON.parse((await job.run('webhooks', 'list', '--json')).stdout) as object[];
  expect(pending).toHaveLength(2);
  expect(pending).toMatchObject([{ outcome: 'pending' }, { outcome: 'pending' }]);

  expect((await job.run('load')).code).toBe(0);
  expect(await send('hook-token-of-a-job')).toEqual([200, { status: 'duplicate' }]);
  expect(
    await job.query(
      'select post_id, title, removed_at, removed_by from posts where removed_at is not null order by post_id',
    ),
  ).toEqual([
    {
      post_id: uuid(501),
      title: 'Post 1',
      removed_at: expect.stringContaining(deletedAt.slice(0, 19)) as string,
      removed_by: 'Ada Nygård',
    },
    {
      post_id: uuid(502),
      title: 'Post 2',
      removed_at: expect.stringContaining(deletedAt.slice(0, 19)) as string,
      removed_by: null,
    },
  ]);

  const reported = await job.run('report', 'run', 'emv', 'removed', '--format', 'csv');
  expect(reported).toMatchObject({ code: 0 });
  const csv = async (name: string) => readFile(join(job.folder, 'out', name), 'utf8');
  const [names = '', values = ''] = (await csv('emv/summary.csv')).split(/\r?\n/);
  const summary = Object.fromEntries(
    names.split(',').map((name, index) => [name, values.split(',')[index]]),
  );
  expect(summary).toMatchObject({
    posts: '1',
    emv: '30.0',
    removed_posts: '2',
    removed_emv: '30.0',
  });
  expect(await csv('removed/by_campaign.csv')).toContain('Fjord cable');

  serving.child.kill('SIGTERM');
  expect(await serving.finished).toMatchObject({ code: 0 });
});

it('a rejected deletion fails status until it is discarded', async () => {
  const service = await startPlainService({
    analytics: new Map([[uuid(900), [analyticsRecord(1, day, { servicePost: linkedPost(1) })]]]),
    posts: new Map([[uuid(501), { id: uuid(501), title: 'Post 1' }]]),
  });
  const job = await jobFolder({ url: service.url });
  const { post } = deletionOf(1, ada).data;
  const wrong = { ...deletionOf(1, ada), data: { post: { ...post, deletedAt: 'soon' } } };
  await job.write({ 'events.json': JSON.stringify(wrong) });
  await job.run('webhooks', 'ingest', 'events.json');
  const run = await job.run('run');
  expect(run.code).toBe(3);
  expect(run.stdout).toContain('1 deletion rejected and not applied');
  const warned = await job.run('status', '--fail-on', 'warning');
  expect(warned.code).toBe(1);
  expect(warned.stdout).toContain('1 deletion rejected and not applied;');
  const [event] = await job.query('select event_key from webhook_events');
  const discarded = await job.run('webhooks', 'discard', String(event?.['event_key']).slice(0, 8));
  expect(discarded).toMatchObject({ code: 0, stdout: '1 event discarded.\n' });
  expect((await job.run('status', '--fail-on', 'warning')).code).toBe(0);
  expect((await job.run('run')).code).toBe(0);
});
