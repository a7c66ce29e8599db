import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { refusalAnswer } from './answer.ts';
import { listen } from './listening.ts';
import type { ReceiverMetrics } from './receiver-metrics.ts';
import { refusals } from './refusals.ts';
import { parseTarget } from './request-target.ts';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` on loopback.
 * @throws ReceiverAddressError
 */
export async function startMetricsServer(
  metrics: ReceiverMetrics,
  port: number,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const { path } = parseTarget(request.url ?? '');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path !== '/metrics') refuse(response, refusals.notFound);
    else if (!isRead) refuse(response, refusals.methodNotAllowed('GET, HEAD'));
    else void expose(metrics, response);
  });
  const place = { host: '127.0.0.1', port, setting: 'webhooks.metrics_port' };
  const origin = await listen(server, place);
  return { url: `${origin}/metrics`, close: () => close(server) };
}

async function expose(metrics: ReceiverMetrics, response: ServerResponse): Promise<void> {
  const text = await metrics.expose();
  response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
}

function refuse(response: ServerResponse, refusal: Parameters<typeof refusalAnswer>[0]): void {
  const { status, body, headers } = refusalAnswer(refusal);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
