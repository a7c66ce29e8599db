import { isLoopback } from '../core/loopback.ts';
import { defaultWebhooks } from './default-webhooks.ts';
import type { Finding } from './finding.ts';
import { childAt } from './raw-tree.ts';

/**
 * What is wrong between places of `webhooks`, so that `webhooks serve` would refuse it, or that it would
 * serve otherwise than meant. Values are not repeated: they may come from the environment.
 */
export function webhookFindings(root: unknown): Finding[] {
  const webhooks = childAt(root, 'webhooks');
  return [...hostFindings(webhooks), ...portFindings(webhooks), ...headerFindings(webhooks)];
}

function hostFindings(webhooks: unknown): Finding[] {
  const host = childAt(webhooks, 'host');
  const isProtected = has(webhooks, 'token') || has(webhooks, 'signing_secret');
  if (typeof host !== 'string' || host === '' || isLoopback(host) || isProtected) return [];
  const message =
    'must be this machine alone, such as 127.0.0.1, while there is neither token nor signing_secret: everybody could send events';
  return [{ path: ['webhooks', 'host'], message }];
}

function portFindings(webhooks: unknown): Finding[] {
  const port = childAt(webhooks, 'port') ?? defaultWebhooks.port;
  if (typeof port !== 'number' || port === 0 || childAt(webhooks, 'metrics_port') !== port)
    return [];
  return [{ path: ['webhooks', 'metrics_port'], message: `must not be that of events, ${port}` }];
}

function headerFindings(webhooks: unknown): Finding[] {
  if (!has(webhooks, 'token_header') || has(webhooks, 'token')) return [];
  const message = 'carries nothing without a token';
  return [{ path: ['webhooks', 'token_header'], message }];
}

function has(webhooks: unknown, key: string): boolean {
  return childAt(webhooks, key) !== undefined;
}
