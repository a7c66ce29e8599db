import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numberedEvent, startTestReceiver, testSecret } from '../support/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { deafPort } from '../support/loopback.ts';

/** The configurations of docs/webhooks.md, run by the programs that they are for. */

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
const token = 'a-token-that-no-log-may-have';
const json = { 'content-type': 'application/json' };

function blockOf(language: string): string {
  const [, block] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  if (block === undefined) throw new Error(`the page has no ${language}`);
  return block;
}

/** Starts a proxy that stays in the foreground, and waits until it answers. */
async function start(command: string, args: readonly string[], cwd: string, port: number) {
  const env = { PATH: process.env['PATH'], HOME: cwd, XDG_DATA_HOME: cwd, XDG_CONFIG_HOME: cwd };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${log}`);
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer) return { log: () => log };
    await delay(20);
  }
}

/** Keeps the workers from becoming another user, who could not enter the test's folder. */
const userLine = process.getuid?.() === 0 ? 'user root;' : '';

async function startNginx(receiverPort: number) {
  const folder = await temporaryFolder();
  const port = await deafPort();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const files = ['-keyout', key, '-out', cert];
  const subject = ['-subj', '/CN=hooks.example.com', '-days', '1'];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject]);
  const site = blockOf('nginx')
    .replaceAll('/etc/letsencrypt/live/hooks.example.com/fullchain.pem', cert)
    .replaceAll('/etc/letsencrypt/live/hooks.example.com/privkey.pem', key)
    .replaceAll('/var/log/nginx', folder)
    .replace('127.0.0.1:8787', `127.0.0.1:${receiverPort}`)
    .replace('listen [::]:443 ssl;', `listen 127.0.0.1:${await deafPort()} ssl;`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const config = `daemon off; ${userLine} pid ${join(folder, 'pid')}; error_log stderr; events {}\nhttp { ${paths.join(' ')}\n${site}}\n`;
  await writeFile(join(folder, 'nginx.conf'), config);
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder];
  await run('nginx', ['-t', ...args]);
  const { log } = await start('nginx', args, folder, port);
  const logs = async () => {
    const files = ['postledger.log', 'postledger-error.log'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    );
    return [log(), ...(await Promise.all(files))].join('\n');
  };
  return { port, logs };
}

async function startCaddy(receiverPort: number) {
  const folder = await temporaryFolder();
  const [port, adminPort] = [await deafPort(), await deafPort()];
  const site = blockOf('caddy')
    .replace(/^\{$/m, `{\n\tadmin 127.0.0.1:${adminPort}`)
    .replace('hooks.example.com {', `http://127.0.0.1:${port} {`)
    .replace('127.0.0.1:8787', `127.0.0.1:${receiverPort}`);
  const file = join(folder, 'Caddyfile');
  await writeFile(file, site);
  const { stdout } = await run('caddy', ['adapt', '--config', file, '--validate']);
  expect(stdout).toContain('reverse_proxy');
  const { log } = await start('caddy', ['run', '--config', file], folder, port);
  return { port, logs: () => Promise.resolve(log()) };
}

describe.each([
  ['nginx', startNginx],
  ['caddy', startCaddy],
])('the receiver behind %s', (_, startProxy) => {
  it('is reached only at /webhooks, however the token is sent, and no log contains the token', async () => {
    const receiver = await startTestReceiver({
      webhooks: { tokens: [testSecret(token)], tokenHeader: 'X-Hook-Token', trustProxy: true },
    });
    const { port, logs } = await startProxy(receiver.port);
    const at = (path: string) => `http://127.0.0.1:${port}${path}`;
    const post = async (n: number, path: string, headers: Record<string, string>) => {
      const init = { method: 'POST', headers: { ...json, ...headers }, body: numberedEvent(n) };
      return (await fetch(at(path), init)).status;
    };
    expect(await post(1, '/webhooks', { authorization: `Bearer ${token}` })).toBe(202);
    expect(await post(2, '/webhooks', { 'x-hook-token': token })).toBe(202);
    expect(await post(3, `/webhooks?token=${token}`, {})).toBe(202);
    expect(await post(3, `/webhooks?token=${token}`, {})).toBe(200);
    const forged = { 'x-forwarded-for': '203.0.113.7' };
    expect(await post(4, '/webhooks', forged)).toBe(401);
    expect(receiver.lines.at(-1)).toMatchObject({ status: 401, address: '127.0.0.1' });
    for (const path of ['/', '/health', '/metrics', '/webhooks/x', '/webhook']) {
      expect((await fetch(at(path))).status).toBe(404);
    }
    const send = (bytes: number) => {
      const [head = '', tail = ''] = numberedEvent(5).replace('"n":5', '"n":"|"').split('|');
      const body = `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`;
      return fetch(at(`/webhooks?token=${token}`), { method: 'POST', headers: json, body });
    };
    expect((await send(1 << 20)).status).toBe(202);
    const tooLarge = await send((1 << 20) + 1).catch(() => null);
    expect(tooLarge?.status ?? 413).toBe(413);
    // the address of a held mail is a key
    for (const path of [`/review/2026-10-31-1d49/${token}`, `/review/x/${token}/v/m0?a=b`])
      await fetch(at(path), { method: 'POST', redirect: 'manual' });
    await receiver.close();
    await fetch(at(`/review/2026-10-31-1d49/${token}`));
    expect(await post(6, `/webhooks?token=${token}`, { 'x-hook-token': token })).toBe(502);
    expect(await receiver.storedEvents()).toHaveLength(4);
    expect(await logs()).toContain('/webhooks');
    expect(await logs()).not.toContain(token);
  });
});

it('the systemd unit is accepted by systemd and exposes little', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'postledger-webhooks.service');
  const unit = await readFile(join(root, 'deploy/systemd/postledger-webhooks.service'), 'utf8');
  // systemd looks whether there is such a program; the user is made when deploy/README.md is followed
  await writeFile(file, unit.replace('/usr/local/bin/postledger', process.execPath));
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
  expect([stdout, stderr]).toEqual(['', '']);
  const judged = ['security', '--offline=true', '--no-pager', file];
  const { stdout: security } = await run('systemd-analyze', judged);
  expect(security).toMatch(/Overall exposure level .*: [0-2]\.\d OK/);
});
