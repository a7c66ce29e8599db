import { writeFile } from 'node:fs/promises';
import { request as forward } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { createAuthority } from '../support/certificates.ts';
import { runCli, type Finished } from '../support/cli.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);
const key = 'plain-key';

function service() {
  return startPlainService({ analytics: new Map([[uuid(900), [analyticsRecord(1, recently)]]]) });
}

/** A folder with one date range to read and an empty warehouse. */
function oneWindow(url: string): Promise<JobFolder> {
  return jobFolder({ url, windows: '{ days: 20, size_days: 60 }', details: false });
}

function run(job: JobFolder, env: Record<string, string>): Promise<Finished> {
  return runCli(['run'], { cwd: job.folder, env });
}

/** Expects that the run fails without its service, says so without secrets, and leaves a complete warehouse. */
async function expectFailure(job: JobFolder, finished: Finished, message: RegExp): Promise<void> {
  const { code, stdout, stderr } = finished;
  expect(stdout).toMatch(message);
  expect(code).toBe(3);
  expect(`${stdout}${stderr}`).not.toContain(key);
  const { stdout: status } = await job.run('status', '--json');
  expect(JSON.parse(status)).toMatchObject({
    problems: [],
    runs: [{ status: 'failed' }],
    profiles: [{ posts: 0, failed_windows: [{ error: expect.stringMatching(message) as string }] }],
  });
}

async function expectHealed(job: JobFolder, finished: Finished): Promise<void> {
  expect(finished).toMatchObject({ code: 0 });
  const rows = await job.query(
    `select linkedin_post_id, like_count, impression_count,
       (select list(status order by fetched_at) from extract_windows) as windows
     from linkedin_posts`,
  );
  expect(rows).toMatchObject([
    { linkedin_post_id: uuid(1), like_count: 10, impression_count: 1000 },
  ]);
  expect(JSON.stringify(rows)).toContain('succeeded');
}

describe('a run whose service has a certificate', () => {
  const longAgo = new Date(Date.now() - 86_400_000);

  it.each([
    [
      'that has expired',
      { host: '127.0.0.1', validUntil: longAgo },
      /\(CERT_HAS_EXPIRED\); the service's certificate is not valid now: its owner has to renew it, unless this machine's clock is wrong/,
    ],
    [
      'of another name',
      { host: 'other.example.com' },
      /\(ERR_TLS_CERT_ALTNAME_INVALID\); the service's certificate is for another name: correct workspaces\.acme\.base_url/,
    ],
  ])('%s sends no key to it, and the next one recovers', async (_, options, message) => {
    const plain = await service();
    const authority = createAuthority();
    const server = createSecureServer(authority.issue(options), ({ url, headers }, response) => {
      const origin = new URL(plain.url).origin;
      forward(`${origin}${url ?? ''}`, { headers }, (answer) => answer.pipe(response)).end();
    });
    const port = await listenOnLoopback(server);
    const job = await oneWindow(`https://127.0.0.1:${port}/api/v1`);
    const trusted = join(job.folder, 'authority.pem');
    await writeFile(trusted, authority.cert);
    const trust = { NODE_EXTRA_CA_CERTS: trusted };

    await expectFailure(job, await run(job, trust), message);
    expect(plain.requests).toEqual([]);
    server.setSecureContext(authority.issue({ host: '127.0.0.1' }));
    await expectHealed(job, await run(job, trust));
  });
});
