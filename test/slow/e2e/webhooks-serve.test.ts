import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../src/core/clock.ts';
import { eventKey, listEventKeys, readEvent } from '../../../src/store/event-store.ts';
import { runCli, servingAt, startCli, writeFiles } from '../../support/cli.ts';
import { numberedEvent, storedEvents } from '../../support/receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const token = 'a-token-that-nobody-may-see';
const signingSecret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const workspaces = `workspaces:
  acme: { base_url: "https://social.example.com/api/v1", api_key: "\${UNSET_KEY}" }
`;
const both = `webhooks: { port: 0, token: "\${HOOK_TOKEN}", signing_secret: "\${HOOK_SECRET}", metrics_port: 0 }\n`;

const addressSchema = z.strictObject({
  url: z.string(),
  metrics_url: z.string().nullable(),
  pid: z.int(),
});

async function folderWith(webhooks: string, env = `HOOK_TOKEN=${token}\n`) {
  const cwd = await temporaryFolder();
  await writeFiles(cwd, { 'jobs.yaml': `${workspaces}${webhooks}`, '.env': env });
  return cwd;
}

async function serve(cwd: string, ...args: string[]) {
  const running = startCli(['webhooks', 'serve', '--port', '0', '--json', ...args], { cwd });
  const address = addressSchema.parse(await servingAt(running));
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    running.child.kill(signal);
    return running.finished;
  };
  return { ...running, address, stop };
}

function post(url: string, body: string, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers: { ...type, ...headers }, body });
}

describe('webhooks serve', () => {
  it('receives with a token and a signature, reports its health, and shuts down cleanly', async () => {
    const cwd = await folderWith(both, `HOOK_TOKEN=${token}\nHOOK_SECRET=${signingSecret}\n`);
    const { address, child, stop } = await serve(cwd, '--log-format', 'json');
    const { url, metrics_url: metricsUrl, pid } = address;
    expect([new URL(url).pathname, pid]).toEqual(['/webhooks', child.pid]);
    const event = numberedEvent(1);
    const now = systemClock.now();
    const headers = {
      authorization: `Bearer ${token}`,
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(signingSecret).sign('msg_1', now, event),
    };
    expect((await post(`${url}?token=wrong-token`, event)).status).toBe(401);
    expect((await post(url, event, headers)).status).toBe(202);
    expect((await post(url, event, headers)).status).toBe(200);
    const health = await fetch(new URL('/health', url));
    expect(await health.json()).toMatchObject({ status: 'ready' });
    expect(await (await fetch(metricsUrl ?? '')).text()).toContain(
      'postledger_webhook_events_total{outcome="stored"} 1\n',
    );

    const { code, signal, stdout, stderr } = await stop();
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout).toBe(`${JSON.stringify(address)}\n`);
    const lines = stderr.split('\n').filter((line) => line.includes('"msg"'));
    const log = lines.map((line): unknown => JSON.parse(line));
    expect(log).toMatchObject([
      { level: 40, msg: expect.stringContaining('has no jobs') as unknown },
      {
        level: 30,
        authentication: 'a token and a signature',
        data_dir: join(cwd, 'data'),
        msg: `receiving events at ${url}`,
      },
      { level: 40, status: 401, request: 'POST /webhooks', address: '127.0.0.1' },
      { level: 30, type: 'test', msg: 'event stored' },
      { level: 30, type: 'test', msg: 'duplicate' },
      { level: 30, msg: 'stopping: requests in flight are answered' },
    ]);
    for (const secret of [token, signingSecret, 'wrong-token'])
      expect(stderr).not.toContain(secret);
    expect(await storedEvents(join(cwd, 'data'))).toEqual([JSON.parse(event)]);
  });

  it.skipIf(process.platform !== 'linux')('does not load DuckDB', async () => {
    const cwd = await folderWith('');
    const { address } = await serve(cwd);
    const maps = await readFile(`/proc/${address.pid}/maps`, 'utf8');
    expect(maps).toContain('node');
    expect(maps).not.toMatch(/duckdb/i);
  });

  it('has every acknowledged event on disk exactly once after it was killed under load', async () => {
    const cwd = await folderWith('');
    const { address, child, finished } = await serve(cwd, '--quiet');
    const acknowledged = new Set<string>();
    let sent = 0;
    const sendOn = async () => {
      for (;;) {
        // every third one is a repeat, whose first copy may be on its way
        const event = numberedEvent(sent % 3 === 2 ? sent - 1 : sent);
        sent += 1;
        const answer = await post(address.url, event).catch(() => null);
        if (answer === null) return;
        expect(answer.status).toBeLessThan(300);
        acknowledged.add(eventKey(JSON.parse(event)));
        if (acknowledged.size === 300) child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 16 }, sendOn));
    expect(await finished).toMatchObject({ signal: 'SIGKILL' });
    const keys = await listEventKeys(join(cwd, 'data'));
    expect([...acknowledged].filter((key) => !keys.includes(key))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) await readEvent(join(cwd, 'data'), key);
  });

  it('refuses a host beyond loopback without authentication', async () => {
    const cwd = await folderWith('webhooks: { port: 0 }\n');
    const command = ['webhooks', 'serve', '--json', '--host', '0.0.0.0'];
    const message =
      'the receiver does not listen on 0.0.0.0 without authentication, since anyone could send events; set webhooks.token or webhooks.signing_secret in jobs.yaml, or listen on 127.0.0.1';
    const { code, stdout, stderr } = await runCli(command, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error: ${message}\n`);
  });

  it('has check refuse a signing secret that is no Base64, cut off or too long', async () => {
    const secrets = [
      [`${token}!`, 'an invalid signing secret of Standard Webhooks'],
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2L', 'a signing secret of 20 bytes instead of 24 to 64'],
      [`whsec_${'MfKQ'.repeat(22)}`, 'a signing secret of 66 bytes instead of 24 to 64'],
    ] as const;
    const webhooks = 'webhooks: { signing_secret: "${HOOK_SECRET}" }\n';
    const cwd = await folderWith(webhooks, 'UNSET_KEY=key\n');
    for (const [secret, problem] of secrets) {
      const env = { HOOK_SECRET: secret };
      const { code, stdout, stderr } = await runCli(['check'], { cwd, env });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(
        `error: jobs.yaml:3: webhooks.signing_secret: the environment variable HOOK_SECRET holds ${problem}; it must be whsec_ followed by Base64`,
      );
      expect(stderr).not.toContain(secret);
    }
    expect((await runCli(['check', '--no-secrets'], { cwd })).code).toBe(0);
  });
});
