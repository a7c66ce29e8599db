import { spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { isExempt, openSocket, openWayOut } from '../../src/core/way-out.ts';
import { listenOnLoopback } from '../support/loopback.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A server on 127.0.0.1 that answers nobody until it goes on, as one that is far away. */
async function startSlowServer() {
  const program = `const { createServer } = require('node:net');
    const server = createServer((socket) => socket.end());
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [data] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(data);
  child.kill('SIGSTOP');
  for (let waiting = 0; waiting < 4; waiting += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { port, goOn: () => child.kill('SIGCONT') };
}

it('a host whose IPv4 is slow and whose IPv6 leads nowhere is reached', async () => {
  const { port, goOn } = await startSlowServer();
  vi.spyOn(dns, 'lookup').mockImplementation(((_: string, __: unknown, done: unknown) => {
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    (done as (error: null, found: unknown) => void)(null, addresses);
  }) as typeof dns.lookup);
  setTimeout(goOn, 500);
  const socket = await openSocket('far.example', port, 30_000);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

it.each([
  ['*', 'a.example', true],
  ['*, b.example', 'a.example', false],
  ['a.example', 'a.example', true],
  ['.A.example', 'www.a.EXAMPLE.', true],
  ['a.example', 'no-a.example', false],
  ['*.a.example', 'www.a.example', false],
  ['b.example a.example', 'a.example', true],
  [' b.example ,, a.example. ', 'a.example', true],
  ['a.example:8080', 'a.example', false],
  ['192.168.0.0/16', '192.168.7.9', true],
  ['192.168.0.0/16', '192.169.7.9', false],
  ['10.0.0.0/8,127.0.0.1', '127.0.0.1', true],
  ['10.0.0.0/33', '10.0.0.0', false],
  ['::1', '[::1]', true],
  ['fd00::/8', '[fd12::5]', true],
  ['168.7.9', '192.168.7.9', false],
  ['', 'a.example', false],
])('NO_PROXY=%s, read as curl does, exempts %s: %s', (noProxy, host, expected) => {
  expect(isExempt(host, noProxy)).toBe(expected);
});

it('the proxy is that of the scheme, or of all, with or without a scheme of its own, and needs no password', async () => {
  const seen: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    seen.push(request.url, request.headers['proxy-authorization']);
    response.end();
  });
  proxy.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const port = await listenOnLoopback(proxy);
  const ask = async (origin: string) => {
    const way = await openWayOut(new URL(origin), { connectMs: 1_000 });
    await way.request({ origin, path: '/x', method: 'GET' }).catch(() => undefined);
    await way.destroy();
  };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']) vi.stubEnv(name, '');
  vi.stubEnv('http_proxy', `somebody@127.0.0.1:${port}`);
  await ask('http://a.example');
  await ask('https://127.0.0.1:1');
  vi.stubEnv('ALL_PROXY', `http://127.0.0.1:${port}`);
  await ask('https://a.example');
  const login = Buffer.from('somebody:').toString('base64');
  expect(seen).toEqual(['http://a.example/x', `Basic ${login}`, 'CONNECT a.example:443']);
  vi.stubEnv('HTTPS_PROXY', 'http://:word@');
  await expect(openWayOut(new URL('https://a.example'), { connectMs: 1 })).rejects.toThrow(
    /^HTTPS_PROXY is no address of a proxy; write it as http:\/\/proxy\.example:3128, or unset it$/,
  );
});
