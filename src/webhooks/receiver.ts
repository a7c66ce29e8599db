import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { WebhooksConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { ensureFolder } from '../core/atomic-file.ts';
import { errorMessage, hasErrorCode, PostledgerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { eventsFolder } from '../store/event-store.ts';
import { Authentication } from './authentication.ts';
import { ReceiverMetrics } from './metrics.ts';
import { createReceiverApp, webhooksPath } from './receiver-app.ts';

export interface ReceiverOptions {
  readonly webhooks: WebhooksConfig;
  /** An absolute path; events are stored in its folder `raw/_events`. */
  readonly dataDir: string;
  /** Uploads a stored event for other machines before it is acknowledged. */
  readonly archive?: ((key: string) => Promise<void>) | null;
  readonly clock: Clock;
  readonly log: Log;
  /** The time that a stop waits for requests in flight. The default is 10 seconds. */
  readonly closeTimeoutMs?: number;
}

/** A running receiver of events. */
export interface Receiver {
  /** The address to which events are sent. */
  readonly url: string;
  readonly metricsUrl: string | null;
  /** A description of the credentials that a sender needs. */
  readonly authentication: string;
  /** Accepts no more connections, and answers the requests in flight. */
  close(): Promise<void>;
}

class ReceiverAddressError extends PostledgerError {
  readonly code = 'RECEIVER_ADDRESS';
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

/**
 * Receives events over HTTP and stores them, until it is closed.
 * @throws UsageError for an invalid secret, or a host beyond loopback without authentication
 * @throws ReceiverAddressError when it cannot listen
 * @throws Error of the system when the folder of events is not writable
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { webhooks, dataDir, archive = null, clock, log, closeTimeoutMs = 10_000 } = options;
  const authentication = new Authentication(webhooks);
  const metrics = new ReceiverMetrics();
  const stop = new AbortController();
  await ensureFolder(eventsFolder(dataDir));
  await access(eventsFolder(dataDir), constants.W_OK);
  const { trustProxy, host, port, metricsPort } = webhooks;
  const parts = { authentication, dataDir, archive, trustProxy, clock, log, metrics };
  const server = createHttpServer(createReceiverApp({ ...parts, stopping: stop.signal }), log);
  const origin = await listen(server, host, port, '--port or webhooks.port');
  const close = async () => {
    stop.abort();
    await closeServer(server, closeTimeoutMs);
  };
  const receiver = {
    url: `${origin}${webhooksPath}`,
    metricsUrl: null,
    authentication: authentication.description,
    close,
  };
  if (metricsPort === null) return receiver;
  const metricsServer = createHttpServer(createMetricsApp(metrics), log);
  try {
    const setting = 'webhooks.metrics_port';
    const metricsOrigin = await listen(metricsServer, '127.0.0.1', metricsPort, setting);
    const closeBoth = async () => {
      await Promise.all([close(), closeServer(metricsServer, 0)]);
    };
    return { ...receiver, metricsUrl: `${metricsOrigin}/metrics`, close: closeBoth };
  } catch (error) {
    await close();
    throw error;
  }
}

function createMetricsApp({ registry }: ReceiverMetrics): Hono {
  const app = new Hono();
  app.get('/metrics', async (context) =>
    context.body(await registry.metrics(), 200, { 'content-type': registry.contentType }),
  );
  return app;
}

function createHttpServer({ fetch }: Hono, log: Log): Server {
  const options = { fetch, createServer, serverOptions: limits };
  const server = createAdaptorServer(options) as Server;
  server.maxConnections = maxConnections;
  server.timeout = idleMs;
  server.on('error', (error) => {
    if (server.listening) log.warn({ reason: error.message }, 'a connection could not be accepted');
  });
  return server;
}

/**
 * @param setting the setting of the port, for the message
 * @returns the origin, for example `http://127.0.0.1:8787`
 */
async function listen(server: Server, host: string, port: number, setting: string) {
  server.listen(port, host.replace(/^\[(.*)\]$/, '$1'));
  try {
    await once(server, 'listening');
  } catch (cause) {
    const where = `the receiver cannot listen on ${host}, port ${port}`;
    throw new ReceiverAddressError(`${where}: ${addressProblem(cause, setting)}`, { cause });
  }
  const { address, family, port: given } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
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

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(timer);
}
