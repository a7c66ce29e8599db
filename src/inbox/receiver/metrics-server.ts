import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { answerHeaders, refusalAnswer, type Answer } from './answer.ts';
import { listen } from './listening.ts';
import type { ReceiverLog } from './receiver-log.ts';
import type { ReceiverMetrics } from './receiver-metrics.ts';
import { refusals } from './refusals.ts';
import { parseTarget } from './request-target.ts';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

interface MetricsServerParts {
  readonly metrics: ReceiverMetrics;
  readonly log: ReceiverLog;
  readonly port: number;
}

/** One scraper, a spare and a person's look; each holds a file that a sender may need. */
const mostConnections = 10;
const idleMs = 30_000;

/**
 * Serves `/metrics` on loopback.
 * @throws ReceiverAddressError
 */
export async function startMetricsServer({
  metrics,
  log,
  port,
}: MetricsServerParts): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    answer(metrics, request).then(
      (found) => response.writeHead(found.status, answerHeaders(found)).end(found.body),
      (error: unknown) => {
        log.failed(error);
        response.destroy();
      },
    );
  });
  server.maxConnections = mostConnections;
  server.timeout = idleMs;
  const place = { host: '127.0.0.1', port, setting: 'webhooks.metrics_port' };
  const origin = await listen(server, place, (error) => log.notTaken(error));
  return { url: `${origin}/metrics`, close: () => close(server) };
}

async function answer(
  metrics: ReceiverMetrics,
  { url, method = '' }: { readonly url?: string | undefined; readonly method?: string | undefined },
): Promise<Answer> {
  if (parseTarget(url ?? '').path !== '/metrics') return refusalAnswer(refusals.notFound);
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead) return refusalAnswer(refusals.methodNotAllowed('GET, HEAD'));
  const headers = { 'content-type': metrics.contentType };
  return { status: 200, body: await metrics.expose(), headers };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
