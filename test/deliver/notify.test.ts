import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import type { NotifyCondition } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { notifyOf, ping, type JobNews } from '../../src/deliver/notify.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const hourMs = 3_600_000;

/** The subjects of the notifications about successive states, an hour apart. */
async function sentFor(when: readonly NotifyCondition[], states: readonly JobNews['state'][]) {
  const server = await startSmtpServer();
  const mail = {
    host: '127.0.0.1',
    port: server.port,
    isEncrypted: false,
    login: null,
    from: 'ops@nord.example',
    maxBytes: 1e6,
  };
  const clock = new ManualClock();
  const rules = [{ when, to: { mail: ['ops@example.com'] } }];
  const tools = { dataDir: await temporaryFolder(), rules, mail, clock, log: silentLog };
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

it('pings use the proxy of the environment and follow no redirects', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(302, { location: 'http://elsewhere.example/' }).end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  process.env['HTTP_PROXY'] = `http://127.0.0.1:${port}`;
  onTestFinished(() => {
    delete process.env['HTTP_PROXY'];
    proxy.close();
  });
  const address = new Secret('PING', 'jobs.yaml', 'http://monitor.example/a-secret');
  expect(await ping(address, '/start')).toBe('the address in PING answers with HTTP 302');
  expect(asked).toEqual(['http://monitor.example/a-secret/start']);
});
