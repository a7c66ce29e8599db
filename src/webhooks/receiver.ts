import { access, constants } from 'node:fs/promises';
import { Hono } from 'hono';
import type { WebhooksConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { ensureFolder } from '../core/atomic-file.ts';
import { closeServer, createLimitedServer, listen, sendMetrics } from '../core/http-server.ts';
import type { Log } from '../core/log.ts';
import { eventsFolder } from '../store/event-store.ts';
import { Authentication } from './authentication.ts';
import { ReceiverMetrics } from './metrics.ts';
import {
  createReceiverApp,
  receivesEvents,
  webhooksPath,
  type ReceiverParts,
} from './receiver-app.ts';

export interface ReceiverOptions {
  readonly webhooks: WebhooksConfig;
  /** An absolute path; events are stored in its folder `raw/_events`. */
  readonly dataDir: string;
  /** Uploads a stored event for other machines before it is acknowledged. */
  readonly archive?: ((key: string) => Promise<void>) | null;
  /** The pages of held mails; left out: there are none. */
  readonly review?: ReceiverParts['review'];
  readonly clock: Clock;
  readonly log: Log;
  /** The time that a stop waits for requests in flight. The default is 10 seconds. */
  readonly closeTimeoutMs?: number;
}

/**
 * Receives events over HTTP and stores them, until it is closed.
 * @throws UsageError for an invalid secret, or a host beyond loopback without authentication
 * @throws ListenError
 * @throws Error of the system when the folder of events is not writable
 */
export async function startReceiver(options: ReceiverOptions) {
  const { webhooks, dataDir, archive = null, clock, log, closeTimeoutMs = 10_000 } = options;
  const { review } = options;
  const authentication = new Authentication(webhooks, review !== undefined);
  const metrics = new ReceiverMetrics();
  const stop = new AbortController();
  await ensureFolder(eventsFolder(dataDir));
  await access(eventsFolder(dataDir), constants.W_OK);
  const { trustProxy, host, port, metricsPort } = webhooks;
  const parts = {
    ...{ authentication, dataDir, archive, trustProxy, clock, log, metrics },
    ...(review && { review }),
  };
  const server = createLimitedServer(createReceiverApp({ ...parts, stopping: stop.signal }), log);
  const name = review ? 'the server' : 'the receiver';
  const origin = await listen(server, { name, host, port, setting: '--port or webhooks.port' });
  const close = async () => {
    stop.abort();
    await closeServer(server, closeTimeoutMs);
  };
  const receiver = {
    /** Where events are received; with pages of held mails alone, where these are. */
    url: new URL(receivesEvents(parts) ? webhooksPath : '/', origin).href,
    metricsUrl: null,
    authentication: receivesEvents(parts)
      ? authentication.description
      : 'nothing: no events are received without webhooks.token or webhooks.signing_secret',
    close,
  };
  if (metricsPort === null) return receiver;
  const metricsServer = createLimitedServer(createMetricsApp(metrics), log);
  try {
    const setting = 'webhooks.metrics_port';
    const metricsOrigin = await listen(metricsServer, { name, port: metricsPort, setting });
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
  app.get('/metrics', (context) => sendMetrics(context, registry));
  return app;
}
