import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookEndpoint } from '../support/webhook-endpoint.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);

/** A job that fails with any key but the plain one, with notifications. */
async function watchedJob(notify: string) {
  const endpoint = await startWebhookEndpoint();
  const smtp = await startSmtpServer();
  const service = await startPlainService({
    analytics: new Map([[uuid(900), [analyticsRecord(1, recently)]]]),
  });
  const folder = await temporaryFolder();
  const useKey = (key: string) =>
    writeFiles(folder, {
      '.env': `KEY=${key}\nPING=${endpoint.url}/ping/\nCHAT=${endpoint.url}/chat\n`,
      'jobs.yaml': `workspaces:
  acme: { base_url: "${service.url}", api_key: "\${KEY}", profiles: [{ id: ${uuid(900)}, name: Main }] }
jobs:
  daily: { profiles: [acme/*], windows: { days: 20, size_days: 60 }, details: false, stale_after: 1d, ping: "\${PING}" }
mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: ops@nord.example }
notify: [${notify}]
`,
    });
  await useKey('plain-key');
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  const asked = (path: string) =>
    endpoint.arrivals.filter((arrival) => arrival.path.startsWith(`/hook${path}`));
  return { folder, run, useKey, endpoint, smtp, asked };
}

it('a run pings the monitor when it starts and ends, and notifies once of its failure and once of its recovery', async () => {
  const { run, useKey, asked, smtp } = await watchedJob(
    '{ post: "${CHAT}" }, { when: [failed, partial, recovered], mail: [ops@example.com] }',
  );
  expect((await run('run')).code).toBe(0);
  expect(asked('/ping').map(({ path }) => path)).toEqual(['/hook/ping/start', '/hook/ping/0']);
  expect(asked('/chat')).toEqual([]);
  await useKey('wrong-key');
  for (let count = 0; count < 2; count += 1) expect((await run('run')).code).toBe(3);
  expect(asked('/ping').at(-1)?.path).toBe('/hook/ping/3');
  expect(asked('/chat')).toHaveLength(1);
  const { text } = JSON.parse(asked('/chat')[0]?.body ?? '') as { text: string };
  expect(text).toMatch(/^\*postledger: daily failed\*\nJob daily\n/);
  expect(text).not.toContain('wrong-key');
  await useKey('plain-key');
  for (let count = 0; count < 2; count += 1) expect((await run('run')).code).toBe(0);
  expect(asked('/chat')).toHaveLength(2);
  expect(asked('/chat')[1]?.body).toContain('daily has recovered');
  const subjects = smtp.received.map(({ message }) => /^Subject: (.*)\r$/m.exec(message)?.[1]);
  expect(subjects).toEqual(['postledger: daily failed', 'postledger: daily has recovered']);
});

it('a notification that cannot be sent is logged without the address, changes no exit code, and is sent next time', async () => {
  const { run, useKey, asked, endpoint } = await watchedJob('{ post: "${CHAT}", as: json }');
  await useKey('wrong-key');
  endpoint.behave(500);
  const first = await run('run');
  expect(first.code).toBe(3);
  expect(first.stderr).toContain('the address in CHAT answers with HTTP 500');
  expect(first.stderr).toContain('the address in PING answers with HTTP 500');
  expect(first.stderr).not.toContain(`${endpoint.url}/`);
  endpoint.behave(200);
  expect((await run('run')).code).toBe(3);
  expect(JSON.parse(asked('/chat').at(-1)?.body ?? '')).toMatchObject({
    job: 'daily',
    state: 'failed',
  });
});

it('an alert in SQL is sent once for the same rows, and once when there are none', async () => {
  const { folder, run, asked } = await watchedJob('{ post: "${CHAT}" }');
  const alert = (least: number) =>
    writeFiles(folder, {
      'alerts/likes.sql': `select 'few likes: ' || sum(like_count) from linkedin_posts having count(*) >= ${least}`,
    });
  await alert(1);
  const first = await run('run');
  expect(first.code).toBe(0);
  expect((await run('notify', 'check')).code).toBe(0);
  expect(asked('/chat').map(({ body }) => body)).toEqual([
    expect.stringMatching(
      /^\{"text":"\*postledger: alert likes has new rows\*\\nfew likes: \d+"\}$/,
    ),
  ]);
  await alert(2);
  expect((await run('run')).code).toBe(0);
  expect(asked('/chat').at(-1)?.body).toContain('alert likes has recovered');
});

