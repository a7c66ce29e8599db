import type { WebhooksConfig } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { EventStore } from '../spool/event-store.ts';
import { describeAuthentication, readAuthentication } from './authentication.ts';
import type { Authentication } from './authentication.ts';
import { DiskRoom } from './disk-room.ts';
import { EventReception } from './event-reception.ts';
import { Health } from './health.ts';
import { defaultLimits, type ReceiverLimits } from './limits.ts';
import { listen } from './listening.ts';
import { startMetricsServer, type MetricsServer } from './metrics-server.ts';
import { ReceiverLog } from './receiver-log.ts';
import { ReceiverMetrics } from './receiver-metrics.ts';
import { Releases } from './releases.ts';
import { RequestServer } from './request-server.ts';
import { Responder, webhooksPath } from './responder.ts';

export interface ReceiverOptions {
  readonly webhooks: WebhooksConfig;
  /** Absolute; events are kept in its `inbox`. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: ReceiverLimits;
  /** How long to wait for another receiver that has the inbox; default 0. */
  readonly waitMs?: number;
  /** Ends that waiting. */
  readonly signal?: AbortSignal;
}

/** A running receiver of events. */
export interface Receiver {
  /** Where events are sent. */
  readonly url: string;
  readonly metricsUrl: string | null;
  /** What a sender has to show, in words. */
  readonly authentication: string;
  /** Answers what has come in, and has every event that was accepted on disk. May be called once. */
  close(): Promise<void>;
}

/**
 * Receives events over HTTP and keeps them in the inbox, until it is closed.
 * @throws UsageError for an authentication that is none, or too little for the host
 * @throws BusyError when another receiver holds the inbox for longer than `waitMs`
 * @throws InterruptedError when the signal aborts while waiting
 * @throws ReceiverAddressError when it cannot listen
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const authentication = readAuthentication(options.webhooks);
  const releases = new Releases();
  try {
    const { url, metricsUrl } = await start(options, authentication, releases);
    const words = describeAuthentication(authentication);
    return { url, metricsUrl, authentication: words, close: () => releases.releaseAll() };
  } catch (error) {
    // the error that came first is the one to tell
    await releases.releaseAll().catch(() => undefined);
    throw error;
  }
}

async function start(
  options: ReceiverOptions,
  authentication: Authentication,
  releases: Releases,
): Promise<{ url: string; metricsUrl: string | null }> {
  const { webhooks, dataDir, clock, limits = defaultLimits } = options;
  const metrics = new ReceiverMetrics(clock);
  const { waitMs = 0, signal } = options;
  const store = await EventStore.open({ dataDir, clock, log: options.log, waitMs, signal });
  releases.add(() => store.close());
  const log = new ReceiverLog(options.log, clock, limits.logLinesPerSecond);
  releases.add(() => log.close());
  const disk = new DiskRoom(dataDir, limits.bodyBytes, clock);
  const health = new Health({ store, disk, clock });
  const { maxRequestsPerSecond } = webhooks;
  const reception = new EventReception({
    ...{ authentication, store, limits, maxRequestsPerSecond, clock },
    onEvent: (outcome, event, storeMs) => {
      log.event(outcome, event);
      metrics.event(outcome, storeMs);
      if (outcome === 'stored') health.eventStored();
    },
    onUnavailable: () => health.eventFailed(),
  });
  const responder = new Responder({ reception, health, metrics, log });
  const server = new RequestServer({
    ...{ limits, clock, isProxyTrusted: webhooks.trustProxy },
    respond: (exchange) => responder.respond(exchange),
    onBroken: (refusal, address, reason) => responder.refuseBroken(refusal, address, reason),
    onFailure: (error) => responder.fail(error),
    onDrop: (address, reason) => responder.refuseConnection(address, reason),
  });
  const metricsServer = await startMetrics(options, { metrics, health, log });
  if (metricsServer) releases.add(() => metricsServer.close());
  const place = { ...webhooks, setting: '--port or webhooks.port' };
  const origin = await listen(server.server, place, (error) => log.notTaken(error));
  releases.add(() => server.stop());
  return { url: `${origin}${webhooksPath}`, metricsUrl: metricsServer?.url ?? null };
}

async function startMetrics(
  { webhooks }: ReceiverOptions,
  parts: {
    readonly metrics: ReceiverMetrics;
    readonly health: Health;
    readonly log: ReceiverLog;
  },
): Promise<MetricsServer | null> {
  const { metrics, health, log } = parts;
  if (webhooks.metricsPort === null) return null;
  metrics.observe(() => health.gauges());
  return startMetricsServer({ metrics, log, port: webhooks.metricsPort });
}
