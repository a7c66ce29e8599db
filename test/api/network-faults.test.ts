import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiError } from '../../src/api/api-error.ts';
import { createAuthority } from '../support/certificates.ts';
import { deafPort, listenOnLoopback } from '../support/loopback.ts';
import { failureOf as errorOf, key, never, open } from './operation-samples.ts';

const password = 'proxy-password';

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy'])
    vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

/** Returns the error of one failing call, and checks that it shows no secret. */
async function failureOf(baseUrl: string): Promise<ApiError> {
  const { client } = await open(baseUrl);
  const error = await errorOf(client.readDetail('post', 'p', never));
  for (const secret of [key, password])
    expect(`${error.message} ${error.stack ?? ''}`).not.toContain(secret);
  return error;
}

describe('a broken connection', () => {
  it('is tried again when the host name cannot be resolved, which points to the network and the config', async () => {
    const error = await failureOf('https://social.invalid/api/v1');
    expect(error).toMatchObject({ code: 'API_UNREACHABLE', requests: 5, isRetryable: true });
    expect(error.message).toMatch(
      /no answer from https:\/\/social\.invalid \((ENOTFOUND|EAI_AGAIN)\); the host name cannot be resolved: check the network's DNS, the proxy and workspaces\.acme\.base_url$/,
    );
  });

  it('is not tried again when the certificate is from an unknown authority', async () => {
    const server = createSecureServer(createAuthority().issue({ host: '127.0.0.1' }));
    const origin = `https://127.0.0.1:${await listenOnLoopback(server)}`;
    const error = await failureOf(`${origin}/api/v1`);
    expect(error).toMatchObject({ code: 'API_UNREACHABLE', requests: 1, isRetryable: false });
    expect(error.message).toBe(
      `GET /posts/p: no answer from ${origin} (UNABLE_TO_VERIFY_LEAF_SIGNATURE); the service's certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS, or correct workspaces.acme.base_url`,
    );
  });

  it('is reported with advice when the port speaks another protocol than TLS', async () => {
    const plain = await listenOnLoopback(createServer((_, response) => response.end('{}')));
    const other = await listenOnLoopback(
      createTcpServer((socket) => socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9\r\n'))),
    );
    for (const port of [plain, other]) {
      const { message } = await failureOf(`https://127.0.0.1:${port}/api/v1`);
      expect(message).toMatch(
        /no answer from https:\/\/127\.0\.0\.1:\d+ \(ERR_SSL_\w+\); TLS could not be negotiated: check the port and https:\/\/ in workspaces\.acme\.base_url, and the proxy$/,
      );
    }
  });

  it('is tried again when the service cuts it', async () => {
    const port = await listenOnLoopback(createTcpServer((socket) => socket.destroy()));
    const error = await failureOf(`https://127.0.0.1:${port}/api/v1`);
    expect(error).toMatchObject({ requests: 5, isRetryable: true });
    expect(error.message).toMatch(
      /\(ECONNRESET[^)]*\); check the network, the proxy and workspaces\.acme\.base_url$/,
    );
  });
});

describe('a proxy', () => {
  function useProxy(address: string): void {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY'])
      vi.stubEnv(name, `http://somebody:${password}@${address}`);
  }

  it.each(['http', 'https'])('is named in the error when it is down, for %s', async (scheme) => {
    const port = await deafPort();
    useProxy(`127.0.0.1:${port}`);
    const { message } = await failureOf(`${scheme}://social.example.com/api/v1`);
    expect(message).toBe(
      `GET /posts/p: no answer from ${scheme}://social.example.com (ECONNREFUSED 127.0.0.1:${port}); check the network, the proxy and workspaces.acme.base_url`,
    );
  });

  it('is named in the error when its host name cannot be resolved', async () => {
    useProxy('proxy.invalid:3128');
    const { message } = await failureOf('https://social.example.com/api/v1');
    expect(message).toMatch(
      /no answer from https:\/\/social\.example\.com \((ENOTFOUND|EAI_AGAIN) proxy\.invalid\)/,
    );
  });

  it.each(['http', 'https'])('that requires a login gets advice on how, for %s', async (scheme) => {
    const refusal = 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n';
    const server = createServer((_, response) => response.writeHead(407).end());
    server.on('connect', (_, socket) => socket.end(refusal));
    useProxy(`127.0.0.1:${await listenOnLoopback(server)}`);
    const { message } = await failureOf(`${scheme}://social.example.com/api/v1`);
    expect(message).toMatch(/407/);
    expect(message).toMatch(
      /; the proxy requires a login: put the user and password into HTTP_PROXY and HTTPS_PROXY/,
    );
  });
});
