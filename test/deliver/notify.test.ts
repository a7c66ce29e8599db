import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import type { NotifyCondition } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { notifyOf, ping, testNotify, type JobNews } from '../../src/deliver/notify.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { listenOnLoopback } from '../support/loopback.ts';

const hourMs = 3_600_000;

function mailTo(port: number) {
  const from = 'ops@nord.example';
  const host = '127.0.0.1';
  return { host, name: null, port, isEncrypted: false, login: null, from, maxBytes: 1e6 };
}

/** The subjects of the notifications about successive states, an hour apart. */
async function sentFor(when: readonly NotifyCondition[], states: readonly JobNews['state'][]) {
  const server = await startSmtpServer();
  const mail = mailTo(server.port);
  const clock = new ManualClock();
  const notify = [{ when, to: { mail: ['ops@example.com'] } }];
  const config = { dataDir: await temporaryFolder(), notify, mail };
  const tools = { config, clock, log: silentLog };
  for (const state of states) {
    await notifyOf({ job: 'daily', state, text: 'Words' }, tools);
    await clock.advance(hourMs);
  }
  return server.received.map(({ message }) => /daily (.*)\r$/m.exec(message)?.[1]);
}

const usual: readonly NotifyCondition[] = ['failed', 'partial', 'recovered'];

it.each<[string, readonly NotifyCondition[], readonly JobNews['state'][], readonly string[]]>([
  ['a state once', usual, ['failed', 'failed', 'failed'], ['failed']],
  ['each change', usual, ['failed', 'partial', 'ok'], ['failed', 'partly failed', 'has recovered']],
  ['nothing of what was well', usual, ['ok', 'ok'], []],
  ['warnings as well', usual, ['failed', 'warning', 'ok'], ['failed', 'has recovered']],
  [
    'warnings where they are asked for',
    [...usual, 'warning'],
    ['warning', 'ok'],
    ['has warnings', 'has recovered'],
  ],
  ['nothing beyond what is asked for', ['failed'], ['partial', 'failed', 'ok'], ['failed']],
  ['a reminder after a day', usual, Array<'failed'>(26).fill('failed'), ['failed', 'failed']],
])('notifications are sent for %s', async (_, when, states, expected) => {
  expect(await sentFor(when, states)).toEqual(expected);
});

it('an alert whose rows come in another order is not sent again, and one with other rows is', async () => {
  const server = await startSmtpServer();
  const mail = mailTo(server.port);
  const notify = [{ when: ['alert'], to: { mail: ['ops@example.com'] } }] as const;
  const config = { dataDir: await temporaryFolder(), notify, mail };
  const tools = { config, clock: new ManualClock(), log: silentLog };
  for (const text of ['pine: 0.4 %\nfjord: 0.7 %', 'fjord: 0.7 %\npine: 0.4 %', 'fjord: 0.7 %'])
    await notifyOf({ job: 'alert low_rate', state: 'alert', text }, tools);
  const bodies = server.received.map(({ message }) => message.split('\r\n\r\n')[1]?.trim());
  expect(bodies).toEqual(['pine: 0.4 %\r\nfjord: 0.7 %', 'fjord: 0.7 %']);
});

/** What a request had as its target, and as its login. */
async function askedOf(request: (origin: string) => Promise<string | null>) {
  const asked: { target: string | undefined; login: string | undefined }[] = [];
  const server = createServer((incoming, response) => {
    asked.push({ target: incoming.url, login: incoming.headers.authorization });
    response.end();
  });
  const port = await listenOnLoopback(server);
  expect(await request(`127.0.0.1:${port}`)).toBe(null);
  return asked;
}

it.each([
  ['/a-secret', '/a-secret/3'],
  ['/a-secret/', '/a-secret/3'],
  ['', '/3'],
  ['?create=1', '/3?create=1'],
  ['/a-secret/daily?create=1&m=%2F%20x%27', '/a-secret/daily/3?create=1&m=%2F%20x%27'],
  ['/a%2Fb/?a=1?b=/#part', '/a%2Fb/3?a=1?b=/'],
])('a ping of %j asks for %j', async (given, target) => {
  const asked = await askedOf((host) =>
    ping(new Secret('PING', 'jobs.yaml', `http://${host}${given}`), '/3'),
  );
  expect(asked).toEqual([{ target, login: undefined }]);
});

it('a ping sends the user and the password of its address', async () => {
  const asked = await askedOf((host) =>
    ping(new Secret('PING', 'jobs.yaml', `http://me:p%40ss@${host}/topic`), '/0'),
  );
  expect(asked).toEqual([{ target: '/topic/0', login: `Basic ${btoa('me:p@ss')}` }]);
});

it.each(['/hook/', '/hook//', '/hook/?a=b/', ''])(
  'a message is posted to %j as the address stands',
  async (given) => {
    const dataDir = await temporaryFolder();
    const tools = { clock: new ManualClock(), log: silentLog };
    const asked = await askedOf(async (host) => {
      const post = new Secret('CHAT', 'jobs.yaml', `http://${host}${given}`);
      const notify = [{ when: usual, to: { post, as: 'json' } }] as const;
      const config = { dataDir, mail: null, notify };
      return (await testNotify({ ...tools, config }))[0] ?? null;
    });
    expect(asked).toEqual([{ target: given || '/', login: undefined }]);
  },
);

it('pings use the proxy of the environment and follow no redirects', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(302, { location: 'http://elsewhere.example/' }).end();
  });
  const port = await listenOnLoopback(proxy);
  process.env['HTTP_PROXY'] = `http://127.0.0.1:${port}`;
  onTestFinished(() => {
    delete process.env['HTTP_PROXY'];
  });
  const address = new Secret('PING', 'jobs.yaml', 'http://monitor.example/a-secret');
  expect(await ping(address, '/start')).toBe('the address in PING answers with HTTP 302');
  expect(asked).toEqual(['http://monitor.example/a-secret/start']);
});
