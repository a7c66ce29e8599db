import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { errorMessage, hasErrorCode, PostledgerError } from './errors.ts';
import type { Log } from './log.ts';

/** A server cannot listen at the address that it was given. */
class ListenError extends PostledgerError {
  readonly code = 'LISTEN';
  readonly recovery = 'fix-input';
}

/** Node's own limits. Node itself answers 408 and 431, and 400 to input that is not HTTP. */
const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  // A body of 1 MiB takes this long at half a megabit a second.
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
};
/** This also limits bodies to 256 MiB together. Many systems allow 1,024 open files. */
const maxConnections = 256;
const idleMs = 30_000;

/** Creates a server that strangers may reach: it limits the size, time and number of what they send. */
export function createLimitedServer({ fetch }: Hono, log: Log): Server {
  const options = { fetch, createServer, serverOptions: limits };
  const server = createAdaptorServer(options) as Server;
  server.maxConnections = maxConnections;
  server.timeout = idleMs;
  server.on('error', (error) => {
    if (server.listening) log.warn({ reason: error.message }, 'a connection could not be accepted');
  });
  return server;
}

/** The address of a server, with the words that a message needs when it cannot be used. */
export interface ListenOptions {
  /** For example `the receiver`. */
  readonly name: string;
  /** The default is 127.0.0.1, and requests for another name of this machine are refused then. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The flag or key that sets the port. The default is `--port`. */
  readonly setting?: string;
}

/**
 * @returns the origin, for example `http://127.0.0.1:8787`
 * @throws ListenError
 */
export async function listen(server: Server, options: ListenOptions): Promise<string> {
  const { name, host = '127.0.0.1', port, setting = '--port' } = options;
  server.listen(port, host.replace(/^\[(.*)\]$/, '$1'));
  try {
    await once(server, 'listening');
  } catch (cause) {
    const where = `${name} cannot listen on ${host}, port ${port}`;
    throw new ListenError(`${where}: ${addressProblem(cause, setting)}`, { cause });
  }
  const { address, family, port: given } = server.address() as AddressInfo;
  if (options.host === undefined) answerOwnNameOnly(server, name, given);
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
}

/** Answers only requests for the server's own name, so that no web page reads it through a name that resolves to this machine. */
function answerOwnNameOnly(server: Server, name: string, port: number): void {
  const [answer] = server.listeners('request') as RequestListener[];
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  server.removeAllListeners('request').on('request', (request, response) => {
    if (names.includes((request.headers.host ?? '').toLowerCase().replace(/:\d+$/, ''))) {
      answer?.(request, response);
      return;
    }
    response.writeHead(421, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`${name} answers only at http://127.0.0.1:${port}.\n`);
  });
}

function addressProblem(cause: unknown, setting: string): string {
  if (hasErrorCode(cause, 'EADDRINUSE')) {
    return `another process uses it. Stop that process, or choose another port with ${setting}`;
  }
  if (hasErrorCode(cause, 'EACCES')) {
    return `this user has no permission. Choose a port from 1024 to 65535 with ${setting}`;
  }
  if (hasErrorCode(cause, 'EADDRNOTAVAIL') || hasErrorCode(cause, 'ENOTFOUND')) {
    return 'this machine does not have that address. Choose 127.0.0.1, or another address of it';
  }
  return `${errorMessage(cause)}. Choose another port with ${setting}, or another host`;
}

/** Answers with the metrics of a registry of `prom-client`. */
export async function sendMetrics(
  context: Context,
  registry: { readonly contentType: string; metrics(): Promise<string> },
): Promise<Response> {
  return context.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
}

/** Accepts no more connections, waits for the requests in flight, and cuts them off after `timeoutMs`. */
export async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(timer);
}