it('an alert that cannot be run fails check, the run, notify check and status, and is told once', async () => {
  const { folder, run, asked } = await watchedJob('{ post: "${CHAT}", as: json }');
  const broken = 'select profile,\n  nothing as größe, like_count\nfrom post_performance';
  await writeFiles(folder, {
    'alerts/broken.sql': broken,
    'alerts/half.sql': 'selec 1',
    'alerts/late.sql': "select cast('x' || count(*) as int) from linkedin_posts",
    'alerts/odd name.sql': 'select 1',
    'alerts/right.sql': 'from linkedin_posts where false',
    'alerts/two.sql': 'select 1; select 2',
    'alerts/write.sql': 'drop table linkedin_posts',
  });
  const failure = 'alerts/broken.sql:2:3: Binder Error: Referenced column "nothing" not found';
  const isRefused = async () => {
    const { code, stderr } = await run('check');
    expect(code).toBe(2);
    expect(stderr).toContain(failure);
    expect(stderr.match(/alerts\/.*?(?=;|\n|$)/g)?.slice(1)).toEqual([
      'alerts/half.sql:1:1: syntax error at or near "selec"',
      'alerts/odd name.sql: the name of an alert has only letters, digits, _ and -',
      'alerts/two.sql: there are 2 statements',
      'alerts/write.sql: only a SELECT can be run here',
    ]);
  };
  await isRefused();
  const ran = await run('run', '--quiet');
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain(`  alert failed: ${failure}`);
  expect(ran.stdout).toContain('  alert failed: alerts/late.sql:1:8: Conversion Error: ');
  // there is a warehouse now, whose rows are not looked at
  await isRefused();
  expect((await run('notify', 'check')).code).toBe(3);
  expect(asked('/ping').at(-1)?.path).toBe('/hook/ping/3');
  const told = asked('/chat').map(({ body }) => JSON.parse(body) as { job: string; state: string });
  expect(told).toHaveLength(6);
  expect(told[0]).toMatchObject({ job: 'alert broken', state: 'failed' });
  const status = await run('status', '--fail-on', 'failed');
  expect(status.code).toBe(1);
  expect(status.stdout.replaceAll(/\s+/g, ' ')).toContain(`an alert failed: ${failure}`);
  await rm(join(folder, 'alerts'), { recursive: true });
  await writeFiles(folder, { 'alerts/broken.sql': broken.replace('nothing', '0') });
  expect((await run('check')).stdout).toMatch(/\n1 alert: valid\.\n$/);
  expect((await run('notify', 'check')).code).toBe(0);
  expect((await run('status', '--fail-on', 'failed')).code).toBe(0);
});

it('notify test sends a message for every rule, and notify check notifies once of a job that was never read', async () => {
  const { run, asked } = await watchedJob('{ post: "${CHAT}", as: teams }');
  const test = await run('notify', 'test');
  expect(test).toMatchObject({ code: 0, stdout: '1 of 1 rule worked.\n' });
  expect(asked('/chat')[0]?.body).toContain('"type":"AdaptiveCard"');
  expect((await run('load')).code).toBe(0);
  for (let count = 0; count < 2; count += 1) expect((await run('notify', 'check')).code).toBe(0);
  expect(asked('/chat')).toHaveLength(2);
  expect(asked('/chat')[1]?.body).toContain('daily: acme/Main was never read');
});

it('notify check notifies of a run that died, and the next run of the recovery', async () => {
  const { folder, run, asked } = await watchedJob('{ post: "${CHAT}" }');
  expect((await run('run')).code).toBe(0);
  const { jobs } = JSON.parse((await run('status', '--json')).stdout) as {
    jobs: { last_run: { run_id: string } }[];
  };
  const runId = jobs[0]?.last_run.run_id ?? '';
  // the state that a process leaves when it is killed while it sends reports
  await writeFiles(folder, { [`data/locks/runs/daily/${runId}.lock`]: '' });
  for (let count = 0; count < 2; count += 1) expect((await run('notify', 'check')).code).toBe(0);
  expect((await run('status', '--fail-on', 'failed')).code).not.toBe(0);
  expect((await run('run')).code).toBe(0);
  expect(asked('/chat').map(({ body }) => (JSON.parse(body) as { text: string }).text)).toEqual([
    `*postledger: daily failed*\ndaily: its last run is interrupted; see: postledger runs show ${runId}`,
    expect.stringContaining('daily has recovered'),
  ]);
});
